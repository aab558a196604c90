"""Parquet, Feather, arrays of numpy and JSON give the clusterings that the same CSV would give."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.read import numpy_files, read_clustering
from tests.files import labels_of, pipe, run_clustcmp, write

FRAME = pd.DataFrame({"id": ["p1", "p2", "p3"], "label": ["a", "b", "a"]})


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def save_npz(frame: pd.DataFrame, path: str) -> None:
    columns: dict[str, Any] = {
        str(name): frame[name].to_numpy().astype(str) for name in frame.columns
    }
    np.savez(path, **columns)


WRITERS: dict[str, Callable[[pd.DataFrame, str], object]] = {
    "x.parquet": lambda frame, path: frame.to_parquet(path),
    "x.feather": lambda frame, path: frame.to_feather(path),
    "x.npz": save_npz,
    "x.json": lambda frame, path: frame.to_json(path, orient="records"),
    "x.jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
}


@pytest.mark.parametrize("path", WRITERS)
def test_a_table_is_joined_by_its_ids_whatever_the_format(path: str) -> None:
    WRITERS[path](FRAME, path)
    FRAME[::-1].to_csv("x.csv", index=False)
    report = clustcmp.compare(path, "x.csv", metrics=["ari"])
    assert (report.joined_by, report["ari"]) == ("id", 1.0)


@pytest.mark.parametrize("path", WRITERS)
def test_the_first_bytes_or_the_ending_tell_the_format_of_a_typed_file(path: str) -> None:
    WRITERS[path](FRAME, path)
    assert labels_of(read_clustering(f"{path}::label,id=id")) == ["a", "b", "a"]


@pytest.mark.parametrize("path", ["x.parquet", "x.feather"])
def test_a_typed_file_comes_by_a_pipe(
    path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    WRITERS[path](FRAME, path)
    pipe(monkeypatch, Path(path).read_bytes())
    outcome = run_clustcmp(capsys, "compare", path, "-", "-m", "ari", "-f", "csv")
    assert (outcome.status, outcome.stderr) == (0, "")


def test_the_index_of_a_frame_is_the_ids_as_in_csv() -> None:
    FRAME.set_index("id").to_parquet("named.parquet")
    FRAME.set_index("id").rename_axis(None).to_parquet("nameless.parquet")
    for path in ("named.parquet", "nameless.parquet"):
        ids = read_clustering(path).points.ids
        assert ids is not None
        assert [ids[row] for row in range(3)] == ["p1", "p2", "p3"]


@pytest.mark.parametrize(
    ("column", "labels"),
    [
        (pa.array(["01", "1", "1.0"]), ["01", "1", "1.0"]),
        (pa.array([1, 2, 1], pa.int8()), ["1", "2", "1"]),
        (pa.array([2**64 - 1, 0, 0], pa.uint64()), ["18446744073709551615", "0", "0"]),
        (pa.array([1.0, 2.0, 1.5]), ["1", "2", "1.5"]),
        (pa.array([True, False, True]), ["True", "False", "True"]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ["a", "b", "a"]),
        (pa.array([7, 8, 7]).dictionary_encode(), ["7", "8", "7"]),
        (pa.array(["a", "b", "a"], pa.large_string()), ["a", "b", "a"]),
        (pa.array(["ä", "b", "ä"]), ["ä", "b", "ä"]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
@pytest.mark.parametrize("path", ["x.parquet", "x.feather"])
def test_labels_of_each_type_are_exact_texts(path: str, column: Any, labels: list[str]) -> None:
    table = pa.table({"id": ["1", "2", "3"], "label": column})
    (pq.write_table if path == "x.parquet" else pa.feather.write_feather)(table, path)
    assert labels_of(read_clustering(path)) == labels


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["a", None, "b"]),
        pa.array([1, None, 2]),
        pa.array([1.0, float("nan"), 2.0]),
        pa.array(["a", None, "b"]).dictionary_encode(),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), pa.array(["a", ""])),
    ],
    ids=["text", "whole number", "nan", "category", "empty category"],
)
def test_a_missing_label_is_an_error_that_names_the_row(column: Any) -> None:
    pq.write_table(pa.table({"id": ["1", "2", "3"], "label": column}), "x.parquet")
    with pytest.raises(clustcmp.InputError, match=r"x\.parquet: row 2: the label is empty"):
        read_clustering("x.parquet")
    assert read_clustering("x.parquet", missing="noise").points.size == 3


def test_whole_numbers_join_with_their_texts() -> None:
    pq.write_table(pa.table({"id": [10, 11, 12], "label": [1, 1, 2]}), "x.parquet")
    write("x.csv", "id,label\n12,2\n11,1\n10,1\n")
    assert clustcmp.compare("x.parquet", "x.csv", metrics=["ari"])["ari"] == 1.0


def test_a_label_that_two_entries_of_a_dictionary_spell_is_one_cluster() -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["a", "a", "b"]))
    pa.feather.write_feather(pa.table({"id": ["1", "2", "3"], "label": column}), "x.feather")
    found = read_clustering("x.feather")
    assert (labels_of(found), found.n_clusters) == (["a", "a", "b"], 2)


def test_memberships_and_coordinates_are_arrays_of_two_dimensions() -> None:
    np.save("soft.npy", np.array([[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]]))
    np.save("xy.npy", np.array([[0, 1], [2, 3], [4, 5]], dtype=">i2"))
    np.save("labels.npy", np.array([1, 1, 2]))
    assert not read_clustering("soft.npy").is_hard
    report = clustcmp.compare(
        "labels.npy", "labels.npy", coordinates="xy.npy", metrics=["cdistance"]
    )
    assert report["cdistance"] == 0.0


def test_json_lists_and_objects_are_labels() -> None:
    write("list.json", json.dumps([1, "a", True, 1]))
    write("object.json", json.dumps({"p1": 1, "p2": "a", "p3": 1}))
    assert labels_of(read_clustering("list.json")) == ["1", "a", "True", "1"]
    found = read_clustering("object.json")
    assert (labels_of(found), found.points.ids is not None) == (["1", "a", "1"], True)


def test_numbers_of_json_keep_all_their_digits() -> None:
    large = 2**70 + 1
    longest = "7" * 5000
    write("x.json", f'{{"1": {longest}, "2": 7}}')
    assert labels_of(read_clustering("x.json")) == [longest, "7"]
    write("x.json", json.dumps([{"id": large, "label": 1}, {"id": large + 1, "label": 1.5}]))
    ids = read_clustering("x.json").points.ids
    assert ids is not None
    assert [ids[0], ids[1]] == [str(large), str(large + 1)]


@given(
    st.lists(
        st.tuples(st.integers(-5, 5), st.sampled_from(["a", "01", "1", "1.0", "ü"])),
        min_size=2,
        max_size=20,
    )
)
def test_every_format_gives_the_clustering_of_the_csv_file(rows: list[tuple[int, str]]) -> None:
    frame = pd.DataFrame(rows, columns=["number", "text"])
    frame.insert(0, "id", [f"p{row}" for row in range(len(rows))])
    frame.to_csv("x.csv", index=False)
    for column in ("number", "text"):
        expected = labels_of(read_clustering(f"x.csv::{column}"))
        for path, write_to in WRITERS.items():
            write_to(frame, path)
            assert labels_of(read_clustering(f"{path}::{column}")) == expected


def save(path: str, array: Any) -> None:
    np.save(path, array, allow_pickle=True)


def as_npy(header: str) -> bytes:
    """A .npy file with this header and no more."""
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


NESTED = pa.table({"id": ["1"], "label": [["a"]]})

# What is wrong, how the file comes about, and words of the error.
BAD: dict[str, tuple[str, Callable[[str], object], str]] = {
    "cut Parquet": ("x.parquet", lambda path: cut(FRAME.to_parquet, path), "as Parquet"),
    "cut Feather": ("x.feather", lambda path: cut(FRAME.to_feather, path), "as Feather"),
    "no Parquet": ("x.parquet", lambda path: write(path, "id,label\n"), "as Parquet"),
    "cut npy": ("x.npy", lambda path: cut(lambda p: save(p, np.arange(9)), path), "of numpy"),
    "objects": ("x.npy", lambda path: save(path, np.array(["a", 1], object)), "never loads"),
    "a pickle": ("x.npy", lambda path: write(path, pickle.dumps([1, 2])), "never loads"),
    "a pickle in an archive": (
        "x.npz",
        lambda path: np.savez(path, label=np.array(["a", 1], object)),
        "never loads",
    ),
    "an open bracket": ("x.npy", lambda path: write(path, as_npy("{'shape': (")), "of numpy"),
    "a huge shape": (
        "x.npy",
        lambda path: write(
            path,
            as_npy("{'descr': '<i8', 'fortran_order': False, 'shape': (140737488355328,)}"),
        ),
        "of numpy",
    ),
    "a column twice": (
        "x.parquet",
        lambda path: pq.write_table(
            pa.Table.from_arrays([pa.array(["a"]), pa.array([["a"]])], ["x", "x"]), path
        ),
        "several columns called 'x'",
    ),
    "no zip archive": ("x.npz", lambda path: write(path, "id,label\n"), "numpy"),
    "three dimensions": ("x.npy", lambda path: save(path, np.zeros((2, 2, 2))), "shape"),
    "complex numbers": ("x.npy", lambda path: save(path, np.zeros(2, complex)), "complex128"),
    "other sizes": ("x.npz", lambda path: np.savez(path, a=[1], b=[1, 2]), "numbers of rows"),
    "only nested": (
        "x.parquet",
        lambda path: pq.write_table(NESTED.drop(["id"]), path),
        r"list<.*string>",
    ),
    "no rows": ("x.parquet", lambda path: FRAME[:0].to_parquet(path), "no rows"),
    "infinite label": (
        "x.parquet",
        lambda path: pq.write_table(pa.table({"id": ["1"], "label": [float("inf")]}), path),
        "row 1: column 'label': the label is not a finite number",
    ),
    "no JSON": ("x.json", lambda path: write(path, '["a",\n'), r"x\.json:\d+: is not JSON"),
    "a number": ("x.json", lambda path: write(path, "1"), "holds a number"),
    "a nested label": ("x.json", lambda path: write(path, '["a", ["b"]]'), "item 2 is a list"),
    "a key twice": ("x.json", lambda path: write(path, '{"a": 1, "a": 2}'), "'a' is there twice"),
    "a deep nest": ("x.json", lambda path: write(path, "[" * 200_000), "nested|JSON"),
    "a broken line": ("x.jsonl", lambda path: write(path, '{"id": 1}\n{"id"\n'), r"x\.jsonl:2"),
    "half a character": ("x.json", lambda path: write(path, '["\\ud800"]'), "item 1"),
    "empty list": ("x.json", lambda path: write(path, "[]"), "is empty"),
    "an id twice": (
        "x.parquet",
        lambda path: pq.write_table(pa.table({"id": ["1", "1"], "label": ["a", "b"]}), path),
        r"x\.parquet: row 2: point '1' is listed twice, also in row 1",
    ),
}


def cut(write_to: Callable[[str], object], path: str) -> None:
    write_to(path)
    Path(path).write_bytes(Path(path).read_bytes()[:-7])


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_typed_file_is_refused_by_name(
    fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, make, words = BAD[fault]
    make(path)
    with pytest.raises(clustcmp.InputError, match=words) as raised:
        read_clustering(path)
    assert path in str(raised.value)
    outcome = run_clustcmp(capsys, "compare", path, path)
    assert (outcome.status, outcome.stdout) == (2, "")


def test_a_small_archive_that_unpacks_to_a_huge_one_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(numpy_files, "MAX_BYTES", 10_000)
    np.savez_compressed("x.npz", label=np.zeros(5_000))
    assert Path("x.npz").stat().st_size < 1_000
    with pytest.raises(clustcmp.InputError, match="has more than 10000 bytes when unpacked"):
        read_clustering("x.npz")


def test_a_text_column_is_no_coordinate() -> None:
    pq.write_table(pa.table({"id": ["1", "2"], "label": ["a", "b"], "x": ["1", "2"]}), "x.parquet")
    with pytest.raises(clustcmp.InputError, match="column 'x' holds string, not numbers"):
        clustcmp.compare(
            "x.parquet", "x.parquet", coordinates="x.parquet::x", metrics=["cdistance"]
        )


def test_a_number_that_is_missing_is_named_by_its_row() -> None:
    table = pa.table({"id": ["1", "2"], "label": ["a", "b"], "x": [1.0, None]})
    pq.write_table(table, "x.parquet")
    with pytest.raises(clustcmp.InputError, match=r"row 2: column 'x': is empty"):
        clustcmp.compare(
            "x.parquet", "x.parquet", coordinates="x.parquet::x", metrics=["cdistance"]
        )
