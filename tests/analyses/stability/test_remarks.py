"""Notes on odd clusterings, clusterings that fail, and what points without ids are called."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from clustcmp.analyses.stability.fits import Fit, Setup, Task, fit_one
from clustcmp.analyses.stability.points import ids_of
from clustcmp.analyses.stability.remarks import note_counts
from clustcmp.analyses.stability.samples import Drawing
from clustcmp.analyses.stability.study import Search
from clustcmp.clusterers.base import Found, Sample, Value
from clustcmp.errors import ClustererFailed
from clustcmp.model import Hard
from clustcmp.model.coordinates import CoordinateTable
from clustcmp.requests import find_requests


def notes(varied: str, value: Value, *clusterings: Sequence[int]) -> list[str]:
    """The notes on clusterings of samples of 9 points, all for one value."""
    (request,) = find_requests(["ari"])
    fits = {
        Task(number, value): Fit(Hard(np.array(codes, dtype=np.int32), max(codes) + 1))
        for number, codes in enumerate(clusterings)
    }
    fits[Task(99, value)] = Fit(None, failure="no luck")
    return [str(note) for note in note_counts(Search(varied, (value,), 5, request), fits, 9)]


def test_clusterings_in_which_each_point_is_alone_are_counted() -> None:
    (note,) = notes("eps", 0.5, [0, 1, 2], [0, 1, 1], [0, 0, 1], [2, 1, 0])
    assert "in 2 of 4 clusterings each point is a cluster of its own" in note


def test_clusterings_with_fewer_clusters_than_k_are_counted() -> None:
    (note,) = notes("k", 3, [0, 1, 1], [0, 1, 2, 2], [0, 0, 1])
    assert "2 of 3 clusterings have fewer clusters than k" in note


def test_one_cluster_or_none_is_counted_before_anything_else() -> None:
    (note,) = notes("k", 3, [0, 0, 0], [0, 1, 2], [-1, 0, 0])
    assert "2 of 3 clusterings have one cluster or none" in note


def test_clusterings_as_asked_for_have_no_note() -> None:
    assert notes("k", 2, [0, 1, 1], [0, 0, 1]) == []
    assert notes("min_samples", 5, [0, 1, 1], [0, 0, 1]) == []


def test_numbers_of_clusters_that_say_nothing_have_a_note_instead_of_counts() -> None:
    assert "one cluster is always stable" in notes("k", 1, [0, 0, 0])[0]
    assert "each point is a cluster of its own, which says nothing" in notes("k", 9, [0, 1])[0]


class Failing:
    """A clusterer that always fails."""

    name = "failing"

    def cluster(self, data: Sample, value: Value, seed: int) -> Found:
        raise ClustererFailed("no luck")


def test_a_sample_that_cannot_be_clustered_ends_the_run_unless_failures_are_skipped() -> None:
    setup = Setup(Sample(np.zeros((5, 1))), Failing(), Drawing(5, 1))  # type: ignore[arg-type]
    with pytest.raises(ClustererFailed, match="no luck"):
        fit_one(setup, Task(0, 2))
    assert fit_one(setup._replace(skips=True), Task(0, 2)).failure == "no luck"


def test_points_without_ids_are_called_by_their_row_in_a_file_and_by_position_in_python() -> None:
    table = CoordinateTable("x.csv", ("x",), np.zeros((3, 1)))
    assert ids_of("x.csv", table) == (1, 2, 3)
    assert ids_of(np.zeros((3, 1)), table) == (0, 1, 2)
