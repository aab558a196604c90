"""The iris files of the examples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from .points import Codes, Points

EXAMPLES = Path(__file__).resolve().parents[1]
SPECIES = EXAMPLES / "iris_species.csv"
GOOD = EXAMPLES / "iris_kmeans_good.csv"
BAD = EXAMPLES / "iris_kmeans_bad.csv"


def read_iris() -> tuple[Points, Codes]:
    """The four attributes (150, 4) of the flowers, and their species; 50 of each in turn."""
    attributes = np.loadtxt(
        EXAMPLES / "iris.csv", delimiter=",", skiprows=1, usecols=range(1, 5), encoding="utf-8"
    )
    return attributes, np.repeat(np.arange(3), 50)


def principal_components() -> pd.DataFrame:
    """The first two principal components (150, 2), centred and not scaled, by the ids."""
    attributes = pd.read_csv(EXAMPLES / "iris.csv", index_col="id")
    centred = attributes.to_numpy() - attributes.to_numpy().mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2]
    return pd.DataFrame(centred @ axes[:2].T, index=attributes.index)
