"""AnnData files of three generations of anndata are read as their CSV would be, and no others.

tests/read/real/README.md says how anndata wrote them.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import clustcmp
from clustcmp.read import read_clustering
from tests.files import labels_of, pipe, run_clustcmp, write

FOLDER = Path(__file__).parent / "real"
FILES = ["anndata_0.6.h5ad", "anndata_0.7.h5ad", "anndata_0.12.h5ad"]
BARCODES = [f"CELL{row:02d}-1" for row in range(12)]

# The labels with which the files were written; an empty one is missing.
COLUMNS = {
    "leiden": [str(row % 3) for row in range(12)],
    "batch": ["one"] * 6 + ["two"] * 6,
    "sample": [str(row % 4) for row in range(12)],
    "known": ["" if row == 4 else "BT"[row % 2] for row in range(12)],
    "is_doublet": [str(row % 5 == 0) for row in range(12)],
}
NULLABLE = {
    "whole": ["" if row == 2 else str(row % 2) for row in range(12)],
    "flag": ["" if row == 3 else str(row % 2 == 0) for row in range(12)],
    "text": ["" if row == 5 else f"t{row % 2}" for row in range(12)],
}


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def csv_of(labels: list[str]) -> str:
    """A CSV file with the same labels, in another order of rows."""
    rows = list(zip(BARCODES, labels, strict=True))[::-1]
    return write("x.csv", "id,label\n" + "".join(f"{one},{label}\n" for one, label in rows))


@pytest.mark.parametrize(
    ("file", "column"),
    [
        *((file, column) for file in FILES for column in COLUMNS),
        *((FILES[-1], column) for column in NULLABLE),
    ],
)
def test_a_column_of_obs_is_the_same_labels_as_in_csv(file: str, column: str) -> None:
    labels = {**COLUMNS, **NULLABLE}[column]
    given = {"missing": "noise"} if "" in labels else {}
    found = read_clustering(f"{FOLDER / file}::{column}", **given)  # type: ignore[arg-type]
    assert found.points.ids is not None
    assert found.points.ids.tolist() == BARCODES
    present = [label for label in labels if label]
    assert [one for one, label in zip(labels_of(found), labels, strict=True) if label] == present
    report = clustcmp.compare(f"{FOLDER / file}::{column}", csv_of(labels), ["ari"], **given)  # type: ignore[arg-type]
    assert report["ari"] == 1.0


@pytest.mark.parametrize("file", FILES)
def test_an_array_of_obsm_is_coordinates(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(FOLDER / file)
    given = f"{path}::obsm/X_umap"
    coordinates = clustcmp.compare(
        f"{path}::leiden", f"{path}::leiden", ["cdistance"], coordinates=given
    )
    assert coordinates["cdistance"] == 0.0
    rows = [f"{one},{row % 3 * 10},{row / 10}\n" for row, one in enumerate(BARCODES)]
    write("xy.csv", "id,x,y\n" + "".join(rows[::-1]))
    values = [
        clustcmp.compare(f"{path}::leiden", f"{path}::batch", ["cdistance"], coordinates=one)[
            "cdistance"
        ]
        for one in (given, "xy.csv")
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-12)
    outcome = run_clustcmp(
        capsys, "compare", f"{path}::leiden", f"{path}::batch", "--coordinates", path
    )
    assert outcome.status == 2
    assert "which coordinates? It has" in outcome.stderr
    assert f"{path}::obsm/X_" in outcome.stderr


def test_a_table_in_obsm_has_its_columns() -> None:
    path = FOLDER / "anndata_0.12.h5ad"
    report = clustcmp.compare(
        f"{path}::leiden", f"{path}::leiden", ["cdistance"], coordinates=f"{path}::obsm/frame"
    )
    assert report.inputs[0].coordinates == ("obsm/frame.x", "obsm/frame.y")


def test_an_anndata_file_comes_by_a_pipe_and_is_known_by_its_first_bytes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, (FOLDER / FILES[0]).read_bytes())
    csv_of(COLUMNS["leiden"])
    outcome = run_clustcmp(capsys, "compare", "-::leiden", "x.csv", "-m", "ari", "-f", "csv")
    assert (outcome.status, "adjusted_rand,1.0" in outcome.stdout) == (0, True)


def test_without_h5py_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(clustcmp.UsageError, match=r"pip install 'clustcmp\[h5ad\]'"):
        read_clustering(f"{FOLDER / FILES[0]}::leiden")


def test_several_columns_without_a_name_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(FOLDER / FILES[1])
    outcome = run_clustcmp(capsys, "compare", path, path)
    assert outcome.status == 2
    assert f"{path}::COLUMN" in outcome.stderr
    outcome = run_clustcmp(capsys, "compare", f"{path}::leyden", path)
    assert "did you mean 'leiden'?" in outcome.stderr


def edit(change: Callable[[Any], object]) -> Callable[[str], object]:
    """A change of the newest file."""

    def make(path: str) -> None:
        Path(path).write_bytes((FOLDER / "anndata_0.12.h5ad").read_bytes())
        with h5py.File(path, "a") as file:
            change(file)

    return make


def put(path: str, value: Any, **how: Any) -> Callable[[str], object]:
    """Another array in the place of one of the newest file."""

    def change(file: Any) -> None:
        del file[path]
        file.create_dataset(path, data=value, **how)

    return edit(change)


def link_away(file: Any) -> None:
    del file["obs/leiden"]
    file["obs/leiden"] = h5py.ExternalLink("secret.h5", "labels")


def link_within(file: Any) -> None:
    del file["obs/leiden"]
    file["obs/leiden"] = h5py.SoftLink("/obs/batch")


def make_virtual(file: Any) -> None:
    layout = h5py.VirtualLayout(shape=(12,), dtype="i8")
    layout[:] = h5py.VirtualSource("secret.h5", "labels", shape=(12,))
    del file["obs/sample"]
    file.create_virtual_dataset("obs/sample", layout)


def keep_elsewhere(file: Any) -> None:
    del file["obs/sample"]
    file.create_dataset("obs/sample", (12,), "i8", external=[("secret.bin", 0, 96)])


def cut(path: str) -> None:
    Path(path).write_bytes((FOLDER / "anndata_0.12.h5ad").read_bytes()[:20_000])


# What is wrong, how the file comes about, the column, and words of the error.
BAD: dict[str, tuple[Callable[[str], object], str, str]] = {
    "cut off": (cut, "leiden", "cannot be read as HDF5"),
    "a CSV file": (lambda path: write(path, "id,label\n"), "leiden", "cannot be read as HDF5"),
    "a pickle": (
        lambda path: Path(path).write_bytes(pickle.dumps(["a"])),
        "leiden",
        "cannot be read as HDF5",
    ),
    "no obs": (edit(lambda file: file.pop("obs")), "leiden", r"has no 'obs', only 'X'"),
    "no barcodes": (edit(lambda file: file.pop("obs/barcode")), "leiden", "has no barcodes"),
    "no codes": (
        edit(lambda file: file.pop("obs/leiden/codes")),
        "leiden",
        "has no 'obs/leiden/codes'",
    ),
    "codes of no category": (
        put("obs/leiden/codes", np.full(12, 7, np.int8)),
        "leiden",
        "codes that stand for no category",
    ),
    "too few rows": (
        put("obs/sample", np.arange(3)),
        "sample",
        "'sample' has 3 rows, but 'barcode' has 12",
    ),
    "two dimensions": (put("obs/sample", np.zeros((12, 2))), "sample", "has no column 'sample'"),
    "Python objects": (
        put("obs/sample", np.array([b"\x80"] * 12, "V1")),
        "sample",
        r"holds values of the type \|V1",
    ),
    "complex numbers": (put("obs/sample", np.zeros(12, complex)), "sample", "type complex128"),
    "not a number": (put("obs/sample", np.full(12, np.nan)), "sample", "the label is empty"),
    "an infinite number": (put("obs/sample", np.full(12, np.inf)), "sample", "not a finite number"),
    "no UTF-8": (put("obs/sample", np.array([b"\xff"] * 12)), "sample", "texts that are not UTF-8"),
    "a link to another file": (edit(link_away), "leiden", "'obs/leiden' is a link"),
    "a link": (edit(link_within), "leiden", "'obs/leiden' is a link"),
    "an array in other files": (edit(make_virtual), "sample", "kept in other files"),
    "an array in another file": (edit(keep_elsewhere), "sample", "kept in other files"),
    "barcodes twice": (
        put("obs/barcode", np.array([b"x"] * 12)),
        "leiden",
        "row 2: point 'x' is listed twice, also in row 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_anndata_file_is_refused_by_name(
    fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    make, column, words = BAD[fault]
    make("x.h5ad")
    with pytest.raises(clustcmp.InputError, match=words) as raised:
        read_clustering(f"x.h5ad::{column}")
    assert "x.h5ad" in str(raised.value)
    outcome = run_clustcmp(capsys, "compare", f"x.h5ad::{column}", "x.h5ad::batch")
    assert (outcome.status, outcome.stdout) == (2, "")


def test_texts_that_unpack_to_too_many_bytes_are_refused() -> None:
    texts = np.array([b"x" * 9_000] * 12, object)
    put("obs/sample", texts, dtype=h5py.string_dtype())("x.h5ad")
    with pytest.raises(clustcmp.InputError, match="has more than 30000 bytes when unpacked"):
        read_clustering("x.h5ad::sample", max_bytes=30_000)


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused_before_it_is_unpacked() -> None:
    def grow(file: h5py.File) -> None:
        for path in ("obs", "obsm"):
            del file[path]
        obs = file.create_group("obs")
        for key in ("_index", "label"):
            obs.create_dataset(key, (1 << 33,), "i4", chunks=(1 << 20,), compression="gzip")

    edit(grow)("x.h5ad")
    assert Path("x.h5ad").stat().st_size < 100_000
    with pytest.raises(clustcmp.InputError, match="has more than 4294967296 bytes when unpacked"):
        read_clustering("x.h5ad::label")
