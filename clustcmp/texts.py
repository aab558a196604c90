"""Many short texts in one buffer, hashed and compared without a Python object each.

Ten million ids as Python strings take a gigabyte and seconds to compare. Here they are the bytes
of all texts one after the other, and numpy looks at eight bytes of many texts at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

# Blocks of this many texts keep all temporary arrays in the processor's cache.
BLOCK = 1 << 14

# Keeps the first 0, 1, ... 8 bytes of a little-endian word.
KEEP = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)

# Odd constants with well-mixed bits; the values only have to stay the same for ever.
MIX_A = np.uint64(0x9E3779B97F4A7C15)
MIX_B = np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, eq=False)
class Texts:
    """n texts: text i is the UTF-8 in `data[offsets[i]:offsets[i + 1]]`."""

    offsets: Integers
    data: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """The given Python strings; surrogates (undecodable bytes) are kept."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in encoded], out=offsets[1:])
        return cls(offsets, np.frombuffer(b"".join(encoded), dtype=np.uint8))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> str:
        text = self.data[self.offsets[i] : self.offsets[i + 1]].tobytes()
        return text.decode("utf-8", "surrogatepass")

    def take(self, chosen: Integers) -> Texts:
        """Some of the texts, in the order asked for."""
        starts, lengths = self._where(chosen)
        offsets = np.concatenate([[0], np.cumsum(lengths)])
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

    def _words_of(self, starts: Integers, lengths: Integers) -> Iterator[Words]:
        """The first eight bytes of each text as a number, then the next eight, zeros at the end."""
        words, end = self._words, len(self.data)
        for done in range(0, int(lengths.max(initial=0)), 8):
            start = np.minimum(starts + done, end)
            index = start >> 3
            shift = ((start & 7) << 3).astype(np.uint64)
            low = words.take(index) >> shift
            # A shift by 64 is undefined, so it is done in two steps.
            high = (words.take(index + 1) << np.uint64(1)) << (np.uint64(63) - shift)
            yield (low | high) & KEEP.take(np.clip(lengths - done, 0, 8))

    def hashes(self) -> npt.NDArray[np.uint32]:
        """A 32-bit hash of every text, the same in every process and on every machine."""
        hashes = np.empty(len(self), dtype=np.uint32)
        for first in range(0, len(self), BLOCK):
            offsets = self.offsets[first : first + BLOCK + 1]
            lengths = np.diff(offsets)
            state = lengths.astype(np.uint64) * MIX_A
            for number, word in enumerate(self._words_of(offsets[:-1], lengths)):
                mixed = (state ^ word) * MIX_B
                mixed ^= mixed >> np.uint64(32)
                mixed *= MIX_A
                # A text that has ended stays as it is, however long its neighbours are.
                np.copyto(state, mixed, where=lengths > 8 * number)
            hashes[first : first + BLOCK] = state >> np.uint64(32)
        return hashes

    @cached_property
    def ranking(self) -> Ranking:
        """The texts in an order that depends on the texts alone, not on where they stand."""
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
        return Ranking(keys, order)

    def duplicate(self) -> tuple[int, int] | None:
        """The first text that stands twice, as its two positions."""
        keys, order = self.ranking
        seen: dict[str, int] = {}
        for position in np.sort(order[repeats(keys)]).tolist():
            earlier = seen.setdefault(self[position], position)
            if earlier != position:
                return earlier, position
        return None

    def equal(self, mine: Integers, other: Texts, theirs: Integers) -> npt.NDArray[np.bool_]:
        """Whether texts `mine` of this and texts `theirs` of the other are equal, one by one."""
        equal = np.empty(len(mine), dtype=np.bool_)
        for first in range(0, len(mine), BLOCK):
            starts, lengths = self._where(mine[first : first + BLOCK])
            other_starts, other_lengths = other._where(theirs[first : first + BLOCK])
            same = lengths == other_lengths
            words = self._words_of(starts, lengths)
            other_words = other._words_of(other_starts, lengths)
            for word, other_word in zip(words, other_words, strict=True):
                same &= word == other_word
            equal[first : first + BLOCK] = same
        return equal

    def _where(self, chosen: Integers) -> tuple[Integers, Integers]:
        starts = self.offsets.take(chosen)
        return starts, self.offsets.take(chosen + 1) - starts


class Ranking(NamedTuple):
    """Positions ordered by hash, then by text; keys are the hashes in that order."""

    keys: npt.NDArray[np.uint32]
    order: Integers


def repeats(keys: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which of the sorted keys stand there more than once."""
    repeated = np.zeros(len(keys), dtype=np.bool_)
    same_as_next = keys[1:] == keys[:-1]
    repeated[1:] = same_as_next
    repeated[:-1] |= same_as_next
    return repeated


def match(a: Texts, b: Texts) -> tuple[Integers, Integers]:
    """The positions in a and in b of the texts that both have, in the order of a's ranking.

    Neither side may hold a text twice.
    """
    (keys_a, order_a), (keys_b, order_b) = a.ranking, b.ranking
    if np.array_equal(keys_a, keys_b):
        # Going through a in its own order spares half of the jumps in memory.
        partners = np.empty_like(order_a)
        partners[order_a] = order_b
        if a.equal(np.arange(len(a)), b, partners).all():
            return order_a, order_b

    # A hash that each side has at most once leaves one candidate; the others go by their texts.
    shared_hash = np.union1d(keys_a[repeats(keys_a)], keys_b[repeats(keys_b)])
    lone_a = np.flatnonzero(~np.isin(keys_a, shared_hash))
    lone_b = np.flatnonzero(~np.isin(keys_b, shared_hash))
    _, found_a, found_b = np.intersect1d(
        keys_a[lone_a], keys_b[lone_b], assume_unique=True, return_indices=True
    )
    rank_a, rank_b = lone_a[found_a], lone_b[found_b]
    equal = a.equal(order_a[rank_a], b, order_b[rank_b])

    crowd_a = np.flatnonzero(np.isin(keys_a, shared_hash))
    crowd_b = np.flatnonzero(np.isin(keys_b, shared_hash))
    rank_of_text = {b[order_b[rank]]: rank for rank in crowd_b}
    by_text = [(rank, rank_of_text.get(a[order_a[rank]])) for rank in crowd_a]
    pairs = [(mine, theirs) for mine, theirs in by_text if theirs is not None]
    more = np.array(pairs, dtype=np.int64).reshape(-1, 2)

    rank_a = np.concatenate([rank_a[equal], more[:, 0]])
    rank_b = np.concatenate([rank_b[equal], more[:, 1]])
    in_order = np.argsort(rank_a)
    return order_a[rank_a[in_order]], order_b[rank_b[in_order]]
