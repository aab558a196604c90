"""The parts of a report as tables: for data frames, and for the files of --out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from clustcmp.analyses.stability.report import (
    Best,
    ClusterStability,
    CurvePoint,
    StabilityReport,
    Supported,
    SupportedSetting,
)
from clustcmp.records import Record, json_object

Table = tuple[list[str], Iterable[Sequence[Any]]]

KEYS = ("k", "setting")


def record_table(report: StabilityReport, kind: type, records: Sequence[Record]) -> Table:
    """One row for each record, under the names of its fields."""
    names = [one.name for one in fields(kind) if one.name not in KEYS]
    if "floor" in names and not report.settings.all_points:
        names.remove("floor")
    columns = [report.key, *names]
    rows = ([json_object(record).get(name) for name in columns] for record in records)
    return columns, rows


def points_table(report: StabilityReport) -> Table:
    """One row for each point and number of clusters whose clusters are shown."""

    def rows() -> Iterator[Sequence[Any]]:
        for one in report.points:
            names = (*one.clusters, None)
            shares = [None if np.isnan(share) else share for share in one.shares.tolist()]
            for point, code, share in zip(report.ids, one.codes.tolist(), shares, strict=True):
                yield one.value, point, names[code], share

    return [report.key, "id", "cluster", "share"], rows()


def pairs_table(report: StabilityReport) -> Table:
    """One row for each pair of samples and number of clusters; samples are counted from 1."""

    def rows() -> Iterator[Sequence[Any]]:
        for one in report.pairs:
            found = one.pairs
            values = [None if np.isnan(value) else value for value in found.values.tolist()]
            ends = (found.first + 1).tolist(), (found.second + 1).tolist()
            for row in zip(*ends, found.common.tolist(), values, strict=True):
                yield one.value, *row

    return [report.key, "first", "second", "common", "value"], rows()


def labels_table(report: StabilityReport) -> Table:
    """One row for each point, one column for each clustering; empty: not in that sample."""
    columns = ["id"]
    clusterings = []
    width = len(str(report.settings.samples))
    for one in report.labels:
        sample = "all" if one.sample is None else f"{one.sample + 1:0{width}}"
        columns.append(f"{report.settings.varied}{one.value}_{sample}")
        texts = np.full(len(report.ids), "", dtype=object)
        names = np.array(["noise", *map(str, range(1, int(one.numbers.max()) + 1))], dtype=object)
        texts[one.rows] = names[one.numbers]
        clusterings.append(texts.tolist())
    return columns, zip(report.ids, *clusterings, strict=True)


TABLES: dict[str, Callable[[StabilityReport], Table]] = {
    "curve": lambda report: record_table(report, CurvePoint, report.curve),
    "best": lambda report: record_table(report, Best, [report.best] if report.best else []),
    "supported": lambda report: record_table(
        report,
        Supported if report.key == "k" else SupportedSetting,
        [report.supported],
    ),
    "clusters": lambda report: record_table(report, ClusterStability, report.clusters),
    "points": points_table,
    "pairs": pairs_table,
    "labels": labels_table,
}

# The files of --out.
FILES = ("curve", "pairs", "clusters", "points", "labels")
