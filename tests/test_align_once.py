"""Each clustering is sorted and tidied once, and joined once to each other and to coordinates."""

from __future__ import annotations

import gc
import itertools
import pickle
import weakref
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import clustcmp
from clustcmp.align import Collection, Labelings, align
from clustcmp.errors import InputError
from clustcmp.inputs import Preparer, prepare
from clustcmp.keywords import complete
from clustcmp.model import Clustering, Hard, PointSet
from clustcmp.model.coordinates import CoordinateTable
from clustcmp.model.texts import Texts
from clustcmp.read import read_clustering, two
from clustcmp.read.objects import as_clustering
from clustcmp.settings import CompareSettings
from tests.counting import Work, counting_work
from tests.files import comparing, run_clustcmp, write

EXAMPLES = Path(__file__).parent.parent / "examples"

# Windows of a stream: the same points in five orders, and five windows that share some.
SAME = ["s1.csv", "s2.csv", "s3.csv", "s4.csv", "s5.csv"]
SLIDING = ["w1.csv", "w2.csv", "w3.csv", "w4.csv", "w5.csv"]


@pytest.fixture(autouse=True)
def in_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    random = Random(3)
    for number, (same, sliding) in enumerate(zip(SAME, SLIDING, strict=True)):
        for name, first in ((same, 0), (sliding, number)):
            points = random.sample(range(first, first + 12), 12)
            rows = [f"p{point},{random.choice('abc')}\n" for point in points]
            write(name, "id,label\n" + "".join(rows))
    numbers = random.sample(range(20), 20)
    write("x.csv", "id,x,y\n" + "".join(f"p{number},{number},{number % 3}\n" for number in numbers))


def library(name: str, *inputs: Any, **settings: Any) -> None:
    """Call a function of the library, without its result."""
    getattr(clustcmp, name)(*inputs, **settings)


