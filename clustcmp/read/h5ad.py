"""AnnData files (.h5ad): columns of obs and arrays of obsm, as new and old anndata writes them."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.errors import ClustcmpError, InputError, UsageError, show_names
from clustcmp.read.sample import MOST_ROWS
from clustcmp.read.source import Stored, more_than_allowed
from clustcmp.read.typed_table import TypedTable

# What anndata calls barcodes that have no name, and where version 0.7 keeps categories.
NAMELESS, CATEGORIES = "_index", "__categories"

# What groups are that hold values and where these are missing.
MASKED = ("nullable-integer", "nullable-boolean", "nullable-string-array")

EXPECTED = "expected is a file of anndata's write_h5ad, with the barcodes and labels in obs"

# So many texts are read at a time, and their bytes counted.
BLOCK = 1 << 16


class Place(NamedTuple):
    """Where a column is: an element of obs or obsm, and which of its columns, if it has several.

    `field` is the field of records, `codes_of` the element of uns that has the categories.
    """

    path: str
    column: int | None = None
    field: str | None = None
    codes_of: str | None = None


def parse_h5ad(name: str, stored: Stored, has_header: bool | None) -> TypedTable:
    """The columns of obs, with the barcodes as ids; arrays of obsm have a column per dimension."""
    with opened(name, stored) as file:
        obs = file.element("obs")
        index, places = find_records(file, obs) if file.is_dataset(obs) else find_group(file, obs)
        arrays = find_arrays(file)
        n_rows = file.count(places[index])
        places |= {key: place for one in arrays.values() for key, place in one.items()}
        if not n_rows:
            raise InputError(f"{name}: has no rows", hint="a label for each point is needed")
        check_rows(file, places, index)
        in_obs = [key for key in places if not key.startswith("obsm/")]
        first = [as_chunked(file.read(places[key], MOST_ROWS)) for key in in_obs]

    def read(names: Sequence[str], as_labels: Collection[str]) -> list[Any]:
        with opened(name, stored) as file:
            columns = [file.read(places[one]) for one in names]
        return [as_chunked(column) for column in columns]

    return TypedTable(
        name,
        tuple(in_obs),
        read,
        first,
        index=index,
        arrays={key: tuple(columns) for key, columns in arrays.items()},
    )


def check_rows(file: Elements, places: Mapping[str, Place], index: str) -> None:
    """Refuse columns with more or fewer rows than there are barcodes."""
    n_rows = file.count(places[index])
    for one, place in places.items():
        if (count := file.count(place)) != n_rows:
            raise InputError(
                f"{file.name}: {one!r} has {count} rows, but {index!r} has {n_rows}", hint=EXPECTED
            )


def as_chunked(array: Any) -> Any:
    """An Arrow array as a column."""
    import pyarrow as pa

    return pa.chunked_array([array])


@contextmanager
def opened(name: str, stored: Stored) -> Iterator[Elements]:
    """The file, open; what h5py says of a broken one is an error of clustcmp."""
    try:
        import h5py
    except ModuleNotFoundError:
        raise UsageError(
            f"{name}: AnnData files are read with h5py, which is not installed",
            hint="pip install 'clustcmp[h5ad]'",
        ) from None
    data = stored.data
    try:
        with h5py.File(data if isinstance(data, Path) else io.BytesIO(data), "r") as file:
            yield Elements(name, file, stored.max_bytes)
    except ClustcmpError:
        raise
    except UnicodeDecodeError:
        raise InputError(f"{name}: holds texts that are not UTF-8", hint=EXPECTED) from None
    # h5py raises errors of almost any type for a broken file.
    except (OSError, KeyError, ValueError, RuntimeError, TypeError, AttributeError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0].strip("'\"")
        raise InputError(
            f"{name}: cannot be read as HDF5: {reason}",
            hint=f"the file is broken or cut off, or is none; {EXPECTED}",
        ) from None


class Elements:
    """The elements of an open file, read without following any link out of it."""

    def __init__(self, name: str, file: Any, max_bytes: int) -> None:
        """Nothing is read yet."""
        self.name, self._file = name, file
        self._left = max_bytes
        self._max_bytes = max_bytes

    def element(self, path: str) -> Any:
        """The group or the array at a path."""
        found = self.find(path)
        if found is None:
            raise InputError(
                f"{self.name}: has no {path!r}, only {show_names(list(self._file))}", hint=EXPECTED
            )
        return found

    def find(self, path: str) -> Any:
        """The group or the array at a path, or None if there is none."""
        import h5py

        found = self._file
        for key in path.split("/"):
            if not isinstance(found, h5py.Group) or key not in found:
                return None
            if not isinstance(found.get(key, getlink=True), h5py.HardLink):
                raise InputError(f"{self.name}: {path!r} is a link to another place", hint=EXPECTED)
            found = found[key]
        if isinstance(found, h5py.Dataset) and (found.is_virtual or found.external):
            raise InputError(f"{self.name}: {path!r} is kept in other files", hint=EXPECTED)
        return found

    def is_dataset(self, element: Any) -> bool:
        """Whether an element is an array and not a group."""
        import h5py

        return isinstance(element, h5py.Dataset)

    def count(self, place: Place) -> int:
        """The number of rows of a column."""
        element = self.element(place.path)
        if not self.is_dataset(element):
            part = "codes" if element.attrs.get("encoding-type") == "categorical" else "values"
            element = self.element(f"{place.path}/{part}")
        return int(element.shape[0]) if element.shape else 0

    def read(self, place: Place, most: int | None = None) -> Any:
        """A column, or its first rows, as an Arrow array."""
        import pyarrow as pa

        element = self.element(place.path)
        if not self.is_dataset(element):
            return self._read_group(place.path, element, most)
        values = self._values(element, place, most)
        categories = self._categories(element, place)
        if categories is not None:
            return encoded(values, categories)
        return pa.array(values)

    def _read_group(self, path: str, group: Any, most: int | None) -> Any:
        """A column that is a group: of codes and categories, or of values and a mask."""
        import pyarrow as pa

        if group.attrs.get("encoding-type") == "categorical":
            codes = self._values(self.element(f"{path}/codes"), Place(path), most)
            named = self.read(Place(f"{path}/categories"))
            return encoded(codes, named)
        values = self._values(self.element(f"{path}/values"), Place(path), most)
        mask = self._values(self.element(f"{path}/mask"), Place(path), most)
        return pa.array(values, mask=np.asarray(mask, np.bool_))

    def _categories(self, element: Any, place: Place) -> Any:
        """The categories that the codes in an array stand for, or None if it has no codes."""
        import h5py
        import pyarrow as pa

        named = None
        if place.codes_of is not None:
            named = self.element(place.codes_of)
        elif isinstance(reference := element.attrs.get("categories"), h5py.Reference):
            # Found by its name and not by the reference, so that no link is followed.
            named = self.element(str(self._file[reference].name).lstrip("/"))
        if named is None:
            return None
        # A single category is a value and not an array.
        return pa.array(np.atleast_1d(self._values(named, Place(""), None)))

    def _values(self, dataset: Any, place: Place, most: int | None) -> npt.NDArray[Any]:
        """The values of an array, or of a part of it; texts as Python strings."""
        import h5py

        dtype = dataset.dtype if place.field is None else dataset.dtype[place.field]
        shape = dataset.shape
        if len(shape) > 2 or (len(shape) == 2) != (place.column is not None):
            raise InputError(
                f"{self.name}: {dataset.name.lstrip('/')!r} has {len(shape)} dimensions",
                hint=EXPECTED,
            )
        n_rows = min(shape[0], MOST_ROWS if most else shape[0]) if shape else 1
        self._allow(n_rows * dtype.itemsize)
        view = dataset if place.field is None else dataset.fields(place.field)
        text = h5py.check_string_dtype(dtype)
        if text is None and dtype.kind not in "biuf":
            raise InputError(
                f"{self.name}: {dataset.name.lstrip('/')!r} holds values of the type {dtype}, "
                "which cannot be labels",
                hint="labels are texts, whole numbers or categories",
            )
        if not shape:
            values = np.array([view[()]])
        elif place.column is not None:
            values = view[:n_rows, place.column]
        elif text is not None and text.length is None:
            return self._texts(view, n_rows)
        else:
            values = view[:n_rows]
        return decoded(values) if text is not None else np.asarray(values)

    def _texts(self, view: Any, n_rows: int) -> npt.NDArray[Any]:
        """Texts of any length, whose bytes are counted on the way."""
        blocks = []
        for start in range(0, n_rows, BLOCK):
            values = view[start : min(start + BLOCK, n_rows)]
            self._allow(sum(map(len, values)))
            blocks.append(decoded(values))
        return np.concatenate(blocks) if blocks else np.empty(0, dtype=object)

    def _allow(self, n_bytes: int) -> None:
        """Count the bytes that are read, and refuse more than are allowed."""
        self._left -= n_bytes
        if self._left < 0:
            raise more_than_allowed(self.name, self._max_bytes)


def decoded(values: Any) -> npt.NDArray[Any]:
    """Bytes as texts in UTF-8."""
    flat = np.atleast_1d(values)
    texts = np.empty(len(flat), dtype=object)
    texts[:] = [one.decode() if isinstance(one, bytes) else str(one) for one in flat.tolist()]
    return texts


def encoded(codes: npt.NDArray[Any], categories: Any) -> Any:
    """Labels as codes of categories; a code below 0 is a missing label."""
    import pyarrow as pa

    if codes.dtype.kind not in "iu" or (len(codes) and int(codes.max()) >= len(categories)):
        raise ValueError("codes that stand for no category")
    codes = codes.astype(np.int32)
    indices = pa.array(codes, mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, categories)


def find_group(file: Elements, obs: Any) -> tuple[str, dict[str, Place]]:
    """The column of the barcodes, and all columns of obs that can be labels, the barcodes first."""
    known = as_text(obs.attrs.get("_index", NAMELESS))
    if known not in obs:
        raise InputError(f"{file.name}: 'obs' has no barcodes, called {known!r}", hint=EXPECTED)
    index = "" if known == NAMELESS else known
    order = [as_text(one) for one in np.atleast_1d(obs.attrs.get("column-order", list(obs)))]
    places = {index: Place(f"obs/{known}")}
    for key in order:
        if key in obs and key not in (CATEGORIES, known) and is_column(file, f"obs/{key}"):
            places[key] = Place(f"obs/{key}")
    return index, places


def is_column(file: Elements, path: str) -> bool:
    """Whether an element holds one value for each row."""
    element = file.element(path)
    if file.is_dataset(element):
        return len(element.shape) == 1
    return element.attrs.get("encoding-type") in ("categorical", *MASKED)


def find_records(file: Elements, obs: Any) -> tuple[str, dict[str, Place]]:
    """The columns of obs as anndata wrote them before version 0.7: one array of records."""
    fields = obs.dtype.names
    if not fields:
        raise InputError(f"{file.name}: 'obs' holds no records", hint=EXPECTED)
    first, *others = fields
    places = {"" if first == "index" else first: Place("obs", field=first)}
    for key in others:
        known = f"uns/{key}_categories"
        has_codes = obs.dtype[key].kind in "iu" and file.find(known) is not None
        places[key] = Place("obs", field=key, codes_of=known if has_codes else None)
    return next(iter(places)), places


def find_arrays(file: Elements) -> Mapping[str, dict[str, Place]]:
    """The arrays of obsm by their names, each with its columns; tables among them, too."""
    group = file.find("obsm")
    if group is None or file.is_dataset(group):
        return {}
    arrays: dict[str, dict[str, Place]] = {}
    for key in group:
        path = f"obsm/{key}"
        element = file.element(path)
        if file.is_dataset(element):
            if len(element.shape) == 2:
                width = range(element.shape[1])
                arrays[path] = {f"{path}.{at + 1}": Place(path, at) for at in width}
        elif element.attrs.get("encoding-type") == "dataframe":
            arrays[path] = {f"{path}.{one}": place for one, place in find_table(file, path).items()}
    return arrays


def find_table(file: Elements, path: str) -> dict[str, Place]:
    """The columns of a table in obsm, without its index."""
    table = file.element(path)
    order = [as_text(one) for one in np.atleast_1d(table.attrs.get("column-order", []))]
    return {key: Place(f"{path}/{key}") for key in order if is_column(file, f"{path}/{key}")}


def as_text(value: Any) -> str:
    """An attribute as text."""
    return value.decode() if isinstance(value, bytes) else str(value)
