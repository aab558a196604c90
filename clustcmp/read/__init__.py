"""From files and Python objects to clusterings, coordinates and distances."""

from clustcmp.read.clusterings import noise_labels, read_clustering, read_clusterings
from clustcmp.read.coordinates import (
    CoordinateTable,
    locate_both,
    locate_each,
    order_columns,
    read_coordinates,
    read_distances,
)
from clustcmp.read.objects import (
    Space,
    as_clustering,
    as_coordinates,
    enter_space,
    is_pandas,
    rows_correspond,
)
from clustcmp.read.source import FileSpec

__all__ = [
    "CoordinateTable",
    "FileSpec",
    "Space",
    "as_clustering",
    "as_coordinates",
    "enter_space",
    "is_pandas",
    "locate_both",
    "locate_each",
    "noise_labels",
    "order_columns",
    "read_clustering",
    "read_clusterings",
    "read_coordinates",
    "read_distances",
    "rows_correspond",
]
