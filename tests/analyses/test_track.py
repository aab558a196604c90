"""Following a stream: values, jumps, life lines and bounds."""

from __future__ import annotations

import csv
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.analyses.track.report import LifeLine, Track
from tests.files import Outcome, run_clustcmp, write

ROOT = Path(__file__).parent.parent.parent
SAMPLES = [str(ROOT / f"examples/windows/sample{number}.csv") for number in range(1, 6)]
IRIS = str(ROOT / "examples/iris.csv")
CLUSTERINGS = [
    str(ROOT / f"examples/{name}.csv")
    for name in ("iris_species", "iris_kmeans_good", "iris_soft", "iris_kmeans_bad")
]


def story(line: LifeLine) -> str:
    """A life line in one line: where it comes from, what it is called, where it goes."""
    words = [f"{cluster.window}:{cluster.name}" for cluster in line.clusters]
    if line.begins != "first":
        origin = f" {line.origin.window}:{line.origin.name}" if line.origin else ""
        words.insert(0, f"({line.begins}{origin})")
    if line.ends != "alive":
        heir = f" {line.heir.window}:{line.heir.name}" if line.heir else ""
        words.append(f"({line.ends}{heir})")
    return " ".join(words)


def stories(track: Track) -> set[str]:
    """All life lines."""
    assert track.life_lines is not None
    return {story(line) for line in track.life_lines}


def on_a_line(*clusters: tuple[str, float, int]) -> tuple[list[str], list[list[float]]]:
    """Labels and coordinates of clusters, each a name, a number, and its points around it."""
    labels = [name for name, _, size in clusters for _ in range(size)]
    coordinates = [[start + 0.01 * i] for _, start, size in clusters for i in range(size)]
    return labels, coordinates


def follow_points(*windows: tuple[list[str], list[list[float]]], **options: Any) -> Track:
    """The track of windows without common points."""
    named = [
        {f"{number}-{point}": label for point, label in enumerate(labels)}
        for number, (labels, _) in enumerate(windows)
    ]
    tables = [np.array(coordinates) for _, coordinates in windows]
    return clustcmp.track(named, coordinates_each=tables, **options)


def test_renamed_clusters_keep_the_best_value_and_their_life_lines() -> None:
    track = clustcmp.track([list("aabbc"), list("xxyyz"), list("xxyyz")])
    assert track["ari"] == (1.0, 1.0)
    assert track.jumps == ()
    assert stories(track) == {"W1:a W2:x W3:x", "W1:b W2:y W3:y", "W1:c W2:z W3:z"}


def test_names_that_are_swapped_do_not_swap_clusters() -> None:
    track = clustcmp.track([list("aaabb"), list("bbbaa")])
    assert stories(track) == {"W1:a W2:b", "W1:b W2:a"}


def test_two_points_that_swap_clusters_leave_both_alive() -> None:
    track = clustcmp.track([list("aaaabbbb"), list("aaabbbba")])
    assert stories(track) == {"W1:a W2:a", "W1:b W2:b"}


def test_a_split_leaves_the_larger_part_alive() -> None:
    track = clustcmp.track([list("aaaaabb"), list("pppqqbb"), list("pppqqbb")])
    assert stories(track) == {"W1:a W2:p W3:p", "(split W1:a) W2:q W3:q", "W1:b W2:b W3:b"}


def test_a_split_in_three_equal_parts_has_one_successor() -> None:
    found = sorted(stories(clustcmp.track([list("aaaaaa"), list("ppqqrr")])))
    assert len(found) == 3
    assert [text.startswith("(split W1:a)") for text in found] == [True, True, False]


def test_a_merge_ends_the_smaller_cluster() -> None:
    track = clustcmp.track([list("aaabb"), list("mmmmm"), list("mmmmm")])
    assert stories(track) == {"W1:a W2:m W3:m", "W1:b (merged W2:m)"}


def test_what_is_left_of_a_merged_cluster_has_split_off() -> None:
    # Most of b goes into a; the one point that stays is not b any more.
    track = clustcmp.track([list("aaaaaabbbb"), list("aaaaaaaaab")])
    assert stories(track) == {"W1:a W2:a", "W1:b (merged W2:a)", "(split W1:b) W2:b"}


def test_a_scattered_cluster_has_died() -> None:
    track = clustcmp.track([list("aaaabbbbcccczz"), list("aaaabbbbccccab")])
    assert "W1:z (died)" in stories(track)


