"""Functions and tasks as bytes, in which large arrays are replaced by the digests of their content.

An array that several functions need, such as the coordinates, is sent once, whatever the functions.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

# Smaller arrays travel within the bytes: a digest in their place would save little.
LARGE = 1 << 15


class Packer(pickle.Pickler):
    """Pickles an object and keeps its large arrays apart, by their digests."""

    def __init__(self, file: io.BytesIO) -> None:
        """Nothing is pickled yet."""
        super().__init__(file, protocol=5)
        self.arrays: dict[str, Array] = {}

    def persistent_id(self, one: Any) -> str | None:
        """The digest of a large array; None for anything else."""
        if type(one) is not np.ndarray or one.nbytes < LARGE or one.dtype.hasobject:
            return None
        # Other arrays would have another layout after their journey, and be summed in another order
        # than those that pickle copies.
        if not (one.flags.c_contiguous or one.flags.f_contiguous):
            return None
        digest = digest_of(one)
        self.arrays[digest] = one
        return digest


class Unpacker(pickle.Unpickler):
    """Unpickles what a `Packer` pickled."""

    def __init__(self, data: bytes, arrays: Mapping[str, Array]) -> None:
        """Nothing is unpickled yet."""
        super().__init__(io.BytesIO(data))
        self._arrays = arrays

    def persistent_load(self, digest: str) -> Array:
        """The array with this digest."""
        array = self._arrays[digest]
        # An array may begin anywhere in what was received. numpy sums such an array piece by piece,
        # which rounds in another way.
        return array if array.flags.aligned else array.copy(order="K")


def digest_of(array: Array) -> str:
    """A name for the content of a contiguous array, its type, shape and layout."""
    layout = (array.dtype.str, array.shape, array.flags.c_contiguous)
    content = array.ravel(order="K").view(np.uint8)
    return blake2b(content.data, digest_size=16, key=repr(layout).encode()[:64]).hexdigest()


def pack(one: Any) -> tuple[bytes, dict[str, Array]]:
    """An object as bytes, and its large arrays by their digests."""
    file = io.BytesIO()
    packer = Packer(file)
    packer.dump(one)
    return file.getvalue(), packer.arrays


def unpack(data: bytes, arrays: Mapping[str, Array]) -> Any:
    """The object that was packed."""
    return Unpacker(data, arrays).load()
