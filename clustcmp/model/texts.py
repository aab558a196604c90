"""Many short texts in one buffer, hashed and compared without a Python object each.

Ten million ids as Python strings take a gigabyte and seconds to compare. Here they are the bytes
of all texts one after the other, and numpy looks at eight bytes of many texts at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count, pairwise
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import NONE, Flags, Integers
from clustcmp.model.once import PicklesFields

Words = npt.NDArray[np.uint64]

# Blocks of this many texts keep all temporary arrays in the processor's cache.
BLOCK = 1 << 14

# Keeps the first 0, 1, ... 8 bytes of a little-endian word.
KEEP = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)

# Odd constants with well-mixed bits. Other values would order ids differently, and no baseline of
# clusterings with ids would match any more.
MIX_A = np.uint64(0x9E3779B97F4A7C15)
MIX_B = np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, eq=False)
class Texts(PicklesFields):
    """n texts: text i is the UTF-8 in `data[offsets[i]:offsets[i + 1]]`."""

    offsets: Integers
    data: npt.NDArray[np.uint8]

    # Whether these are decimal texts of numbers, of which the bytes are not in memory.
    is_whole: ClassVar[bool] = False

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """The given Python strings."""
        parts = list(texts)
        joined = "".join(parts)
        # A character of ASCII is one byte; how many bytes others take, only encoding tells.
        sizes = map(len, parts if joined.isascii() else map(encode, parts))
        offsets = offsets_of(np.fromiter(sizes, np.int64, len(parts)))
        return cls(offsets, np.frombuffer(encode(joined), dtype=np.uint8))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> str:
        text = self.data[self.offsets[i] : self.offsets[i + 1]].tobytes()
        return text.decode("utf-8", "surrogatepass")

    @property
    def sizes(self) -> Integers:
        """The number of bytes of each text."""
        return self.offsets[1:] - self.offsets[:-1]

    def find_empty(self) -> Integers:
        """The positions of texts without any character."""
        return np.flatnonzero(self.sizes == 0)

    def tolist(self) -> list[str]:
        """All texts as Python strings."""
        data = self.data.tobytes()
        ends = pairwise(self.offsets.tolist())
        return [data[start:end].decode("utf-8", "surrogatepass") for start, end in ends]

    def take(self, chosen: Integers) -> Texts:
        """Some of the texts, in the order asked for."""
        starts, lengths = self._where(chosen)
        offsets = offsets_of(lengths)
        sources = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        return Texts(offsets, self.data[sources])

    def __add__(self, others: Texts) -> Texts:
        first, second = (
            texts.data[texts.offsets[0] : texts.offsets[-1]] for texts in (self, others)
        )
        offsets = np.concatenate(
            [
                self.offsets - self.offsets[0],
                others.offsets[1:] - others.offsets[0] + len(first),
            ]
        )
        return Texts(offsets, np.concatenate([first, second]))

    @cached_property
    def _words(self) -> Words:
        """The data as aligned words, with two words of zeros behind the end."""
        padded = np.zeros((len(self.data) + 23) // 8 * 8, dtype=np.uint8)
        padded[: len(self.data)] = self.data
        return padded.view("<u8")

    def _words_at(self, starts: Integers) -> Iterator[Words]:
        """The eight bytes from each start on as numbers, then the next eight bytes, without end."""
        words, first = self._words, starts >> 3
        right = ((starts & 7) << 3).astype(np.uint64)
        # numpy shifts by 64 to 0, unlike C.
        left = np.uint64(64) - right
        low = words.take(first)
        for index in count(1):
            # Bytes behind the end of the data belong to no text and are masked later, so which
            # word stands for them does not matter.
            high = words.take(first + index, mode="clip")
            yield (low >> right) | (high << left)
            low = high

    def hashes(self) -> npt.NDArray[np.uint32]:
        """A 32-bit hash of every text, the same in every process and on every machine."""
        hashes = np.empty(len(self), dtype=np.uint32)
        for first in range(0, len(self), BLOCK):
            offsets = self.offsets[first : first + BLOCK + 1]
            lengths = np.diff(offsets)
            state = lengths.astype(np.uint64) * MIX_A
            words = self._words_at(offsets[:-1])
            for mask, word in zip(masks_of(lengths), words, strict=False):
                mixed = (state ^ (word & mask)) * MIX_B
                mixed ^= mixed >> np.uint64(32)
                mixed *= MIX_A
                # The hash of a text that has ended must not depend on longer texts in the block.
                np.copyto(state, mixed, where=mask != 0)
            hashes[first : first + BLOCK] = state >> np.uint64(32)
        return hashes

    @cached_property
    def hash_order(self) -> HashOrder:
        """The texts in an order that depends on the texts alone, not on their positions."""
        # Sorting (hash, position) as one number is five times faster than an argsort.
        packed = self.hashes().astype(np.uint64) << np.uint64(32)
        packed |= np.arange(len(self), dtype=np.uint64)
        packed.sort()
        keys = (packed >> np.uint64(32)).astype(np.uint32)
        order = (packed & np.uint64(0xFFFFFFFF)).astype(np.int64)
        tied = np.flatnonzero(repeats(keys))
        texts = {position: self[position] for position in order[tied].tolist()}
        by_text = sorted(zip(keys[tied].tolist(), texts.values(), texts, strict=True))
        order[tied] = [position for _, _, position in by_text]
        return HashOrder(keys, order)

    @cached_property
    def duplicate(self) -> tuple[int, int] | None:
        """The first two positions that hold the same text, or None if all texts differ."""
        keys, order = self.hash_order
        seen: dict[str, int] = {}
        for position in np.sort(order[repeats(keys)]).tolist():
            earlier = seen.setdefault(self[position], position)
            if earlier != position:
                return earlier, position
        return None

    def equal(self, mine: Integers, other: Texts, theirs: Integers) -> Flags:
        """For each i, whether text `mine[i]` here equals text `theirs[i]` of the other."""
        if other.is_whole:
            return other.equal(theirs, self, mine)
        equal = np.empty(len(mine), dtype=np.bool_)
        for first in range(0, len(mine), BLOCK):
            starts, lengths = self._where(mine[first : first + BLOCK])
            other_starts, other_lengths = other._where(theirs[first : first + BLOCK])
            same = lengths == other_lengths
            pairs = zip(self._words_at(starts), other._words_at(other_starts), strict=True)
            for mask, (word, other_word) in zip(masks_of(lengths), pairs, strict=False):
                same &= ((word ^ other_word) & mask) == 0
            equal[first : first + BLOCK] = same
        return equal

    def has_same(self, others: Texts) -> bool:
        """Whether both hold the same texts, in any order. Neither side may hold a text twice."""
        (mine, my_order), (theirs, their_order) = self.hash_order, others.hash_order
        if not np.array_equal(mine, theirs):
            return False
        # Texts here are visited in the order of their positions, which halves the jumps in memory.
        partners = np.empty(len(self), dtype=np.int64)
        partners[my_order] = their_order
        return bool(self.equal(np.arange(len(self)), others, partners).all())

    def _where(self, chosen: Integers) -> tuple[Integers, Integers]:
        """Where the chosen texts start in the data, and their lengths in bytes."""
        starts = self.offsets.take(chosen)
        return starts, self.offsets.take(chosen + 1) - starts


class HashOrder(NamedTuple):
    """Positions ordered by hash, then by text; keys are the hashes in that order."""

    keys: npt.NDArray[np.uint32]
    order: Integers


def offsets_of(sizes: Integers) -> Integers:
    """Where texts of these sizes start one after the other, and where the last one ends."""
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def encode(text: str) -> bytes:
    """The bytes of a text; surrogates, which stand for undecodable bytes, are kept."""
    return text.encode("utf-8", "surrogatepass")


def repeats(keys: npt.NDArray[np.uint32]) -> Flags:
    """Which of the sorted keys occur more than once."""
    repeated = np.zeros(len(keys), dtype=np.bool_)
    same_as_next = keys[1:] == keys[:-1]
    repeated[1:] = same_as_next
    repeated[:-1] |= same_as_next
    return repeated


def masks_of(lengths: Integers) -> Iterator[Words]:
    """Which bytes of the first word belong to texts of these lengths, then of the second, ..."""
    for done in range(0, int(lengths.max(initial=0)), 8):
        yield KEEP.take(lengths - done, mode="clip")


def same_texts(a: Texts, b: Texts) -> bool:
    """Whether both hold the same texts, in any order. Neither side may hold a text twice."""
    if a is b:
        return True
    return a.has_same(b)


def match(a: Texts, b: Texts) -> tuple[Integers, Integers]:
    """The positions in a and in b of the texts that both have, in the order of a's hash_order.

    Neither side may hold a text twice.
    """
    (keys_a, order_a), (keys_b, order_b) = a.hash_order, b.hash_order
    if same_texts(a, b):
        return order_a, order_b
    if not len(b):
        return order_a[:0], order_b

    # The partner of a text of a is the first text of b with the same hash, if the texts are equal.
    partners = np.full(len(a), NONE)
    rank = np.searchsorted(keys_b, keys_a)
    is_found = keys_b.take(rank, mode="clip") == keys_a
    partners[order_a[is_found]] = order_b[rank[is_found]]
    found = np.flatnonzero(partners != NONE)
    partners[found[~a.equal(found, b, partners[found])]] = NONE

    # Where several texts of b have the same hash, the texts themselves are compared.
    several = repeats(keys_b)
    position_of = {b[position]: position for position in order_b[several].tolist()}
    for position in order_a[is_found & several.take(rank, mode="clip")].tolist():
        partners[position] = position_of.get(a[position], NONE)

    matched = order_a[partners[order_a] != NONE]
    return matched, partners[matched]
