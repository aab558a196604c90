"""Ids that are whole numbers: ordered and joined as their decimal texts, but kept as numbers."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import NONE, Flags, Integers
from clustcmp.model.texts import BLOCK, HashOrder, Texts, offsets_of

POWERS = np.array([10**power for power in range(1, 20)], dtype=np.uint64)

# Numbers in a range of up to so many times their count are looked up in a table of positions.
WIDEST = 8


class WholeNumbers(Texts):
    """The decimal texts of whole numbers, which are written a block at a time to be hashed.

    The bytes of all texts are there once `offsets` or `data` is asked for.
    """

    numbers: Integers
    is_whole = True

    def __init__(self, numbers: Integers) -> None:
        """The numbers have 64 bits."""
        object.__setattr__(self, "numbers", numbers)

    def __getstate__(self) -> dict[str, Any]:
        return {"numbers": self.numbers}

    @cached_property
    def _texts(self) -> Texts:
        return decimals(self.numbers)

    @property
    def offsets(self) -> Integers:
        """Where the texts start in the data."""
        return self._texts.offsets

    @property
    def data(self) -> npt.NDArray[np.uint8]:
        """The bytes of all texts."""
        return self._texts.data

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, i: int) -> str:
        return str(int(self.numbers[i]))

    def __add__(self, others: Texts) -> Texts:
        if isinstance(others, WholeNumbers):
            return WholeNumbers(np.concatenate([self.numbers, others.numbers]))
        return super().__add__(others)

    def find_empty(self) -> Integers:
        """No number is an empty text."""
        return np.empty(0, dtype=np.int64)

    def tolist(self) -> list[str]:
        """All texts as Python strings."""
        return list(map(str, self.numbers.tolist()))

    def take(self, chosen: Integers) -> Texts:
        """Some of the numbers, in the order asked for."""
        return WholeNumbers(self.numbers[chosen])

    def hashes(self) -> npt.NDArray[np.uint32]:
        """The hashes of the decimal texts."""
        hashes = np.empty(len(self), dtype=np.uint32)
        for first in range(0, len(self), BLOCK):
            block = self.numbers[first : first + BLOCK]
            hashes[first : first + BLOCK] = decimals(block).hashes()
        return hashes

    @cached_property
    def duplicate(self) -> tuple[int, int] | None:
        """The first two positions that hold the same number, or None if all differ."""
        width = self._width
        if width is not None:
            is_there = np.zeros(width, dtype=np.bool_)
            is_there[self.numbers - self.numbers.min()] = True
            n_distinct = int(np.count_nonzero(is_there))
        else:
            n_distinct = len(np.unique(self.numbers))
        return None if n_distinct == len(self) else super().duplicate

    def equal(self, mine: Integers, other: Texts, theirs: Integers) -> Flags:
        """For each i, whether text `mine[i]` here equals text `theirs[i]` of the other."""
        if isinstance(other, WholeNumbers):
            same: Flags = self.numbers[mine] == other.numbers[theirs]
            return same
        equal = np.empty(len(mine), dtype=np.bool_)
        for first in range(0, len(mine), BLOCK):
            chosen = slice(first, first + BLOCK)
            block = decimals(self.numbers[mine[chosen]])
            equal[chosen] = block.equal(np.arange(len(block)), other, theirs[chosen])
        return equal

    def has_same(self, others: Texts) -> bool:
        """Whether both hold the same texts, none of them twice.

        If both are numbers, the hash order of the others follows from this one without a sort.
        """
        if not isinstance(others, WholeNumbers):
            return super().has_same(others)
        if len(self) != len(others):
            return False
        table = others._positions()
        if table is not None:
            low = int(others.numbers.min())
            if int(self.numbers.min()) < low or int(self.numbers.max()) - low >= len(table):
                return False
            partners = table[self.numbers - low]
            if (partners == NONE).any():
                return False
        else:
            mine, theirs = np.argsort(self.numbers), np.argsort(others.numbers)
            if not np.array_equal(self.numbers[mine], others.numbers[theirs]):
                return False
            partners = np.empty(len(self), dtype=np.int64)
            partners[mine] = theirs
        keys, order = self.hash_order
        others.__dict__.setdefault("hash_order", HashOrder(keys, partners[order]))
        return True

    @cached_property
    def _width(self) -> int | None:
        """How many numbers there are from the lowest to the highest one; None if too many."""
        if not len(self):
            return None
        width = int(self.numbers.max()) - int(self.numbers.min()) + 1
        return width if width <= WIDEST * len(self) else None

    def _positions(self) -> Integers | None:
        """The position of each number from the lowest one on; None where the range is wide."""
        if self._width is None:
            return None
        table = np.full(self._width, NONE, dtype=np.int64)
        table[self.numbers - self.numbers.min()] = np.arange(len(self))
        return table


def decimals(numbers: Integers) -> Texts:
    """The decimal texts of whole numbers."""
    is_negative = numbers < 0
    # The lowest number has no positive counterpart; as an unsigned number it is right.
    rest = np.abs(numbers).view(np.uint64)
    widths = np.searchsorted(POWERS, rest, side="right") + 1
    offsets = offsets_of(widths + is_negative)
    data = np.full(int(offsets[-1]), ord("-"), dtype=np.uint8)
    # From the last digit to the first one; shorter numbers have none left before the longest ones.
    ends = offsets[1:] - 1
    for place in range(int(widths.max(initial=0))):
        if place:
            left = widths > place
            ends, rest, widths = ends[left], rest[left], widths[left]
        quotient = rest // np.uint64(10)
        data[ends - place] = (rest - quotient * np.uint64(10)).astype(np.uint8) + ord("0")
        rest = quotient
    return Texts(offsets, data)
