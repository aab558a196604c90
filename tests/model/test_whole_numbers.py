"""Ids that are whole numbers are what their decimal texts are, without being written out."""

from __future__ import annotations

import pickle
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.arrays import Integers
from clustcmp.model import Texts, WholeNumbers, whole_numbers
from clustcmp.model.texts import BLOCK, match, same_texts
from clustcmp.read import read_clustering

whole = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.integers(-12, 30), st.sampled_from([-(2**63), 2**63 - 1])
)
distinct = st.lists(whole, max_size=30, unique=True)


def both(numbers: list[int]) -> tuple[WholeNumbers, Texts]:
    return WholeNumbers(np.array(numbers, dtype=np.int64)), Texts.of(map(str, numbers))


@given(st.lists(whole, max_size=30))
def test_numbers_are_their_decimal_texts(numbers: list[int]) -> None:
    ours, texts = both(numbers)
    assert ours.tolist() == texts.tolist() == [ours[i] for i in range(len(ours))]
    assert Texts(ours.offsets, ours.data).tolist() == texts.tolist()
    assert ours.hashes().tolist() == texts.hashes().tolist()
    assert ours.duplicate == texts.duplicate
    assert ours.hash_order.order.tolist() == texts.hash_order.order.tolist()
    assert pickle.loads(pickle.dumps(ours)).tolist() == texts.tolist()


@given(distinct, distinct, st.randoms(use_true_random=False))
def test_numbers_are_matched_as_their_texts_are(a: list[int], b: list[int], random: object) -> None:
    shuffled = list(a)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for other in (b, shuffled):
        (ours, texts), (theirs, their_texts) = both(a), both(other)
        expected = [one.tolist() for one in match(texts, their_texts)]
        for x, y in ((ours, theirs), (ours, their_texts), (texts, theirs)):
            assert same_texts(x, y) == (set(a) == set(other))
            assert [one.tolist() for one in match(x, y)] == expected
            assert y.hash_order.order.tolist() == their_texts.hash_order.order.tolist()
        assert (ours + theirs).tolist() == [*map(str, a), *map(str, other)]


@pytest.mark.parametrize("spread", [1, 1_000_003])
@pytest.mark.parametrize("as_text", [False, True], ids=["with Parquet", "with CSV"])
def test_ids_that_are_numbers_are_joined_without_their_texts(
    spread: int, as_text: bool, tmp_path: Path
) -> None:
    ids = np.random.default_rng(1).permutation(50_000) * spread
    table = pa.table({"id": ids, "label": ids % 7})
    pq.write_table(table, tmp_path / "a.parquet")
    path = tmp_path / ("b.csv" if as_text else "b.parquet")
    if as_text:
        table.to_pandas()[::-1].to_csv(path, index=False)
    else:
        pq.write_table(table.take(np.arange(50_000)[::-1]), path)
    longest = 0
    written = whole_numbers.decimals

    def counted(numbers: Integers) -> Texts:
        nonlocal longest
        longest = max(longest, len(numbers))
        return written(numbers)

    with patch.object(whole_numbers, "decimals", counted):
        report = clustcmp.compare(str(tmp_path / "a.parquet"), str(path), ["ari"])
    assert report["ari"] == 1.0
    # Blocks of texts are written to be hashed, and no more.
    assert longest <= BLOCK


def test_numbers_that_are_missing_or_have_64_bits_without_a_sign_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(
        pa.table({"id": pa.array([2**64 - 1, 1], pa.uint64()), "label": ["a", "b"]}), path
    )
    found = read_clustering(str(path)).points.ids
    assert found is not None
    assert (found.is_whole, found.tolist()) == (False, [str(2**64 - 1), "1"])
    pq.write_table(pa.table({"id": [None, 1], "label": ["a", "b"]}), path)
    with pytest.raises(clustcmp.InputError, match="row 1: the id is empty"):
        read_clustering(str(path))
