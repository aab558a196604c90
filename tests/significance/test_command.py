"""The flags of significance: what is printed, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import re
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from tests.files import run_clustcmp

PAGE = Path(__file__).parents[2] / "docs" / "significance.md"
IRIS = ("examples/iris_species.csv", "examples/iris_kmeans_good.csv")
ASKED = (
    "--confidence", "0.95", "--permutations", "99", "--seed", "1",
    "--versus", "examples/iris_kmeans_bad.csv",
)  # fmt: skip


def test_the_page_on_significance_shows_what_works() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(block, "significance.md", "exec"), {})


def test_the_json_has_the_answers_and_fits_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(run_clustcmp(capsys, "compare", *IRIS, *ASKED, "-f", "json").stdout)
    schema = json.loads((files("clustcmp.schemas") / "compare-1.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    assert document["seed"] == 1
    for result in document["results"]:
        assert result["interval"]["low"] < result["value"] < result["interval"]["high"]
        assert result["chance"]["p"] == 0.01
        assert result["versus"]["closer"] == "b"


def test_the_bytes_do_not_depend_on_jobs(capsys: pytest.CaptureFixture[str]) -> None:
    texts = {
        run_clustcmp(capsys, "compare", *IRIS, *ASKED, "-f", "json", "-j", jobs).stdout
        for jobs in "12"
    }
    assert len(texts) == 1


def test_the_table_and_csv_show_the_answers(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_clustcmp(capsys, "compare", *IRIS, "-m", "ari", *ASKED).stdout
    assert "[0.579, 0.816]" in text
    assert "p ≤ 0.01" in text
    assert "seed 1" in text
    table = run_clustcmp(capsys, "compare", *IRIS, "-m", "ari", *ASKED, "-f", "csv").stdout
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["chance_p"], row["chance_exact"], row["versus_closer"]) == ("0.01", "true", "b")


@pytest.mark.parametrize(
    "words",
    [
        ["--confidence", "0"],
        ["--confidence", "1"],
        ["--confidence", "95"],
        ["--confidence", "0.95", "--unit", "cluster"],
        ["--unit", "cluster"],
        ["--permutations", "0"],
        ["--permutations", "9", "-m", "entropy_a"],
        ["--versus", "examples/entities/truth.csv"],
    ],
)
def test_what_cannot_be_asked_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_clustcmp(capsys, "compare", *IRIS, *words)
    assert run.status == 2
    assert run.stdout == ""
    assert run.stderr
