"""All draws: in the library, and in a file that --draws names."""

from __future__ import annotations

import csv
import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import clustcmp
from clustcmp.results import Draws
from tests.files import run_clustcmp

IRIS = ("examples/iris_species.csv", "examples/iris_kmeans_good.csv")
ASKED = ("-m", "ari", "-m", "vi", "--permutations", "20", "--seed", "1")


@pytest.mark.parametrize("metric", ["jaccard", "vi", "match"])
def test_p_mean_and_sd_can_be_recomputed_from_the_draws(metric: str) -> None:
    a, b = [0] * 6 + [1] * 6, [0] * 4 + [1] * 5 + [2] * 3
    report = clustcmp.compare(a, b, [metric], permutations=50, seed=1)
    result = report.result(metric)
    values = np.array(report.draws[metric], dtype=float)
    assert result.chance is not None
    assert result.value is not None
    as_good = (
        values >= result.value - 1e-9
        if result.higher_is_better
        else (values <= result.value + 1e-9)
    )
    assert result.chance.p == (1 + as_good.sum()) / 51
    assert result.chance.mean == pytest.approx(values.mean())
    assert result.chance.sd == pytest.approx(values.std(ddof=1))


def test_draws_are_found_by_aliases_and_are_a_data_frame() -> None:
    report = clustcmp.compare(*IRIS, ["ari", "vi"], permutations=20, seed=1)
    assert list(report.draws) == ["adjusted_rand", "variation_of_information"]
    assert report.draws["ari"] is report.draws["adjusted_rand"]
    frame = report.draws.to_frame()
    assert frame.index.names == ["metric", "draw"]
    assert frame.loc[("adjusted_rand", 20), "value"] == report.draws["ari"][19]
    with pytest.raises(KeyError):
        report.draws["nmi"]


def test_without_permutations_there_are_no_draws() -> None:
    assert not clustcmp.compare(*IRIS, ["ari"], confidence=0.9).draws
    assert not clustcmp.compare(*IRIS, ["ari"]).draws


@pytest.mark.parametrize("name", ["draws.csv", "draws.values", "DRAWS"])
def test_every_draw_is_a_row_of_a_csv_file(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_clustcmp(capsys, "compare", *IRIS, *ASKED, "--draws", str(tmp_path / name))
    assert run.status == 0
    with open(tmp_path / name, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["metric", "draw", "value"]
    assert len(rows) == 1 + 2 * 20
    expected = clustcmp.compare(*IRIS, ["ari"], permutations=20, seed=1).draws["ari"]
    found = [(int(draw), float(value)) for metric, draw, value in rows[1:21]]
    assert found == list(enumerate(expected, 1))


def test_the_ending_chooses_the_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "draws.json"
    run_clustcmp(capsys, "compare", *IRIS, *ASKED, "--draws", str(path))
    document = json.loads(path.read_text(encoding="utf-8"))
    schema = json.loads((files("clustcmp.schemas") / "draws-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    assert document["seed"] == 1
    assert len(document["draws"]["adjusted_rand"]) == 20
    for ending, sign in [("md", "| `adjusted_rand` | 1 |"), ("tex", r"adjusted\_rand & 1 &")]:
        run_clustcmp(capsys, "compare", *IRIS, *ASKED, "--draws", str(tmp_path / f"d.{ending}"))
        assert sign in (tmp_path / f"d.{ending}").read_text(encoding="utf-8")


def test_what_is_printed_is_the_same_with_and_without_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = run_clustcmp(capsys, "compare", *IRIS, *ASKED, "-f", "json").stdout
    path = str(tmp_path / "draws.csv")
    assert (
        run_clustcmp(capsys, "compare", *IRIS, *ASKED, "-f", "json", "--draws", path).stdout
        == plain
    )


def test_draws_without_a_value_are_empty_cells_and_null() -> None:
    draws = Draws((), {"beta_cv": (0.5, None)}, 1)
    assert json.loads(draws.to_text("json"))["draws"] == {"beta_cv": [0.5, None]}
    assert draws.to_text("csv") == "metric,draw,value\nbeta_cv,1,0.5\nbeta_cv,2,\n"
    assert draws.to_frame()["value"].isna().tolist() == [False, True]
    assert "beta_cv      2  0.500000  0.500000" in repr(draws)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--draws", "d.csv"], "--permutations"),
        (["--confidence", "0.9", "--draws", "d.csv"], "--permutations"),
        (["--permutations", "9", "--draws", IRIS[0]], "already reads or writes"),
        (["--permutations", "9", "--draws", "-"], "stdout"),
        (["--permutations", "9", "--draws", "examples"], "is a folder"),
        (["--permutations", "9", "--draws", "d.csv", "-o", "d.csv"], "already reads or writes"),
    ],
)
def test_a_file_for_draws_that_makes_no_sense_is_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(IRIS[0]).read_bytes()
    run = run_clustcmp(capsys, "compare", *IRIS, *words)
    assert (run.status, run.stdout) == (2, "")
    assert said in run.stderr
    assert Path(IRIS[0]).read_bytes() == before
    assert not Path("d.csv").exists()


def test_with_an_error_no_draws_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "draws.csv"
    words = ("--permutations", "9", "-m", "entropy_a", "--draws", str(path))
    assert run_clustcmp(capsys, "compare", *IRIS, *words).status == 2
    assert not path.exists()
