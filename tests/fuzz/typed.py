"""Strategies for files of formats with types: good ones of odd values, some of them damaged."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
from hypothesis import strategies as st

LABELS = st.sampled_from(["a", "b", "-1", "", "é", "\x00", "\ud7ff", "1", "p1", "\x1b[31m"])
WHOLE = st.sampled_from([0, 1, 2, -1, 255, 2**31, 2**53 + 1, -(2**63), 2**63 - 1])
REAL = st.sampled_from([0.0, 0.5, 1.0, -1.5, 1e300, float("nan"), float("inf"), 2.0**60])
NAMES = st.sampled_from(
    ["id", "label", "cluster", "x", "y", "", "__index_level_0__", "é", "a", "b", "count", "\x00"]
)

YEAR = timedelta(days=365)

# Values of one column, all of one type, which may be missing.
COLUMNS: list[st.SearchStrategy[Any]] = [
    *(LABELS, WHOLE, REAL, st.booleans(), st.binary(max_size=3), st.dates(), st.datetimes()),
    *(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-9, max_value=9),),
    *(st.timedeltas(-YEAR, YEAR), st.lists(WHOLE, max_size=2), st.fixed_dictionaries({"x": WHOLE})),
]


@st.composite
def arrow_tables(draw: st.DrawFn) -> pa.Table:
    """A table of Arrow with a few columns of any types."""
    n_rows = draw(st.integers(0, 5))
    names, columns = draw(st.lists(NAMES, max_size=4)), []
    for _ in names:
        values = draw(st.sampled_from(COLUMNS))
        if draw(st.booleans()):
            values = values | st.none()
        column = pa.array(draw(st.lists(values, min_size=n_rows, max_size=n_rows)))
        can_be_encoded = not (pa.types.is_nested(column.type) or pa.types.is_null(column.type))
        columns.append(column.dictionary_encode() if can_be_encoded and draw(BOTH) else column)
    return pa.Table.from_arrays(columns, names=names)


BOTH = st.booleans()
DTYPES = st.sampled_from(
    ["i8", ">i4", "u1", "f8", ">f2", "f2", "bool", "U2", "S2", "c16", "M8[ns]", "m8[s]", "O", "V3"]
)
SHAPES = st.sampled_from([(), (0,), (3,), (5,), (3, 1), (3, 2), (0, 2), (2, 0), (2, 2, 2)])


@st.composite
def arrays(draw: st.DrawFn) -> Any:
    """An array of numpy of any type and shape, or a structured one."""
    shape, dtype = draw(SHAPES), draw(DTYPES | st.just([("id", "i4"), ("label", "U2")]))
    numbers = draw(st.lists(st.integers(0, 3), min_size=8, max_size=8))
    array = np.array(numbers[: int(np.prod(shape))], dtype="i4").reshape(shape)
    if isinstance(dtype, list) or dtype == "V3":
        return np.zeros(shape, dtype=dtype)
    converted = array.astype("i8").astype(dtype)
    return np.asfortranarray(converted) if draw(BOTH) else converted


def as_parquet(table: pa.Table) -> bytes:
    """A table as Parquet."""
    sink = io.BytesIO()
    pyarrow.parquet.write_table(table, sink)
    return sink.getvalue()


def as_feather(table: pa.Table) -> bytes:
    """A table as Feather."""
    sink = io.BytesIO()
    pyarrow.feather.write_feather(table, sink, compression="uncompressed")
    return sink.getvalue()


def as_npy(array: Any) -> bytes:
    """An array as numpy writes it; with objects it is a pickle, which is refused."""
    sink = io.BytesIO()
    np.save(sink, array, allow_pickle=True)
    return sink.getvalue()


def as_npz(named: dict[str, Any]) -> bytes:
    """Arrays with names as numpy writes them."""
    sink = io.BytesIO()
    np.savez(sink, **named)
    return sink.getvalue()


# Values of JSON, among them the kinds of documents that are read.
CELLS = LABELS | WHOLE | REAL | st.none() | st.booleans()
RECORDS = st.dictionaries(NAMES, CELLS, max_size=3)
DOCUMENTS = st.one_of(
    st.lists(CELLS, max_size=5),
    st.dictionaries(LABELS, CELLS, max_size=5),
    st.lists(RECORDS, max_size=4),
    st.dictionaries(NAMES, st.lists(CELLS, min_size=3, max_size=3), max_size=3),
    st.lists(st.lists(REAL | WHOLE, min_size=2, max_size=2), max_size=4),
    st.recursive(CELLS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner)),
)


def as_json(document: Any) -> bytes:
    """A document as JSON, with the numbers that JSON does not have."""
    return json.dumps(document).encode()


def as_json_lines(documents: list[Any]) -> bytes:
    """Documents as JSON lines."""
    return b"\n".join(map(as_json, documents))


class Kind(NamedTuple):
    """A format: the ending of its files, what they hold, and how that is written."""

    ending: str
    values: st.SearchStrategy[Any]
    write: Callable[[Any], bytes]


ARRAYS = arrays()
KINDS = [
    Kind("parquet", arrow_tables(), as_parquet),
    Kind("feather", arrow_tables(), as_feather),
    Kind("npy", ARRAYS, as_npy),
    Kind("npz", st.dictionaries(st.sampled_from(["id", "label", "x", "y"]), ARRAYS), as_npz),
    Kind("json", DOCUMENTS, as_json),
    Kind("jsonl", st.lists(RECORDS | CELLS | st.lists(CELLS), max_size=4), as_json_lines),
]


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """The content with a few bytes changed, left out or put in, or cut off."""
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(content)))
        new = draw(st.binary(max_size=3) | st.sampled_from([b"9" * 5000, b"[" * 5000, b"1e999"]))
        content = content[:at] + new + content[at + draw(st.integers(0, 3)) :]
    return content[: draw(st.integers(0, len(content)))] if draw(st.booleans()) else content


@st.composite
def typed_files(draw: st.DrawFn) -> tuple[str, bytes]:
    """The name and the content of a file of one of these formats; half of them are undamaged."""
    kind = draw(st.sampled_from(KINDS))
    content = kind.write(draw(kind.values))
    if draw(st.booleans()):
        content = draw(damaged(content))
    return draw(st.sampled_from([f"x.{kind.ending}", "x.data"])), content


# Tables of counts, with rows or as a matrix, in any format.
COUNTS = st.sampled_from(
    ["0", "1", "12", "-1", "1.5", "1e3", "9" * 30, "nan", "", "x", " 2", "1_0"]
)
COUNT_HEADERS = st.sampled_from(["a,b,count", "A,B,COUNT", "a,b,n", ",u,v", "a,1,2", "", "a,b,b"])


@st.composite
def count_tables(draw: st.DrawFn) -> tuple[str, bytes]:
    """The name and the content of a file that may be a table of counts."""
    if draw(st.integers(0, 3)) == 0:
        return draw(typed_files())
    rows = draw(st.lists(st.tuples(LABELS, LABELS | COUNTS, COUNTS), max_size=5))
    lines = [draw(COUNT_HEADERS), *map(",".join, rows)]
    return "x.csv", "\n".join(lines).encode()
