"""Run the benchmarks, print a table, and leave with 1 if a target is missed."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tests.bench.benchmarks import BENCHMARKS
from tests.bench.measure import Outcome

COLUMNS = "{:<40} {:>9} {:>9} {:>15}  {:<20} {}"


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(BENCHMARKS)}"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers here too")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(BENCHMARKS):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")

    print(COLUMNS.format("what", "ours", "peer", "ratio", "target", ""))
    outcomes = []
    for name in arguments.names or BENCHMARKS:
        with tempfile.TemporaryDirectory() as folder:
            for outcome in BENCHMARKS[name](Path(folder)):
                print(show(outcome), flush=True)
                outcomes.append(outcome)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=2))
    return 0 if all(outcome.ok for outcome in outcomes) else 1


def show(outcome: Outcome) -> str:
    """A line of the table."""
    ours = f"{outcome.ours:.3g} {outcome.unit}"
    peer = f"{outcome.peer:.3g} {outcome.unit}" if outcome.peer is not None else ""
    verdict = "ok" if outcome.ok else "MISSED"
    return COLUMNS.format(outcome.what, ours, peer, outcome.ratio, outcome.target, verdict)


if __name__ == "__main__":
    sys.exit(main())
