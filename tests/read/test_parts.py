"""A folder of Parquet parts is one table, and of a Parquet file only the asked columns are read."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import clustcmp
from clustcmp.read import read_clustering
from tests.files import labels_of, run_clustcmp, write

IDS = [f"p{row}" for row in range(12)]
LABELS = [f"c{row % 3}" for row in range(12)]
TABLE = pa.table({"id": IDS, "label": LABELS})


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write_parts(folder: str, names: list[str], table: Any = TABLE) -> None:
    """The table in equal parts, as Spark and Dask leave it."""
    Path(folder).mkdir()
    size = len(table) // len(names)
    for position, name in enumerate(names):
        pq.write_table(table.slice(position * size, size), f"{folder}/{name}")
    for aside in ("_SUCCESS", "._SUCCESS.crc", f".{names[0]}.crc"):
        Path(folder, aside).write_bytes(b"")


def test_a_folder_of_parts_is_one_table_in_the_order_of_the_numbers_in_their_names() -> None:
    write_parts("labels", [f"part.{number}.parquet" for number in range(12)])
    found = read_clustering("labels::label,id=id")
    assert found.points.ids is not None
    assert found.points.ids.tolist() == IDS
    assert labels_of(found) == LABELS


@pytest.mark.parametrize("path", ["labels", "labels.parquet", "labels/"])
def test_a_folder_is_compared_with_a_file(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_parts(path, ["part-00000-a.snappy.parquet", "part-00001-a.snappy.parquet"])
    TABLE.to_pandas()[::-1].to_csv("x.csv", index=False)
    outcome = run_clustcmp(capsys, "compare", path, "x.csv", "-m", "ari", "-f", "csv")
    assert (outcome.status, outcome.stderr) == (0, "")
    assert "adjusted_rand,1.0" in outcome.stdout


def test_an_empty_part_is_a_part() -> None:
    Path("labels").mkdir()
    pq.write_table(TABLE.slice(0, 0), "labels/part-0.parquet")
    pq.write_table(TABLE, "labels/part-1.parquet")
    assert labels_of(read_clustering("labels")) == LABELS


def test_categories_of_parts_are_brought_together() -> None:
    Path("labels").mkdir()
    for part, labels in enumerate((["a", "b"], ["c", "a"])):
        frame = pd.DataFrame({"id": [2 * part, 2 * part + 1], "label": pd.Categorical(labels)})
        frame.to_parquet(f"labels/part-{part}.parquet", index=False)
    found = read_clustering("labels")
    assert (labels_of(found), found.n_clusters) == (["a", "b", "c", "a"], 3)


BAD: dict[str, tuple[Callable[[], object], str]] = {
    "nothing in it": (lambda: None, "x: is a directory without parts"),
    "a text": (
        lambda: write("x/labels.csv", "id,label\n1,a\n"),
        "'labels.csv' in it is no Parquet",
    ),
    "a broken part": (
        lambda: write("x/part-2.parquet", b"PAR1 and no more"),
        r"x/part-2\.parquet: cannot be read as Parquet",
    ),
    "other columns": (
        lambda: pq.write_table(pa.table({"id": IDS, "cluster": LABELS}), "x/part-2.parquet"),
        r"x/part-2\.parquet: has the columns 'id \(string\)', 'cluster \(string\)', but x/part-1",
    ),
    "other types": (
        lambda: pq.write_table(pa.table({"id": IDS, "label": [1] * 12}), "x/part-2.parquet"),
        r"x/part-2\.parquet: has the columns 'id \(string\)', 'label \(int64\)'",
    ),
    "partitions": (lambda: Path("x/day=1").mkdir(), "has a folder 'day=1' among its parts"),
    "no rows": (
        lambda: pq.write_table(TABLE.slice(0, 0), "x/part-1.parquet"),
        "x: has no rows",
    ),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_folder_is_refused_by_name(fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    make, words = BAD[fault]
    Path("x").mkdir()
    if fault.startswith(("a broken", "other")):
        pq.write_table(TABLE, "x/part-1.parquet")
    make()
    with pytest.raises(clustcmp.InputError, match=words):
        read_clustering("x")
    outcome = run_clustcmp(capsys, "compare", "x", "x")
    assert (outcome.status, outcome.stdout) == (2, "")


def test_a_folder_has_no_other_format() -> None:
    write_parts("x", ["part-0.parquet"])
    with pytest.raises(clustcmp.InputError, match="only a folder of Parquet files is read as one"):
        read_clustering("x::format=csv")


def wide(path: str) -> None:
    """A table whose other column takes a hundred times as many bytes as ids and labels."""
    noise = np.random.default_rng(1).bytes(800_000).hex()
    texts = [noise[start : start + 16_000] for start in range(0, 12 * 16_000, 16_000)]
    pq.write_table(TABLE.append_column("notes", pa.array(texts)), path)


def test_a_column_that_is_not_needed_counts_for_nothing() -> None:
    wide("x.parquet")
    assert Path("x.parquet").stat().st_size > 100_000
    assert labels_of(read_clustering("x.parquet::label,id=id", max_bytes=2_000)) == LABELS
    with pytest.raises(clustcmp.InputError, match="has more than 2000 bytes when unpacked"):
        read_clustering("x.parquet::notes,id=id", max_bytes=2_000)


def test_bytes_of_a_column_that_is_not_needed_are_not_read() -> None:
    wide("x.parquet")
    group = pq.ParquetFile("x.parquet").metadata.row_group(0)
    start = min(group.column(2).dictionary_page_offset or 1 << 60, group.column(2).data_page_offset)
    data = bytearray(Path("x.parquet").read_bytes())
    data[start : start + 1_000] = bytes(1_000)
    Path("x.parquet").write_bytes(data)
    with pytest.raises(clustcmp.InputError, match="cannot be read as Parquet"):
        read_clustering("x.parquet::notes,id=id")


def test_a_packed_parquet_file_is_read_whole() -> None:
    pq.write_table(TABLE, "x.parquet")
    Path("x.parquet.gz").write_bytes(gzip.compress(Path("x.parquet").read_bytes()))
    assert labels_of(read_clustering("x.parquet.gz")) == LABELS
