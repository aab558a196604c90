"""Coordinates in the files of the clusterings themselves, where no others were given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import clustcmp
from clustcmp.errors import UsageError
from tests.files import pipe, run_clustcmp, write

# Two pairs of points, far apart from each other: moving one point from pair to pair costs most.
ROWS = {"p": (0.5, 0), "q": (0.5, 1), "r": (10.5, 0), "s": (10.5, 1)}
OLD = {"p": "a", "q": "a", "r": "b", "s": "b"}
NEW = {"p": "a", "q": "b", "r": "b", "s": "b"}


def table(labels: dict[str, str], header: str, order: str = "pqrs") -> str:
    """A file with ids, coordinates and labels."""
    rows = "".join(f"{i},{ROWS[i][0]},{ROWS[i][1]},{labels[i]}\n" for i in order)
    return f"{header}\n{rows}"


@pytest.fixture(autouse=True)
def in_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.csv", table(OLD, "id,x,y,label"))
    write("b.csv", table(NEW, "id,x,y,label", "sqpr"))
    write("xy.csv", table(OLD, "id,x,y,label"))


def value(metric: str, a: str, b: str, **settings: Any) -> float | None:
    """The value of a metric."""
    return clustcmp.compare(a, b, [metric], **settings)[metric]


@pytest.mark.parametrize("metric", ["cdistance", "css", "adco", "cdistance:ground=cityblock"])
def test_a_named_metric_takes_its_coordinates_from_the_files(metric: str) -> None:
    expected = value(metric, "a.csv", "b.csv", coordinates="xy.csv::x,y")
    assert expected is not None
    assert value(metric, "a.csv", "b.csv") == pytest.approx(expected)


def test_the_output_says_which_columns_are_the_coordinates(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = run_clustcmp(capsys, "compare", "a.csv", "b.csv", "--metric", "cdistance")
    assert outcome.status == 0
    assert "2 coordinates: x, y\n" in outcome.stdout
    assert "a.csv, b.csv: columns 'x', 'y' are the coordinates" in outcome.stderr
    document = clustcmp.compare("a.csv", "b.csv", ["cdistance"]).to_dict()
    assert [side["coordinates"] for side in document["inputs"]] == [["x", "y"]] * 2
    assert [side["dimensions"] for side in document["inputs"]] == [2, 2]


def test_each_side_has_its_own_coordinates() -> None:
    moved = table(OLD, "id,x,y,label").replace("10.5", "20.5")
    write("b.csv", moved)
    expected = value("cdistance", "a.csv", "b.csv", coordinates_a="a.csv", coordinates_b="b.csv")
    assert value("cdistance", "a.csv", "b.csv") == expected != 0.0


def test_the_default_metrics_stay_and_a_note_says_what_coordinates_would_add(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = run_clustcmp(capsys, "compare", "a.csv", "b.csv")
    assert "cdistance" not in outcome.stdout
    assert "--coordinates a.csv::x,y adds css, cdistance, adco" in outcome.stderr
    outcome = run_clustcmp(capsys, "compare", "a.csv", "b.csv", "--coordinates", "a.csv::x,y")
    assert all(metric in outcome.stdout for metric in ("css", "cdistance", "adco"))
    assert "adds" not in outcome.stderr


@pytest.mark.parametrize(
    ("header_a", "header_b"),
    [("id,x,y,label", "id,u,v,label"), ("id,x,y,label", "id,x,group,label")],
    ids=["other names", "a column of one file only"],
)
def test_other_columns_are_not_coordinates_and_the_hint_gives_the_words(
    header_a: str, header_b: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("a.csv", table(OLD, header_a))
    write("b.csv", table(NEW, header_b))
    outcome = run_clustcmp(capsys, "compare", "a.csv", "b.csv", "-m", "cdistance")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "cdistance: needs coordinates" in outcome.stderr
    assert "--coordinates a.csv::x,y" in outcome.stderr


def test_a_column_of_texts_keeps_the_others_from_being_coordinates() -> None:
    for name, labels in (("a.csv", OLD), ("b.csv", NEW)):
        rows = table(labels, "id,x,y,label").splitlines()
        write(name, "\n".join([f"{rows[0]},batch", *(f"{row},one" for row in rows[1:])]))
    with pytest.raises(UsageError, match="needs coordinates") as raised:
        value("cdistance", "a.csv", "b.csv")
    assert 'coordinates="a.csv::x,y"' in raised.value.hint


def test_the_label_must_be_known_by_its_name_or_by_the_address() -> None:
    write("a.csv", table(OLD, "id,x,y,kind"))
    write("b.csv", table(NEW, "id,x,y,kind"))
    expected = value("cdistance", "a.csv::kind", "b.csv::kind", coordinates="xy.csv::x,y")
    assert value("cdistance", "a.csv::kind", "b.csv::kind") == pytest.approx(expected)


def test_two_columns_of_one_file_have_its_other_columns_as_coordinates() -> None:
    rows = "".join(f"{i},{ROWS[i][0]},{ROWS[i][1]},{OLD[i]},{NEW[i]}\n" for i in "pqrs")
    write("t.csv", f"id,x,y,old,new\n{rows}")
    expected = value("cdistance", "a.csv", "b.csv", coordinates="xy.csv::x,y")
    assert value("cdistance", "t.csv::old", "t.csv::new") == pytest.approx(expected)


def test_every_command_takes_them(capsys: pytest.CaptureFixture[str]) -> None:
    expected = value("cdistance", "a.csv", "b.csv")
    gate = "gate", "a.csv", "b.csv", "--max", "cdistance=1", "-f", "json"
    (verdict,) = json.loads(run_clustcmp(capsys, *gate).stdout)["gates"]
    assert verdict["checks"][0]["found"] == expected
    matrix = clustcmp.matrix(["a.csv", "b.csv"], "cdistance", reference="a.csv")
    assert matrix["cdistance"].tolist() == [expected]
    assert clustcmp.track(["a.csv", "b.csv"], "cdistance")["cdistance"] == (expected,)


def test_a_file_that_is_piped_in_has_them_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, table(NEW, "id,x,y,label"))
    arguments = "compare", "a.csv", "-", "-m", "cdistance", "-f", "json"
    document = json.loads(run_clustcmp(capsys, *arguments).stdout)
    assert document["results"][0]["value"] == pytest.approx(value("cdistance", "a.csv", "b.csv"))


def test_a_column_of_whole_numbers_beside_others_may_be_a_label(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("xy.csv", "id,x,kind\np,0.5,1\nq,0.5,1\nr,1.5,2\ns,1.5,2\n")
    outcome = run_clustcmp(capsys, "compare", "a.csv", "b.csv", "--coordinates", "xy.csv")
    assert "'kind' is whole numbers, unlike the other coordinates" in outcome.stderr
    assert "xy.csv::x" in outcome.stderr
    chosen = run_clustcmp(capsys, "compare", "a.csv", "b.csv", "--coordinates", "xy.csv::x,kind")
    assert "whole numbers" not in chosen.stderr


def test_labels_without_ids_keep_the_coordinates_that_are_given_for_them() -> None:
    # All of b is 5 away from all of a. If b had the coordinates of a, the distance would be 0.
    (result,) = clustcmp.compare(
        pd.Series([0, 0, 1], index=["p", "q", "r"]),
        [0, 0, 1],
        ["cdistance"],
        coordinates_a=pd.DataFrame({"x": [0.0, 1.0, 2.0]}, index=["p", "q", "r"]),
        coordinates_b=[[5.0], [6.0], [7.0]],
    )
    assert result.details["d_ot"] == pytest.approx(5.0)


def test_labels_without_ids_have_the_coordinates_of_their_rows_if_ids_are_fewer() -> None:
    # a is one point at 0; b are two points, at 0 and 4, which is 2 away on average.
    coordinates = pd.DataFrame({"x": [0.0, 4.0]}, index=["p", "q"])
    a, b = pd.Series([0], index=["p"]), [0, 0]
    for one, other in ((a, b), (b, a)):
        (result,) = clustcmp.compare(one, other, ["cdistance"], coordinates=coordinates)
        assert result.details["d_ot"] == pytest.approx(2.0)