@pytest.mark.parametrize("command", ["compare", "changes"])
@pytest.mark.parametrize("way", ["command", "library"])
def test_two_files_are_joined_once(
    command: str, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with counting_work() as work:
        if way == "command":
            outcome = run_clustcmp(capsys, command, *SAME[:2], "--coordinates", "x.csv")
            assert outcome.status == 0
        else:
            library(command, *SAME[:2], coordinates="x.csv")
    assert work == Work(alignments=1, joins=1, coordinate_joins=1, canonical_forms=2, tidied=2)


@pytest.mark.parametrize("way", ["command", "library"])
def test_a_gate_joins_its_files_once(way: str, capsys: pytest.CaptureFixture[str]) -> None:
    with counting_work() as work:
        if way == "command":
            arguments = ["gate", *SAME[:2], "--coordinates", "x.csv", "--min", "css=0"]
            assert run_clustcmp(capsys, *arguments, "--max-moved", "100%").status == 0
        else:
            library("gate", *SAME[:2], coordinates="x.csv", min={"css": 0}, max_moved=1.0)
    assert work == Work(alignments=1, joins=1, coordinate_joins=1, canonical_forms=2, tidied=2)


def test_each_gate_of_a_file_joins_its_files_once(capsys: pytest.CaptureFixture[str]) -> None:
    shared = 'coordinates = "x.csv"\nmin = { css = 0 }\nmax_moved = "100%"\n'
    gates = [
        f'[gate.g{number}]\nreference = "s1.csv"\ncandidate = "{candidate}"\n'
        for number, candidate in enumerate(SAME[1:3])
    ]
    write("gates.toml", f"[gate]\n{shared}" + "".join(gates))
    with counting_work() as work:
        assert run_clustcmp(capsys, "gate", "--config", "gates.toml", "--all").status == 0
    assert work == Work(alignments=2, joins=2, coordinate_joins=2, canonical_forms=4, tidied=4)


@pytest.mark.parametrize("way", ["command", "library"])
def test_gates_on_the_same_two_files_join_them_once(
    way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # One of the two gates has coordinates.
    config = str(EXAMPLES / "gates.toml")
    with counting_work() as work:
        if way == "command":
            assert run_clustcmp(capsys, "gate", "--config", config, "--all").status == 0
        else:
            library("run_gates", config)
    assert work == Work(alignments=1, joins=1, coordinate_joins=1, canonical_forms=2, tidied=2)


def test_gates_with_different_settings_do_not_share_an_alignment() -> None:
    gates = [
        f'[gate.{policy}]\nreference = "s1.csv"\ncandidate = "s2.csv"\nnoise = ["a"]\n'
        f'noise_policy = "{policy}"\nmin = {{ ari = -1 }}\n'
        for policy in ("cluster", "singletons")
    ]
    write("gates.toml", "".join(gates))
    with counting_work() as work:
        verdicts = clustcmp.run_gates("gates.toml")
    assert (work.alignments, work.canonical_forms) == (2, 4)
    cluster, singletons = (verdict.inputs[0].clusters for verdict in verdicts.verdicts)
    assert cluster < singletons


def test_clusterings_are_dropped_after_the_last_gate_that_compares_them() -> None:
    settings = complete(CompareSettings, {})
    wanted = [two("s1.csv", f"s{number}.csv", settings) for number in (2, 2, 3)]
    preparer = Preparer(*wanted)
    kept = []
    for one in wanted:
        candidate = weakref.ref(preparer.prepare(one).given[1])
        gc.collect()
        kept.append(candidate() is not None)
    assert kept == [True, False, False]


def test_a_file_that_is_given_twice_has_one_canonical_form() -> None:
    with counting_work() as work:
        library("compare", "s1.csv", "s1.csv")
    assert work.canonical_forms == 1
    with counting_work() as work:
        library("track", ["s1.csv", "s2.csv", "s1.csv"])
    assert work.canonical_forms == 2


def test_an_object_that_is_given_twice_has_the_title_of_each_position() -> None:
    settings = comparing(noise=["a"], noise_policy="drop")
    only_noise = as_clustering(["a", "a"], "W1", settings)
    collection = Collection(Labelings((only_noise, only_noise), settings, ("W1", "W2")))
    for index, title in enumerate(("W1", "W2")):
        with pytest.raises(InputError, match=f"^{title}: no points are left"):
            collection.canonical(index)
    labelled = as_clustering(["b", "c"], "W1", settings)
    collection = Collection(Labelings((labelled, labelled), settings, ("W1", "W2")))
    assert [collection.describe(index).name for index in range(2)] == ["W1", "W2"]


@pytest.mark.parametrize("points", ["error", "intersect"])
def test_files_of_different_points_are_tidied_once(points: str) -> None:
    with counting_work() as work:
        library("compare", *SLIDING[:2], "adco", coordinates="x.csv", points=points)
    assert work == Work(alignments=1, joins=1, coordinate_joins=2, tidied=2)


@pytest.mark.parametrize("metric", ["ari", "purity", "css"])
@pytest.mark.parametrize("way", ["command", "library"])
def test_a_matrix_has_one_canonical_form_for_each_clustering(
    way: str, metric: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with counting_work() as work:
        if way == "command":
            arguments = ["matrix", *SAME, "-m", metric, "--coordinates", "x.csv"]
            assert run_clustcmp(capsys, *arguments).status == 0
        else:
            library("matrix", SAME, metric, coordinates="x.csv")
    n = len(SAME)
    assert work == Work(
        # A comparison below the diagonal is the one above it, turned around.
        alignments=n * (n + 1) // 2,
        joins=n - 1,
        coordinate_joins=1,
        canonical_forms=n,
        tidied=n,
    )


def test_a_matrix_of_different_points_joins_each_two_once() -> None:
    n = len(SLIDING)
    with counting_work() as work:
        library("matrix", SLIDING, "purity", points="intersect", jobs=1)
    assert (work.joins, work.canonical_forms) == (n * (n - 1) // 2, n)


@pytest.mark.parametrize("metric", ["ari", "adco"])
@pytest.mark.parametrize("way", ["command", "library"])
def test_a_track_aligns_each_step_once(
    way: str, metric: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with counting_work() as work:
        if way == "command":
            arguments = ["track", *SAME, "-m", metric, "--coordinates", "x.csv"]
            assert run_clustcmp(capsys, *arguments).status == 0
        else:
            library("track", SAME, metric, coordinates="x.csv")
    assert work == Work(alignments=4, joins=4, coordinate_joins=1, canonical_forms=5, tidied=5)


@pytest.mark.parametrize("way", ["command", "library"])
def test_a_track_of_different_points_has_one_join_for_each_step_and_each_window(
    way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with counting_work() as work:
        if way == "command":
            assert run_clustcmp(capsys, "track", *SLIDING, "--coordinates", "x.csv").status == 0
        else:
            library("track", SLIDING, coordinates="x.csv")
    # Each step has points of its own, for which both windows are tidied.
    expected = Work(alignments=4, joins=4, coordinate_joins=5, canonical_forms=5, tidied=5 + 8)
    assert work == expected


def test_points_that_are_dropped_are_joined_once_as_well() -> None:
    drop: dict[str, Any] = {"noise": "a", "noise_policy": "drop"}
    with counting_work() as work:
        library("compare", *SAME[:2], "adco", coordinates="x.csv", **drop)
    assert work == Work(alignments=1, joins=1, coordinate_joins=1, tidied=2)


def test_columns_of_one_file_need_no_join() -> None:
    write("t.csv", "id,old,new\np,1,1\nq,1,2\nr,2,2\n")
    with counting_work() as work:
        library("compare", "t.csv::old", "t.csv::new", "ari")
    assert work.joins == 0


# Three files of the same points in different orders, with ids and without.
WITH_IDS = ["s1.csv", "s2.csv"]
WITHOUT_IDS = ["n1.csv", "n2.csv"]


@pytest.mark.parametrize(
    ("files", "table", "by_position"),
    [
        (WITH_IDS, "x.csv", False),
        (WITHOUT_IDS, "y.csv", False),
        (["s1.csv", "n1.csv"], "y.csv", True),
        (["n1.csv", "s1.csv"], "y.csv", True),
        (["s1.csv", "s1.csv"], "y.csv", True),
    ],
    ids=["by id", "by position", "ids in a alone", "ids in b alone", "no ids of coordinates"],
)
@pytest.mark.parametrize("drops", [False, True])
def test_both_sides_share_one_array_of_coordinates(
    files: list[str], table: str, by_position: bool, drops: bool
) -> None:
    for name in WITHOUT_IDS:
        write(name, "label\n" + "a\nb\nc\n" * 4)
    write("y.csv", "x\n" + "".join(f"{number}\n" for number in range(12)))
    noise = {"noise": ["a"], "noise_policy": "drop"} if drops else {}
    given = {"coordinates": table, "by_position": by_position, **noise}
    a, b = files
    comparison = prepare(a, b, complete(CompareSettings, given))
    assert (comparison.coverage.dropped > 0) == drops
    assert comparison.a.points.coordinates is not None
    assert comparison.a.points.coordinates is comparison.b.points.coordinates


@pytest.mark.parametrize("points", ["error", "intersect"])
@pytest.mark.parametrize("policy", ["cluster", "drop", "singletons"])
def test_any_two_of_a_collection_are_compared_like_two_alone(points: str, policy: str) -> None:
    settings = comparing(noise=["a"], noise_policy=policy, points=points)
    write("n1.csv", "label\n" + "a\nb\nc\n" * 4)
    names = [*SAME[:2], *SLIDING[1:3], "n1.csv"]
    clusterings = tuple(read_clustering(name, noise=["a"]) for name in names)
    collection = Collection(Labelings(clusterings, settings, tuple(names)))
    for i, a in enumerate(clusterings):
        for j, b in enumerate(clusterings):
            found, expected = collection.comparison(i, j), align(a, b, settings)
            assert found.sides == expected.sides
            assert found.coverage == expected.coverage
            assert (found.difference, found.notes) == (expected.difference, expected.notes)
            for one, other in ((found.a, expected.a), (found.b, expected.b)):
                assert np.array_equal(one.membership.array, other.membership.array)
                assert one.names.tolist() == other.names.tolist()
            assert all(map(np.array_equal, found.rows, expected.rows))


def test_any_two_of_a_collection_have_the_coordinates_of_their_own_points() -> None:
    write("n1.csv", "label\n" + "a\nb\nc\n" * 4)
    numbers = Random(5).sample(range(14), 14)
    ids = Texts.of([f"p{number}" for number in numbers])
    tables = (CoordinateTable("x.csv", ("x",), np.array(numbers, float)[:, None], ids),)
    names = [*SAME[:2], *SLIDING[1:3], "n1.csv"]
    labelings = Labelings(
        tuple(map(read_clustering, names)), comparing(points="intersect"), tuple(names)
    )
    collection = Collection(labelings, tables)
    for i, j in itertools.permutations(range(5), 2):
        comparison = collection.comparison(i, j)
        guide = i if j == 4 else j
        sides = zip((comparison.a, comparison.b), (i, j), comparison.rows, strict=True)
        for side, index, rows in sides:
            named = collection.clusterings[guide if index == 4 else index].points.ids
            assert named is not None
            assert side.points.coordinates is not None
            expected = [float(named.tolist()[row][1:]) for row in rows]
            assert side.points.coordinates[:, 0].tolist() == expected


def test_a_collection_is_pickled_without_what_it_has_computed() -> None:
    clusterings = tuple(read_clustering(name) for name in SAME)
    collection = Collection(Labelings(clusterings, comparing(), tuple(SAME)))
    expected = collection.comparison(0, 1)
    text = pickle.dumps(collection)
    assert b"Canonical" not in text
    found = pickle.loads(text).comparison(0, 1)
    assert np.array_equal(found.b.membership.array, expected.b.membership.array)


def test_one_side_may_have_coordinates_of_its_own_and_the_other_none() -> None:
    located = Clustering(
        PointSet(3, Texts.of("pqr"), coordinates=np.array([[0.0], [1.0], [2.0]])),
        Hard(np.array([0, 0, 1], dtype=np.int32), 2),
        Texts.of("xy"),
    )
    other = replace(located, points=PointSet(3, Texts.of("qrs")))
    for a, b in ((located, other), (other, located)):
        comparison = align(a, b, comparing(points="intersect"))
        sides = {id(a): comparison.a, id(b): comparison.b}
        assert sides[id(other)].points.coordinates is None
        found = sides[id(located)].points.coordinates
        assert found is not None
        assert sorted(found[:, 0].tolist()) == [1.0, 2.0]
