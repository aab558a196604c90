"""Ground distances between points, and where points coincide."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, cast

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import InputError
from clustcmp.options import Options

GroundName = Literal[
    "euclidean", "cityblock", "chebyshev", "cosine", "sqeuclidean", "haversine", "precomputed"
]
Ground = Annotated[
    GroundName,
    "the distance between points; haversine takes latitude and longitude in degrees, "
    "precomputed stands for the distances that are given.",
]

# Ground distances for which the triangle inequality holds. Only for these is there
# always an optimal plan that leaves shared mass where it is.
TRUE_METRICS = frozenset({"euclidean", "cityblock", "chebyshev", "haversine"})

# Ground distances that are |x - y| where points have one coordinate.
LINEAR = frozenset({"euclidean", "cityblock", "chebyshev"})


def kind_of_ground(options: Options) -> str:
    """The convention of a metric whose values depend on the ground distance: its name."""
    return str(options["ground"])


def ground_distances(x: Floats, y: Floats, ground: str) -> Floats:
    """The (m, n) distances between m and n points, given by their coordinates (m, d) and (n, d)."""
    if ground == "haversine":
        return haversine(x, y)
    from scipy.spatial.distance import cdist

    if ground == "cosine" and not (x.any(axis=1).all() and y.any(axis=1).all()):
        raise InputError(
            "the cosine distance of a point at the origin is 0/0",
            hint="shift the coordinates, drop that point, or choose another ground",
        )
    distances: Floats = cdist(x, y, metric=cast(Any, ground))
    if ground == "cosine":
        # Between points in the same direction the distance is 0, but a rounding error is computed.
        distances[distances <= 1e-15] = 0.0
    return distances


def unit_of(values: Floats) -> float:
    """The smallest power of two above every absolute value; dividing by it is exact."""
    return math.ldexp(1.0, min(math.frexp(float(np.abs(values).max(initial=0.0)))[1], 1023))


def distance_unit(coordinate_unit: float, ground: str) -> float:
    """The unit of the distances between coordinates that were divided by their unit."""
    if ground in ("cosine", "haversine"):
        return 1.0
    return coordinate_unit * coordinate_unit if ground == "sqeuclidean" else coordinate_unit


def haversine(x: Floats, y: Floats) -> Floats:
    """Great-circle distances on the unit sphere, in radians."""
    if x.shape[1] != 2:
        raise InputError(
            f"haversine needs two coordinates, latitude and longitude, but there are {x.shape[1]}",
            hint="choose them with FILE::LATITUDE,LONGITUDE",
        )
    for coordinates in (x, y):
        if np.abs(coordinates[:, 0]).max(initial=0.0) > 90.0:
            raise InputError(
                f"a latitude of {np.abs(coordinates[:, 0]).max():g} degrees is not possible",
                hint="haversine takes latitude first, then longitude: FILE::LATITUDE,LONGITUDE",
            )
    latitude_x, longitude_x = np.radians(x.T)[:, :, None]
    latitude_y, longitude_y = np.radians(y.T)[:, None, :]
    chord = np.sin((latitude_x - latitude_y) / 2.0) ** 2
    chord += (
        np.cos(latitude_x) * np.cos(latitude_y) * np.sin((longitude_x - longitude_y) / 2.0) ** 2
    )
    arc: Floats = 2.0 * np.arcsin(np.sqrt(np.minimum(chord, 1.0)))
    return arc


def merge_places(coordinates: Floats) -> tuple[Floats, Integers]:
    """The different places (m, d) among n points in lexical order, and the place of each point."""
    order = np.lexsort(coordinates.T[::-1])
    ordered = coordinates[order]
    is_new = np.ones(len(ordered), dtype=np.bool_)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    place_of_point = np.empty(len(ordered), dtype=np.int64)
    place_of_point[order] = np.cumsum(is_new) - 1
    return ordered[is_new], place_of_point
