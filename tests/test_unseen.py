"""Clusters that lose points: what a partial truth means for precision, in numbers."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.align.unseen import count_unseen
from clustcmp.inputs import prepare
from clustcmp.keywords import complete
from clustcmp.settings import CompareSettings
from tests.files import run_clustcmp, write

# Two of the four clusters of b that have compared points lost three: 7 of p, 8 and 9 of r.
TRUTH = "id,label\n1,x\n2,x\n3,y\n4,y\n5,z\n6,z\n"
FOUND = "id,label\n1,p\n2,p\n7,p\n3,q\n4,q\n5,r\n8,r\n9,r\n6,s\n10,t\n11,t\n"

# Of b's pairs with a compared point, 1-2 and 3-4 are counted, 1-7, 2-7, 5-8 and 5-9 are not.
# Points 1, 2 and 5 are in clusters that lost points.
NOTE = (
    "2 of 4 clusters of b lost 3 points that a has no cluster for, so precision and purity are too "
    "high: pair precision counts 2 of 6 pairs, and 3 of the 6 points behind B-cubed precision are "
    "in these clusters"
)


@pytest.fixture(autouse=True)
def _two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("truth.csv", TRUTH)
    write("found.csv", FOUND)


def test_a_note_says_how_many_clusters_of_b_lost_points() -> None:
    report = clustcmp.compare("truth.csv", "found.csv", points="intersect")
    assert NOTE in report.notes
    assert not any("clusters of a lost" in note for note in report.notes)


def test_clusters_of_a_that_lost_points_are_noted_for_recall() -> None:
    report = clustcmp.compare("found.csv", "truth.csv", "pair_recall", points="intersect")
    assert (
        "2 of 4 clusters of a lost 3 points that b has no cluster for, so recall and inverse "
        "purity are too high: pair recall counts 2 of 6 pairs, and 3 of the 6 points behind "
        "B-cubed recall are in these clusters"
    ) in report.notes


def test_a_gate_says_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--points", "intersect", "--min", "pair_precision=1")
    outcome = run_clustcmp(capsys, "gate", "truth.csv", "found.csv", *arguments)
    assert outcome.status == 0
    assert NOTE in " ".join(outcome.stderr.split())


def test_points_without_a_true_label_are_unseen_as_those_that_the_truth_lacks() -> None:
    empty = "".join(f"{point},\n" for point in (7, 8, 9, 10, 11))
    write("truth.csv", TRUTH + empty)
    assert NOTE in clustcmp.compare("truth.csv", "found.csv", missing="drop").notes


def test_noise_that_is_dropped_is_not_lost() -> None:
    noise = "".join(f"{point},n\n" for point in (7, 8, 9, 10, 11))
    write("truth.csv", TRUTH + noise)
    report = clustcmp.compare("truth.csv", "found.csv", noise="n", noise_policy="drop")
    assert not any("lost" in note for note in report.notes)


def test_whole_clusters_that_are_left_out_are_not_a_loss() -> None:
    write("found.csv", "id,label\n1,p\n2,p\n3,q\n4,q\n5,r\n6,s\n10,t\n11,t\n")
    report = clustcmp.compare("truth.csv", "found.csv", points="intersect")
    assert report.notes == ("left out: 0 points only in a, 2 only in b",)


def test_soft_clusters_that_lost_mass_are_counted() -> None:
    write(
        "found.csv", "id,p,q,r\n1,0.9,0.1,0\n2,1,0,0\n3,0,1,0\n4,0,1,0\n5,0,0,1\n6,0,0,1\n7,1,0,0\n"
    )
    report = clustcmp.compare("truth.csv", "found.csv", "purity", points="intersect")
    expected = (
        "1 of 3 clusters of b lost points that a has no cluster for, so precision and purity "
    )
    assert any(note.startswith(expected) for note in report.notes)


def test_json_has_the_numbers_behind_precision_and_recall(
    capsys: pytest.CaptureFixture[str],
) -> None:
    metrics = ["pair_precision", "pair_recall", "bcubed_precision", "bcubed_recall"]
    words = [word for metric in metrics for word in ("-m", metric)]
    files = ("truth.csv", "found.csv", "--points", "intersect", "-f", "json")
    document = json.loads(run_clustcmp(capsys, "compare", *files, *words).stdout)
    precision, recall, bcubed_precision, bcubed_recall = (
        result["details"] for result in document["results"]
    )
    assert (precision["pairs"], recall["pairs"]) == (2, 3)
    # 5 and 6 are alone in b; nothing is alone in a.
    assert bcubed_precision == {"points": 6, "alone": 2}
    assert bcubed_recall == {"points": 6, "alone": 0}


def test_matrix_says_that_values_are_too_high_where_clusters_lost_points() -> None:
    report = clustcmp.matrix(["truth.csv", "found.csv"], "ari", points="intersect")
    expected = (
        "up to 5 points of a comparison are in one of the two only and left out; where clusters "
        "lost points, precision, recall and purity are too high"
    )
    assert expected in report.notes


labels = st.dictionaries(st.sampled_from("123456789"), st.sampled_from("pqr"), min_size=1)


@given(labels, labels)
def test_counts_are_those_of_all_pairs_one_by_one(a: dict[str, str], b: dict[str, str]) -> None:
    shared = set(a) & set(b)
    if not shared:
        return
    comparison = prepare(a, b, complete(CompareSettings, {"points": "intersect"}))
    unseen = comparison.unseen[1] if comparison.unseen else np.arange(0)
    found = count_unseen(comparison.given[1], comparison.rows[1], unseen)
    pairs = [pair for pair in combinations(b, 2) if b[pair[0]] == b[pair[1]]]
    lost = {b[point] for point in set(b) - shared} & {b[point] for point in shared}
    if not lost:
        assert found is None
        return
    assert found is not None
    assert found.lost == len(lost)
    assert found.clusters == len({b[point] for point in shared})
    assert found.points == sum(b[point] in lost for point in set(b) - shared)
    assert found.affected == sum(b[point] in lost for point in shared)
    assert found.pairs == sum(shared.issuperset(pair) for pair in pairs)
    assert found.unseen_pairs == sum(len(shared.intersection(pair)) == 1 for pair in pairs)
