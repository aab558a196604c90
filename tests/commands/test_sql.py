"""clustcmp sql: what a database counts with the statement is what compare counts by itself."""

from __future__ import annotations

import json
import random
from pathlib import Path

import duckdb
import pytest

import clustcmp
from tests.files import run_clustcmp, write

Rows = list[tuple[object, object]]


def table_of(rows: Rows) -> str:
    return "id,label\n" + "".join(f"{point},{label}\n" for point, label in rows)


def count_in_duckdb(statement: str, tables: dict[str, str], target: str) -> None:
    """Run a statement on files as tables, and export what it gives."""
    with duckdb.connect() as database:
        for name, file in tables.items():
            database.execute(f"CREATE VIEW \"{name}\" AS SELECT * FROM '{file}'")
        database.execute(f"COPY ({statement}) TO '{target}'")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """may.csv and june.csv, which have most points in common, and the same as Parquet."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(3)
    labels = ["x", "y y", '"z"', "007", "7"]
    for name, points in (("may", range(600)), ("june", range(40, 650))):
        rows = [(f"p{point}", draw.choice(labels)) for point in points]
        text = "id,label\n" + "".join(
            f'{point},"{label.replace(chr(34), chr(34) * 2)}"\n' for point, label in rows
        )
        write(f"{name}.csv", text)
        with duckdb.connect() as database:
            source = f"read_csv('{name}.csv', all_varchar=true)"
            database.execute(f"COPY (SELECT * FROM {source}) TO '{name}.parquet'")


@pytest.mark.parametrize("quote", ["none", "double"])
@pytest.mark.parametrize("target", ["counts.csv", "counts.parquet"])
@pytest.mark.usefixtures("files")
def test_counts_of_a_database_equal_the_direct_comparison(
    quote: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["sql", "may", "june", "--id", "id", "--label", "label", "--quote", quote]
    statement = run_clustcmp(capsys, *words).stdout
    tables = {name: f"{name}.parquet" for name in ("may", "june")}
    count_in_duckdb(statement, tables, target)
    more = ["-m", "ari", "-m", "vi", "-m", "bcubed", "-m", "ce", "--points", "intersect"]
    more += ["-f", "json"]
    counted = run_clustcmp(capsys, "compare", "--contingency", target, *more)
    direct = run_clustcmp(capsys, "compare", "may.csv", "june.csv", *more)
    found, expected = (json.loads(one.stdout) for one in (counted, direct))
    assert found["coverage"] == expected["coverage"] == {"shared": 560, "only_a": 40, "only_b": 50}
    values = [[one["value"] for one in document["results"]] for document in (found, expected)]
    assert values[0] == pytest.approx(values[1], rel=1e-12)
    assert len(values[0]) == 4


@pytest.mark.usefixtures("files")
def test_points_in_one_table_only_are_refused_as_in_files(
    capsys: pytest.CaptureFixture[str],
) -> None:
    statement = clustcmp.sql("may", "june", id="id", label="label")
    count_in_duckdb(statement, {one: f"{one}.csv" for one in ("may", "june")}, "counts.csv")
    outcome = run_clustcmp(capsys, "compare", "--contingency", "counts.csv")
    assert outcome.status == 2
    assert "40 points have a cluster of a only, and 50 points have a cluster of b" in outcome.stderr


@pytest.mark.parametrize("wrong", ["p1", ""])
def test_ids_that_are_missing_or_listed_twice_are_refused(
    wrong: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    rows: Rows = [("p1", "x"), ("p2", "x"), ("p3", "y")]
    write("a.csv", table_of([*rows, (wrong, "x")]))
    write("b.csv", table_of(rows))
    statement = clustcmp.sql("a", "b", id="id", label="label")
    count_in_duckdb(statement, {"a": "a.csv", "b": "b.csv"}, "counts.csv")
    outcome = run_clustcmp(
        capsys, "compare", "--contingency", "counts.csv", "--points", "intersect"
    )
    assert outcome.status == 2
    assert "a negative count says that an id is missing or listed twice" in outcome.stderr


def test_columns_of_each_table_and_quotes_stand_in_the_statement() -> None:
    statement = clustcmp.sql(
        "my-lab.runs.may::leiden", "june::label=new,id=c d", id="cell", quote="backtick"
    )
    assert "FROM `my-lab`.`runs`.`may`\n  GROUP BY `cell`" in statement
    assert "MIN(`leiden`) AS label" in statement
    assert "MIN(`new`) AS label" in statement
    assert "FROM `june`\n  GROUP BY `c d`" in statement


@pytest.mark.parametrize(
    ("a", "settings", "message"),
    [
        ("may; DROP TABLE june", {}, "must be quoted in SQL"),
        ("order", {}, "must be quoted in SQL"),
        ('may" --', {"quote": "double"}, "cannot be quoted"),
        ("may\\", {"quote": "backtick"}, "is a file"),
        ("may\nx", {"quote": "double"}, "cannot be quoted"),
        ("lab..may", {"quote": "double"}, "cannot be quoted"),
        ("data/may.parquet", {}, "the statement names tables"),
        ("may::format=csv", {}, "'format=csv' is not a column"),
        ("may", {"id": None}, "the column of the ids is not named"),
        ("may", {"label": None}, "the column of the labels is not named"),
    ],
)
def test_names_that_do_not_fit_a_statement_are_refused(
    a: str, settings: dict[str, str | None], message: str
) -> None:
    call = {"id": "cell", "label": "leiden", **settings}
    with pytest.raises(clustcmp.UsageError, match=message):
        clustcmp.sql(a, "june", **call)  # type: ignore[arg-type]
