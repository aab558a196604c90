"""The order in which clusters are told: what matters most first, then by name as people sort."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Integers
from clustcmp.model.texts import Texts

NUMBERS = re.compile(r"([0-9]+)")


def rank(keys: list[npt.NDArray[Any]], codes: Integers, names: Texts, top: int) -> list[int]:
    """The first codes by their keys, largest first, and by their names where those are level."""
    chosen = [np.asarray(key, dtype=np.float64) for key in keys]
    order = np.lexsort([-key for key in reversed(chosen)])
    if top < 1:
        return []
    if len(order) > top:
        # All that are level with the last one shown may come before it by name.
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
    """A key that sorts "2" before "10"."""
    pieces = NUMBERS.split(name)
    words = [(0, piece) for piece in pieces]
    # A longer number is larger; as text it may have any number of digits.
    words[1::2] = [(len(digits.lstrip("0")), digits.lstrip("0")) for digits in pieces[1::2]]
    return (*words, (0, name))
