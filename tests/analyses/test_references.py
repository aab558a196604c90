"""A matrix with one reference or several: one table, its order, and the best over references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

import clustcmp
from clustcmp.analyses.several.references import list_references
from clustcmp.errors import UsageError
from clustcmp.metrics import METRICS
from clustcmp.model import Contingency
from clustcmp.results import Estimate
from tests.analyses.test_matrix import IRIS, SOFT, TABLE, compared, matrix_json, refused
from tests.files import run_clustcmp, write

TRUTH = [0, 0, 0, 1, 1, 1]
# One point moved, one cluster divided, and each point alone.
OTHERS = {
    "moved": [0, 0, 1, 1, 1, 1],
    "halves": [0, 0, 0, 1, 1, 2],
    "single": [0, 1, 2, 3, 4, 5],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has its own folder."""
    monkeypatch.chdir(tmp_path)


def write_labels(name: str, labels: Sequence[int]) -> str:
    """A file of labels with ids."""
    rows = "".join(f"p{position},{label}\n" for position, label in enumerate(labels))
    return write(name, f"id,label\n{rows}")


labelings = st.integers(2, 8).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=2, max_size=4)] * 2
    )
)


@given(labelings)
def test_each_clustering_is_compared_with_each_reference(
    both: tuple[list[list[int]], list[list[int]]],
) -> None:
    labels, references = both
    report = clustcmp.matrix(
        labels, ["ari", "nmi"], reference=[np.array(one) for one in references], jobs=1
    )
    for metric, peer in (("ari", adjusted_rand_score), ("nmi", normalized_mutual_info_score)):
        expected = np.array([[peer(a, b) for b in labels] for a in references])
        assert report[metric] == pytest.approx(expected, abs=1e-9)


@given(labelings)
def test_the_best_is_the_best_over_all_references(
    both: tuple[list[list[int]], list[list[int]]],
) -> None:
    labels, references = both
    given_references = [np.array(one) for one in references]
    every = clustcmp.matrix(labels, ["ari", "vi"], reference=given_references, jobs=1)
    best = clustcmp.matrix(labels, ["ari", "vi"], reference=given_references, best=True, jobs=1)
    assert best["ari"].tolist() == every["ari"].max(axis=0).tolist()
    assert best["vi"].tolist() == every["vi"].min(axis=0).tolist()
    names = best.to_frame(number="reference")
    for position, name in enumerate(best.names):
        chosen = str(names.loc[name, "adjusted_rand"])
        row = [one.name for one in every.references].index(chosen)
        assert every["ari"][row, position] == best["ari"][position]


def test_the_table_is_sorted_by_the_first_metric_or_the_one_that_is_named() -> None:
    homogeneous = clustcmp.matrix(OTHERS, ["homogeneity", "ari"], reference=TRUTH)
    # Each cluster of halves and of single lies within one of TRUTH.
    assert [homogeneous.names[at] for at in homogeneous.order] == ["halves", "single", "moved"]
    by_ari = clustcmp.matrix(OTHERS, ["homogeneity", "ari"], reference=TRUTH, sort="ari")
    scores = {name: adjusted_rand_score(TRUTH, labels) for name, labels in OTHERS.items()}
    expected = sorted(scores, key=lambda name: -scores[name])
    assert [by_ari.names[at] for at in by_ari.order] == expected == ["halves", "moved", "single"]
    assert by_ari.to_frame().index.tolist() == expected
    assert by_ari.sorted_by == "adjusted_rand"
    # A distance has its lowest value first.
    by_vi = clustcmp.matrix(OTHERS, ["ari", "vi"], reference=TRUTH, sort="vi").to_frame()
    assert by_vi["variation_of_information"].is_monotonic_increasing


def test_a_metric_without_a_direction_sorts_from_the_highest_value_if_it_is_named() -> None:
    metrics = ["entropy_b", "ari"]
    assert clustcmp.matrix(OTHERS, metrics, reference=TRUTH).order == (0, 1, 2)
    # The entropies are those of 2, 3 and 6 clusters.
    assert clustcmp.matrix(OTHERS, metrics, reference=TRUTH, sort="entropy_b").order == (2, 1, 0)


@pytest.mark.parametrize("word", ["nmi", "nmi:average=geometric", "normalized_mutual_information"])
def test_the_options_of_the_metric_to_sort_by_need_not_be_repeated(word: str) -> None:
    metrics = ["ari", "nmi:average=geometric"]
    report = clustcmp.matrix(OTHERS, metrics, reference=TRUTH, sort=word)
    assert report.sorted_by == "nmi:average=geometric"


