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

import clustcmp
from tests.files import run_clustcmp

IRIS = ("examples/iris_species.csv", "examples/iris_kmeans_good.csv")
ASKED = (
    "--confidence", "0.95", "--permutations", "99", "--seed", "1",
    "--versus", "examples/iris_kmeans_bad.csv",
)  # fmt: skip


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
    assert row["seed"] == "1"


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html", "csv", "json"])
def test_every_format_has_the_answers_and_tells_a_seed_that_gives_them_again(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("compare", *IRIS, "-m", "nmi", "--permutations", "9", "--versus", IRIS[0], "-f", form)
    first = run_clustcmp(capsys, *words)
    seed = re.findall(r"seed\"?:? ([0-9]+)|,([0-9]+)$", first.stdout.strip())[-1]
    again = run_clustcmp(capsys, *words, "--seed", "".join(seed))
    assert again.stdout == first.stdout
    assert "at a million points an ari of 0.000005 has p < 0.001" in first.stderr
    for answer in {"csv": [",0.1,", ",c,"], "json": ['"p": 0.1', '"c"']}.get(form, ["0.1", "c by"]):
        assert answer in first.stdout.replace("~", " ").replace("\xa0", " ")


def test_a_data_frame_has_the_answers_if_they_were_asked_for() -> None:
    plain = clustcmp.compare(*IRIS, ["ari", "vi"])
    asked = clustcmp.compare(*IRIS, ["ari", "vi"], confidence=0.9, permutations=9, seed=1)
    assert [one for one in plain.to_frame() if str(one).startswith(("interval", "chance"))] == []
    frame = asked.to_frame()
    for result in asked:
        assert result.interval is not None
        assert result.chance is not None
        assert frame.loc[result.metric, "interval_low"] == result.interval.low
        assert frame.loc[result.metric, "chance_p"] == result.chance.p
    assert "versus_p" not in frame


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--confidence", "0"], "a level is between 0 and 1: --confidence 0.95"),
        (["--confidence", "1"], "a level is between 0 and 1"),
        (["--confidence", "95"], "a level is between 0 and 1"),
        (["--confidence=-0.5"], "a level is between 0 and 1"),
        (["--confidence", "nan"], "--confidence nan is not possible hint: --confidence takes a"),
        (["--confidence=-inf"], "--confidence=-inf is not possible"),
        (["--permutations", "9", "--seed", f"{2**63}"], f"a whole number, at most {2**63 - 1}"),
        (["--confidence", "0.95", "--unit", "cluster"], "at least 10 clusters, but a has 3"),
        (["--versus", IRIS[1], "--unit", "cluster"], "at least 10 clusters, but a has 3"),
        (["--unit", "cluster"], "--unit has no effect without --confidence or --versus"),
        (["--unit", "point", "--permutations", "9"], "--unit has no effect"),
        (["--seed", "1"], "--seed has no effect without --confidence, --versus or --permutations"),
        (["--confidence", "0.9", "--seed=-1"], "seed"),
        (["--permutations", "0"], "permutations"),
        (["--permutations=-5"], "permutations"),
        (["--permutations", "9", "-m", "entropy_a"], "entropy_a: neither high nor low"),
        (["--versus", "examples/entities/truth.csv"], "examples/entities/truth.csv"),
        (["--draws", "draws.csv"], "--draws writes what --permutations draws"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_clustcmp(capsys, "compare", *IRIS, *words)
    assert (run.status, run.stdout) == (2, "")
    assert said in " ".join(run.stderr.split())
    assert "Traceback" not in run.stderr


def test_keywords_without_a_question_are_refused_by_their_names() -> None:
    with pytest.raises(clustcmp.UsageError, match="seed= has no effect without confidence="):
        clustcmp.compare([0, 1], [0, 1], ["ari"], seed=1)
    with pytest.raises(clustcmp.UsageError, match="unit= has no effect"):
        clustcmp.compare([0, 1], [0, 1], ["ari"], unit="point", permutations=9)


def test_another_candidate_with_other_points_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path(IRIS[1]).read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "c.csv").write_text("".join(lines[:-1]), encoding="utf-8")
    run = run_clustcmp(capsys, "compare", *IRIS, "--versus", str(tmp_path / "c.csv"))
    assert (run.status, run.stdout) == (2, "")
    assert "c.csv" in run.stderr
