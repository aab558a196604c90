"""The numbers of papers, lectures and other programs come out."""

from __future__ import annotations

import csv

import pytest

import clustcmp
from clustcmp.metrics import METRICS
from tests.cases import CASES, HERE

with open(HERE / "metrics" / "known_values.csv", encoding="utf-8", newline="") as file:
    KNOWN = list(csv.DictReader(file))


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: f"{row['case']}-{row['metric']}")
def test_published_values_are_reproduced(row: dict[str, str]) -> None:
    a, b = CASES[row["case"]]
    value = clustcmp.compare(a, b, metrics=[row["metric"]])[row["metric"]]
    half_a_digit = 0.5000001 * 10.0 ** -int(row["decimals"])
    assert value == pytest.approx(float(row["value"]), abs=half_a_digit, rel=0)


def test_every_metric_of_membership_alone_has_a_known_value() -> None:
    of_membership = {name for name, metric in METRICS.items() if not metric.needs_coordinates}
    known = [METRICS.requests([row["metric"]])[0] for row in KNOWN]
    assert {request.metric.name for request in known} == of_membership


def test_every_known_value_names_its_source() -> None:
    assert all(row["source"] for row in KNOWN)