AVERAGES = ["-m", "nmi:average=min", "-m", "nmi:average=max"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--reference", "t.csv", "--sort", "nmii"], ["--sort nmii", "did you mean 'nmi'?"]),
        (["--reference", "t.csv", "--sort", "nmi"], ["no such column", "add -m nmi"]),
        (["--sort", "ari"], ["--sort", "--reference FILE"]),
        (["--best"], ["--best", "--reference FILE"]),
        (["--reference", "t.csv", "--sort", "ari", "--order", "given"], ["two orders"]),
        (["--reference", "t.csv", "--reference", "t.csv"], ["t.csv is given twice"]),
        (["--reference", "t.csv", "--reference", "gone.csv"], ["gone.csv"]),
        (["--reference", "t.csv", "-m", "entropy_a", "--best"], ["what is better"]),
        (["--reference", "t.csv", "-m", "information", "--sort", "rand"], ["no such column"]),
        (
            ["--reference", "t.csv", *AVERAGES, "--sort", "nmi"],
            ["several such columns"],
        ),
    ],
)
def test_wrong_calls_are_refused(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write_labels("a.csv", OTHERS["moved"]), write_labels("b.csv", OTHERS["halves"])]
    write_labels("t.csv", TRUTH)
    message = refused(capsys, *files, *arguments)
    assert all(word in message for word in words)


def test_the_metric_to_sort_by_must_apply(capsys: pytest.CaptureFixture[str]) -> None:
    soft = [*SOFT, "--reference", IRIS[0], "-m", "information"]
    assert "ami" not in [one["name"] for one in matrix_json(capsys, *soft)["results"]]
    assert "needs hard clusterings" in refused(capsys, *soft, "--sort", "ami")


