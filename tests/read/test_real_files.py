"""Files as other programs write them are read at the first try, or refused with the words to type.

tests/read/real/README.md says which program wrote which file.
"""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score

import clustcmp
from tests.files import run_clustcmp

FOLDER = Path(__file__).parent / "real"


@pytest.fixture(autouse=True)
def in_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


@pytest.mark.parametrize(
    ("a", "b", "joined_by"),
    [
        ("leiden.csv", "louvain.csv", "index"),
        ("scanpy_leiden.csv", "scanpy_louvain.csv", ""),
        ("r_write_csv.csv", "r_shuffled.csv", ""),
    ],
    ids=["scanpy with a named index", "scanpy", "R"],
)
def test_the_same_clusters_in_two_orders_of_rows_are_the_same(
    a: str, b: str, joined_by: str
) -> None:
    report = clustcmp.compare(a, b, ["ari"])
    assert (report["ari"], report.joined_by) == (1.0, joined_by)
    by_position = clustcmp.compare(a, b, ["ari"], by_position=True)["ari"]
    assert by_position is not None
    assert by_position < 0.5


def test_a_table_of_cells_is_compared_column_by_column(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = run_clustcmp(capsys, "compare", "scanpy_obs.csv", "scanpy_obs.csv")
    assert outcome.status == 2
    assert "scanpy_obs.csv::COLUMN" in outcome.stderr
    cells = pd.read_csv("scanpy_obs.csv", index_col=0)
    expected = adjusted_rand_score(cells["leiden_0.5"], cells["leiden_1.5"])
    report = clustcmp.track(["scanpy_obs.csv::leiden_*"], "ari")
    assert list(report["ari"]) == pytest.approx([expected])
    names = clustcmp.matrix("scanpy_obs.csv::*").names
    assert "scanpy_obs.csv::pct_mt" not in names
    assert {"scanpy_obs.csv::leiden_0.5", "scanpy_obs.csv::louvain"} <= set(names)


def test_a_table_of_r_without_the_name_of_its_first_column_is_read() -> None:
    report = clustcmp.compare("r_write_table.tsv::cluster", "r_write_csv.csv::cluster", ["ari"])
    assert (report["ari"], report.joined_by) == (1.0, "")


def test_a_row_with_a_comma_too_many_gets_the_advice_for_r(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = (FOLDER / "r_write_table.tsv").read_text(encoding="utf-8").replace("\t", ",")
    path = tmp_path / "r.csv"
    path.write_text(given, encoding="utf-8")
    outcome = run_clustcmp(capsys, "compare", str(path), "r_write_csv.csv")
    assert outcome.status == 2
    assert "r.csv:2: has 3 fields where the header has 2" in outcome.stderr
    assert "col.names=NA" in outcome.stderr


def test_numbers_without_a_header_are_refused_until_that_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = "savetxt_labels.csv", "savetxt_labels.csv"
    assert "--no-header" in run_clustcmp(capsys, "compare", *files).stderr
    words = "--no-header", "--coordinates", "savetxt_points.csv", "-m", "ari", "-f", "json"
    document = json.loads(run_clustcmp(capsys, "compare", *files, *words).stdout)
    assert [side["points"] for side in document["inputs"]] == [30, 30]
    assert [side["coordinates"] for side in document["inputs"]] == [["1", "2"]] * 2


def test_results_of_a_benchmark_are_ranked_by_their_truth() -> None:
    truth = [1] * 6 + [2] * 6 + [3] * 3
    found = pd.read_csv("suite.result3.gz")
    report = clustcmp.matrix("suite.result3.gz::*", "ari", reference="suite.labels0.gz")
    expected = [adjusted_rand_score(truth, found[name]) for name in found]
    assert report["ari"].tolist() == pytest.approx(expected)