def test_points_that_come_and_go_are_births_and_deaths() -> None:
    windows = [
        {"1": "a", "2": "a", "3": "a", "4": "old", "5": "old"},
        {"1": "a", "2": "a", "3": "a", "6": "new", "7": "new"},
    ]
    track = clustcmp.track(windows, points="intersect")
    assert stories(track) == {"W1:a W2:a", "W1:old (died)", "(born) W2:new"}


def test_a_new_cluster_with_one_old_point_is_born() -> None:
    before = {str(i): "a" if i < 8 else "b" for i in range(14)}
    after = {str(i): "a" for i in range(13)} | {str(i): "n" for i in range(13, 30)}
    assert "(born) W2:n" in stories(clustcmp.track([before, after], points="intersect"))


def test_a_sliding_window_keeps_its_clusters() -> None:
    # A third of the points stays from one window to the next.
    windows = [
        {str(i): "ab"[i % 2] if start < 20 else "xy"[i % 2] for i in range(start, start + 30)}
        for start in (0, 20, 40)
    ]
    track = clustcmp.track(windows, points="intersect")
    assert stories(track) == {"W1:a W2:x W3:x", "W1:b W2:y W3:y"}


def test_a_cluster_that_loses_more_points_than_others_lives_on() -> None:
    # All points of a are followed, and six of the ten points of b.
    first = {f"p{i}": "a" if i < 10 else "b" for i in range(20)}
    second = {f"p{i}": "a" if i < 10 else "b" for i in [*range(16), *range(30, 34)]}
    track = clustcmp.track([first, second], points="intersect")
    assert stories(track) == {"W1:a W2:a", "W1:b W2:b"}


def test_disjoint_points_are_followed_in_space() -> None:
    one = on_a_line(("a", 0, 10), ("b", 50, 10))
    two = on_a_line(("x", 50.3, 9), ("y", 0.3, 11))
    track = follow_points(one, two)
    assert track.metrics == ("adco",)
    assert stories(track) == {"W1:a W2:y", "W1:b W2:x"}


def test_a_cluster_that_comes_or_goes_far_away_is_born_or_died() -> None:
    two = on_a_line(("a", 0, 10), ("b", 50, 10))
    three = on_a_line(("a", 0.2, 10), ("b", 50.2, 10), ("far", 900, 4))
    assert stories(follow_points(two, three)) == {
        "W1:a W2:a",
        "W1:b W2:b",
        "(born) W2:far",
    }
    assert "W1:far (died)" in stories(follow_points(three, two))


@pytest.mark.parametrize("shift", [1e3, 1e6])
def test_clusters_that_all_moved_far_away_are_new_clusters(shift: float) -> None:
    two = on_a_line(("a", 0, 10), ("b", 50, 10))
    moved = on_a_line(("a", shift, 10), ("b", 50 + shift, 10))
    expected = {"W1:a (died)", "W1:b (died)", "(born) W2:a", "(born) W2:b"}
    assert stories(follow_points(two, moved)) == expected
    alone, gone = on_a_line(("a", 0, 10)), on_a_line(("a", shift, 10))
    assert stories(follow_points(alone, gone)) == {"W1:a (died)", "(born) W2:a"}


def test_a_large_birth_far_away_leaves_the_others_alive() -> None:
    # The plan has to send most of a and b to the newborn, and would match one of them with it.
    labels, line = on_a_line(("a", 0, 10), ("b", 50, 10))
    coordinates = [[x, 0.0] for (x,) in line]
    far = [[25.0, 9e5 + i] for i in range(80)]
    found = stories(
        follow_points((labels, coordinates), ([*labels, *["far"] * 80], [*coordinates, *far]))
    )
    assert found == {"W1:a W2:a", "W1:b W2:b", "(born) W2:far"}


def test_of_equal_parts_in_space_the_one_of_the_same_name_lives_on() -> None:
    whole = on_a_line(("a", 0, 100))
    for names in ("ax", "xa"):
        parts = on_a_line((names[0], 0.0, 50), (names[1], 0.5, 50))
        assert stories(follow_points(whole, parts)) == {"W1:a W2:a", "(split W1:a) W2:x"}


