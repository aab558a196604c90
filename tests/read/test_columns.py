"""Which column holds the ids and which the labels, and when a file is soft."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from clustcmp.errors import UsageError
from clustcmp.model import MISSING, NOISE
from clustcmp.read import read_clustering
from clustcmp.settings import ReadSettings
from tests.files import ids_of, labels_of, reading, strings, write

WIDE = "cell,leiden,label,x\nc1,a,b,c\nc2,d,e,f\nc3,d,e,f\n"
DISTINCT = "cell,label,x\n1,b,c\n2,e,f\n"
ODD_NAMES = 'cell,"a,b",c=d,e::f,"label=g,h"\nc1,A,C,E,G\nc2,B,D,F,H\nc3,B,D,F,H\n'
CELLS = ["c1", "c2", "c3"]

# What is typed after ::, the content, and the ids and labels read.
TYPED_COLUMNS: dict[str, tuple[str, str, list[str], list[str]]] = {
    "column": ("leiden", WIDE, CELLS, ["a", "d", "d"]),
    "label=": ("label=x", WIDE, CELLS, ["c", "f", "f"]),
    "label and id": ("label=leiden,id=cell", WIDE, CELLS, ["a", "d", "d"]),
    "id and label": ("id=cell,label=leiden", WIDE, CELLS, ["a", "d", "d"]),
    "column and id": ("leiden,id=cell", WIDE, CELLS, ["a", "d", "d"]),
    "only id": ("id=cell", WIDE, CELLS, ["b", "e", "e"]),
    "the named label as id": ("label=x,id=label", DISTINCT, ["b", "e"], ["c", "f"]),
    "comma": ("a,b", ODD_NAMES, CELLS, ["A", "B", "B"]),
    "equals sign": ("c=d", ODD_NAMES, CELLS, ["C", "D", "D"]),
    "double colon": ("e::f", ODD_NAMES, CELLS, ["E", "F", "F"]),
    "comma and id": ("label=a,b,id=cell", ODD_NAMES, CELLS, ["A", "B", "B"]),
    "equals sign and id": ("id=cell,label=c=d", ODD_NAMES, CELLS, ["C", "D", "D"]),
    "name like an address": ("label=label=g,h", ODD_NAMES, CELLS, ["G", "H", "H"]),
}

# With a path alone: the content, and the ids and labels read.
HEADERS: dict[str, tuple[str, list[str], list[str]]] = {
    "ID": ("ID,label\n1,a\n", ["1"], ["a"]),
    "Id": ("x,Id,label\n1,2,a\n", ["2"], ["a"]),
    "exact id wins": ("ID,id,label\n1,2,a\n", ["2"], ["a"]),
    "nameless index": (",leiden\nc1,a\n", ["c1"], ["a"]),
    "nameless index beside id": (",id,leiden\n0,c1,a\n", ["c1"], ["a"]),
    "no id": ("leiden\na\n", [], ["a"]),
    "label beats cluster": ("id,cluster,label,x\n1,a,b,c\n", ["1"], ["b"]),
    "cluster beats others": ("id,leiden,cluster\n1,a,b\n", ["1"], ["b"]),
    "LABEL": ("id,x,LABEL\n1,a,b\n", ["1"], ["b"]),
    "numeric columns beside a label": ("id,x,y,label\n1,0.5,0.5,b\n", ["1"], ["b"]),
    "only other column": ("leiden,id\na,1\n", ["1"], ["a"]),
    "only other column is numeric": ("id,x\n1,0.5\n", ["1"], ["0.5"]),
}

NO_HEADER = reading(no_header=True)
NORMALIZE = reading(normalize=True)


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("columns", "content", "ids", "labels"), TYPED_COLUMNS.values(), ids=TYPED_COLUMNS
)
def test_the_address_chooses_the_columns(
    columns: str, content: str, ids: list[str], labels: list[str]
) -> None:
    clustering = read_clustering(f"{write('x.csv', content)}::{columns}")
    assert (ids_of(clustering), labels_of(clustering)) == (ids, labels)


@pytest.mark.parametrize(("content", "ids", "labels"), HEADERS.values(), ids=HEADERS)
def test_without_typed_columns_the_header_decides(
    content: str, ids: list[str], labels: list[str]
) -> None:
    clustering = read_clustering(write("x.csv", content))
    assert (ids_of(clustering), labels_of(clustering)) == (ids, labels)


@pytest.mark.parametrize(
    ("content", "ids"),
    [
        ("a\nb\nb\n", []),
        ("1,a\n2,b\n3,b\n", ["1", "2", "3"]),
        ("a,1\nb,2\nb,3\n", ["1", "2", "3"]),
    ],
    ids=["one column", "ids first", "ids last"],
)
def test_without_header_the_distinct_values_of_two_columns_are_the_ids(
    content: str, ids: list[str]
) -> None:
    clustering = read_clustering(write("x.csv", content), **NO_HEADER)
    assert (ids_of(clustering), labels_of(clustering)) == (ids, ["a", "b", "b"])


def test_without_header_three_columns_of_numbers_are_soft() -> None:
    clustering = read_clustering(write("x.csv", "1,0,0\n0.5,0.25,0.25\n"), **NO_HEADER)
    assert clustering.membership.array.tolist() == [[1.0, 0.0, 0.0], [0.5, 0.25, 0.25]]


def test_without_header_columns_are_called_by_their_number() -> None:
    address = write("x.csv", "1,p,a\n2,q,b\n") + "::label=3,id=2"
    clustering = read_clustering(address, **NO_HEADER)
    assert (ids_of(clustering), labels_of(clustering)) == (["p", "q"], ["a", "b"])


def test_numeric_columns_are_soft_clusters() -> None:
    clustering = read_clustering(write("x.csv", "id,x,y\n1,0.25,0.75\n2, 1 ,0\n3,.5,5e-1\n"))
    assert strings(clustering.names) == ["x", "y"]
    assert clustering.membership.array.tolist() == [[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]]


def test_an_index_beside_an_id_column_is_not_a_soft_cluster() -> None:
    clustering = read_clustering(write("x.csv", ",id,x,y\n0,1,0.25,0.75\n1,2,1,0\n"))
    assert strings(clustering.names) == ["x", "y"]


def test_degrees_with_a_plus_sign_are_numbers() -> None:
    clustering = read_clustering(write("x.csv", "id,x,y\n1,+0.25,0.75\n"))
    assert clustering.membership.array.tolist() == [[0.25, 0.75]]


def test_normalize_divides_each_row_by_its_sum() -> None:
    clustering = read_clustering(write("x.csv", "id,x,y\n1,1,3\n2,0.1,0.1\n"), **NORMALIZE)
    assert clustering.membership.array.tolist() == [[0.25, 0.75], [0.5, 0.5]]


def test_rows_divided_on_request_get_no_note() -> None:
    assert read_clustering(write("x.csv", "id,x,y\n1,0.5,3.5\n2,1,0.5\n"), **NORMALIZE).notes == ()


def test_thirds_with_two_decimals_are_divided_by_their_sum() -> None:
    clustering = read_clustering(write("x.csv", "id,x,y,z\n1,0.33,0.33,0.33\n"))
    assert clustering.membership.array == pytest.approx(np.full((1, 3), 1 / 3))


NOTES: dict[str, tuple[str, list[str]]] = {
    "degrees of 0 and 1": ("id,x,y\n1,1,0\n2,0,1\n", ["read as soft memberships"]),
    "sum off by 0.01": ("id,x,y\n1,1,0.0\n2,0.5,0.49\n", ["1 row ", "x.csv:3: 0.99", "divided"]),
    "sums off by 0.01": ("id,x,y\n1,0.5,0.51\n2,0.5,0.49\n", ["2 rows", "x.csv:2: 1.01"]),
    "label -1": ("id,label\n1,-1\n2,a\n", ["-1", "noise=-1"]),
    "label NA": ("id,label\n1,NA\n2,a\n", ["'NA' is", 'missing_label="NA"']),
    "labels nan and None": (
        "id,label\n1,nan\n2,None\n",
        ["'None' and 'nan' are", 'missing_label=["None", "nan"]'],
    ),
}

NO_NOTES: dict[str, tuple[str, ReadSettings]] = {
    "hard": ("id,label\n1,a\n2,-2\n", reading()),
    "soft": ("id,x,y\n1,0.1,0.9\n2,1,0\n", reading()),
    "sum off by less than 1e-6": ("id,x,y\n1,0.5,0.4999995\n", reading()),
    "label -1 named as noise": ("id,label\n1,-1\n2,a\n", reading(noise=["-1"])),
    "label -1 with other noise": ("id,label\n1,-1\n2,a\n", reading(noise=["n"])),
    "label NA named as noise": ("id,label\n1,NA\n2,a\n", reading(noise=["NA"])),
    "label NA named as missing": (
        "id,label\n1,NA\n2,a\n",
        reading(missing_label=["NA"], missing="drop"),
    ),
    "labels like NA": ("id,label\n1,na\n2,NA1\n3,none\n", reading()),
}


@pytest.mark.parametrize(("content", "words"), NOTES.values(), ids=NOTES)
def test_a_note_says_how_a_file_was_read_if_it_may_be_meant_otherwise(
    content: str, words: list[str]
) -> None:
    (note,) = read_clustering(write("x.csv", content)).notes
    assert all(word in note for word in ["x.csv", *words])


@pytest.mark.parametrize(("content", "settings"), NO_NOTES.values(), ids=NO_NOTES)
def test_a_file_that_can_be_meant_in_one_way_gets_no_note(
    content: str, settings: ReadSettings
) -> None:
    assert read_clustering(write("x.csv", content), **settings).notes == ()


@pytest.mark.parametrize(
    ("missing", "code"), [("drop", MISSING), ("noise", NOISE)], ids=["drop", "noise"]
)
@pytest.mark.parametrize("empty", ["", '""'], ids=["nothing", "quotes"])
def test_an_empty_label_is_what_the_setting_says(
    missing: Literal["drop", "noise"], code: int, empty: str
) -> None:
    content = f"id,label\n1,a\n2,{empty}\n3,a\n"
    clustering = read_clustering(write("x.csv", content), missing=missing)
    assert clustering.membership.array[1] == code
    assert clustering.membership.array[0] == clustering.membership.array[2] >= 0


def test_noise_is_the_exact_text_of_a_label() -> None:
    content = "id,label\n1,-1\n2,-1.0\n3, -1\n4,noise\n5,-1\n"
    settings = reading(noise=["-1", "noise"])
    codes = read_clustering(write("x.csv", content), **settings).membership.array
    assert (codes == NOISE).tolist() == [True, False, False, True, True]


def test_a_wrong_keyword_is_an_error_that_names_the_right_one() -> None:
    wrong: Any = {"no_haeder": True}
    with pytest.raises(UsageError, match="did you mean 'no_header'"):
        read_clustering(write("x.csv", WIDE), **wrong)
