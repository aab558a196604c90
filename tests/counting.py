"""Counts how often clusterings are aligned, joined and tidied while a test runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from clustcmp.align import collection, form, labelings, rows
from clustcmp.model import Texts, coordinates
from clustcmp.model.texts import same_texts


@dataclass
class Work:
    """How often each step of an alignment was done.

    A clustering is tidied for its canonical form, or for a comparison of some of its points.
    """

    alignments: int = 0
    joins: int = 0
    coordinate_joins: int = 0
    canonical_forms: int = 0
    tidied: int = 0


@contextmanager
def counting_work() -> Iterator[Work]:
    """Count what is done within this block."""
    work = Work()

    def counted_same_texts(a: Texts, b: Texts) -> bool:
        found = same_texts(a, b)
        # Different hashes tell different ids apart without a look at the texts.
        work.joins += found and a is not b
        return found

    def count(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **keywords: Any) -> Any:
            setattr(work, name, getattr(work, name) + 1)
            return function(*arguments, **keywords)

        return counted

    steps = [
        (labelings.Labelings, "alignment", "alignments"),
        (rows, "match", "joins"),
        (coordinates, "match", "coordinate_joins"),
        (labelings, "canonical", "canonical_forms"),
        (collection, "restrict", "tidied"),
        (form, "restrict", "tidied"),
    ]
    with ExitStack() as stack:
        for room, function, name in steps:
            counted = count(name, getattr(room, function))
            stack.enter_context(patch.object(room, function, counted))
        stack.enter_context(patch.object(labelings, "same_texts", counted_same_texts))
        yield work
