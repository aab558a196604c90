"""Clusterings whose values are known from a paper, a lecture or another program."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

Labels = list[int]
Pair = tuple[Labels, Labels]

HERE = Path(__file__).parent


def from_table(*rows: list[int]) -> Pair:
    """Two clusterings with this contingency: rows are the clusters of a, columns those of b."""
    cells = [(k, j, count) for k, row in enumerate(rows) for j, count in enumerate(row)]
    a = [k for k, _, count in cells for _ in range(count)]
    b = [j for _, j, count in cells for _ in range(count)]
    return a, b


def from_examples(a: str, b: str) -> tuple[list[str], list[str]]:
    """The labels of two example files, joined by id."""
    tables = []
    for name in (a, b):
        with open(HERE.parent / "examples" / name, encoding="utf-8", newline="") as file:
            tables.append({row["id"]: row["label"] for row in csv.DictReader(file)})
    return list(tables[0].values()), [tables[1][point] for point in tables[0]]


CASES: dict[str, tuple[list[Any], list[Any]]] = {
    # The lecture's example: a is the ground truth, b the prediction.
    "lecture": ([1, 1, 2, 2, 2, 3, 4, 4, 5], [1, 1, 1, 2, 2, 3, 3, 3, 3]),
    # Bae's figure 1: three clusters of ten points, five of the first moved to the second.
    "bae": from_table([5, 5, 0], [0, 10, 0], [0, 0, 10]),
    # Zaki and Meira's tables for iris, transposed: a are the species.
    "zaki_good": from_table([0, 50, 0], [47, 0, 3], [14, 0, 36]),
    "zaki_bad": from_table([30, 20, 0], [0, 4, 46], [0, 0, 50]),
    "iris_good": from_examples("iris_species.csv", "iris_kmeans_good.csv"),
    "iris_bad": from_examples("iris_species.csv", "iris_kmeans_bad.csv"),
    "entities": from_examples("entities/truth.csv", "entities/found.csv"),
    # Two clusters against the other diagonal: as different as four points can be.
    "crossed": ([0, 0, 1, 1], [0, 1, 0, 1]),
    # The example of scikit-learn's tests and of ELKI: three classes of 6, 6 and 5 points.
    "elki": (list("AAAAAABBBBBBCCCCC"), list("xxxxyxyyyyzxzzzyy")),
    # The examples of er-evaluation's help: of B-cubed, and of clusters.
    "er_points": (list("AAABBCCD"), list("xxyzyuuu")),
    "er_clusters": (list("AAABBCCD"), list("xxyzyuuv")),
    # Warrens and van der Hoef 2022, table 6: two large clusters agree, two small ones are mixed.
    "warrens": from_table([20, 0, 0, 0], [0, 20, 0, 0], [0, 0, 4, 4], [0, 0, 4, 4]),
    # A cluster of six splits in two, another one of two stays.
    "split": from_table([4, 2, 0], [0, 0, 2]),
}
