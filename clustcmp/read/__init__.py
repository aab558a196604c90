"""From files and Python objects to clusterings, coordinates and distances."""

from clustcmp.read.address import Address, is_path
from clustcmp.read.indexes import is_pandas
from clustcmp.read.load import Loaded, Loader, Wanted, read_clustering, two
from clustcmp.read.own import Unlocated

__all__ = [
    "Address",
    "Loaded",
    "Loader",
    "Unlocated",
    "Wanted",
    "is_pandas",
    "is_path",
    "read_clustering",
    "two",
]
