"""Which cluster became which: cases whose answer is obvious to a person, and what always holds."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.analyses.changes.order import natural
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.analyses.flows.fates import Fate
from tests.commands.test_command_line import GOOD, SOFT, SPECIES, schema
from tests.conftest import label_pairs
from tests.files import run_clustcmp, write

IRIS = str(Path(SPECIES).with_name("iris.csv"))
BAD = str(Path(SPECIES).with_name("iris_kmeans_bad.csv"))


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def kinds(report: ChangeReport) -> dict[str, str]:
    """What became of each cluster of a."""
    return {cluster.cluster: cluster.kind.value for cluster in report.clusters}


def parts(report: ChangeReport, name: str) -> list[tuple[str, Any]]:
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


def test_the_same_clusterings_are_the_same() -> None:
    assert kinds(changed("aabbc", "aabbc")) == {"a": "same", "b": "same", "c": "same"}


def test_a_split() -> None:
    report = changed("7" * 10 + "88", "7" * 9 + "x" + "88")
    assert kinds(report) == {"7": "split", "8": "same"}
    assert parts(report, "7") == [("7", 0.9), ("x", 0.1)]
    assert (report.moved, report.births) == (1, ())


def test_a_merge() -> None:
    report = changed("aaabbcc", "xxxxxcc")
    assert kinds(report) == {"a": "merged", "b": "merged", "c": "same"}
    assert report.matches == {"a": "x", "c": "c"}
    assert report.moved == 2


def test_a_swap_of_names_is_a_renaming_and_a_swap_of_points_a_change() -> None:
    assert kinds(changed("aaabbb", "bbbaaa")) == {"a": "renamed", "b": "renamed"}
    report = changed("aaabbb", "aabbba")
    assert kinds(report) == {"a": "changed", "b": "changed"}
    assert report.matches == {"a": "a", "b": "b"}
    assert report.moved == 2


def test_a_birth_takes_from_many() -> None:
    report = changed("aaaabbbbcccc", "aaaXbbbXcccX")
    assert set(kinds(report).values()) == {"changed"}
    birth = report.births[0]
    assert (birth.cluster, birth.size, birth.new) == ("X", 3, 0)
    assert {part.cluster: part.share for part in birth.parts} == pytest.approx(
        dict.fromkeys("abc", 1 / 3)
    )


def test_a_death_scatters() -> None:
    report = changed("aaaXbbbXcccX", "aaaabbbbcccc")
    assert kinds(report) == {"X": "died", "a": "changed", "b": "changed", "c": "changed"}
    assert report.moved == 3


def test_a_split_and_a_merge_at_once_are_a_regrouping() -> None:
    report = changed("aaaaaaab" + "bb", "aaaaxxxa" + "aa")
    assert kinds(report) == {"a": "regrouped", "b": "merged"}


def test_of_equal_matches_those_of_equal_names_win() -> None:
    for other in "AZ0":
        assert changed("7777", f"77{other}{other}").matches == {"7": "7"}
        assert changed("7777", f"{other}{other}77").matches == {"7": "7"}
        assert changed(f"{other}{other}77", "7777").matches == {"7": "7"}


def test_a_match_by_a_few_points_does_not_hide_a_merge() -> None:
    # Of v 46 points go to the match of w, and only 4 to its own.
    report = clustcmp.changes(SPECIES, BAD)
    assert report.matches["Iris-versicolor"] == "C2"
    assert kinds(report) == {
        "Iris-versicolor": "merged",
        "Iris-virginica": "merged",
        "Iris-setosa": "split",
    }


def test_points_in_one_only_are_gone_or_new() -> None:
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


def test_disjoint_points_are_matched_by_where_they_are() -> None:
    report = changed(
        "aabb",
        "xyyx",
        coordinates_a=[[0, 0], [0, 1], [9, 9], [9, 8]],
        coordinates_b=[[9, 9], [0, 0], [0, 1], [9, 8]],
    )
    assert report.matches == {"a": "x", "b": "y"}  # by position these are the same points

    places_a, places_b = [[0, 0], [0, 1], [9, 9]], [[9, 9], [9, 8], [0, 0], [0, 1], [0, 2]]
    report = changed("aab", "xxyyy", coordinates_a=places_a, coordinates_b=places_b)
    assert report.changes.by_plan
    assert report.matches == {"a": "y", "b": "x"}
    # a weighs 2/3 and y 3/5 of all, so 1/15 of all mass has to go from a to x.
    assert report.moved_share == pytest.approx(1 / 15)
    assert parts(report, "a") == [("y", pytest.approx(0.9)), ("x", pytest.approx(0.1))]


def test_disjoint_points_of_equal_weights_match_whole() -> None:
    places_a, places_b = [[0], [9], [9]], [[8], [8], [8], [8], [1], [1]]
    report = changed("abb", "yyyyxx", coordinates_a=places_a, coordinates_b=places_b)
    assert kinds(report) == {"a": "renamed", "b": "renamed"}
    assert report.moved_share == 0.0


def test_few_shared_points_do_not_decide_where_it_is_known_where_points_are() -> None:
    places = {str(i): [0.0 if i % 2 else 9.0] for i in range(20)}
    a = {str(i): "odd" if i % 2 else "even" for i in range(11)}
    b = {str(i): "odd" if i % 2 else "even" for i in range(10, 20)}
    # The only point in both says the opposite of where all others are.
    b["10"] = "odd"
    lonely = clustcmp.changes(a, b)
    assert lonely.matches == {"even": "odd"}
    coordinates = [[places[i] for i in side] for side in (a, b)]
    located = clustcmp.changes(a, b, coordinates_a=coordinates[0], coordinates_b=coordinates[1])
    assert located.matches == {"odd": "odd", "even": "even"}
    assert located.changes.by_plan


def test_given_distances_serve_as_well() -> None:
    distances = [[0, 0, 9, 9, 9], [0, 0, 9, 9, 9], [9, 9, 0, 0, 0]]
    report = changed("aab", "xxyyy", distances=distances)
    assert report.matches == {"a": "x", "b": "y"}
    assert list(report.contributions.parts) == ["cdistance"]


def test_disjoint_points_in_no_space_are_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "12", "ab"), table("b.csv", "34", "ab")
    outcome = run_clustcmp(capsys, "changes", a, b)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "do not have the same points: none in both" in outcome.stderr
    assert "--coordinates" in outcome.stderr


def test_equal_soft_clusterings_move_nothing() -> None:
    degrees = np.random.default_rng(0).dirichlet([0.5] * 3, 40)
    report = clustcmp.changes(degrees, degrees[:, [2, 0, 1]])
    assert report.matches == {"0": "1", "1": "2", "2": "0"}
    assert set(kinds(report).values()) == {"renamed"}
    assert report.moved == pytest.approx(0.0, abs=1e-9)


def test_soft_mass_moves_only_as_far_as_it_must() -> None:
    # By hand: of two points one keeps 0.7 of its mass where it was, the other all.
    report = clustcmp.changes(np.array([[1, 0], [0.0, 1]]), np.array([[0.7, 0.3], [0, 1]]))
    assert report.moved == pytest.approx(0.3)
    assert parts(report, "0") == [("0", pytest.approx(0.7)), ("1", pytest.approx(0.3))]


@given(label_pairs)
def test_one_hot_soft_equals_hard(pair: tuple[list[int], list[int]]) -> None:
    a, b = (np.unique(labels, return_inverse=True)[1] for labels in pair)
    hard = clustcmp.changes(a.tolist(), b.tolist())
    # A little of the last point makes it soft.
    soft_a = np.eye(a.max() + 2)[a]
    soft_a[-1, -1] = soft_a[-1].max() * 1e-4
    soft = clustcmp.changes(soft_a / soft_a.sum(axis=1)[:, None], b.tolist())
    assert soft.moved == pytest.approx(hard.moved, abs=2e-4)


@given(label_pairs)
def test_masses_add_up(pair: tuple[list[int], list[int]]) -> None:
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


def slow_kind(name: str, a: list[int], b: list[int], matches: dict[str, str]) -> str:
    """The kind of a cluster by the words of the definition, with sets."""
    members_a = {str(k): {i for i, x in enumerate(a) if x == k} for k in a}
    members_b = {str(k): {i for i, x in enumerate(b) if x == k} for k in b}

    def home(k: str) -> str | None:
        most = [j for j in members_b if 2 * len(members_a[k] & members_b[j]) > len(members_a[k])]
        return most[0] if most else None

    def is_origin(k: str, j: str) -> bool:
        return 2 * len(members_a[k] & members_b[j]) > len(members_b[j])

    match = matches.get(name)
    if match is not None and members_a[name] == members_b[match]:
        return "same" if match == name else "renamed"
    if match is None and home(name) is None:
        return "died"
    split = any(is_origin(name, j) for j in members_b if j != match)
    places = {match, home(name)} - {None}
    merged = any(home(k) in places and matches.get(k) != home(k) for k in members_a)
    both = "regrouped" if split and merged else ""
    return both or ("split" if split else "") or ("merged" if merged else "") or "changed"


@given(label_pairs)
def test_kinds_are_what_the_words_say(pair: tuple[list[int], list[int]]) -> None:
    report = clustcmp.changes(*pair)
    expected = {name: slow_kind(name, *pair, report.matches) for name in kinds(report)}
    assert kinds(report) == expected
    assert sum(report.changes.fates == 3) == len(report.changes.died)
    assert list(Fate)[3] is Fate.died


@given(label_pairs, st.integers(0, 1000))
def test_the_order_of_rows_changes_nothing(pair: tuple[list[int], list[int]], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(pair[0])).tolist()
    texts = []
    for rows in (range(len(order)), order):
        for name, labels in zip("ab", pair, strict=True):
            lines = "".join(f"p{row},{labels[row]}\n" for row in rows)
            write(f"{name}.csv", "id,label\n" + lines)
        from clustcmp.render.changes import changes_object

        document = changes_object(clustcmp.changes("a.csv", "b.csv"))
        texts.append(json.dumps(document, sort_keys=True))
    assert texts[0] == texts[1]


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


def test_blame_falls_on_the_cluster_that_moved() -> None:
    a, b = list("aaabbbccc"), list("aaabbbccc")
    b[3] = "a"
    coordinates = [[0], [1], [2], [50], [51], [52], [90], [91], [92]]
    report = clustcmp.changes(a, b, coordinates=coordinates)
    contributions = {c.cluster: c.contributions for c in report.clusters}
    for metric in ("cdistance", "css"):
        assert contributions["c"][metric] == 0.0
        assert contributions["b"][metric] > 0.0


def changes_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON of changes, checked by its schema."""
    outcome = run_clustcmp(capsys, "changes", *arguments, "-f", "json")
    assert outcome.status == 0, outcome.stderr
    document: dict[str, Any] = json.loads(outcome.stdout)
    jsonschema.Draft202012Validator(schema("changes-1")).validate(document)
    return document


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema("changes-1"))


