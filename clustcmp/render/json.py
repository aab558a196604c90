"""A report as JSON: what its `to_dict` says, and nothing else."""

from __future__ import annotations

import json


def write(document: object) -> str:
    """JSON that is the same for the same report, in ASCII, without NaN."""
    text = json.dumps(document, indent=2, sort_keys=True, allow_nan=False)
    # In a log of GitHub Actions ##[ gives a command. In JSON these characters can only stand within
    # a string, where an escape may replace one of them.
    return text.replace("##[", "##\\u005b") + "\n"