def test_a_split_and_a_merge_in_space() -> None:
    whole = on_a_line(("a", 0, 100), ("b", 50, 60))
    parts = on_a_line(("p", 0.002, 60), ("q", 0.602, 40), ("b", 50.002, 60))
    assert stories(follow_points(whole, parts)) == {
        "W1:a W2:p",
        "W1:b W2:b",
        "(split W1:a) W2:q",
    }
    assert "W1:q (merged W2:a)" in stories(follow_points(parts, whole))


def test_few_common_points_do_not_decide_if_there_are_coordinates() -> None:
    # One point is in both windows; by it alone b would have died.
    coordinates = {str(i): [0.01 * i] for i in range(20)} | {
        str(i): [50.0 + i] for i in range(20, 40)
    }
    one = {str(i): "a" if i < 20 else "b" for i in [*range(10), *range(20, 30)]}
    two = {str(i): "a" if i < 20 else "b" for i in [*range(9, 20), *range(30, 40)]}
    tables = [np.array([coordinates[point] for point in window]) for window in (one, two)]
    track = clustcmp.track([one, two], coordinates_each=tables)
    assert stories(track) == {"W1:a W2:a", "W1:b W2:b"}


def test_rows_without_ids_at_other_places_are_other_points() -> None:
    one, two = on_a_line(("a", 0, 4), ("b", 50, 4)), on_a_line(("x", 50, 4), ("y", 0, 4))
    track = clustcmp.track([one[0], two[0]], coordinates_each=[one[1], two[1]])
    assert stories(track) == {"W1:a W2:y", "W1:b W2:x"}


def test_masses_are_those_of_the_whole_window() -> None:
    windows = [{"1": "a", "2": "a", "3": "a"}, {"3": "a", "4": "a"}]
    track = clustcmp.track(windows, points="intersect")
    assert track.life_lines is not None
    assert [cluster.mass for cluster in track.life_lines[0].clusters] == [3, 2]


def test_a_cluster_called_noise_is_not_the_noise() -> None:
    windows = [["noise", "noise", "-1", "-1", "b"], ["noise", "noise", "-1", "-1", "b"]]
    track = clustcmp.track(windows, noise="-1")
    assert track.life_lines is not None
    assert sorted(len(line.clusters) for line in track.life_lines) == [2, 2, 2]
    assert [window.noise for window in track.windows] == [2, 2]


def test_noise_as_singletons_lives_on_point_by_point() -> None:
    windows = [["-1", "-1", "b", "b"]] * 3
    track = clustcmp.track(windows, noise="-1", noise_policy="singletons")
    assert track.life_lines is not None
    assert [len(line.clusters) for line in track.life_lines] == [3, 3, 3]


def test_soft_windows_have_life_lines() -> None:
    degrees = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.3, 0.7]])
    track = clustcmp.track([degrees, degrees[:, ::-1]], metrics="ari")
    assert stories(track) == {"W1:0 W2:1", "W1:1 W2:0"}
    assert track.life_lines is not None
    assert track.life_lines[0].mass == pytest.approx(2 * 2.1)


labels = st.lists(st.integers(0, 3), min_size=6, max_size=6)


@given(st.lists(labels, min_size=2, max_size=5), st.integers(1, 2))
def test_each_cluster_is_in_one_life_line(windows: list[list[int]], lag: int) -> None:
    track = clustcmp.track(windows, lag=min(lag, len(windows) - 1))
    assert track.life_lines is not None
    found = [(c.window, c.name, c.mass) for line in track.life_lines for c in line.clusters]
    expected = [
        (f"W{number}", name, window.count(name))
        for number, window in enumerate(windows, 1)
        for name in set(window)
    ]
    assert sorted(found) == sorted(expected)
    for line in track.life_lines:
        numbers = [int(cluster.window[1:]) for cluster in line.clusters]
        assert set(np.diff(numbers)) <= {track.lag}
        assert (line.begins == "first") == (numbers[0] <= track.lag)
        assert (line.ends == "alive") == (numbers[-1] + track.lag > len(windows))


@given(st.lists(labels, min_size=2, max_size=4), st.permutations(range(6)))
def test_values_depend_neither_on_the_order_of_rows_nor_on_names(
    windows: list[list[int]], order: list[int]
) -> None:
    plain = clustcmp.track([dict(enumerate(window)) for window in windows])
    other = clustcmp.track([{i: "zyxw"[window[i]] for i in order} for window in windows])
    assert plain["ari"] == other["ari"]