@pytest.mark.parametrize("options", [(), ("--coordinates", IRIS)], ids=["plain", "coordinates"])
@pytest.mark.parametrize("b", [GOOD, BAD, SOFT], ids=["good", "bad", "soft"])
def test_json_fits_the_shipped_schema(
    b: str, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    document = changes_json(capsys, SPECIES, b, *options)
    assert sum(flow["mass"] for flow in document["flows"]) == pytest.approx(150)
    if options:
        cells = document["plan"]["cells"]
        assert sum(cell["weight"] for cell in cells) == pytest.approx(1.0)
        costs = sum(cell["weight"] * cell["distance"] for cell in cells)
        assert costs == pytest.approx(document["plan"]["d_ot"])
    else:
        assert document["plan"] is None


def test_json_names_splits_merges_births_and_deaths(capsys: pytest.CaptureFixture[str]) -> None:
    a = table("a.csv", "0123456789abcdefghijk", "sssssmmnnXaaaXbbbXccc")
    b = table("b.csv", "0123456789abcdefghijk", "ssstt" + "mmmm" + "aaaabbbbcccc")
    document = changes_json(capsys, a, b)
    assert document["splits"] == [{"from": "s", "to": ["s", "t"]}]
    assert document["merges"] == [{"from": ["m", "n"], "to": "m"}]
    assert document["deaths"] == ["X"]
    assert document["births"] == []
    back = changes_json(capsys, b, a)
    assert back["splits"] == [{"from": "m", "to": ["m", "n"]}]
    assert back["merges"] == [{"from": ["s", "t"], "to": "s"}]
    assert back["deaths"] == []
    assert back["births"] == [{"cluster": "X", "size": 3, "new": 0}]
    assert back["kinds"]["split"] == 1


def test_csv_has_a_line_for_each_flow(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "1234", "aabb"), table("b.csv", "2345", "axbx")
    outcome = run_clustcmp(capsys, "changes", a, b, "-f", "csv")
    rows = list(csv.reader(io.StringIO(outcome.stdout)))
    assert rows[0] == ["from", "to", "kind", "mass", "share_of_from", "share_of_to", "matched"]
    found = {(row[0], row[1]): row[3:] for row in rows[1:]}
    assert found[("a", "a")] == ["1", "0.5", "1.0", "true"]
    assert found[("a", "")] == ["1", "0.5", "", "false"]
    assert found[("", "x")] == ["1", "", "0.5", "false"]


def lines_of(stdout: str) -> list[str]:
    """The lines of the list of clusters."""
    lines = stdout.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("a → b"))
    return lines[start + 1 : lines.index("", start)]


