"""Words that are not names of metrics here, and what they lead to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from clustcmp.errors import UsageError


class Known(NamedTuple):
    """Words that are not names of metrics here, and the metrics that they lead to.

    If `is_same`, the words are accepted for the only metric. If `is_missing`, there is no such
    metric, and `metrics` are the nearest ones. A `formula` says how the number follows from the
    metrics. Otherwise the user has to choose.
    """

    words: tuple[str, ...]
    metrics: tuple[str, ...]
    is_same: bool = False
    is_missing: bool = False
    why: str = ""
    formula: str = ""

    def explain(self, word: str) -> UsageError:
        """The error for one of the words, as the user wrote it."""
        word = word.strip()
        if self.formula:
            return UsageError(
                f"{word}: a formula of {either(self.metrics)}, not a metric",
                hint=f"compute {self.formula}",
            )
        if self.is_missing:
            why = f" ({self.why})" if self.why else ""
            hint = f"nearest: {', '.join(self.metrics)}{why}" if self.metrics else self.why
            return UsageError(f"{word}: clustcmp has no such metric", hint=hint)
        hint = self.why or f"see 'clustcmp metrics {' '.join(self.metrics)}'"
        return UsageError(f"{word}: {either(self.metrics)}?", hint=hint)


class Found(NamedTuple):
    """A word that was found, what to write for it here, and what that is."""

    word: str
    write: tuple[str, ...]
    what: str
    metrics: tuple[str, ...]


def normal(word: str) -> str:
    """A word as metrics are named: lower case, with underscores."""
    return word.strip().lower().replace("-", "_").replace(".", "_")


def run_together(word: str) -> str:
    """The letters and digits of a word, in lower case and without what stands between them."""
    return normal(word).replace("_", "")


def either(names: Sequence[str]) -> str:
    """Names to choose from: `x`, `x or y`, `x, y or z`."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
