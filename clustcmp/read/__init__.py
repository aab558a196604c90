"""From files and Python objects to clusterings, coordinates and distances."""

from clustcmp.read.address import Address, is_path
from clustcmp.read.clusterings import noise_labels
from clustcmp.read.coordinates import (
    CoordinateTable,
    locate,
    locate_both,
    locate_each,
    order_columns,
)
from clustcmp.read.load import Loaded, Loader, Wanted, read_clustering, two
from clustcmp.read.objects import as_clustering, is_pandas

__all__ = [
    "Address",
    "CoordinateTable",
    "Loaded",
    "Loader",
    "Wanted",
    "as_clustering",
    "is_pandas",
    "is_path",
    "locate",
    "locate_both",
    "locate_each",
    "noise_labels",
    "order_columns",
    "read_clustering",
    "two",
]
