"""Arrays that numpy saved: .npy holds one, .npz several by their names; never unpickled."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.errors import InputError, plural
from clustcmp.read.typed_table import TypedTable, table_of
from clustcmp.settings import MAX_BYTES

# How files begin that np.save and np.savez write, and how a pickle begins.
NPY, ZIP, PICKLE = b"\x93NUMPY", b"PK", b"\x80"

EXPECTED = "labels in one dimension, or degrees or coordinates in two, a row for each point"


def parse_npy(name: str, data: bytes, has_header: bool | None) -> TypedTable:
    """One array: a column if it has one dimension, else its columns, called 1, 2, ..."""
    check_start(name, data, NPY)
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception as error:  # noqa: BLE001  see broken
        raise broken(name, error) from None
    columns = split(name, array)
    numbered = {str(number + 1): column for number, column in enumerate(columns)}
    return table_of(name, numbered, has_header=False)


def parse_npz(name: str, data: bytes, has_header: bool | None) -> TypedTable:
    """Several arrays: those of one dimension are columns, of two dimensions several: NAME.1 …

    A single array without a further name is read as in a .npy file.
    """
    check_start(name, data, ZIP)
    try:
        check_size(name, data)
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files}
    except Exception as error:  # noqa: BLE001  see broken
        raise broken(name, error) from None
    if not arrays:
        raise InputError(f"{name}: holds no array", hint=f"save {EXPECTED}")
    sizes = {key: len(array) if array.ndim else 0 for key, array in arrays.items()}
    if len(set(sizes.values())) > 1:
        shown = ", ".join(f"{key!r} has {size}" for key, size in sizes.items())
        raise InputError(
            f"{name}: its arrays have different numbers of rows: {shown}",
            hint="save arrays of the same points together, others in a file of their own",
        )
    columns: dict[str, Any] = {}
    named: dict[str, tuple[str, ...]] = {}
    for key, array in arrays.items():
        parts = split(f"{name}: {key}", array)
        if array.ndim == 1:
            columns[key] = parts[0]
        else:
            of_array = {f"{key}.{number + 1}": part for number, part in enumerate(parts)}
            named[key] = tuple(of_array)
            columns |= of_array
    return replace(table_of(name, columns), arrays=named)


def check_start(name: str, data: bytes, magic: bytes) -> None:
    """Refuse a file that does not begin as numpy's do; numpy takes anything else for a pickle."""
    if data.startswith(PICKLE):
        raise is_pickle(name)
    if not data.startswith(magic):
        raise InputError(
            f"{name}: is not a file of numpy",
            hint="np.save writes .npy files, np.savez .npz files; other files need other endings",
        )


def check_size(name: str, data: bytes) -> None:
    """Refuse an archive that unpacks to more than any file may have."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > MAX_BYTES:
        raise InputError(
            f"{name}: has more than {MAX_BYTES} bytes when unpacked",
            hint="save each array in a .npy file of its own",
        )


def split(name: str, array: npt.NDArray[Any]) -> list[Any]:
    """The columns of an array as Arrow arrays."""
    import pyarrow as pa

    if array.ndim not in (1, 2) or not array.size or array.dtype.kind not in "biufUS":
        what = f"an array of {array.dtype} with the shape {array.shape}"
        raise InputError(f"{name}: is {what}", hint=f"save {EXPECTED}, of numbers or texts")
    if array.dtype.kind == "S":
        array = as_text(name, array)
    if array.ndim == 2 and array.dtype.kind == "U":
        raise InputError(
            f"{name}: holds texts in {plural(array.shape[1], 'column')}",
            hint="save each column of labels as an array of its own, in an .npz file",
        )
    columns = [array] if array.ndim == 1 else list(array.T)
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        columns = [column.astype(np.float64) for column in columns]
    # Arrow has no other byte order than that of the machine.
    return [
        pa.array(np.ascontiguousarray(column, column.dtype.newbyteorder("="))) for column in columns
    ]


def as_text(name: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """An array of bytes as texts in UTF-8."""
    try:
        return np.char.decode(array, "utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{name}: holds bytes that are not UTF-8", hint="save texts") from None


def broken(name: str, error: Exception) -> InputError:
    """The error for a file that numpy cannot read, or only by running what is in it.

    A header is a text in the notation of Python: what is wrong with a broken one is said by errors
    of tokenize, ast and zipfile, and by MemoryError where it tells of an array that is too large.
    """
    if "allow_pickle" in str(error):
        return is_pickle(name)
    reason = (str(error) or type(error).__name__).splitlines()[0]
    return InputError(
        f"{name}: cannot be read as an array of numpy: {reason}",
        hint="the file is broken or cut off, or is none; save it again with np.save",
    )


def is_pickle(name: str) -> InputError:
    """The error for Python objects, which only a pickle can hold."""
    return InputError(
        f"{name}: holds Python objects (a pickle), which clustcmp never loads: they can run any "
        "code",
        hint="save numbers or texts: np.save(path, labels.astype(str))",
    )
