"""From files and Python objects to clusterings, coordinates and distances."""

from clustcmp.read.clusterings import ReadOptions, read_clustering
from clustcmp.read.coordinates import read_coordinates, read_distances
from clustcmp.read.objects import Space, as_clustering, enter_space, is_pandas, rows_correspond
from clustcmp.read.source import FileSpec

__all__ = [
    "FileSpec",
    "ReadOptions",
    "Space",
    "as_clustering",
    "enter_space",
    "is_pandas",
    "read_clustering",
    "read_coordinates",
    "read_distances",
    "rows_correspond",
]
