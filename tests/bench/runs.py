"""The benchmark of all pairs of runs on their common points."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import clustcmp
from tests.bench.matrix import many
from tests.bench.measure import Outcome, check_same, faster, timed


def runs(folder: Path) -> Iterator[Outcome]:
    """All 1,225 pairs of 50 runs, each with 80 % of 100,000 points, against a double loop.

    The runs are columns of one table with empty cells, or each has ids of its own. The loop is told
    which points two runs have in common, and joins nothing.
    """
    from sklearn.metrics import adjusted_rand_score

    random = np.random.default_rng(1)
    labels = many(50, 100_000, 20, moved=0.1)
    present = [random.random(100_000) < 0.8 for _ in labels]

    def loop() -> list[float]:
        values = []
        for i, j in combinations(range(len(labels)), 2):
            both = present[i] & present[j]
            values.append(adjusted_rand_score(labels[i][both], labels[j][both]))
        return values

    def own(given: Any) -> list[float]:
        values: list[float] = clustcmp.stability_of(given, "ari").pairs[0].pairs.values.tolist()
        return values

    ids = np.arange(100_000).astype(str)
    columns = {
        str(name): pd.Series(one[mask], ids[mask])
        for name, (one, mask) in enumerate(zip(labels, present, strict=True))
    }
    table = pd.DataFrame(columns, ids)
    peer = timed(loop)
    for what, given, times in (("in a table", table, 3), ("with own ids", columns, 2)):
        ours = timed(partial(own, given))
        check_same(what, ours.returned, peer.returned)
        yield faster(f"ari, all pairs of 50 runs {what}", ours.seconds, peer.seconds, times)
