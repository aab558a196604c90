"""Which cluster became which: cases whose answer is obvious to a person, and what always holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.analyses.flows.fates import Fate
from tests.commands.test_command_line import GOOD, SOFT, SPECIES
from tests.conftest import label_pairs
from tests.files import write

IRIS = str(Path(SPECIES).with_name("iris.csv"))


BAD = str(Path(SPECIES).with_name("iris_kmeans_bad.csv"))


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def kinds(report: ChangeReport) -> dict[Any, str]:
    """What became of each cluster of a."""
    return {cluster.cluster: cluster.kind.value for cluster in report.clusters}


def parts(report: ChangeReport, name: str | int) -> list[tuple[str | int, Any]]:
    """Where the points of a cluster of a went, with shares."""
    found = next(cluster for cluster in report.clusters if cluster.cluster == name)
    return [(part.cluster, part.share) for part in found.parts]


def changed(a: str, b: str, **options: Any) -> ChangeReport:
    """The changes between labels of one letter each."""
    return clustcmp.changes(list(a), list(b), **options)


def table(name: str, ids: str, labels: str) -> str:
    """A file with ids and labels of one letter each."""
    rows = zip(ids, labels, strict=True)
    return write(name, "id,label\n" + "".join(f"{point},{label}\n" for point, label in rows))


def test_a_pure_renaming_moves_nothing() -> None:
    report = changed("xxyyyz", "332221")
    assert report.matches == {"x": "3", "y": "2", "z": "1"}
    assert kinds(report) == {"x": "renamed", "y": "renamed", "z": "renamed"}
    assert (report.moved, report.moved_share) == (0, 0.0)
    assert report.births == ()


def test_clusters_with_the_same_points_and_names_are_same() -> None:
    assert kinds(changed("aabbc", "aabbc")) == {"a": "same", "b": "same", "c": "same"}


def test_a_cluster_whose_points_form_two_clusters_of_b_is_split() -> None:
    report = changed("7" * 10 + "88", "7" * 9 + "x" + "88")
    assert kinds(report) == {"7": "split", "8": "same"}
    assert parts(report, "7") == [("7", 0.9), ("x", 0.1)]
    assert (report.moved, report.births) == (1, ())


def test_clusters_whose_points_form_one_cluster_of_b_are_merged() -> None:
    report = changed("aaabbcc", "xxxxxcc")
    assert kinds(report) == {"a": "merged", "b": "merged", "c": "same"}
    assert report.matches == {"a": "x", "c": "c"}
    assert report.moved == 2


def test_the_worked_example_of_a_merge_holds() -> None:
    report = changed("xxxxxxyyyy", "pppppppppq")
    assert report.matches == {"x": "p", "y": "q"}
    assert kinds(report) == {"x": "merged", "y": "merged"}


def test_a_swap_of_names_is_a_renaming_and_a_swap_of_points_a_change() -> None:
    assert kinds(changed("aaabbb", "bbbaaa")) == {"a": "renamed", "b": "renamed"}
    report = changed("aaabbb", "aabbba")
    assert kinds(report) == {"a": "changed", "b": "changed"}
    assert report.matches == {"a": "a", "b": "b"}
    assert report.moved == 2


def test_a_cluster_that_takes_points_from_many_is_born() -> None:
    report = changed("aaaabbbbcccc", "aaaXbbbXcccX")
    assert set(kinds(report).values()) == {"changed"}
    birth = report.births[0]
    assert (birth.cluster, birth.size, birth.new) == ("X", 3, 0)
    assert {part.cluster: part.share for part in birth.parts} == pytest.approx(
        dict.fromkeys("abc", 1 / 3)
    )


def test_a_cluster_whose_points_are_scattered_died() -> None:
    report = changed("aaaXbbbXcccX", "aaaabbbbcccc")
    assert kinds(report) == {"X": "died", "a": "changed", "b": "changed", "c": "changed"}
    assert report.moved == 3


def test_a_cluster_that_split_and_merged_is_regrouped() -> None:
    report = changed("aaaaaaab" + "bb", "aaaaxxxa" + "aa")
    assert kinds(report) == {"a": "regrouped", "b": "merged"}


def test_of_equally_good_matches_the_one_of_the_same_name_is_chosen() -> None:
    for other in "AZ0":
        assert changed("7777", f"77{other}{other}").matches == {"7": "7"}
        assert changed("7777", f"{other}{other}77").matches == {"7": "7"}
        assert changed(f"{other}{other}77", "7777").matches == {"7": "7"}


def test_a_match_by_a_few_points_does_not_hide_a_merge() -> None:
    # Of versicolor 46 points go to the match of virginica, and only 4 to its own match.
    report = clustcmp.changes(SPECIES, BAD)
    assert report.matches["Iris-versicolor"] == "C2"
    assert kinds(report) == {
        "Iris-versicolor": "merged",
        "Iris-virginica": "merged",
        "Iris-setosa": "split",
    }


def test_points_of_one_side_only_are_gone_or_new() -> None:
    a, b = table("a.csv", "123456", "aaabbb"), table("b.csv", "234567", "aabbbb")
    report = clustcmp.changes(a, b)
    first, second = report.clusters
    assert kinds(report) == {"a": "changed", "b": "changed"}
    assert (first.cluster, first.gone, first.new) == ("a", 1, 0)
    assert (second.cluster, second.gone, second.new) == ("b", 0, 1)
    assert report.moved == 0
    assert any("5 points in both; 1 are gone and 1 are new" in note for note in report.notes)
    assert kinds(clustcmp.changes(a, b, points="intersect")) == {"a": "same", "b": "same"}


def test_a_cluster_of_new_points_is_born_and_one_whose_points_are_gone_died() -> None:
    a, b = table("a.csv", "1234", "aabb"), table("b.csv", "1256", "aaxx")
    report = clustcmp.changes(a, b)
    assert kinds(report) == {"b": "died", "a": "same"}
    assert [(birth.cluster, birth.new) for birth in report.births] == [("x", 2)]


def test_clusters_of_disjoint_points_are_matched_by_coordinates() -> None:
    report = changed(
        "aabb",
        "xyyx",
        coordinates_a=[[0, 0], [0, 1], [9, 9], [9, 8]],
        coordinates_b=[[9, 9], [0, 0], [0, 1], [9, 8]],
    )
    assert report.matches == {"a": "x", "b": "y"}  # by position these are the same points

    points_a, points_b = [[0, 0], [0, 1], [9, 9]], [[9, 9], [9, 8], [0, 0], [0, 1], [0, 2]]
    report = changed("aab", "xxyyy", coordinates_a=points_a, coordinates_b=points_b)
    assert report.changes.by_plan
    assert report.matches == {"a": "y", "b": "x"}
    # a weighs 2/3 and y 3/5 of all, so 1/15 of all mass has to go from a to x.
    assert report.moved_share == pytest.approx(1 / 15)
    assert parts(report, "a") == [("y", pytest.approx(0.9)), ("x", pytest.approx(0.1))]


def test_disjoint_clusters_with_the_same_share_of_points_match_as_a_whole() -> None:
    points_a, points_b = [[0], [9], [9]], [[8], [8], [8], [8], [1], [1]]
    report = changed("abb", "yyyyxx", coordinates_a=points_a, coordinates_b=points_b)
    assert kinds(report) == {"a": "renamed", "b": "renamed"}
    assert report.moved_share == 0.0


def test_coordinates_decide_if_few_points_are_in_both() -> None:
    by_point = {str(i): [0.0 if i % 2 else 9.0] for i in range(20)}
    a = {str(i): "odd" if i % 2 else "even" for i in range(11)}
    b = {str(i): "odd" if i % 2 else "even" for i in range(10, 20)}
    # The only point in both is in even of a, but in odd of b.
    b["10"] = "odd"
    lonely = clustcmp.changes(a, b)
    assert lonely.matches == {"even": "odd"}
    coordinates = [[by_point[i] for i in side] for side in (a, b)]
    located = clustcmp.changes(a, b, coordinates_a=coordinates[0], coordinates_b=coordinates[1])
    assert located.matches == {"odd": "odd", "even": "even"}
    assert located.changes.by_plan


def test_points_decide_if_half_of_the_smaller_side_is_in_both() -> None:
    a, b = dict.fromkeys("pqrs", "x"), dict.fromkeys("rstu", "y")
    places = [[0.0], [1.0], [2.0], [3.0]]
    found = clustcmp.changes(a, b, coordinates_a=places, coordinates_b=places)
    assert not found.changes.by_plan


def test_clusters_of_disjoint_points_are_matched_by_given_distances() -> None:
    distances = [[0, 0, 9, 9, 9], [0, 0, 9, 9, 9], [9, 9, 0, 0, 0]]
    report = changed("aab", "xxyyy", distances=distances)
    assert report.matches == {"a": "x", "b": "y"}
    assert list(report.contributions.parts) == ["cdistance"]


@pytest.mark.parametrize("ground", ["euclid", "precomputed", ""])
def test_a_distance_between_points_that_does_not_exist_is_refused(ground: str) -> None:
    a = [0, 0, 1]
    with pytest.raises(
        clustcmp.UsageError, match="is not a known distance between points"
    ) as error:
        clustcmp.changes(a, a, ground=ground, coordinates=[[0.0], [1.0], [2.0]])
    assert "euclidean" in str(error.value.hint)


def test_equal_soft_clusterings_move_nothing() -> None:
    degrees = np.random.default_rng(0).dirichlet([0.5] * 3, 40)
    report = clustcmp.changes(degrees, degrees[:, [2, 0, 1]])
    assert report.matches == {0: 1, 1: 2, 2: 0}
    assert set(kinds(report).values()) == {"renamed"}
    assert report.moved == pytest.approx(0.0, abs=1e-9)


def test_the_degree_that_matched_clusters_share_does_not_move() -> None:
    # By hand: of two points one keeps 0.7 of its mass where it was, the other all.
    report = clustcmp.changes(np.array([[1, 0], [0.0, 1]]), np.array([[0.7, 0.3], [0, 1]]))
    assert report.moved == pytest.approx(0.3)
    assert parts(report, 0) == [(0, pytest.approx(0.7)), (1, pytest.approx(0.3))]


@given(label_pairs)
def test_an_almost_hard_clustering_moves_as_much_as_the_hard_one(
    pair: tuple[list[int], list[int]],
) -> None:
    a, b = (np.unique(labels, return_inverse=True)[1] for labels in pair)
    hard = clustcmp.changes(a.tolist(), b.tolist())
    # The last point has a small degree in a cluster of its own, so that a is soft.
    soft_a = np.eye(a.max() + 2)[a]
    soft_a[-1, -1] = soft_a[-1].max() * 1e-4
    soft = clustcmp.changes(soft_a / soft_a.sum(axis=1)[:, None], b.tolist())
    assert soft.moved == pytest.approx(hard.moved, abs=2e-4)


@given(label_pairs)
def test_parts_add_up_to_clusters_and_what_stays_to_the_maximum_matching(
    pair: tuple[list[int], list[int]],
) -> None:
    a, b = pair
    report = clustcmp.changes(a, b)
    for cluster in report.clusters:
        assert cluster.size == a.count(int(cluster.cluster))
        assert sum(part.mass for part in cluster.parts) == cluster.size
        assert cluster.left == sum(part.mass for part in cluster.parts if not part.is_match)
    # The share that stays is what clustering_error leaves.
    matching = clustcmp.compare(a, b, metrics="maximum_matching")["maximum_matching"]
    assert 1 - report.moved_share == pytest.approx(matching)
    assert report.moved == sum(cluster.left for cluster in report.clusters)
    assert report.moved == len(a) - sum(match.mass for match in report.changes.matches)
    matched = [match.a for match in report.changes.matches]
    assert len(set(matched)) == len(matched) == len({m.b for m in report.changes.matches})


def slow_kind(name: int, a: list[int], b: list[int], matches: dict[int, int]) -> str:
    """The kind of a cluster by the words of the definition, with sets."""
    members_a = {k: {i for i, x in enumerate(a) if x == k} for k in a}
    members_b = {k: {i for i, x in enumerate(b) if x == k} for k in b}

    def home(k: int) -> int | None:
        most = [j for j in members_b if 2 * len(members_a[k] & members_b[j]) > len(members_a[k])]
        return most[0] if most else None

    def is_origin(k: int, j: int) -> bool:
        return 2 * len(members_a[k] & members_b[j]) > len(members_b[j])

    match = matches.get(name)
    if match is not None and members_a[name] == members_b[match]:
        return "same" if match == name else "renamed"
    if match is None and home(name) is None:
        return "died"
    split = any(is_origin(name, j) for j in members_b if j != match)
    homes = {match, home(name)} - {None}
    merged = any(home(k) in homes and matches.get(k) != home(k) for k in members_a)
    both = "regrouped" if split and merged else ""
    return both or ("split" if split else "") or ("merged" if merged else "") or "changed"


@given(label_pairs)
def test_kinds_follow_the_definition_for_any_clusterings(pair: tuple[list[int], list[int]]) -> None:
    report = clustcmp.changes(*pair)
    expected = {name: slow_kind(name, *pair, report.matches) for name in kinds(report)}
    assert kinds(report) == expected
    assert sum(report.changes.fates == 3) == len(report.changes.died)
    assert list(Fate)[3] is Fate.died


@pytest.mark.parametrize("b", [GOOD, BAD, SOFT])
def test_contributions_add_up_to_the_metrics(b: str) -> None:
    report = clustcmp.changes(SPECIES, b, coordinates=IRIS)
    compared = clustcmp.compare(SPECIES, b, ["cdistance", "css"], coordinates=IRIS)
    d_ot = compared.result("cdistance").details["d_ot"]
    assert report.contributions.parts["cdistance"].sum() == pytest.approx(d_ot, rel=1e-12)
    assert report.contributions.parts["css"].sum() == pytest.approx(compared["css"], rel=1e-12)
    assert min(parts.min() for parts in report.contributions.parts.values()) >= 0.0


@given(label_pairs, st.integers(0, 1000))
def test_contributions_add_up_for_any_clusterings(
    pair: tuple[list[int], list[int]], seed: int
) -> None:
    coordinates = np.random.default_rng(seed).normal(size=(len(pair[0]), 2))
    report = clustcmp.changes(*pair, coordinates=coordinates)
    compared = clustcmp.compare(*pair, ["cdistance", "css"], coordinates=coordinates)
    d_ot = compared.result("cdistance").details["d_ot"]
    assert report.contributions.parts["cdistance"].sum() == pytest.approx(d_ot, rel=1e-9, abs=1e-12)
    assert report.contributions.parts["css"].sum() == pytest.approx(
        compared["css"], rel=1e-9, abs=1e-9
    )


def test_a_cluster_that_did_not_change_contributes_nothing() -> None:
    a, b = list("aaabbbccc"), list("aaabbbccc")
    b[3] = "a"
    coordinates = [[0], [1], [2], [50], [51], [52], [90], [91], [92]]
    report = clustcmp.changes(a, b, coordinates=coordinates)
    contributions = {c.cluster: c.contributions for c in report.clusters}
    for metric in ("cdistance", "css"):
        assert contributions["c"][metric] == 0.0
        assert contributions["b"][metric] > 0.0


def test_with_too_many_clusters_for_a_plan_only_contributions_are_left_out() -> None:
    labels = list(range(2100))
    coordinates = np.arange(2100.0)[:, None]
    report = clustcmp.changes(labels, labels, coordinates=coordinates)
    assert report.contributions.parts == {}
    assert any(note.startswith("no contributions to cdistance") for note in report.notes)
