"""Objects of other libraries: Arrow's C interface, sparse matrices, AnnData, estimators."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.cluster import DBSCAN, KMeans
from sklearn.mixture import GaussianMixture

import clustcmp
from clustcmp import memory
from clustcmp.read import read_clustering
from tests.files import labels_of

IDS = ["p1", "p2", "p3", "p4"]
LABELS = ["a", "b", "a", "c"]
TABLE = {"id": IDS, "label": LABELS}


class Stream:
    """A table of a library that nobody knows, which has Arrow's C interface and nothing else."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.columns = table.column_names

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


TABLES: dict[str, Any] = {
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "another": lambda columns: Stream(pa.table(columns)),
}


@pytest.mark.parametrize("library", TABLES)
def test_a_table_is_joined_by_its_id_column(library: str) -> None:
    turned = {key: column[::-1] for key, column in TABLE.items()}
    report = clustcmp.compare(TABLES[library](TABLE), TABLES[library](turned), ["ari"])
    assert (report["ari"], report.joined_by) == (1.0, "id")
    by_position = clustcmp.compare(
        TABLES[library](TABLE), TABLES[library](turned), ["ari"], by_position=True
    )
    assert by_position["ari"] != 1.0


@pytest.mark.parametrize("library", TABLES)
def test_a_table_is_joined_with_a_file_and_located_by_a_table(library: str, tmp_path: Any) -> None:
    path = tmp_path / "x.csv"
    pd.DataFrame(TABLE)[::-1].to_csv(path, index=False)
    xy = TABLES[library]({"id": IDS[::-1], "x": [4.0, 3, 2, 1], "y": [0, 1, 0, 1]})
    report = clustcmp.compare(
        TABLES[library](TABLE), str(path), ["ari", "cdistance"], coordinates=xy
    )
    assert (report["ari"], report["cdistance"]) == (1.0, 0.0)
    assert report.inputs[0].coordinates == ("x", "y")


def test_a_table_of_numbers_is_soft_memberships() -> None:
    found = read_clustering(pl.DataFrame({"k1": [0.25, 1.0], "k2": [0.75, 0.0]}))
    assert (found.kind, found.names.tolist()) == ("soft", ["k1", "k2"])


def test_labels_of_a_table_are_given_back_as_they_were() -> None:
    report = clustcmp.changes(
        pl.DataFrame({"id": [1, 2, 3, 4], "label": [7, 7, 8, 8]}),
        pl.DataFrame({"id": [1, 2, 3, 4], "label": [7, 7, 8, 9]}),
    )
    assert set(report.b.labels()) == {7, 8, 9}


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(LABELS),
        pl.Series(LABELS, dtype=pl.Categorical),
        pa.array(LABELS),
        pa.chunked_array([LABELS]),
    ],
    ids=["polars", "categories of polars", "pyarrow", "chunks of pyarrow"],
)
def test_a_column_by_itself_is_labels(column: Any) -> None:
    assert labels_of(read_clustering(column)) == LABELS


@given(st.lists(st.sampled_from(["01", "1", "1.0", "NA", "é"]), min_size=1, max_size=8))
def test_every_library_gives_the_same_labels(labels: list[str]) -> None:
    ids = [f"p{row}" for row in range(len(labels))]
    for make in TABLES.values():
        assert labels_of(read_clustering(make({"id": ids, "label": labels}))) == labels


@pytest.mark.parametrize(
    ("columns", "words", "hint"),
    [
        ({"id": IDS, "x": LABELS, "y": LABELS}, "a: row 1: column 'x': 'a' is not", "called label"),
        ({"id": IDS, "x": [[1]] * 4}, "a: has no column with labels", "label for each point"),
        ({"id": ["p", "p"], "label": ["a", "b"]}, "a: row 2: point 'p' is listed twice", ""),
        ({"id": IDS, "label": [None, "a", "b", "c"]}, "a: row 1: the label is empty", "missing="),
        ({"id": [], "label": []}, "a: has no", ""),
    ],
)  # fmt: skip
def test_a_bad_table_is_refused_in_the_words_of_python(columns: Any, words: str, hint: str) -> None:
    for make in (pa.table, pl.DataFrame):
        with pytest.raises(clustcmp.InputError, match=words) as raised:
            clustcmp.compare(make(columns), make(columns), ["ari"])
        assert "::COLUMN" not in raised.value.hint
        assert hint in raised.value.hint


WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in ("pandas", "polars"):
            raise ImportError(name)

