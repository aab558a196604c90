"""The benchmarks: each makes its clusterings, runs clustcmp and its peer, and judges."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tests.bench.clusterings import draw, write_both
from tests.bench.intervals import intervals, many_clusters, scaling
from tests.bench.matrix import matrix
from tests.bench.measure import (
    CLUSTCMP,
    Outcome,
    below,
    call,
    check_same,
    faster,
    not_slower,
    race,
    timed,
)
from tests.bench.parquet import parquet
from tests.bench.runs import runs
from tests.bench.significance import significance
from tests.bench.space import density, internal, same_places, transport
from tests.bench.stability import stability

HERE = Path(__file__).parent
FIVE = ("ari", "ami", "nmi", "v_measure", "fowlkes_mallows")


def files(folder: Path) -> Iterator[Outcome]:
    """Five metrics of 2 x 2 million rows with ids, whole processes."""
    what = "5 metrics, 2 x 2 million rows"
    pair = write_both(folder, 2_000_000, 50, moved=0.2)
    chosen = [word for name in FIVE for word in ("-m", name)]
    ours, peer = race(
        4,
        lambda: call(CLUSTCMP, "compare", *pair, *chosen, "--format", "json"),
        lambda: call(sys.executable, str(HERE / "peer.py"), *pair),
    )
    results = json.loads(ours.returned)["results"]
    expected = json.loads(peer.returned)
    check_same(what, (result["value"] for result in results), (expected[name] for name in FIVE))
    yield faster(what, ours.seconds, peer.seconds, 10)


def contingency(folder: Path) -> Iterator[Outcome]:
    """The contingency of 10 million points in 50 x 50 clusters."""
    from sklearn.metrics.cluster import contingency_matrix

    from clustcmp.model import Hard
    from clustcmp.model.contingency import count_table

    what = "contingency, 10 million points"
    a, b = draw(10_000_000, 50, moved=0.2)

    def count() -> Any:
        counted = count_table(Hard(a, 50), Hard(b, 50))
        table = np.zeros((len(counted.masses_a), len(counted.masses_b)))
        table[counted.rows, counted.columns] = counted.masses
        return table

    ours, peer = race(3, count, lambda: contingency_matrix(a, b))
    check_same(what, ours.returned.flat, peer.returned.flat)
    yield faster(what, ours.seconds, peer.seconds, 10)


def ami(folder: Path) -> Iterator[Outcome]:
    """Adjusted mutual information with many clusters."""
    from sklearn.metrics import adjusted_mutual_info_score

    import clustcmp

    what = "ami, 5,000 x 5,000 clusters"
    a, b = draw(100_000, 5_000, moved=0.5)
    ours, peer = race(
        2,
        lambda: clustcmp.compare(a, b, metrics=["ami"])["ami"],
        lambda: adjusted_mutual_info_score(a, b),
    )
    check_same(what, [ours.returned], [peer.returned])
    yield faster(what, ours.seconds, peer.seconds, 10)


def entities(folder: Path) -> Iterator[Outcome]:
    """A million against a million small clusters, alike and unlike, with the featured metrics."""
    for kind, moved in (("5 % moved", 0.05), ("at random", 1.0)):
        pair = write_both(folder, 3_000_000, 1_000_000, moved)
        ours = timed(partial(call, CLUSTCMP, "compare", *pair))
        yield below(f"a million clusters, {kind}", ours.seconds, 60, "s")


def start(folder: Path) -> Iterator[Outcome]:
    """The help and the version, against the import of the library behind the command line."""
    import_typer = partial(call, sys.executable, "-c", "import typer")
    for option, times in (("--help", 3), ("--version", 2)):
        ours, peer = race(10, partial(call, CLUSTCMP, option), import_typer)
        yield not_slower(f"clustcmp {option}", ours.seconds, peer.seconds, times)


def memory(folder: Path) -> Iterator[Outcome]:
    """The memory for 2 x 10 million rows with ids, with the featured metrics."""
    pair = write_both(folder, 10_000_000, 50, moved=0.2)
    peak = call(sys.executable, str(HERE / "peak.py"), CLUSTCMP, "compare", *pair)
    yield below("memory, 2 x 10 million rows", int(peak) / 1e9, 6, "GB")


BENCHMARKS: dict[str, Callable[[Path], Iterator[Outcome]]] = {
    benchmark.__name__: benchmark
    for benchmark in (
        files,
        contingency,
        ami,
        entities,
        start,
        memory,
        parquet,
        transport,
        density,
        internal,
        same_places,
        intervals,
        many_clusters,
        scaling,
        matrix,
        runs,
        significance,
        stability,
    )
}
