"""Which rows of two files belong together: by which column of ids, or by position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.errors import ClustcmpError, InputError
from tests.files import run_clustcmp, write

# Six cells in three clusters, in two orders; by position the two have nothing in common.
CELLS = {"c1": "0", "c2": "0", "c3": "1", "c4": "1", "c5": "2", "c6": "2"}
SHUFFLED = ["c5", "c1", "c3", "c6", "c2", "c4"]


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def table(header: str, *columns: Any) -> str:
    """A CSV file with these columns."""
    rows = zip(*columns, strict=True)
    return "".join(f"{line}\n" for line in (header, *(",".join(map(str, row)) for row in rows)))


def cells(header: str, order: list[str] | None = None) -> str:
    """The six cells and their clusters under a header."""
    order = list(CELLS) if order is None else order
    return table(header, order, [CELLS[cell] for cell in order])


def compare_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The JSON of a comparison."""
    outcome = run_clustcmp(capsys, "compare", *arguments, "-m", "ari", "-f", "json")
    assert outcome.status == 0, outcome.stderr
    return json.loads(outcome.stdout)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says when it refuses to join."""
    outcome = run_clustcmp(capsys, *arguments)
    assert (outcome.status, outcome.stdout) == (2, "")
    return outcome.stderr


@pytest.mark.parametrize(
    ("header", "joined_by"),
    [("barcode,cluster", "barcode"), ("index,leiden", "index"), ("id,x", "id"), (",leiden", "")],
)
def test_two_columns_are_joined_by_the_one_whose_values_are_all_distinct(
    header: str, joined_by: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write("a.csv", cells(header)), write("b.csv", cells(header, SHUFFLED))
    document = compare_json(capsys, *files)
    assert document["results"][0]["value"] == 1.0
    assert document["joined_by"] == joined_by
    assert [side["id"] for side in document["inputs"]] == [joined_by] * 2
    assert bool(document["notes"]) == (joined_by != "id")


def test_unrelated_files_sorted_by_cluster_do_not_pass_a_gate(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # By position ARI would be 1. By id the truth is near chance: -0.12 by hand from the table
    # [[1, 1, 0], [1, 0, 1], [0, 1, 1]] of pairs: 0 of 3 agree, expected 3 * 3 / 15 = 0.6.
    other = dict(zip(CELLS, ["0", "1", "0", "2", "1", "2"], strict=True))
    order = sorted(other, key=lambda cell: other[cell])
    write("a.csv", cells("barcode,cluster"))
    write("b.csv", table("barcode,cluster", order, [other[cell] for cell in order]))
    outcome = run_clustcmp(capsys, "gate", "a.csv", "b.csv", "--min", "ari=0.9", "-f", "json")
    assert outcome.status == 1
    (verdict,) = json.loads(outcome.stdout)["gates"]
    assert verdict["joined_by"] == "barcode"
    assert verdict["checks"][0]["found"] == pytest.approx((0 - 0.6) / (3 - 0.6))


def test_the_only_distinct_column_of_the_same_name_in_both_files_is_the_id(
    capsys: pytest.CaptureFixture[str],
) -> None:
    batch, n = ["p", "q"] * 3, range(10, 70, 10)
    write("a.csv", table("cell,batch,n,label", CELLS, batch, n, CELLS.values()))
    labels = [CELLS[cell] for cell in SHUFFLED]
    write("b.csv", table("batch,m,cell,label", batch, n, SHUFFLED, labels))
    document = compare_json(capsys, "a.csv", "b.csv")
    assert (document["joined_by"], document["results"][0]["value"]) == ("cell", 1.0)


@pytest.mark.parametrize("words", [(), ("--by-position",), ("--id", "cell")])
def test_several_candidates_are_an_error_that_lists_them_unless_one_is_named(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = [7, 3, 5, 9, 4, 8]
    write("a.csv", table("cell,number,label", CELLS, numbers, CELLS.values()))
    write("b.csv", table("cell,number,label", CELLS, numbers, CELLS.values()))
    if words:
        expected = {"--by-position": "position", "--id": "cell"}[words[0]]
        assert compare_json(capsys, "a.csv", "b.csv", *words)["joined_by"] == expected
        return
    said = refused(capsys, "compare", "a.csv", "b.csv")
    for word in ("'cell', 'number'", "a.csv::id=cell", "--id NAME", "--by-position"):
        assert word in said


def test_an_id_column_may_have_another_name_in_each_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.csv", cells("cell,label"))
    write("b.csv", table("n,code,label", range(6), SHUFFLED, [CELLS[c] for c in SHUFFLED]))
    document = compare_json(capsys, "a.csv", "b.csv::id=code")
    assert document["joined_by"] == "cell, code"
    assert document["results"][0]["value"] == 1.0


def test_a_column_of_fractions_is_not_taken_for_ids(capsys: pytest.CaptureFixture[str]) -> None:
    numbers = [0.5, 1.5, 2.25, 3.5, 4.5, 5.5]
    write("a.csv", table("x,label", numbers, CELLS.values()))
    write("b.csv", table("x,label", numbers[::-1], CELLS.values()))
    assert compare_json(capsys, "a.csv", "b.csv")["joined_by"] == "position"


def test_a_file_with_ids_is_never_joined_to_one_without(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.csv", cells("barcode,cluster"))
    write("b.txt", "\n".join(CELLS.values()))
    said = refused(capsys, "compare", "a.csv", "b.txt")
    assert "'barcode'" in said
    assert "--by-position" in said
    document = compare_json(capsys, "a.csv", "b.txt", "--by-position")
    assert (document["joined_by"], document["notes"]) == ("position", [])


def test_labels_alone_are_joined_by_position_with_a_note(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.txt", "\n".join(CELLS.values()))
    write("b.csv", "label\n" + "\n".join(CELLS.values()))
    document = compare_json(capsys, "a.txt", "b.csv")
    assert document["joined_by"] == "position"
    assert "by position" in document["notes"][0]


def test_a_gate_joins_files_by_position_only_when_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.txt", "x\nx\ny\n")
    write("b.txt", "x\nx\ny\n")
    gate = "gate", "a.txt", "b.txt", "--min", "ari=0.9"
    assert "only when told" in refused(capsys, *gate)
    assert run_clustcmp(capsys, *gate, "--by-position").status == 0
    bounds = 'reference = "a.txt"\ncandidate = "b.txt"\nari = { min = 0.9 }\n'
    write("clustcmp.toml", f"[gate]\n{bounds}by_position = true\n")
    assert run_clustcmp(capsys, "gate").status == 0
    with pytest.raises(InputError, match="only when told"):
        clustcmp.gate("a.txt", "b.txt", min={"ari": 0.9})
    assert clustcmp.gate([0, 0, 1], [1, 1, 0], min={"ari": 0.9})


def test_the_table_says_what_rows_were_joined_by(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", cells("barcode,cluster"))
    outcome = run_clustcmp(capsys, "compare", "a.csv", "a.csv", "-m", "ari")
    assert "6 points in both, joined by barcode\n" in outcome.stdout
    assert "note: a.csv: rows are joined by column 'barcode'\n" in outcome.stderr


def test_ids_with_a_column_that_repeats_are_not_ids(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", table("batch,label", ["p", "q"] * 3, CELLS.values()))
    assert compare_json(capsys, "a.csv", "a.csv")["joined_by"] == "position"


def test_the_library_joins_pandas_objects_by_their_index() -> None:
    labels = pd.Series(CELLS)
    assert clustcmp.compare(labels, labels[SHUFFLED], ["ari"]).joined_by == "index"
    assert clustcmp.compare(labels, labels.copy(), ["ari"]).joined_by == "index"
    assert clustcmp.compare(labels, list(labels), ["ari"]).joined_by == "position"


def test_an_index_joins_a_pandas_object_to_a_file() -> None:
    write("a.csv", cells("barcode,cluster", SHUFFLED))
    report = clustcmp.compare("a.csv", pd.Series(CELLS), ["ari"])
    assert (report["ari"], report.joined_by) == (1.0, "barcode, index")
    with pytest.raises(InputError, match="has ids"):
        clustcmp.compare("a.csv", list(CELLS.values()))


@given(
    st.lists(st.integers(0, 3), min_size=3, max_size=30).filter(lambda k: len(set(k)) < len(k)),
    st.randoms(use_true_random=False),
)
def test_files_joined_by_distinct_values_agree_in_whatever_order_their_rows_are(
    labels: list[int], random: Any
) -> None:
    points = [f"p{number}" for number in range(len(labels))]
    order = list(range(len(labels)))
    random.shuffle(order)
    write("a.csv", table("barcode,cluster", points, labels))
    write("b.csv", table("cluster,barcode", np.array(labels)[order], np.array(points)[order]))
    report = clustcmp.compare("a.csv", "b.csv", ["ari"])
    assert (report["ari"], report.joined_by) == (1.0, "barcode")


OBS = table(
    "cell,leiden_0.5,leiden_1.0,louvain,depth",
    CELLS,
    ["0", "0", "0", "1", "1", "1"],
    CELLS.values(),
    ["x", "x", "y", "y", "z", "z"],
    [0.5, 1.5, 2.5, 3.5, 4.5, 5.5],
)


def test_a_track_follows_the_columns_that_a_pattern_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("obs.csv", OBS)
    outcome = run_clustcmp(capsys, "track", "obs.csv::leiden_*", "-m", "ari", "-f", "json")
    document = json.loads(outcome.stdout)
    files = [window["file"] for window in document["windows"]]
    assert files == ["obs.csv::leiden_0.5", "obs.csv::leiden_1.0"]
    report = clustcmp.track(["obs.csv::leiden_0.5,leiden_1.0", "obs.csv::louvain"], "ari")
    assert [window.file for window in report.windows] == [*files, "obs.csv::louvain"]


@pytest.mark.parametrize("label", ["leiden_*", "leiden_0.5,louvain", "*"])
def test_one_clustering_cannot_be_several_columns(
    label: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("obs.csv", OBS)
    said = refused(capsys, "compare", f"obs.csv::{label}", "obs.csv::louvain")
    assert "but one is needed here" in said


def test_several_columns_of_labels_are_not_soft_memberships(
    capsys: pytest.CaptureFixture[str],
) -> None:
    labels = table("id,leiden,louvain", CELLS, [0, 1, 2, 3, 4, 5], [0, 1, 2, 0, 1, 2])
    write("obs.csv", labels)
    for extra in ((), ("--normalize",)):
        said = refused(capsys, "compare", "obs.csv", "obs.csv", *extra)
        assert "obs.csv::COLUMN" in said
        assert "clustcmp matrix 'obs.csv::*'" in said
        assert "--normalize" not in said


def test_a_column_and_an_id_are_named_together(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", table("customer_id,n,segment", CELLS, range(6), CELLS.values()))
    address = "a.csv::segment,id=customer_id"
    assert compare_json(capsys, address, address)["joined_by"] == "customer_id"


@pytest.mark.parametrize("command", ["compare", "changes", "track"])
def test_a_name_before_the_path_is_shown_in_tables(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("a.csv", cells("barcode,cluster"))
    outcome = run_clustcmp(capsys, command, "old=a.csv", "new=a.csv", "-q")
    assert outcome.status == 0, outcome.stderr
    first = outcome.stdout.splitlines()[:2]
    assert [line.split()[1] for line in first] == ["old", "new"]


def test_a_path_with_an_equals_sign_is_a_path_if_there_is_such_a_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("k=3.csv", cells("barcode,cluster"))
    document = compare_json(capsys, "k=3.csv", "best=k=3.csv::cluster")
    assert [side["file"] for side in document["inputs"]] == ["k=3.csv", "k=3.csv::cluster"]


@pytest.mark.parametrize(
    ("mistake", "words"),
    [("c1", "a.csv:7: point 'c1' is listed twice"), ("", "a.csv:7: the id is empty")],
    ids=["twice", "empty"],
)
def test_ids_with_a_mistake_are_not_ignored(
    mistake: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    faulty = [*list(CELLS)[:5], mistake]
    write("a.csv", table("barcode,cluster", faulty, CELLS.values()))
    write("b.csv", cells("barcode,cluster", SHUFFLED))
    said = refused(capsys, "compare", "a.csv", "b.csv")
    assert words in said
    assert "--by-position" in said
    assert compare_json(capsys, "a.csv", "b.csv", "--by-position")["joined_by"] == "position"


ID_NAMES = st.sampled_from(["id", "ID", "", "barcode", "cell", "name"])
LABEL_NAMES = st.sampled_from(["label", "Cluster", "leiden", "kind"])


@st.composite
def layouts(draw: st.DrawFn, n: int) -> tuple[list[str], str, str, dict[str, Any]]:
    """The columns of a file, the one of ids, the one of labels, and the values of the others."""
    extra = {
        "batch": [f"b{i % 2}" for i in range(n)],
        "depth": [i + 0.5 for i in range(n)],
        "count": draw(st.permutations(range(n))),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(extra)), unique=True, max_size=3))
    id_name, label_name = draw(ID_NAMES), draw(LABEL_NAMES)
    columns = [label_name, *chosen]
    position = 0 if id_name == "" else draw(st.integers(0, len(columns)))
    columns.insert(position, id_name)
    return columns, id_name, label_name, {name: extra[name] for name in chosen}


@given(st.data())
def test_a_file_with_ids_is_joined_by_them_or_refused(data: st.DataObject) -> None:
    n = data.draw(st.integers(4, 10))
    labels = data.draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    addresses = []
    for name in ("a.csv", "b.csv"):
        columns, id_name, label_name, values = data.draw(layouts(n))
        order = data.draw(st.permutations(range(n)))
        values |= {id_name: [f"p{i}" for i in order], label_name: [labels[i] for i in order]}
        write(name, table(",".join(columns), *(values[column] for column in columns)))
        said = data.draw(st.sampled_from(["", f"::{label_name}"]))
        addresses.append(name + said)
    try:
        report = clustcmp.compare(addresses[0], addresses[1], ["ari"])
    except ClustcmpError:
        return
    assert report.joined_by != "position"
    assert report["ari"] == 1.0


def refused_or_right(capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
    """The same clustering in two orders of rows scores 1, or is refused."""
    outcome = run_clustcmp(capsys, "compare", *arguments, "-m", "ari", "-f", "json")
    if outcome.status == 0:
        assert json.loads(outcome.stdout)["results"][0]["value"] == 1.0
    else:
        assert (outcome.status, outcome.stdout) == (2, "")


LAYOUTS = {
    "index that counts": (",barcode,cluster", lambda order: [range(6), order]),
    "index that counts from 1": (",barcode,cluster", lambda order: [range(1, 7), order]),
    "rank and ids": ("rank,barcode,cluster", lambda order: [range(6), order]),
    "rank and two parts of ids": (
        "row,sample,cell,cluster",
        lambda order: [range(6), [c[0] for c in order], [f"x{int(c[1]) % 3}" for c in order]],
    ),
    "two parts of ids": (
        "sample,cell,cluster",
        lambda order: [[f"s{int(c[1]) % 2}" for c in order], [f"x{int(c[1]) % 3}" for c in order]],
    ),
    "numbers of ids that are often empty": (
        "barcode,cluster",
        lambda order: [[f"9{c[1]}" if int(c[1]) % 2 else "" for c in order]],
    ),
    "ids that are often empty": (
        "barcode,cluster",
        lambda order: [[c if int(c[1]) % 2 else "" for c in order]],
    ),
}


@pytest.mark.parametrize(("header", "columns"), LAYOUTS.values(), ids=LAYOUTS)
def test_rows_that_only_count_are_not_ids(
    header: str, columns: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, order in (("a.csv", list(CELLS)), ("b.csv", SHUFFLED)):
        write(name, table(header, *columns(order), [CELLS[cell] for cell in order]))
    refused_or_right(capsys, "a.csv", "b.csv")


def test_a_label_that_names_each_point_is_not_taken_for_the_clusters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.csv", table("id,label,cluster", CELLS, [f"n{c}" for c in CELLS], CELLS.values()))
    said = refused(capsys, "compare", "a.csv", "a.csv")
    assert "a.csv::cluster" in said
    assert compare_json(capsys, "a.csv::cluster", "a.csv::cluster")["results"][0]["value"] == 1.0


def test_tables_with_blanks_are_not_labels(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.txt", "".join(f'"{cell}" {label}\n' for cell, label in CELLS.items()))
    assert "blanks between its columns" in refused(capsys, "compare", "a.txt", "a.txt")
    write("r.txt", '"cell" "cluster"\n' + "".join(f'"1" "{c}" {k}\n' for c, k in CELLS.items()))
    assert "blanks between its columns" in refused(capsys, "compare", "r.txt", "r.txt")
    write("b.txt", "T cell\nB cell\nT cell\n")
    assert run_clustcmp(capsys, "compare", "b.txt", "b.txt").status == 0


def test_columns_of_one_file_belong_together_whatever_could_be_ids(
    capsys: pytest.CaptureFixture[str],
) -> None:
    numbers = [7, 3, 5, 9, 4, 8], [17, 13, 15, 19, 14, 18]
    write("a.csv", table("m,n,one,two", *numbers, CELLS.values(), CELLS.values()))
    assert compare_json(capsys, "a.csv::one", "a.csv::two")["results"][0]["value"] == 1.0


def test_a_pattern_leaves_out_ids(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", table("cell,c_a,c_b", CELLS, CELLS.values(), CELLS.values()))
    outcome = run_clustcmp(capsys, "matrix", "a.csv::c*", "-f", "json")
    names = [one["name"] for one in json.loads(outcome.stdout)["inputs"]]
    assert names == ["a.csv::c_a", "a.csv::c_b"]
    assert run_clustcmp(capsys, "matrix", "a.csv::cell,c_a").status == 0


def test_whole_numbers_that_are_ids_are_not_coordinates(
    capsys: pytest.CaptureFixture[str],
) -> None:
    numbers = dict(zip(CELLS, [70, 30, 50, 90, 40, 80], strict=True))
    for name, order in (("a.csv", list(CELLS)), ("b.csv", SHUFFLED)):
        columns = [numbers[c] for c in order], [int(c[1]) + 0.5 for c in order]
        write(name, table("cell,x,cluster", *columns, [CELLS[c] for c in order]))
    for extra in ((), ("--coordinates", "b.csv::x")):
        arguments = "compare", "a.csv", "b.csv", "-m", "cdistance", "-f", "json", *extra
        document = json.loads(run_clustcmp(capsys, *arguments).stdout)
        assert document["results"][0]["value"] == 0.0
        assert document["inputs"][0]["coordinates"] == ["x"]


def test_coordinates_are_joined_by_the_id_column_of_the_labels_beside_an_index(
    capsys: pytest.CaptureFixture[str],
) -> None:
    numbers = dict(zip(CELLS, [70, 30, 50, 90, 40, 80], strict=True))
    write("a.csv", table("cell,cluster", [numbers[c] for c in CELLS], CELLS.values()))
    shuffled = [numbers[c] for c in SHUFFLED]
    write("b.csv", table("cell,cluster", shuffled, [CELLS[c] for c in SHUFFLED]))
    places = [float(CELLS[c]) + 0.5 for c in SHUFFLED]
    write("xy.csv", table(",cell,x", range(6), shuffled, places))
    arguments = "compare", "a.csv", "b.csv", "-m", "css", "--coordinates", "xy.csv", "-f", "json"
    document = json.loads(run_clustcmp(capsys, *arguments).stdout)
    assert document["results"][0]["value"] == 0.0
    assert document["inputs"][0]["coordinates"] == ["x"]


def test_clusterings_with_and_without_an_index_are_not_joined_in_two_ways() -> None:
    labels = pd.Series(CELLS)
    with pytest.raises(InputError, match="in different orders"):
        clustcmp.matrix({"a": labels, "b": labels[SHUFFLED], "c": labels.to_numpy()})
    points = np.arange(12.0).reshape(6, 2)
    with pytest.raises(InputError, match="has none"):
        clustcmp.compare(labels, labels[SHUFFLED], ["cdistance"], coordinates=points)
