"""Made clusterings, the same in every run, as arrays and as files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int32]


class Files(NamedTuple):
    """The files of two clusterings of the same points."""

    a: str
    b: str


def draw(n_points: int, n_clusters: int, moved: float) -> tuple[Codes, Codes]:
    """A random clustering, and the same with a share of the points moved to random clusters."""
    random = np.random.default_rng(0)
    a, other = random.integers(0, n_clusters, (2, n_points), dtype=np.int32)
    return a, np.where(random.random(n_points) < moved, other, a)


def write_both(folder: Path, n_points: int, n_clusters: int, moved: float) -> Files:
    """Two files with the points in different orders."""
    random = np.random.default_rng(1)
    paths = folder / "a.csv", folder / "b.csv"
    for path, codes in zip(paths, draw(n_points, n_clusters, moved), strict=True):
        write(path, codes, random.permutation(n_points))
    return Files(*map(str, paths))


def write(path: Path, codes: Codes, order: npt.NDArray[np.int64]) -> None:
    """A file with the ids point-0, point-1, ... and whole numbers as labels, in this order.

    Labels that are no numbers would make scikit-learn several times slower, and not clustcmp.
    """
    import pyarrow as pa
    import pyarrow.compute
    import pyarrow.csv

    numbers = pa.array(order).cast(pa.string())
    ids = pa.compute.binary_join_element_wise("point-", numbers, "")
    with path.open("wb") as file:
        # Arrow would quote the header, and pandas does not.
        file.write(b"id,label\n")
        pa.csv.write_csv(
            pa.table({"id": ids, "label": codes[order]}),
            file,
            pa.csv.WriteOptions(include_header=False, quoting_style="none"),
        )
