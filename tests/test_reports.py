"""What every report promises, whatever command it belongs to."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from enum import Enum
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clustcmp
from clustcmp.analyses.bounds.verdict import Verdict
from clustcmp.analyses.changes.contributions import Contributions
from clustcmp.analyses.flows.follow import Changes
from clustcmp.analyses.gate.baseline import AcceptedValue, Baseline
from clustcmp.analyses.gate.update import BaselineUpdate
from clustcmp.analyses.metrics import metrics_report
from clustcmp.analyses.parts.report import Parts
from clustcmp.analyses.stability.report import Labels, PointShares, ValuePairs
from clustcmp.analyses.stability.report_of_runs import GroupPairs, GroupPoints
from clustcmp.errors import InputError
from clustcmp.model import Contingency, Described, Origin
from clustcmp.model.columns import Kept, Places
from clustcmp.model.texts import Texts
from clustcmp.options import AtLeast, ForSoft
from clustcmp.records import Record
from clustcmp.results import Joined, Reported
from tests.docs import ROOT

A, B, C = list("aabbcc"), list("xxyyyz"), list("pqpqpq")

# Dataclasses of arrays that are not records: JSON has not the arrays but what they say.
HOLDERS = (
    Changes,
    Contingency,
    Contributions,
    Kept,
    Places,
    Texts,
    AtLeast,
    Origin,
    Labels,
    PointShares,
    ForSoft,
    ValuePairs,
    GroupPairs,
    GroupPoints,
)

LINE = [[float(number)] for number in (1, 2, 3, 11, 12, 13)]

RAND = AcceptedValue("rand", {}, 0.5)
BASELINE = Baseline("base.json", "0.1.0", {}, {}, (6, 6), 3, 3, "1", "2", "3", None, (RAND,))

REPORTS: dict[str, Callable[[], Reported]] = {
    "compare": lambda: clustcmp.compare(A, B),
    "draws": lambda: clustcmp.compare(A, B, ["ari"], permutations=9, seed=1).draws,
    "changes": lambda: clustcmp.changes(A, B),
    "clusters": lambda: clustcmp.per_cluster(A, B),
    "consistency": lambda: clustcmp.consistency([A, B, C]),
    "points": lambda: clustcmp.per_point(A, B),
    "inspect": lambda: clustcmp.inspect(str(ROOT / "examples" / "iris_species.csv")),
    "matrix": lambda: clustcmp.matrix([A, B, C]),
    "stability_of": lambda: clustcmp.stability_of([A, B, C]),
    "stability": lambda: clustcmp.stability(
        LINE, "kmeans", k=2, samples=3, gaussians=0, seed=1, jobs=1
    ),
    "track": lambda: clustcmp.track([A, B, C], min={"ari": 0.9}),
    "gate": lambda: clustcmp.gate(A, B, min={"ari": 0.1}),
    "metrics": lambda: metrics_report(["ari"]),
    "baseline": lambda: BaselineUpdate(None, BASELINE),
}


@pytest.fixture(params=REPORTS)
def report(request: pytest.FixtureRequest) -> Reported:
    """A report of each kind."""
    return REPORTS[request.param]()


def test_all_classes_of_reports_are_tried() -> None:
    tried = {type(build()).__name__ for build in REPORTS.values()}
    # The verdicts of several gates are shown like the verdict of one.
    kinds = {*Reported.__subclasses__(), *Joined.__subclasses__(), *Parts.__subclasses__()}
    kinds -= {Joined, Parts}
    assert {kind.__name__ for kind in kinds} == tried | {"Verdicts"}


def test_the_json_of_a_report_is_its_dictionary(report: Reported) -> None:
    document = report.to_dict()
    assert document["schema"] == f"clustcmp/{report.command}/1"
    assert json.loads(report.to_text("json")) == json.loads(json.dumps(document))


def test_a_report_says_what_was_compared_and_what_to_know_about_it(report: Reported) -> None:
    assert all(isinstance(side, Described) for side in report.inputs)
    assert all(isinstance(note, str) for note in report.notes)


def test_a_report_can_be_a_data_frame(report: Reported) -> None:
    frame = report.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert not frame.empty


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_plain_data_that_can_be_pickled(name: str) -> None:
    report = REPORTS[name]()
    assert pickle.loads(pickle.dumps(report)).to_dict() == report.to_dict()


@pytest.mark.parametrize("name", REPORTS)
def test_reports_with_the_same_content_are_equal(name: str) -> None:
    report = REPORTS[name]()
    assert report == REPORTS[name]()
    assert report == pickle.loads(pickle.dumps(report))
    assert report == replace(report)  # type: ignore[type-var]
    assert report != REPORTS["compare" if name != "compare" else "changes"]()


def test_reports_on_changes_with_other_content_differ() -> None:
    report = clustcmp.changes(A, B)
    assert report != clustcmp.changes(A, list("xxyyzz"))
    assert report != clustcmp.changes(A, list("uuvvvw"))
    assert report != replace(report, noise_label="-1")


def test_a_verdict_holds_the_words_of_an_error_and_not_the_error() -> None:
    verdict = Verdict.of_error(InputError("lost", hint="find it"), "nightly")
    assert verdict == pickle.loads(pickle.dumps(verdict))
    assert (verdict.error, verdict.hint, verdict.exit_status) == ("lost", "find it", 2)


# What a report may hold besides containers: texts, numbers, words, arrays and types.
PLAIN = (str, int, float, bool, type(None), Enum, np.ndarray, type)


def parts_of(value: Any) -> Iterator[Any]:
    """Everything that a value holds, down to what is not a container."""
    if isinstance(value, (Record, *HOLDERS)):
        parts = [getattr(value, one.name) for one in fields(value)]  # type: ignore[arg-type]
    elif isinstance(value, dict):
        parts = [*value, *value.values()]
    elif isinstance(value, list | tuple):
        parts = list(value)
    else:
        yield value
        return
    for part in parts:
        yield from parts_of(part)


def test_a_report_holds_no_function_no_clustering_and_no_error(report: Reported) -> None:
    for part in parts_of(report):
        assert isinstance(part, PLAIN), type(part)


@pytest.mark.parametrize("name", ["compare", "matrix", "track"])
def test_copies_of_a_report_know_the_aliases_of_metrics(name: str) -> None:
    report: Any = REPORTS[name]()
    for copy in (replace(report), pickle.loads(pickle.dumps(report))):
        assert np.array_equal(copy["ari"], report["adjusted_rand"])
    with pytest.raises(KeyError):
        report["nmi:average=geometric"]


def test_a_copy_of_a_report_on_given_distances_knows_that_they_are_the_ground() -> None:
    report = clustcmp.compare(A, B, "cdistance", distances=np.ones((6, 6)))
    assert report[0].metric == "cdistance:ground=precomputed"
    assert pickle.loads(pickle.dumps(report))["cdistance"] == report[0].value


def test_every_report_has_a_text_for_people(report: Reported) -> None:
    for form in ("table", "markdown"):
        assert report.to_text(form).endswith("\n")
        assert report.to_text(form).strip()
