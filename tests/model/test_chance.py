"""Random tables with given cluster sizes."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

import clustcmp
from clustcmp.errors import Undefined
from clustcmp.model import Contingency, Hard, Soft
from clustcmp.model.chance import draw_tables
from clustcmp.model.contingency import count_table

TABLE = Contingency.of([[4, 1, 0], [0, 2, 3]])


def draw(table: Contingency, seed: int, n_tables: int = 20) -> list[np.ndarray]:
    """The first few random tables, dense."""
    drawn = islice(draw_tables(table, np.random.default_rng(seed)), n_tables)
    dense = []
    for one in drawn:
        dense.append(np.zeros((len(one.masses_a), len(one.masses_b)), dtype=np.int64))
        dense[-1][one.rows, one.columns] = one.masses
    return dense


def test_random_tables_keep_the_sizes_of_clusters() -> None:
    for table in draw(TABLE, seed=1):
        assert table.sum(axis=1).tolist() == [5, 5]
        assert table.sum(axis=0).tolist() == [3, 3, 4]


def test_random_tables_differ_from_each_other_and_by_seed() -> None:
    first, second = draw(TABLE, seed=1), draw(TABLE, seed=2)
    assert len({table.tobytes() for table in first}) > 3
    assert not np.array_equal(first, second)
    assert np.array_equal(first, draw(TABLE, seed=1))


def test_random_tables_have_the_expected_mean() -> None:
    mean = np.mean(draw(TABLE, seed=3, n_tables=4000), axis=0)
    assert mean == pytest.approx(np.outer([5, 5], [3, 3, 4]) / 10, abs=0.05)


def test_exchanging_a_and_b_transposes_the_random_tables() -> None:
    exchanged = Contingency.of([[4, 0], [1, 2], [0, 3]])
    for table, other in zip(draw(TABLE, seed=4), draw(exchanged, seed=4), strict=True):
        assert np.array_equal(table, other.T)


def test_the_names_of_clusters_do_not_change_the_random_tables() -> None:
    renamed = Contingency.of([[3, 2, 0], [0, 1, 4]])
    assert np.array_equal(draw(TABLE, seed=5), draw(renamed, seed=5))


def test_soft_clusterings_have_no_random_tables() -> None:
    soft = count_table(Hard(np.array([0, 0], dtype=np.int32), 1), Soft(np.full((2, 2), 0.5)))
    with pytest.raises(Undefined):
        next(draw_tables(soft, np.random.default_rng(0)))


def test_the_same_seed_gives_the_same_value_in_every_version() -> None:
    """The value is the one that clustcmp gave before random tables had a module of their own."""
    generator = np.random.default_rng(1)
    a, b = generator.integers(0, 3, 30), generator.integers(0, 4, 30)
    report = clustcmp.compare(a, b, metrics="ari:null=sampled,draws=100,seed=3")
    assert report[0].value == 0.07916666666666661
