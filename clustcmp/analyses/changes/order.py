"""The order of clusters in a report: the most important first, then by name as people sort."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Integers
from clustcmp.model.texts import Texts

NUMBERS = re.compile(r"([0-9]+)")


def rank(keys: list[npt.NDArray[Any]], codes: Integers, names: Texts, top: int) -> list[int]:
    """The first `top` codes: by the first key, largest first, then by the next keys, then by name.

    `keys` are arrays with an entry for each of the codes.
    """
    chosen = [np.asarray(key, dtype=np.float64) for key in keys]
    order = np.lexsort([-key for key in reversed(chosen)])
    if top < 1:
        return []
    if len(order) > top:
        # A code whose keys are equal to those of the last one shown may come before it by name.
        last = [key[order[top - 1]] for key in chosen]
        behind = np.zeros(len(order), dtype=np.bool_)
        level = np.ones(len(order), dtype=np.bool_)
        for key, end in zip(chosen, last, strict=True):
            behind |= level & (key < end)
            level &= key == end
        order = order[~behind[order]]
    candidates = sorted(
        (
            tuple(-float(key[at]) for key in chosen),
            natural(names[int(codes[at])]),
            int(codes[at]),
        )
        for at in order.tolist()
    )
    return [code for _, _, code in candidates[:top]]


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A key to sort names by, so that "2" comes before "10"."""
    pieces = NUMBERS.split(name)
    words = [(0, piece) for piece in pieces]
    # A number with more digits is larger. As text a number may have any number of digits.
    words[1::2] = [(len(digits.lstrip("0")), digits.lstrip("0")) for digits in pieces[1::2]]
    return (*words, (0, name))
