"""Benchmarks of Parquet: labels against pyarrow alone, and whole comparisons against CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tests.bench.clusterings import draw
from tests.bench.measure import CLUSTCMP, Outcome, call, check_same, faster, not_slower, race

# All families of metrics that look at memberships alone.
FAMILIES = ("pair_counting", "information", "set_matching", "element")


def parquet(folder: Path) -> Iterator[Outcome]:
    """10 million string labels, few and many different ones; 2 x 10 million rows with ids."""
    yield from labels(folder)
    yield from whole(folder)


def labels(folder: Path) -> Iterator[Outcome]:
    """Labels of clustcmp against the column of strings of pyarrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    import clustcmp

    random = np.random.default_rng(0)
    path = str(folder / "labels.parquet")
    for n_clusters in (50, 1_000_000):
        names = pa.array([f"cluster {code}" for code in range(n_clusters)])
        codes = random.integers(0, n_clusters, 10_000_000)
        pq.write_table(pa.table({"label": names.take(pa.array(codes))}), path)

        def own() -> Any:
            return clustcmp.read_clustering(path)

        ours, peer = race(3, own, partial(pq.read_table, path, columns=["label"]))
        first = ours.returned.names[int(ours.returned.membership.codes[0])]
        assert first == peer.returned["label"][0].as_py()
        what = f"10 million labels of Parquet, {n_clusters:,} different"
        yield not_slower(what, ours.seconds, peer.seconds, 2)


def whole(folder: Path) -> Iterator[Outcome]:
    """All metrics by membership of 2 x 10 million rows, whole processes, Parquet against CSV."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq

    random = np.random.default_rng(1)
    for name, codes in zip("ab", draw(10_000_000, 50, moved=0.2), strict=True):
        order = random.permutation(len(codes))
        table = pa.table({"id": order, "label": codes[order]})
        pq.write_table(table, folder / f"{name}.parquet")
        plain = pa.csv.WriteOptions(quoting_style="none")
        pa.csv.write_csv(table, folder / f"{name}.csv", plain)
    chosen = [word for name in FAMILIES for word in ("-m", name)]

    def run(ending: str) -> str:
        pair = [str(folder / f"{name}.{ending}") for name in "ab"]
        return call(CLUSTCMP, "compare", *pair, *chosen, "--format", "json")

    ours, peer = race(2, partial(run, "parquet"), partial(run, "csv"))
    values = [
        [result["value"] or 0.0 for result in json.loads(one.returned)["results"]]
        for one in (ours, peer)
    ]
    check_same("Parquet and CSV", *values)
    what = "metrics by membership, 2 x 10 million rows"
    yield faster(f"{what} of Parquet against CSV", ours.seconds, peer.seconds, 3)
