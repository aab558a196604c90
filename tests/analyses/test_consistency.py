"""Which points move from run to run."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import combinations

import jsonschema
import numpy as np
import pandas as pd
import pytest

import clustcmp
from clustcmp.errors import InputError, UsageError
from tests.files import run_clustcmp

FILES = tuple(f"examples/iris_{name}.csv" for name in ("species", "kmeans_good", "kmeans_bad"))


def test_a_point_that_stays_with_its_company_has_1() -> None:
    # Point 4 is alone in all runs; 3 is with 1 and 2 once: 1 and 2 score 2/3 in two of three pairs,
    # point 3 scores 1/3 in these.
    runs = [list("xxxy"), list("ppqr"), list("aabc")]
    frame = clustcmp.consistency(runs).to_frame()["element_consistency"]
    expected = {"1": (1 + 2 / 3 + 2 / 3) / 3, "3": (1 + 1 / 3 + 1 / 3) / 3, "4": 1.0}
    for point, value in expected.items():
        assert frame[point] == pytest.approx(value, abs=1e-12)
    assert frame.index[0] == "3"


def test_it_is_the_mean_of_the_points_of_all_pairs() -> None:
    generator = np.random.default_rng(5)
    runs = [generator.integers(0, 4, 60).tolist() for _ in range(5)]
    found = clustcmp.consistency(runs, jobs=2).to_frame()["element_consistency"]
    pairs = [
        clustcmp.per_point(a, b, "element_centric").to_frame()["element_centric"]
        for a, b in combinations(runs, 2)
    ]
    expected = pd.concat(pairs, axis=1).mean(axis=1)
    assert found.sort_index().tolist() == pytest.approx(expected.sort_index().tolist())


def test_the_command_shows_the_worst_points(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("matrix", *FILES, "--per", "point")
    text = run_clustcmp(capsys, *words, "--top", "2").stdout
    assert text.startswith("3 clusterings of 150 points, joined by id")
    assert "not shown: 148 more points, none of them worse; --all shows all" in text
    document = json.loads(run_clustcmp(capsys, *words, "-f", "json").stdout)
    schema = files("clustcmp.schemas") / "consistency-1.json"
    jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(
        document
    )
    values = [row["element_consistency"] for row in document["points"]]
    assert len(values) == 150
    assert values == sorted(values)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--per", "point", "-m", "ari"), "ari: has no value for each point"),
        (("--per", "point", "--reference", FILES[0]), "--reference is about a matrix"),
        (("--per", "point", "--order", "given"), "--order is about a matrix"),
        (("--all",), "--all has no effect without --per"),
    ],
)
def test_what_belongs_to_a_matrix_is_refused(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run_clustcmp(capsys, "matrix", *FILES, *words)
    assert (done.status, done.stdout) == (2, "")
    assert message in done.stderr


def test_runs_of_other_points_and_soft_runs_are_refused() -> None:
    one, other = pd.Series([1, 1], index=["x", "y"]), pd.Series([1, 1], index=["y", "z"])
    for points in ("error", "intersect"):
        with pytest.raises(InputError, match="has other points than"):
            clustcmp.consistency({"one": one, "other": other}, points=points)
    with pytest.raises(UsageError, match="is soft"):
        clustcmp.consistency([[[0.5, 0.5], [1.0, 0.0]], [0, 1]])
    with pytest.raises(UsageError, match="element_consistency needs two"):
        clustcmp.consistency([[1, 2]])