@given(st.lists(labels, min_size=2, max_size=4), st.permutations(range(6)))
def test_the_order_of_rows_does_not_matter_for_life_lines(
    windows: list[list[int]], order: list[int]
) -> None:
    plain = clustcmp.track([dict(enumerate(window)) for window in windows])
    other = clustcmp.track([{i: window[i] for i in order} for window in windows])
    assert plain.life_lines == other.life_lines


@pytest.mark.parametrize("metric", ["ari", "vi", "css", "cdistance", "cc", "nmi:average=max"])
def test_each_value_is_that_of_compare(metric: str) -> None:
    track = clustcmp.track(CLUSTERINGS, metric, coordinates=IRIS, life_lines=False)
    expected = [
        clustcmp.compare(a, b, metric, coordinates=IRIS)[metric] for a, b in pairwise(CLUSTERINGS)
    ]
    assert list(track[metric]) == expected


def test_adco_of_windows_that_span_everything_is_that_of_compare() -> None:
    track = clustcmp.track(CLUSTERINGS, coordinates=IRIS, life_lines=False)
    expected = [
        clustcmp.compare(a, b, "adco", coordinates=IRIS)["adco"] for a, b in pairwise(CLUSTERINGS)
    ]
    assert list(track["adco"]) == expected


def test_adco_has_one_grid_for_all_windows() -> None:
    # Two bins from 0 to 10. W1 and W2 are in the first, W3 is in the second. A grid for W1 and W2
    # alone would put them apart.
    windows = [(["a"] * 2, [[0.0], [1.0]]), (["a"] * 2, [[3.0], [4.0]]), (["a"], [[10.0]])]
    track = follow_points(*windows, metrics="adco:bins=2")
    assert track["adco:bins=2"] == (0.0, 1.0)
    alone = clustcmp.compare(
        windows[0][0],
        windows[1][0],
        "adco:bins=2",
        coordinates_a=windows[0][1],
        coordinates_b=windows[1][1],
    )
    assert alone["adco:bins=2"] == 1.0
    assert any("bins cover all windows" in note for note in track.notes)


def test_columns_of_all_windows_are_in_the_order_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    coordinates = np.array([[0, 100], [1, 200], [0, 200], [1, 100]])
    labels = ["aabb", "abab", "abba"]
    for number, (header, rows) in enumerate(
        [("x,y", coordinates), ("y,x", coordinates[:, ::-1]), ("x,y", coordinates)], 1
    ):
        write(f"w{number}.txt", "\n".join(labels[number - 1]))
        write(f"x{number}.csv", "\n".join([header, *(f"{x},{y}" for x, y in rows.tolist())]))
    windows = [f"w{number}.txt" for number in (1, 2, 3)]
    tables = [f"x{number}.csv" for number in (1, 2, 3)]
    track = clustcmp.track(windows, ["adco", "cdistance"], coordinates_each=tables)
    plain = clustcmp.track(list(map(list, labels)), ["adco", "cdistance"], coordinates=coordinates)
    assert track["adco"] == plain["adco"]
    assert track["cdistance"] == plain["cdistance"]
    assert 0.0 not in plain["adco"]


def test_the_jump_is_the_worst_value_in_the_direction_of_the_metric() -> None:
    windows = [list("aabb"), list("aabb"), list("abab"), list("abab")]
    track = clustcmp.track(windows, ["ari", "vi", "entropy_a"])
    found = [(jump.metric, jump.source, jump.target) for jump in track.jumps]
    # An entropy is neither good nor bad.
    assert found == [("adjusted_rand", "W2", "W3"), ("variation_of_information", "W2", "W3")]


def test_the_first_of_equal_jumps_is_reported() -> None:
    track = clustcmp.track([list("aabb"), list("abab"), list("aabb")])
    assert [(jump.source, jump.value) for jump in track.jumps] == [("W1", -0.5)]


def test_a_lag_compares_each_window_with_a_later_one() -> None:
    windows = [list("aabb"), list("abab"), list("aabb"), list("abab"), list("aaaa")]
    track = clustcmp.track(windows, "rand", lag=2)
    assert [(step.source, step.target) for step in track] == [
        ("W1", "W3"),
        ("W2", "W4"),
        ("W3", "W5"),
    ]
    # One cluster and two pairs: two of six pairs agree.
    assert track["rand"] == pytest.approx((1.0, 1.0, 1 / 3))


