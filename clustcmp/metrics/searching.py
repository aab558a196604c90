"""Search for metrics by names, by the words of other programs, and by what is said about them."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from clustcmp.errors import UsageError
from clustcmp.known import Found, Known, run_together
from clustcmp.metrics import METRICS
from clustcmp.registry import Metric
from clustcmp.wording import say

# Words whose letters agree at least this much may be what a user meant.
ALIKE = 0.8

# Shorter words are found only as whole words: mi is within half of all names.
SHORT = 3


def search(word: str) -> tuple[Found, ...]:
    """What a word leads to: the same word first, then words that hold it, then texts that do."""
    wanted = run_together(word)
    if not wanted:
        raise UsageError(
            "there is no word to search for", hint=f"for example {say('like', 'dice')}"
        )
    entries = [*by_name(), *by_known_word()]
    found = [
        *[one for one in entries if run_together(one.word) == wanted],
        *[one for one in entries if is_part(wanted, run_together(one.word))],
    ]
    if not found:
        found = list(by_text(word))
    if not found:
        found = [one for one in entries if is_alike(wanted, run_together(one.word))]
    if not found:
        raise UsageError(
            f"nothing here is like {word.strip()!r}", hint="'clustcmp metrics' lists all metrics"
        )
    # Several spellings lead to the same: the best one is enough.
    distinct = {(one.write, one.what): one for one in reversed(found)}
    return tuple(one for one in found if distinct[one.write, one.what] is one)


def is_part(wanted: str, letters: str) -> bool:
    """Whether a longer word holds the letters."""
    return len(wanted) >= SHORT and wanted in letters and wanted != letters


def is_alike(wanted: str, letters: str) -> bool:
    """Whether two words differ in few letters."""
    return SequenceMatcher(None, wanted, letters).ratio() >= ALIKE


def by_name() -> Iterator[Found]:
    """All metrics by their names and aliases."""
    for metric in METRICS.values():
        for name in (metric.name, *metric.aliases):
            yield Found(name, (metric.name,), metric.brief, (metric.name,))


def by_known_word() -> Iterator[Found]:
    """All words of other programs, and all formulas."""
    for entry in METRICS.known:
        for word in entry.words:
            yield found_of(word, entry)


def found_of(word: str, entry: Known) -> Found:
    """What a known word leads to."""
    names = tuple(dict.fromkeys(spec.partition(":")[0] for spec in entry.metrics))
    if entry.formula:
        return Found(word, (entry.formula,), f"a formula of {' and '.join(names)}", names)
    if entry.is_missing:
        nearest = f"nearest: {', '.join(entry.metrics)}" if entry.metrics else ""
        what = "; ".join(filter(None, ["not here", nearest, entry.why]))
        return Found(word, (), what, names)
    if entry.is_same:
        return Found(word, entry.metrics, "the same number", names)
    return Found(word, entry.metrics, entry.why or METRICS[names[0]].brief, names)


def by_text(word: str) -> Iterator[Found]:
    """The metrics whose docstring, formula or citation holds the word."""
    for metric in METRICS.values():
        if word.strip().lower() in text_of(metric):
            yield Found(metric.name, (metric.name,), metric.brief, (metric.name,))


def text_of(metric: Metric) -> str:
    """What is said about a metric, in lower case."""
    options = [option.help for option in metric.options.values()]
    parts = [metric.summary, *metric.notes, metric.formula, metric.citation, metric.brief, *options]
    return " ".join(parts).lower()