def test_a_line_tells_where_a_cluster_went(capsys: pytest.CaptureFixture[str]) -> None:
    ids = "".join(chr(200 + i) for i in range(102))
    a = table("a.csv", ids, "7" * 100 + "88")
    b = table("b.csv", ids, "7" * 91 + "x" * 9 + "88")
    outcome = run_clustcmp(capsys, "changes", a, b)
    assert "9 of 102 points moved (9 %)" in outcome.stdout
    first, second = lines_of(outcome.stdout)
    assert first.startswith("7 → 7 (91 %), x (9 %)  ")
    assert first.split()[-4:] == ["split", "100", "9", "0"]
    assert second.startswith("8 → 8 (100 %)")


def test_many_clusters_are_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [(f"p{i}", str(i // 4)) for i in range(4000)]
    write("a.csv", "id,label\n" + "".join(f"{i},{k}\n" for i, k in rows))
    rows[::100] = [(i, str((int(k) + 1) % 1000)) for i, k in rows[::100]]
    write("b.csv", "id,label\n" + "".join(f"{i},{k}\n" for i, k in rows))
    outcome = run_clustcmp(capsys, "changes", "a.csv", "b.csv", "--top", "5")
    # Forty points moved, each from a cluster of its own into the next one.
    *shown, rest = lines_of(outcome.stdout)
    assert len(shown) == 5
    assert rest == ("not shown: 75 more clusters changed, 920 clusters unchanged; --all shows all")
    outcome = run_clustcmp(capsys, "changes", "a.csv", "b.csv", "--all")
    assert len(lines_of(outcome.stdout)) == 1000
    assert "not shown" not in outcome.stdout


HOSTILE = ["\x1b[31mred", "a|b", "new\nline", "漢字" * 60, "x" * 200, "e" + "\u0301" * 300, "`t`"]


@pytest.mark.parametrize("format", ["table", "markdown"])
@pytest.mark.parametrize("width", ["80", "120"])
def test_no_label_breaks_a_table(
    format: str, width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    labels = [HOSTILE[i % 7] for i in range(70)]
    for name, shift in (("a.csv", 0), ("b.csv", 3)):
        text = io.StringIO()
        moved = [labels[(i + 1) % 70] if i < shift else labels[i] for i in range(70)]
        csv.writer(text).writerows([("id", "label"), *enumerate(moved)])
        write(name, text.getvalue())
    outcome = run_clustcmp(capsys, "changes", "a.csv", "b.csv", "-f", format)
    assert outcome.status == 0
    assert "\x1b" not in outcome.stdout
    rows = [line for line in outcome.stdout.splitlines() if "→" in line and "changed" in line]
    assert len(rows) == 4
    if format == "markdown":
        assert {line.replace("\\|", "").count("|") for line in rows} == {6}
    else:
        assert "\u0301" * 3 not in outcome.stdout
        assert max(map(len, outcome.stdout.splitlines())) < 250


def test_the_heat_map_shows_matches_on_the_diagonal(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(capsys, "changes", SPECIES, GOOD)
    heat = outcome.stdout.splitlines()[-4:]
    assert heat[0].split() == ["C2", "C1", "C3"]
    assert heat[1].split() == ["Iris-setosa", "100██", "·", "·"]
    assert heat[2].split() == ["Iris-versicolor", "·", "94██", "6░░"]
    assert heat[3].split() == ["Iris-virginica", "·", "28▒▒", "72▓▓"]


def test_a_heat_map_of_many_clusters_is_narrow_and_has_a_legend(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    write("a.csv", "label\n" + "".join(f"cluster {i % 40}\n" for i in range(400)))
    outcome = run_clustcmp(capsys, "changes", "a.csv", "a.csv")
    heat = outcome.stdout.partition("share of each cluster")[2].splitlines()
    assert "20 of 40 and 20 of 40 clusters" in heat[0]
    assert max(map(len, heat[1:])) <= 80
    assert heat[2].split("  ")[0] == "cluster 0"
    assert heat[22].startswith("columns: 1 cluster 0, 2 cluster 1,")


def test_names_are_sorted_as_people_do() -> None:
    names = ["10", "9", "a10", "a9", "b", "1" * 5000, "01", "1"]
    assert sorted(names, key=natural) == ["01", "1", "9", "10", "1" * 5000, "a9", "a10", "b"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--ground", "euclid"),
        ("--top", "0"),
        ("--moved", "-"),
        ("--relabel", "no/such/folder.csv"),
        ("--relabel", "new.txt"),
        ("--relabel", "new.csv.gz"),
        ("--moved", "x.csv", "--relabel", "./x.csv"),
        ("--moved", "a.csv"),
        ("--relabel", "b.csv"),
        ("--coordinates", "x.csv::x", "--moved", "x.csv"),
    ],
)
def test_wrong_options_leave_stdout_and_files_alone(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = table("a.csv", "123", "aab"), table("b.csv", "123", "abb")
    write("x.csv", "id,x\n1,1\n2,2\n3,3\n") if "x.csv::x" in arguments else None
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    outcome = run_clustcmp(capsys, "changes", a, b, *arguments)
    assert (outcome.status, outcome.stdout) == (2, ""), outcome
    assert "hint: " in outcome.stderr
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_notes_are_told_unless_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "123", "aab"), table("b.csv", "234", "abb")
    assert "note: clusters are matched by the 2 points in both" in (
        run_clustcmp(capsys, "changes", a, b).stderr
    )
    assert run_clustcmp(capsys, "changes", a, b, "-q").stderr == ""


def test_points_that_are_gone_or_new_have_columns(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "1234567", "aaaaaab"), table("b.csv", "4567890", "aaabXbX")
    for shape, cut in (("table", None), ("markdown", "|")):
        lines = run_clustcmp(capsys, "changes", a, b, "-f", shape).stdout.splitlines()
        row = next(line for line in lines if "a (50 %)" in line.replace("`", ""))
        numbers = [cell.strip() for cell in row.split(cut) if cell.strip()][-5:]
        assert numbers == ["6", "0", "0", "3", "0"]
        assert "gone 50 %" in row


def test_too_many_clusters_for_a_plan_cost_the_contributions_only() -> None:
    labels = list(range(2100))
    coordinates = np.arange(2100.0)[:, None]
    report = clustcmp.changes(labels, labels, coordinates=coordinates)
    assert report.contributions.parts == {}
    assert any(note.startswith("no contributions to cdistance") for note in report.notes)
