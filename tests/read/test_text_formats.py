"""Texts that are no CSV: blanks between columns, a cluster per line, pairs of ids."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.model import Clustering
from clustcmp.read import read_clustering
from clustcmp.read.columns import ColumnType
from clustcmp.read.spaces import parse_spaces
from tests.files import labels_of, run_clustcmp, write

CI = os.environ.get("CI") == "true"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def by_id(found: Clustering) -> dict[str, str]:
    assert found.points.ids is not None
    return dict(zip(found.points.ids.tolist(), labels_of(found), strict=True))


def clusters_of(found: Clustering) -> set[frozenset[str]]:
    """The sets of ids, whatever the clusters are called."""
    members: dict[str, set[str]] = {}
    for one, label in by_id(found).items():
        members.setdefault(label, set()).add(one)
    return set(map(frozenset, members.values()))


REAL = Path(__file__).parent / "real"


def test_a_table_of_r_has_its_row_names_as_ids_and_its_texts_as_they_are() -> None:
    path = f"{REAL / 'r_write_table.txt'}"
    found = by_id(read_clustering(f"{path}::leiden,format=spaces"))
    assert found == {"cell 1": "01", "cell 2": "1", "cell 3": "1.0", "c4": "NA"}
    notes = read_clustering(f"{path}::note,format=spaces", missing="noise")
    assert by_id(notes)["cell 1"] == '5" wide'
    assert by_id(notes)["cell 2"] == "two words"


def test_a_table_of_r_without_quotes_is_refused_where_blanks_are_in_its_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = str(REAL / "r_write_table_plain.txt::leiden,format=spaces")
    outcome = run_clustcmp(capsys, "compare", path, path)
    assert outcome.status == 2
    assert "r_write_table_plain.txt:2: has 4 fields where the header has 2" in outcome.stderr


def test_blanks_of_any_number_are_between_columns() -> None:
    write("x.dat", "  id   label \r\n\r\n".replace("\r\n\r\n", "\r\n") + " p1 \t a\r\np2  b  \r\n")
    assert by_id(read_clustering("x.dat::format=spaces")) == {"p1": "a", "p2": "b"}


def test_a_first_line_of_numbers_between_blanks_is_a_row_unless_the_user_says_otherwise() -> None:
    write("x.dat", "0 1\n2 3\n")
    assert labels_of(read_clustering("x.dat::2,format=spaces")) == ["1", "3"]
    assert labels_of(read_clustering("x.dat::1,format=spaces,header=yes")) == ["3"]


def test_what_numpy_saved_as_text_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    points = np.random.default_rng(1).normal(size=(20, 3))
    np.savetxt("x.data.gz", points)
    np.savetxt("x.labels0.gz", np.repeat([1, 2], 10), fmt="%d")
    np.savetxt("x.result2.gz", np.repeat([2, 1], 10), fmt="%d")
    report = clustcmp.compare(
        "x.labels0.gz",
        "x.result2.gz::format=labels",
        ["ari", "cdistance"],
        coordinates="x.data.gz",
    )
    assert (report["ari"], report["cdistance"]) == (1.0, 0.0)
    assert report.inputs[0].coordinates == ("1", "2", "3")


def test_a_data_file_with_commas_is_read_as_before() -> None:
    write("x.data", "id,label\n1,a\n2,b\n")
    assert labels_of(read_clustering("x.data")) == ["a", "b"]


def test_a_row_with_one_column_more_at_its_end_has_no_row_names() -> None:
    write("x.tsv", "id\tlabel\n1\ta\t\n2\tb\t\n")
    with pytest.raises(clustcmp.InputError, match=r"x\.tsv:2: has 3 fields where the header has 2"):
        read_clustering("x.tsv")


words = st.text("abc01.:#>é", min_size=1, max_size=4)


@given(st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=6))
def test_blanks_are_between_columns_whatever_the_words(rows: list[list[str]]) -> None:
    width = len(rows[0])
    rows = [(row * width)[:width] for row in rows]
    header = [f"column{number}" for number in range(width)]
    blanks = [" ", "\t", "  \t "]
    lines = [blanks[at % 3].join(row) for at, row in enumerate([header, *rows])]
    texts = dict.fromkeys(header, ColumnType.text)
    spaces = parse_spaces("x", "\n".join(lines).encode(), None).read(texts).texts
    assert [spaces[name].tolist() for name in header] == list(map(list, zip(*rows, strict=True)))


def test_a_cluster_per_line() -> None:
    write("out.x.I20", "a b\tc\nd\n\ne\tf\n")
    assert by_id(read_clustering("out.x.I20")) == dict(
        zip(["a b", "c", "d", "e", "f"], "11233", strict=True)
    )
    write("x.clusters", "a b c\nd\n")
    assert by_id(read_clustering("x.clusters")) == dict(zip("abcd", "1112", strict=True))


def test_a_cnl_file_has_comments_and_may_number_its_clusters() -> None:
    write("x.cnl", "# Clusters: 2, Nodes: 3, Fuzzy: 0, Numbered: 1\n7> a b\n#c\n9> d\n")
    assert by_id(read_clustering("x.cnl")) == {"a": "7", "b": "7", "d": "9"}
    write("y.cnl", "#c\na b\nd\n")
    assert by_id(read_clustering("y.cnl")) == {"a": "1", "b": "1", "d": "2"}


@given(st.lists(st.sets(words, min_size=1, max_size=3), min_size=1, max_size=5))
def test_members_of_clusters_are_the_words_of_the_lines(clusters: list[set[str]]) -> None:
    kept: list[set[str]] = []
    for one in clusters:
        if not one & set().union(*kept):
            kept.append(one)
    write("x.clusters", "".join(" ".join(sorted(one)) + "\n" for one in kept))
    assert clusters_of(read_clustering("x.clusters")) == set(map(frozenset, kept))


def test_what_mcl_wrote_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("mcl") is None:
        assert not CI, "mcl is missing"
        pytest.skip("mcl is not installed")
    # Two triangles with a weak edge between them, the graph of mcl's own manual in small.
    edges = ["a b", "b c", "a c", "d e", "e f", "d f"]
    write("x.abc", "".join(f"{edge} 1\n" for edge in edges) + "c d 0.1\n")
    subprocess.run(["mcl", "x.abc", "--abc"], check=True, capture_output=True)
    assert clusters_of(read_clustering("out.x.abc.I20")) == {frozenset("abc"), frozenset("def")}
    subprocess.run(
        ["mcxload", "-abc", "x.abc", "--stream-mirror", "-o", "x.mci"],
        check=True,
        capture_output=True,
    )
    subprocess.run(["mcl", "x.mci", "-o", "x.mcl"], check=True, capture_output=True)
    with pytest.raises(clustcmp.InputError, match=r"x\.mcl: is a matrix of mcl"):
        read_clustering("x.mcl")


def test_pairs_are_connected_to_clusters() -> None:
    write("x.csv", "id_l,id_r,score\na,b,0.9\nc,b,0.8\nx,y,0.7\nq,,\nz,z,1\n")
    found = read_clustering("x.csv::format=pairs")
    assert clusters_of(found) == {frozenset("abc"), frozenset("xy"), frozenset("q"), frozenset("z")}
    assert by_id(found)["c"] == "a"


@pytest.mark.parametrize(
    "header",
    ["l,r", "match_probability,unique_id_l,unique_id_r,name_l,name_r", "ltable_id,rtable_id,_id"],
)
def test_the_columns_of_pairs_are_known_by_the_sides_in_their_names(header: str) -> None:
    columns = header.split(",")
    sides = [one for one in columns if "id" in one and one != "_id"] or columns
    row = ["p" if one == sides[0] else "q" if one == sides[1] else "0.5" for one in columns]
    write("x.csv", f"{header}\n{','.join(row)}\n")
    assert clusters_of(read_clustering("x.csv::format=pairs")) == {frozenset("pq")}


def test_pairs_are_in_a_file_of_any_format(capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(pa.table({"left_id": [1, 3], "right_id": [2, 4]}), "x.parquet")
    write("y.tsv", "id1\tid2\n2\t1\n4\t3\n")
    outcome = run_clustcmp(
        capsys, "compare", "--pairs", "x.parquet", "y.tsv", "-m", "ari", "-f", "csv"
    )
    assert (outcome.status, outcome.stderr) == (0, "")
    assert "adjusted_rand,1.0" in outcome.stdout


def test_a_point_in_no_pair_is_a_cluster_of_its_own() -> None:
    write("truth.csv", "id,label\na,1\nb,1\nc,2\nd,3\n")
    write("found.csv", "l,r\na,b\n")
    report = clustcmp.compare("truth.csv", "found.csv", ["ari"], format_b="pairs")
    assert (report["ari"], report.inputs[1].points) == (1.0, 4)
    assert "2 points of the other files are in no pair here" in str(report.notes)


def test_a_point_that_only_the_pairs_have_is_still_an_error() -> None:
    write("truth.csv", "id,label\na,1\n")
    write("found.csv", "l,r\na,b\n")
    with pytest.raises(clustcmp.InputError, match="do not have the same points"):
        clustcmp.compare("truth.csv", "found.csv", ["ari"], format_b="pairs")


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12))
def test_clusters_are_what_can_be_reached_by_pairs(pairs: list[tuple[int, int]]) -> None:
    write("x.csv", "l,r\n" + "".join(f"p{a},p{b}\n" for a, b in pairs))
    expected = [{f"p{a}", f"p{b}"} for a, b in pairs]
    for _ in pairs:
        for one in expected:
            for other in expected:
                if one & other:
                    one |= other
                    other |= one
    assert clusters_of(read_clustering("x.csv::format=pairs")) == set(map(frozenset, expected))


# What is wrong, the name and the text of the file, the format, and words of the error.
BAD: dict[str, tuple[str, str, str, str]] = {
    "a point in two clusters": (
        "x.mcl",
        "a b\nc\nb d\n",
        "",
        "x.mcl:3: point 'b' is listed twice, also on line 1",
    ),
    "a point twice in a cluster": ("x.cnl", "a a\n", "", "x.cnl:1: point 'a' is listed twice"),
    "no clusters": ("x.cnl", "# nothing\n\n", "", "x.cnl: is empty"),
    "only blanks": ("x.mcl", " \n \n", "", "x.mcl: is empty"),
    "a matrix of mcl": ("x.mcl", "(mclheader\n", "", "x.mcl: is a matrix of mcl"),
    "degrees": ("x.cnl", "# Fuzzy: 1\na:0.5 b\n", "", "x.cnl:1: the clusters have degrees"),
    "no number": ("x.cnl", "# Numbered: 1\n1> a\nb c\n", "", "x.cnl:3: does not begin with"),
    "bytes": ("x.mcl", "a\0b\n", "", "x.mcl:1: has a NUL byte"),
    "a short row": ("x.dat", "id label\n1 a\n2\n", "spaces", "x.dat:3: has 1 field where"),
    "an open quote": ("x.dat", 'id label\n1 "a\n', "spaces", "x.dat:2: a field opens with"),
    "an empty first line": ("x.dat", "\nid label\n", "spaces", "x.dat: its first line is empty"),
    "nothing": ("x.dat", "", "spaces", "x.dat: is empty"),
    "one column": ("x.csv", "id\na\n", "pairs", "x.csv: which two columns hold the ids"),
    "three columns": ("x.csv", "p,q,s\na,b,c\n", "pairs", "x.csv: which two columns hold the ids"),
    "no id": ("x.csv", "l,r\na,b\n,\n", "pairs", "x.csv:3: has no id"),
    "no header": ("x.csv", "a,b\nb,c\n", "pairs", "x.csv:1: the first line names ids"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_text_is_refused_by_name(fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    path, text, format_, words = BAD[fault]
    write(path, text)
    flags = ["--format-a", format_] if format_ else []
    outcome = run_clustcmp(capsys, "compare", path, path, *flags)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert words in outcome.stderr


def test_a_table_with_blanks_gets_the_words_to_type(capsys: pytest.CaptureFixture[str]) -> None:
    write("x.txt", "p1 a x\np2 b x\np3 a y\np4 c z\n")
    assert "::format=spaces" in run_clustcmp(capsys, "compare", "x.txt", "x.txt").stderr
