"""From files and Python objects to clusterings."""

from clustcmp.read.clusterings import ReadOptions, read_clustering
from clustcmp.read.objects import as_clustering, have_same_index
from clustcmp.read.source import MAX_BYTES, FileSpec

__all__ = [
    "MAX_BYTES",
    "FileSpec",
    "ReadOptions",
    "as_clustering",
    "have_same_index",
    "read_clustering",
]
