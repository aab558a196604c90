"""Two clusterings are brought to the same points, whatever their order and their names."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clustcmp
from clustcmp.align import align
from clustcmp.errors import InputError
from clustcmp.model import Comparison
from clustcmp.read import read_clustering
from clustcmp.settings import ReadSettings
from tests.files import comparing, ids_of, reading, run_clustcmp, strings, write

Rows = list[list[str]]

SEEDS = range(5)

# Points 1, 2 and 7 are noise in a, 2, 3 and 9 in b; 7 and 8 are only in a and 9 is only in b.
NOISY_A = "id,label\n1,n\n2,n\n3,x\n4,x\n5,y\n7,n\n8,z\n"
NOISY_B = "id,label\n1,p\n2,n\n3,n\n4,p\n5,q\n9,n\n"


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def hard_rows(random: Random, n_points: int) -> Rows:
    """A hard clustering with clusters of many sizes; the id of one point is long."""
    ids = ["p" * 60, *map(str, range(1, n_points))]
    return [["id", "label"], *([point, str(int(random.random() ** 2 * 7))] for point in ids)]


def soft_rows(random: Random, n_points: int) -> Rows:
    """A soft clustering of the same points, with degrees as a program would write them."""
    rows = []
    for point, _ in hard_rows(random, n_points)[1:]:
        degrees = [random.random() for _ in range(5)]
        rows.append([point, *(repr(degree / sum(degrees)) for degree in degrees)])
    return [["id", "v", "w", "x", "y", "z"], *rows]


MAKERS = {"hard": hard_rows, "soft": soft_rows}
for_each_kind = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def to_csv(rows: Rows) -> str:
    return "".join(",".join(row) + "\n" for row in rows)


def shuffle_rows(random: Random, rows: Rows) -> Rows:
    return [rows[0], *random.sample(rows[1:], len(rows) - 1)]


def shuffle_columns(random: Random, rows: Rows) -> Rows:
    order = random.sample(range(len(rows[0])), len(rows[0]))
    return [[row[column] for column in order] for row in rows]


def rename_clusters(random: Random, rows: Rows) -> Rows:
    """Other names for labels, or for the columns of soft clusters."""
    header, *body = rows
    if header == ["id", "label"]:
        labels = sorted({label for _, label in body})
        new = dict(zip(labels, random.sample(range(1000), len(labels)), strict=True))
        return [header, *([point, f"c{new[label]}"] for point, label in body)]
    return [
        ["id", *(f"c{number}" for number in random.sample(range(1000), len(header) - 1))],
        *body,
    ]


def compare_as_json(capsys: pytest.CaptureFixture[str], a: str, b: str, *options: str) -> str:
    """What the program prints about two files with these contents."""
    files = write("a.csv", a), write("b.csv", b)
    metrics = () if "-m" in options else ("-m", "all")
    outcome = run_clustcmp(capsys, "compare", *files, "-f", "json", *metrics, *options)
    assert outcome.status == 0, outcome.stderr
    return outcome.stdout


def align_files(
    a: str,
    b: str,
    options: ReadSettings | None = None,
    points: str = "error",
    noise_policy: str = "cluster",
) -> Comparison:
    """The comparison of two files with these contents."""
    options = options or reading()
    clustering_a = read_clustering(write("a.csv", a), **options)
    clustering_b = read_clustering(write("b.csv", b), **options)
    settings = comparing(points=points, noise_policy=noise_policy)
    return align(clustering_a, clustering_b, settings)


def sides_of(comparison: Comparison) -> list[tuple[int, int, int]]:
    """Points, clusters and noise of each side."""
    return [(side.points, side.clusters, side.noise) for side in comparison.sides]


def coverage_of(comparison: Comparison) -> tuple[int, int, int]:
    coverage = comparison.coverage
    return coverage.shared, coverage.only_a, coverage.only_b


@for_each_kind
@pytest.mark.parametrize("change", [shuffle_rows, rename_clusters, shuffle_columns])
@pytest.mark.parametrize("seed", SEEDS)
def test_order_and_names_do_not_change_a_byte(
    make: Any, change: Any, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    random = Random(seed)
    a, b = hard_rows(random, 60), make(random, 60)
    before = compare_as_json(capsys, to_csv(a), to_csv(b))
    after = compare_as_json(capsys, to_csv(change(random, a)), to_csv(change(random, b)))
    assert after == before


def test_order_of_soft_columns_does_not_matter() -> None:
    random = Random(2)
    rows = soft_rows(random, 20)
    before = align_files(to_csv(rows), to_csv(rows)).a
    after = align_files(to_csv(shuffle_columns(random, rows)), to_csv(rows)).a
    assert np.array_equal(before.membership.array, after.membership.array)


def test_order_of_many_rows_does_not_change_a_byte(capsys: pytest.CaptureFixture[str]) -> None:
    random = Random(0)
    a, b = hard_rows(random, 40_000), hard_rows(random, 40_000)
    before = compare_as_json(capsys, to_csv(a), to_csv(b), "-m", "ari", "-m", "nmi")
    shuffled = to_csv(shuffle_rows(random, a)), to_csv(shuffle_rows(random, b))
    assert compare_as_json(capsys, *shuffled, "-m", "ari", "-m", "nmi") == before


def test_shuffled_copy_has_the_same_clusters(capsys: pytest.CaptureFixture[str]) -> None:
    random = Random(1)
    rows = hard_rows(random, 50)
    copy = rename_clusters(random, shuffle_rows(random, rows))
    document = json.loads(compare_as_json(capsys, to_csv(rows), to_csv(copy), "-m", "mirkin"))
    assert document["results"][0]["value"] == 0.0


def test_a_soft_file_of_zeros_and_ones_gives_the_values_of_the_hard_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hard = "id,label\n1,x\n2,y\n3,x\n4,z\n"
    soft = "id,x,y,z\n1,1,0,0\n2,0,1,0\n3,1,0,0\n4,0,0,1\n"
    other = "id,label\n1,x\n2,x\n3,y\n4,y\n"
    from_hard = json.loads(compare_as_json(capsys, hard, other))
    from_soft = json.loads(compare_as_json(capsys, soft, other))
    assert from_soft.pop("notes") != from_hard.pop("notes")
    assert from_soft == from_hard


# The policy, then points, clusters and noise of a and of b, then shared, only in a, only in b.
NOISE_COUNTS = {
    # a: n xx y z; b: pp n q
    "cluster": ("cluster", (7, 4, 3), (6, 3, 3), (5, 2, 1)),
    # 1, 2, 3, 7 and 9 are gone, so that a: x y z with 4, 5, 8 and b: p q with 4, 5
    "drop": ("drop", (3, 3, 0), (2, 2, 0), (2, 1, 0)),
    # a: 1 2 7 xx y z; b: pp 2 3 q 9
    "singletons": ("singletons", (7, 6, 3), (6, 5, 3), (5, 2, 1)),
}


@pytest.mark.parametrize(("policy", "a", "b", "coverage"), NOISE_COUNTS.values(), ids=NOISE_COUNTS)
def test_noise_policy_makes_one_cluster_drops_or_makes_singletons(
    policy: str,
    a: tuple[int, int, int],
    b: tuple[int, int, int],
    coverage: tuple[int, int, int],
) -> None:
    noise = reading(noise=["n"])
    comparison = align_files(NOISY_A, NOISY_B, noise, noise_policy=policy)
    assert (sides_of(comparison), coverage_of(comparison)) == ([a, b], coverage)


def test_noise_is_dropped_before_points_are_intersected() -> None:
    comparison = align_files(NOISY_A, NOISY_B, reading(noise=["n"]), "intersect", "drop")
    assert sides_of(comparison) == [(2, 2, 0), (2, 2, 0)]
    assert coverage_of(comparison) == (2, 1, 0)


def test_a_point_dropped_on_one_side_is_dropped_on_both(capsys: pytest.CaptureFixture[str]) -> None:
    drop = "--noise=n", "--noise-policy", "drop"
    a, b = "id,label\n1,n\n2,x\n3,x\n4,y\n", "id,label\n1,p\n2,p\n3,q\n4,n\n"
    with_noise = json.loads(compare_as_json(capsys, a, b, *drop))
    a, b = "id,label\n2,x\n3,x\n", "id,label\n2,p\n3,q\n"
    without = json.loads(compare_as_json(capsys, a, b, *drop))
    assert [side.pop("dropped_noise") for side in with_noise["inputs"]] == [1, 1]
    assert [side.pop("dropped_noise") for side in without["inputs"]] == [0, 0]
    assert {**with_noise, "notes": []} == {**without, "notes": []}


def test_cluster_named_noise_is_not_mixed_up_with_noise() -> None:
    a = "id,label\n1,noise\n2,n\n3,noise 1\n"
    comparison = align_files(a, a, reading(noise=["n"]), noise_policy="singletons")
    assert sides_of(comparison) == [(3, 3, 1), (3, 3, 1)]


def test_intersection_is_restricted_to_common_points_and_says_how_many_there_were() -> None:
    a, b = "id,label\n1,x\n2,x\n3,y\n4,z\n", "id,label\n9,p\n3,q\n2,q\n1,p\n8,r\n7,r\n"
    comparison = align_files(a, b, points="intersect")
    assert coverage_of(comparison) == (3, 1, 3)
    assert sides_of(comparison) == [(3, 2, 0), (3, 2, 0)]
    assert comparison.same_points


def test_clusters_without_compared_points_are_left_out() -> None:
    a, b = "id,label\n1,x\n2,y\n3,z\n", "id,label\n1,p\n3,p\n"
    comparison = align_files(a, b, points="intersect")
    assert sorted(strings(comparison.a.names)) == ["x", "z"]


def test_soft_clusters_without_compared_points_are_left_out() -> None:
    a, b = "id,x,y,z\n1,0.5,0.5,0\n2,0.1,0.2,0.7\n", "id,label\n1,p\n"
    comparison = align_files(a, b, points="intersect")
    assert sorted(strings(comparison.a.names)) == ["x", "y"]


def test_all_singletons_are_as_many_clusters_as_points() -> None:
    rows = to_csv([["id", "label"], *([str(number), str(number)] for number in range(30))])
    assert sides_of(align_files(rows, rows)) == [(30, 30, 0)] * 2


def test_single_point_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(compare_as_json(capsys, "id,label\n1,x\n", "id,label\n1,y\n"))
    assert document["coverage"] == {"shared": 1, "only_a": 0, "only_b": 0}


def test_missing_labels_drop_the_point_on_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = "id,label\n1,x\n2,\n3,y\n", "id,label\n1,p\n2,p\n3,q\n"
    document = json.loads(compare_as_json(capsys, a, b, "--missing", "drop"))
    assert [side["points"] for side in document["inputs"]] == [2, 2]
    assert [side["noise"] for side in document["inputs"]] == [0, 0]


def test_missing_labels_are_one_cluster_of_noise(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = "id,label\n1,x\n2,\n3,\n4,n\n", "id,label\n1,p\n2,p\n3,q\n4,q\n"
    document = json.loads(compare_as_json(capsys, a, b, "--missing", "noise", "--noise=n"))
    assert [side["clusters"] for side in document["inputs"]] == [2, 2]
    assert [side["noise"] for side in document["inputs"]] == [3, 0]


@pytest.mark.parametrize("swapped", [False, True])
def test_a_file_without_ids_and_of_another_length_is_an_error_that_says_so(
    swapped: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write("a.csv", "id,label\n1,x\n2,y\n"), write("b.txt", "x\ny\nz\n")]
    if swapped:
        files.reverse()
    outcome = run_clustcmp(capsys, "compare", *files, "--by-position")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "but without ids rows are compared by position" in outcome.stderr


@pytest.mark.parametrize("swapped", [False, True])
def test_labels_without_ids_and_of_another_length_are_an_error_that_says_so(swapped: bool) -> None:
    both: list[Any] = [pd.Series(["x", "y"], index=["p", "q"]), ["x", "y", "z"]]
    if swapped:
        both.reverse()
    sizes = f"a has {len(both[0])} rows and b has {len(both[1])}"
    with pytest.raises(InputError, match=f"{sizes}, but without ids rows are compared by position"):
        clustcmp.compare(*both)


def test_a_note_says_that_rows_are_compared_by_position(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = json.loads(compare_as_json(capsys, "label\nx\ny\n", "label\np\nq\n"))
    assert document["notes"] == ["a.csv and b.csv: no id column, so rows are compared by position"]


def test_the_order_of_points_that_one_side_lacks_depends_on_ids_alone() -> None:
    def order(rows: Rows) -> tuple[list[str], list[int]]:
        write("a.csv", "id,label\n" + "".join(f"{','.join(row)}\n" for row in rows))
        write("b.csv", "id,label\n0,x\n")
        comparison = align(read_clustering("a.csv"), read_clustering("b.csv"))
        return ids_of(comparison.given[0]), comparison.rows[0].tolist()

    rows = [[str(i), str(i % 3)] for i in range(30)]
    ids, chosen = order(rows)
    other_ids, other_chosen = order(rows[::-1])
    assert [ids[row] for row in chosen] == [other_ids[row] for row in other_chosen]


def test_noise_gets_a_name_that_no_label_has() -> None:
    write("a.csv", "id,label\n1,noise\n2,-1\n3,(noise)\n")
    clustering = read_clustering("a.csv", noise=("-1",))
    names = strings(align(clustering, clustering).a.names)
    assert sorted(names) == ["((noise))", "(noise)", "noise"]