def test_the_best_leaves_out_metrics_of_a_family_without_a_direction(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--reference", SOFT[0], "--reference", SOFT[1], "-m", "information", "--best"]
    document = matrix_json(capsys, *IRIS, *words)
    assert all(one["higher_is_better"] is not None for one in document["results"])
    assert "not applicable (does not say what is better): entropy_a" in document["notes"]


# What a program may rely on since the first version.
FIELDS = {"inputs", "joined_by", "notes", "reference", "results", "schema", "version"}
FIELDS_OF_RESULT = {"best", "higher_is_better", "metric", "name", "options", "ranking", "worst"}


def test_json_of_one_reference_keeps_its_fields(capsys: pytest.CaptureFixture[str]) -> None:
    document = matrix_json(capsys, *IRIS[1:], "--reference", IRIS[0], "-m", "vi", "-m", "ari")
    assert set(document) - {"references", "sorted_by"} == FIELDS
    assert document["reference"]["name"] == IRIS[0]
    assert document["references"] == [document["reference"]]
    assert document["sorted_by"] == "variation_of_information"
    for result in document["results"]:
        assert set(result) == FIELDS_OF_RESULT
        for one in result["ranking"]:
            assert set(one) == {"name", "value", "status", "reason", "bounds", "reference"}
            assert one["reference"] == IRIS[0]
    square = matrix_json(capsys, *IRIS)
    assert (square["references"], square["sorted_by"], square["reference"]) == ([], None, None)


@pytest.mark.parametrize("best", [False, True])
def test_json_names_the_reference_of_each_value(
    best: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    references = [IRIS[0], SOFT[0]]
    words = [word for reference in references for word in ("--reference", reference)]
    more = ["--best"] if best else []
    document = matrix_json(capsys, *IRIS[1:], SOFT[1], *words, "-m", "adjusted_rand", *more)
    assert [one["name"] for one in document["references"]] == references
    ranking = document["results"][0]["ranking"]
    assert len(ranking) == 3 if best else 6
    values = [one["value"] for one in ranking]
    assert values == sorted(values, reverse=True)
    for one in ranking:
        found = [
            compared(reference, one["name"], ["adjusted_rand"])["adjusted_rand"]
            for reference in references
        ]
        assert one["value"] == found[references.index(one["reference"])]
        assert not best or one["value"] == max(value for value in found if value is not None)


def test_clusterings_that_are_references_are_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    document = matrix_json(capsys, *IRIS, "--reference", IRIS[0], "--reference", IRIS[2])
    assert [one["name"] for one in document["inputs"]] == [IRIS[1]]


def test_several_columns_of_a_file_are_several_references(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("t.csv", TABLE)
    write("found.csv", "id,label\nc1,1\nc2,1\nc3,2\nc4,2\n")
    document = matrix_json(capsys, "found.csv", "--reference", "t.csv::l*", "--best")
    names = [one["name"] for one in document["references"]]
    assert names == ["t.csv::leiden", "t.csv::louvain"]
    (only,) = document["results"][0]["ranking"]
    assert (only["value"], only["reference"]) == (1.0, "t.csv::leiden")


def test_values_that_are_missing_do_not_count_for_the_best(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--reference", SOFT[0], "--reference", IRIS[0], "--best", "-m", "ami"]
    ranking = matrix_json(capsys, *IRIS[1:], SOFT[1], *words)["results"][0]["ranking"]
    assert [one["reference"] for one in ranking[:2]] == [IRIS[0]] * 2
    assert (ranking[2]["name"], ranking[2]["status"]) == (SOFT[1], "not_applicable")


def approximate(name: str) -> Any:
    """A metric whose values are known up to a quarter if a has two clusters, else exact."""
    metric = METRICS[name]
    exact: Any = metric.compute

    def estimate(table: Contingency, **options: object) -> float | Estimate:
        value = float(exact(table))
        return value if len(table.masses_a) != 2 else Estimate(value, value - 0.25, value + 0.25)

    # Ends and conventions of some metrics depend on options, which the estimate does not have.
    changed = replace(metric, compute=estimate, ends=None, convention="")
    return patch.dict(METRICS._words, {name: changed})


def test_the_best_of_approximate_values_has_the_interval_of_the_best() -> None:
    references = [np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 2, 2])]
    labels = [0, 0, 1, 1, 1, 1]
    with approximate("rand"):
        report = clustcmp.matrix([labels], "rand", reference=references, best=True)
    # Rand by hand: 10 of 15 pairs agree with the first reference, 11 with the second, which is
    # exact. The exact value of the first may be up to 10/15 + 1/4.
    result = report.matrices[0].cells[0][0]
    assert result.value == pytest.approx(11 / 15)
    assert result.proven == pytest.approx((11 / 15, 10 / 15 + 0.25))
    # Mirkin's distance is twice the pairs that do not agree: 10 and 8. The lower one is better.
    with approximate("mirkin"):
        report = clustcmp.matrix([labels], "mirkin", reference=references, best=True)
    result = report.matrices[0].cells[0][0]
    assert (result.value, result.proven) == (8.0, (8.0, 8.0))


LABELS = ["a", "a", "b"]
GIVEN: dict[str, tuple[Any, int]] = {
    "nothing": (None, 0),
    "a path": ("a.csv", 1),
    "paths": (["a.csv", Path("b.csv")], 2),
    "labels that are texts": (LABELS, 1),
    "labels that are numbers": ([0, 0, 1], 1),
    "lists of labels": ([LABELS, LABELS], 2),
    "a tuple of lists": (([0, 0, 1], [0, 1, 1]), 2),
    "arrays": ([np.array([0, 0, 1]), np.array(LABELS)], 2),
    "a series and a path": ([pd.Series(LABELS), "a.csv"], 2),
    "labels by id": ([{"p": 1, "q": 2}, {"p": 1, "q": 1}], 2),
    "one mapping": ({"p": 1, "q": 2}, 1),
    "rows of degrees": ([[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]], 1),
    "rows with a single 1": ([[1, 0], [0, 1], [1, 0]], 1),
    "an array of degrees": (np.array([[0.5, 0.5], [0.25, 0.75]]), 1),
    "lists of different length": ([[0, 1], [0, 1, 1]], 2),
    "an empty list": ([], 1),
}


@pytest.mark.parametrize("case", GIVEN.values(), ids=GIVEN)
def test_a_list_of_clusterings_is_several_references(case: tuple[Any, int]) -> None:
    reference, number = case
    assert len(list_references(reference)) == number


def test_the_library_finds_references_by_name_or_as_objects() -> None:
    everyone = {"truth": TRUTH, **OTHERS}
    by_name = clustcmp.matrix(everyone, reference=["truth", "single"])
    assert by_name.names == ["moved", "halves"]
    assert by_name["ari"].shape == (2, 2)
    objects = clustcmp.matrix(OTHERS, reference=[TRUTH, OTHERS["single"]])
    assert [one.name for one in objects.references] == ["reference 1", "reference 2"]
    assert objects["ari"][0, 0] == by_name["ari"][0, 0]
    with pytest.raises(UsageError, match="name one with reference="):
        clustcmp.matrix(OTHERS, best=True)


def test_a_frame_of_several_references_has_a_column_for_each() -> None:
    everyone = {"truth": TRUTH, **OTHERS}
    report = clustcmp.matrix(everyone, ["ari", "nmi"], reference=["truth", "single"])
    frame = report.to_frame()
    assert frame.columns.names == ["metric", "reference"]
    assert frame["nmi"].columns.tolist() == ["truth", "single"]
    expected = normalized_mutual_info_score(OTHERS["single"], OTHERS["moved"])
    assert frame.loc["moved", ("nmi", "single")] == pytest.approx(expected)
    best = clustcmp.matrix(everyone, "nmi", reference=["truth", "single"], best=True)
    highest = np.maximum(frame["nmi", "truth"], frame["nmi", "single"])
    assert best.to_frame()["nmi"][frame.index].tolist() == highest.tolist()
    assert set(best.to_frame(number="reference")["nmi"]) <= {"truth", "single"}


def test_a_reference_is_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    files = [write_labels(f"{name}.csv", labels) for name, labels in OTHERS.items()]
    before = Path(files[1]).read_text(encoding="utf-8")
    words = ["--reference", files[0], "--reference", files[1], "-o", files[1]]
    assert "already reads" in run_clustcmp(capsys, "matrix", files[2], *words).stderr
    assert Path(files[1]).read_text(encoding="utf-8") == before