sys.meta_path.insert(0, Missing())
import clustcmp, pyarrow as pa
table = pa.table({"id": ["1", "2", "3"], "label": ["a", "b", "a"]})
assert clustcmp.compare(table, table, ["ari"])["ari"] == 1.0
"""


def test_neither_pandas_nor_polars_is_needed_for_a_table() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT], check=True)


SOFT = np.array([[0.25, 0.75, 0.0], [1.0, 0.0, 0.0], [0.0, 0.5, 0.5]])


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_memberships_are_those_of_the_dense_matrix(form: Any) -> None:
    report = clustcmp.compare(form(SOFT), SOFT, ["cc"])
    assert report["cc"] == pytest.approx(clustcmp.compare(SOFT, SOFT, ["cc"])["cc"])
    assert report.inputs[0].kind == "soft"


def test_a_sparse_matrix_of_ones_is_labels_however_many_clusters_there_are() -> None:
    n = 200_000
    codes = np.random.default_rng(1).permutation(n) // 2
    ones = sparse.csr_array((np.ones(n), (np.arange(n), codes)), shape=(n, n))
    report = clustcmp.compare(ones, codes, ["ari"])
    assert (report["ari"], report.inputs[0].kind) == (1.0, "hard")


def test_sparse_memberships_that_do_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 1e9)
    rows = np.repeat(np.arange(100_000), 2)
    cells = np.full(200_000, 0.5), (rows, rows % 10_000 + np.arange(200_000) % 2)
    halves = sparse.csr_array(cells, shape=(100_000, 10_001))
    with pytest.raises(clustcmp.LimitExceeded, match=r"need 24\.0 GB of memory, but only 1\.0 GB"):
        read_clustering(halves)


def test_a_sparse_row_of_zeros_is_refused() -> None:
    with pytest.raises(clustcmp.InputError, match="position 2: the degrees sum to 0"):
        read_clustering(sparse.csr_array(np.array([[0.5, 0.5], [0.0, 0.0]])))


def test_a_fitted_estimator_is_its_labels() -> None:
    points = np.array([[0.0], [0.1], [5.0], [5.1], [20.0]])
    fitted = DBSCAN(eps=1, min_samples=2).fit(points)
    report = clustcmp.compare(fitted, [0, 0, 1, 1, -1], ["ari"], noise=-1)
    assert (report["ari"], report.inputs[0].noise) == (1.0, 1)
    assert clustcmp.compare(KMeans(2, n_init=1).fit(points), fitted, ["ari"])["ari"] is not None


@pytest.mark.parametrize("estimator", [KMeans(2), GaussianMixture().fit([[0.0], [1.0]])])
def test_an_estimator_without_labels_is_refused(estimator: Any) -> None:
    with pytest.raises(clustcmp.InputError, match=r"a: a .* without labels_") as raised:
        clustcmp.compare(estimator, [0, 1], ["ari"])
    assert "predict" in raised.value.hint


def anndata(columns: dict[str, Any], **obsm: Any) -> SimpleNamespace:
    """What clustcmp looks at in an AnnData."""
    obs = pd.DataFrame(columns, index=IDS)
    return SimpleNamespace(obs=obs, obsm=obsm, obs_names=obs.index)


def test_an_anndata_is_its_labels_and_its_only_coordinates() -> None:
    xy = np.array([[0.0, 1], [2, 3], [4, 5], [6, 7]])
    a = anndata({"n": [1, 2, 3, 4], "cluster": LABELS}, X_umap=xy)
    b = a.obs["cluster"][::-1]
    report = clustcmp.compare(a, b, ["ari", "cdistance"], coordinates=a)
    assert (report["ari"], report["cdistance"]) == (1.0, 0.0)


def test_an_anndata_with_several_columns_or_arrays_names_them() -> None:
    a = anndata(
        {"leiden": LABELS, "louvain": LABELS}, X_umap=np.zeros((4, 2)), X_pca=np.ones((4, 2))
    )
    with pytest.raises(clustcmp.InputError, match="columns 'leiden', 'louvain'") as raised:
        clustcmp.compare(a, LABELS, ["ari"])
    assert "adata.obs['leiden']" in raised.value.hint
    with pytest.raises(clustcmp.InputError, match="obsm has 'X_umap', 'X_pca'") as raised:
        clustcmp.compare(LABELS, LABELS, ["cdistance"], coordinates=a)
    assert "obsm['X_umap']" in raised.value.hint


WRITES: dict[str, str] = {
    "x.parquet": "write_parquet",
    "x.feather": "write_ipc",
    "x.csv": "write_csv",
    "x.jsonl": "write_ndjson",
    "x.json": "write_json",
}


@pytest.mark.parametrize("name", WRITES)
def test_what_polars_writes_is_read(name: str, tmp_path: Any) -> None:
    frame = pl.DataFrame(
        {"id": [3, 1, 2, 4], "number": [7, 7, 8, 7], "text": ["01", "1", "1.0", "01"]},
        schema_overrides={"number": pl.UInt8},
    ).with_columns(category=pl.col("text").cast(pl.Categorical))
    path = str(tmp_path / name)
    getattr(frame, WRITES[name])(path)
    assert labels_of(read_clustering(f"{path}::number")) == ["7", "7", "8", "7"]
    for column in ("text", "category"):
        found = read_clustering(f"{path}::{column}")
        assert labels_of(found) == ["01", "1", "1.0", "01"]
        assert found.points.ids is not None
        assert found.points.ids.tolist() == ["3", "1", "2", "4"]


def test_what_an_estimator_found_is_read_from_an_array_of_numpy(tmp_path: Any) -> None:
    points = np.array([[0.0], [0.1], [5.0], [5.1]])
    fitted = KMeans(2, n_init=1, random_state=0).fit(points)
    for name, array in (("x.npy", fitted.labels_), ("xy.npy", points)):
        np.save(tmp_path / name, array)
    report = clustcmp.compare(
        str(tmp_path / "x.npy"), fitted, ["ari", "cdistance"], coordinates=str(tmp_path / "xy.npy")
    )
    assert (report["ari"], report["cdistance"]) == (1.0, 0.0)
    soft = GaussianMixture(2, random_state=0).fit(points).predict_proba(points)
    np.savez(tmp_path / "soft.npz", proba=soft)
    found = read_clustering(f"{tmp_path / 'soft.npz'}::proba")
    assert (found.kind, found.names.tolist()) == ("soft", ["proba.1", "proba.2"])
