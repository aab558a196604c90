"""Texts in one buffer behave like Python strings in lists, dicts and sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clustcmp.model.texts import MIX_A, MIX_B, Texts, match
from tests.files import strings

Hashes = npt.NDArray[np.uint32]

# Short texts coincide often; long ones take several words and share their beginnings.
short_texts = st.text("ab\0é", max_size=3) | st.text(max_size=10)
long_texts = st.builds(
    lambda character, count, end: character * count + end,
    st.sampled_from("aé\U0001d11e"),
    st.integers(5, 60),
    short_texts,
)
some_text = short_texts | long_texts
lists = st.lists(some_text, max_size=12)
sets = st.lists(some_text, max_size=6, unique=True)
positions = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20)


def all_hashes_equal(texts: Texts) -> Hashes:
    return np.zeros(len(texts), dtype=np.uint32)


def two_hashes(texts: Texts) -> Hashes:
    return (np.diff(texts.offsets) % 2).astype(np.uint32)


def few_hashes(texts: Texts) -> Hashes:
    return (np.diff(texts.offsets) % 5).astype(np.uint32)


HASHES = {
    "hash": Texts.hashes,
    "one hash": all_hashes_equal,
    "two hashes": two_hashes,
    "few hashes": few_hashes,
}
for_each_hash = pytest.mark.parametrize("hashes", HASHES.values(), ids=HASHES)
blocks = st.sampled_from([2, 1 << 14])


@contextmanager
def hashed_by(hashes: Callable[[Texts], Hashes], block: int) -> Iterator[None]:
    """With another hash, and with so many texts in a block."""
    with patch.object(Texts, "hashes", hashes), patch("clustcmp.model.texts.BLOCK", block):
        yield


def plain_hash(text: str) -> int:
    """The hash of one text in plain Python: eight bytes at a time, mixed in 64 bits."""
    data = text.encode("utf-8", "surrogatepass")
    state = len(data) * int(MIX_A) % 2**64
    for start in range(0, len(data), 8):
        state ^= int.from_bytes(data[start : start + 8], "little")
        state = state * int(MIX_B) % 2**64
        state ^= state >> 32
        state = state * int(MIX_A) % 2**64
    return state >> 32


def as_array(numbers: list[int]) -> npt.NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


@given(texts=lists)
def test_texts_are_kept_exactly(texts: list[str]) -> None:
    assert strings(Texts.of(texts)) == texts


def test_undecodable_bytes_of_file_names_are_kept() -> None:
    assert strings(Texts.of(["a\udce9", "\ud800"])) == ["a\udce9", "\ud800"]


@given(block=blocks, texts=lists, others=lists)
def test_hash_depends_on_the_text_alone(block: int, texts: list[str], others: list[str]) -> None:
    with patch("clustcmp.model.texts.BLOCK", block):
        together = Texts.of(texts + others).hashes()
        apart = [*Texts.of(texts).hashes(), *Texts.of(others).hashes()]
    assert together.tolist() == [int(number) for number in apart]


@given(text=some_text)
def test_hash_is_the_same_on_every_machine(text: str) -> None:
    assert Texts.of([text]).hashes().tolist() == [plain_hash(text)]


@for_each_hash
@given(block=blocks, texts=lists)
def test_hash_order_is_by_hash_then_by_text(
    hashes: Callable[[Texts], Hashes], block: int, texts: list[str]
) -> None:
    with hashed_by(hashes, block):
        found = Texts.of(texts)
        keys = found.hashes().tolist()
        order = sorted(range(len(texts)), key=lambda i: (keys[i], texts[i], i))
        assert found.hash_order.order.tolist() == order
        assert found.hash_order.keys.tolist() == sorted(keys)


@for_each_hash
@given(block=blocks, texts=lists)
def test_duplicate_is_the_first_text_that_occurred_before(
    hashes: Callable[[Texts], Hashes], block: int, texts: list[str]
) -> None:
    again = [position for position, text in enumerate(texts) if text in texts[:position]]
    expected = (texts.index(texts[again[0]]), again[0]) if again else None
    with hashed_by(hashes, block):
        assert Texts.of(texts).duplicate == expected


@given(block=blocks, mine=lists, theirs=lists, asked=positions)
def test_texts_are_equal_where_strings_are(
    block: int, mine: list[str], theirs: list[str], asked: list[tuple[int, int]]
) -> None:
    pairs = [(i, j) for i, j in asked if i < len(mine) and j < len(theirs)]
    left, right = as_array([i for i, _ in pairs]), as_array([j for _, j in pairs])
    with patch("clustcmp.model.texts.BLOCK", block):
        equal = Texts.of(mine).equal(left, Texts.of(theirs), right)
    assert equal.tolist() == [mine[i] == theirs[j] for i, j in pairs]


@for_each_hash
@given(block=blocks, common=sets, a=sets, b=sets, seed=st.randoms(use_true_random=False))
def test_match_finds_the_texts_that_both_have(
    hashes: Callable[[Texts], Hashes],
    block: int,
    common: list[str],
    a: list[str],
    b: list[str],
    seed: Random,
) -> None:
    a, b = list(dict.fromkeys(common + a)), list(dict.fromkeys(common + b))
    seed.shuffle(a)
    seed.shuffle(b)
    with hashed_by(hashes, block):
        texts_a, texts_b = Texts.of(a), Texts.of(b)
        in_a, in_b = match(texts_a, texts_b)
        ranked = [position for position in texts_a.hash_order.order.tolist() if a[position] in b]
    assert in_a.tolist() == ranked
    assert [b[position] for position in in_b.tolist()] == [a[position] for position in ranked]


@given(texts=lists, asked=st.lists(st.integers(0, 11), max_size=20))
def test_take_gives_the_texts_in_the_order_asked_for(texts: list[str], asked: list[int]) -> None:
    chosen = [position for position in asked if position < len(texts)]
    taken = Texts.of(texts).take(as_array(chosen))
    assert strings(taken) == [texts[position] for position in chosen]


@given(texts=lists, others=lists, skipped=st.integers(0, 3))
def test_the_sum_of_two_has_the_texts_of_both_one_after_the_other(
    texts: list[str], others: list[str], skipped: int
) -> None:
    whole = Texts.of(others)
    tail = Texts(whole.offsets[min(skipped, len(others)) :], whole.data)
    assert strings(Texts.of(texts) + tail) == texts + others[skipped:]
    assert strings(tail + Texts.of(texts)) == others[skipped:] + texts


@given(texts=lists, skipped=st.integers(0, 3))
def test_part_of_a_buffer_hashes_like_the_texts_in_it(texts: list[str], skipped: int) -> None:
    whole = Texts.of(texts)
    tail = Texts(whole.offsets[min(skipped, len(texts)) :], whole.data)
    assert tail.hashes().tolist() == Texts.of(texts[skipped:]).hashes().tolist()