def test_the_samples_come_in_the_order_of_the_paper() -> None:
    # Bae's table 4: 0.15, 0.37, 0.31, 0.41. The layout can only show the order.
    values = clustcmp.track(SAMPLES, coordinates=IRIS)["adco"]
    one, two, three, four = (value or 0.0 for value in values)
    assert one < three < two < four
    assert (one, three, two, four) == pytest.approx((0.06, 0.15, 0.30, 0.38), abs=0.005)


def test_the_samples_are_what_the_script_makes() -> None:
    from examples.make_windows import NAMES, SEED, cluster, draw_windows

    for path, flowers in zip(SAMPLES, draw_windows(SEED), strict=True):
        with open(path, encoding="utf-8", newline="") as file:
            rows = [(row["id"], row["label"]) for row in csv.DictReader(file)]
        names = [NAMES[code] for code in cluster(flowers)]
        assert rows == [
            (f"iris-{flower + 1:03d}", name) for flower, name in zip(flowers, names, strict=True)
        ]


@pytest.fixture
def windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three windows: nothing changes, then two clusters of three become one; rand is 1, 0.4."""
    monkeypatch.chdir(tmp_path)
    names = []
    for number, labels in enumerate(["aaabbb", "xxxyyy", "xxxxxx"], 1):
        rows = "".join(f"{point},{label}\n" for point, label in enumerate(labels))
        names.append(write(f"w{number}.csv", f"id,label\n{rows}"))
    return names


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
@pytest.mark.parametrize(
    ("bounds", "status"),
    [
        (["--min", "rand=0.4"], 0),
        (["--min", "rand=0.41"], 1),
        (["--max", "rand=1"], 0),
        (["--max", "rand=0.99"], 1),
        (["--min", "rand=0.4", "--max", "rand=0.99"], 1),
        (["--min", "rand=0.4", "--max", "vi=0.1"], 1),
        # One cluster cannot be permuted: no value, no verdict.
        (["--min", "ari:null=sampled,draws=9=-1"], 3),
        (["--min", "ari:null=sampled,draws=9=-1", "--min", "rand=0.5"], 1),
        (["--max", "ari:null=sampled,draws=9=0.5"], 1),
    ],
)
def test_bounds_decide_the_exit_status_in_every_format(
    form: str,
    bounds: list[str],
    status: int,
    windows: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = run_clustcmp(capsys, "track", *windows, *bounds, "-f", form)
    assert outcome.status == status
    assert outcome.stdout
    if form == "json":
        verdict = json.loads(outcome.stdout)["verdict"]["outcome"]
        assert verdict == {0: "pass", 1: "fail", 3: "no_verdict"}[status]
    if form in ("table", "markdown"):
        word = {0: "pass", 1: "fail", 3: "no verdict"}[status]
        assert f"verdict: {word}\n" in outcome.stdout


def test_without_bounds_there_is_no_verdict(
    windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_clustcmp(capsys, "track", *windows, "-m", "rand")
    assert outcome.status == 0
    assert "verdict" not in outcome.stdout
    assert outcome.stderr == ""


def test_the_library_judges_like_the_command(windows: list[str]) -> None:
    verdict = clustcmp.track(windows, min={"rand": 0.41}, max={"vi": 5.0}).verdict
    assert verdict is not None
    assert verdict.exit_status == 1
    assert [bound.outcome for bound in verdict.by_threshold] == ["fail", "pass"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["w1.csv"], "two windows or more"),
        (["w1.csv", "nowhere.csv"], "nowhere.csv"),
        (["w1.csv", "w2.csv", "--window-lag", "2"], "there are 2 windows, so the lag is 1\n"),
        (
            ["w1.csv", "w2.csv", "w3.csv", "--window-lag", "3"],
            "3 windows, so the lag is from 1 to 2",
        ),
        (["w1.csv", "w2.csv", "--window-lag", "0"], "window-lag"),
        (["-", "w1.csv", "-"], "can be read only once"),
        (
            ["w1.csv", "w2.csv", "w3.csv", "--coords", "x.csv", "--coords", "x.csv"],
            "2 tables of coordinates are given for 3 windows",
        ),
        (["w1.csv", "w2.csv", "-m", "beta_cv"], "of one clustering"),
        (["w1.csv", "w2.csv", "-m", "internal"], "of one clustering"),
        (["w1.csv", "w2.csv", "-m", "adco"], "needs coordinates"),
        (["w1.csv", "w2.csv", "-m", "arri"], "no metric is called"),
        (["w1.csv", "w2.csv", "--max", "ari"], "not a bound"),
        (["w1.csv", "w2.csv", "--max", "ari=high"], "not a number"),
        (["w1.csv", "w2.csv", "--min", "ari=0.9", "--max", "ari=0.1"], "no value is at least"),
        (["w1.csv", "other.csv"], "do not have the same points"),
        (["w1.csv", "noise.csv", "--noise", "n", "--noise-policy", "drop"], "no points are left"),
    ],
)
def test_bad_calls_are_explained(
    arguments: list[str], words: str, windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write("other.csv", "id,label\n0,a\n9,b\n")
    write("noise.csv", "id,label\n0,n\n1,n\n")
    write("x.csv", "id,x\n0,1\n")
    outcome = run_clustcmp(capsys, "track", *arguments)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert words in outcome.stderr


def test_windows_without_common_points_say_what_to_do(
    windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write("other.csv", "id,label\n7,a\n8,b\n9,b\n")
    outcome = run_clustcmp(capsys, "track", windows[0], "other.csv")
    assert "hint: say where the points are with --coordinates FILE\n" in outcome.stderr


def test_a_note_about_a_step_names_it_and_quiet_hides_the_note(
    windows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write("less.csv", "id,label\n0,a\n1,a\n2,b\n")
    arguments = ["track", *windows, "less.csv", "--points", "intersect"]
    loud = run_clustcmp(capsys, *arguments)
    assert loud.stderr == "note: W3 → W4: left out: 3 points only in a, 0 only in b\n"
    assert run_clustcmp(capsys, *arguments, "-q") == Outcome(0, loud.stdout, "")


def test_a_note_about_files_names_them_once_and_no_step(windows: list[str]) -> None:
    for name in ("one.txt", "two.txt", "three.txt"):
        write(name, "-1\n-1\n2\n")
    track = clustcmp.track(["one.txt", "two.txt", "three.txt"])
    assert track.notes == (
        "one.txt, two.txt, three.txt: label -1 is an ordinary cluster; if it marks noise, say "
        "noise=-1",
        "one.txt, two.txt, three.txt: no id column, so rows are compared by position",
    )


def test_a_note_says_that_no_window_has_a_label_of_noise(windows: list[str]) -> None:
    assert clustcmp.track(windows, noise="x", noise_policy="cluster").notes == ()
    expected = "no point has the label 'none' that marks noise"
    assert clustcmp.track(windows, noise="none").notes == (expected,)


def test_too_much_work_for_life_lines_is_a_note(
    windows: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise clustcmp.LimitExceeded("too large")

    monkeypatch.setattr("clustcmp.analyses.track.library.find_links", refuse)
    track = clustcmp.track(windows)
    assert track.life_lines is None
    assert track.notes == ("no life lines: W1 → W2: too large",)


def test_pandas_objects_are_joined_by_their_index() -> None:
    import pandas as pd

    index = ["p", "q", "r", "s"]
    one = pd.Series(list("aabb"), index=index)
    coordinates = pd.DataFrame({"x": [0.0, 1.0, 10.0, 11.0]}, index=index)
    track = clustcmp.track([one, one[::-1]], ["ari", "adco"], coordinates=coordinates)
    assert (track["ari"], track["adco"]) == ((1.0,), (0.0,))


def test_coordinates_for_all_and_for_each_cannot_both_be_given() -> None:
    table = np.zeros((2, 1))
    with pytest.raises(clustcmp.UsageError, match="coordinates_each are given as well"):
        clustcmp.track(["ab", "ab"], coordinates=table, coordinates_each=[table, table])


def test_the_example_of_the_docstring_is_right() -> None:
    windows = [[1, 1, 2, 2], [1, 1, 2, 2], [1, 2, 2, 2]]
    assert clustcmp.track(windows, "rand")["rand"] == (1.0, 0.5)


# The points -1 and 1 are a ball around 0 of radius 1.
@pytest.mark.parametrize(
    ("centre", "expected"),
    [(2.0, {"W1:x W2:y"}), (3.0, {"W1:x (died)", "(born) W2:y"})],
)
def test_a_single_cluster_lives_on_if_its_ball_touches_the_next_one(
    centre: float, expected: set[str]
) -> None:
    before = ["x", "x"], [[-1.0], [1.0]]
    after = ["y", "y"], [[centre - 1.0], [centre + 1.0]]
    assert stories(follow_points(before, after)) == expected
