"""From files and Python objects to clusterings, coordinates and distances."""

from clustcmp.read.address import Address, is_path
from clustcmp.read.load import Loaded, Loader, Wanted, read_clustering, two
from clustcmp.read.objects import as_clustering, is_pandas

__all__ = [
    "Address",
    "Loaded",
    "Loader",
    "Wanted",
    "as_clustering",
    "is_pandas",
    "is_path",
    "read_clustering",
    "two",
]
