"""Which shapes of JSON and of arrays are tables, and the place that an error about others names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clustcmp
from clustcmp.read import json_files, numpy_files, read_clustering
from clustcmp.read.typed_table import TypedTable
from tests.files import write


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def columns_of(table: TypedTable) -> dict[str, Any]:
    """The columns of a small table, all of whose rows are among the first ones."""
    return dict(zip(table.header, table.first, strict=True))


def test_rows_of_numbers_in_json_are_memberships() -> None:
    rows = [[1, 0], [0.25, 0.75], [0, 1]]
    expected = np.array(rows)
    write("x.json", json.dumps(rows))
    write("x.jsonl", "\n".join(map(json.dumps, rows)))
    for path in ("x.json", "x.jsonl"):
        found = read_clustering(path)
        assert found.names.tolist() == ["1", "2"]
        assert np.array_equal(found.membership.array, expected)
        assert found.points.ids is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[{"x": 1, "y": 2.5}, {"x": null, "y": 1}]', {"x": "int64", "y": "double"}),
        ('[{"x": true, "y": "a"}, {"y": 3}]', {"x": "bool", "y": "large_string"}),
        ('[{"x": true, "y": 1}, {"x": 2, "y": "a"}]', {"x": "large_string", "y": "large_string"}),
        (f'[{{"x": {2**53}}}, {{"x": 0.5}}]', {"x": "double"}),
        (f'[{{"x": {-(2**53)}}}, {{"x": 0.5}}]', {"x": "double"}),
        # A float would not hold these.
        (f'[{{"x": {2**53 + 1}}}, {{"x": 0.5}}]', {"x": "large_string"}),
        (f'[{{"x": {-(2**53) - 1}}}, {{"x": 0.5}}]', {"x": "large_string"}),
        (f'{{"x": [1, 2], "y": [{2**63}, 1]}}', {"x": "int64", "y": "large_string"}),
        ('[{"x": 1, "y": [1]}, {"x": 2}]', {"x": "int64"}),
    ],
)
def test_a_column_of_json_has_the_type_of_all_its_values(text: str, kind: dict[str, str]) -> None:
    table = json_files.parse_json("x.json", text.encode(), None)
    assert {name: str(column.type) for name, column in columns_of(table).items()} == kind


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.json", "[[1, 0], [1]]", "x.json: item 2 is not a row of 2 numbers, as the first one"),
        ("x.json", "[[1, 0], 1]", "x.json: item 2 is not a row of 2 numbers"),
        ("x.json", "[[], []]", "x.json: item 1 is not a row of 0 numbers"),
        ("x.json", "[[1, [2]]]", "x.json: item 1: value 2 is a list, not a label or a number"),
        ("x.jsonl", "\n[1, 2]\n\n[3]\n", "x.jsonl: line 4 is not a row of 2 numbers"),
        ("x.json", '[{"a": 1}, 2]', "x.json: item 2 is a number, where others are records"),
        ("x.json", '[{"a": 1}, null]', "x.json: item 2 is null, where others are records"),
        ("x.json", '["a", {"a": 1}]', "x.json: item 2 is an object, not a label"),
        ("x.json", '[{"a": [1]}]', "x.json: no key has labels or numbers"),
        ("x.json", '{"a": [1, 2], "b": 1}', "x.json: its lists are not equally long, or are empty"),
        ("x.json", '{"a": [1, 2], "b": [1]}', "x.json: its lists are not equally long"),
        ("x.json", '{"a": [], "b": []}', "x.json: its lists are not equally long, or are empty"),
        ("x.json", '{"a": ["u", ["v"]]}', "x.json: 'a', item 2 is a list, not a label"),
        ("x.json", '{"p": "u", "q": {"v": 1}}', "x.json: at 'q' is an object, not a label"),
        ("x.json", '{"\\ud800": ["u"]}', "x.json: a key: '\\ud800' has half of a character"),
        ("x.json", '{"a": ["u", "\\udfff"]}', "x.json: item 2: '\\udfff' has half of a character"),
        ("x.json", "true", "x.json: holds true or false"),
        ("x.json", '"a"', "x.json: holds a text"),
        ("x.json", "[1,\n2,\n]", "x.json:3: is not JSON: "),
        ("x.jsonl", '1\n{"a": 1, "a": 2}\n', "x.jsonl:2: the key 'a' is there twice"),
        ("x.json", '[{"a": 1, "b": 1, "b": 2}]', "x.json: the key 'b' is there twice"),
        ("x.jsonl", "1\n" + "[" * 100_000, "nested too deeply"),
    ],
)
def test_json_of_another_shape_is_refused_with_its_place(
    name: str, text: str, message: str
) -> None:
    parse = json_files.parse_json if name == "x.json" else json_files.parse_json_lines
    with pytest.raises(clustcmp.InputError) as raised:
        parse(name, text.encode(), None)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("array", "columns"),
    [
        (np.array([1, 2], ">i4"), {"1": [1, 2]}),
        (np.array([[1, 2], [3, 4], [5, 6]], order="F"), {"1": [1, 3, 5], "2": [2, 4, 6]}),
        (np.array([0.5, 1.5], np.longdouble), {"1": [0.5, 1.5]}),
        (np.array([b"a", "é".encode()]), {"1": ["a", "é"]}),
        (np.array([[True], [False]]), {"1": [True, False]}),
    ],
)
def test_an_array_of_any_order_and_width_is_read(array: Any, columns: dict[str, Any]) -> None:
    np.save("x.npy", array)
    table = numpy_files.parse_npy("x.npy", Path("x.npy").read_bytes(), None)
    assert {name: column.to_pylist() for name, column in columns_of(table).items()} == columns


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({}, "holds no array"),
        ({"x": np.zeros(())}, "x.npz: x: is an array of float64 with the shape ()"),
        ({"x": np.zeros((0, 2))}, "x.npz: x: is an array of float64 with the shape (0, 2)"),
        ({"x": np.array([b"\xff"])}, "x.npz: x: holds bytes that are not UTF-8"),
        ({"x": np.array([["a", "b"]])}, "x.npz: x: holds texts in 2 columns"),
        ({"x": np.array(["2020-01-01"], "M8[D]")}, "x.npz: x: is an array of datetime64[D]"),
        ({"a": np.zeros(1), "b": np.zeros((2, 3))}, "x.npz: its arrays have different numbers of"),
    ],
)
def test_arrays_of_another_kind_are_refused_by_name(arrays: dict[str, Any], message: str) -> None:
    np.savez("x.npz", **arrays)
    with pytest.raises(clustcmp.InputError) as raised:
        numpy_files.parse_npz("x.npz", Path("x.npz").read_bytes(), None)
    assert message in str(raised.value)


def test_arrays_of_one_and_two_dimensions_are_columns_by_name() -> None:
    np.savez("x.npz", label=["u", "v"], x=[[1.0, 2.0], [3.0, 4.0]])
    table = numpy_files.parse_npz("x.npz", Path("x.npz").read_bytes(), None)
    assert table.header == ("label", "x.1", "x.2")
    assert table.arrays == {"x": ("x.1", "x.2")}
