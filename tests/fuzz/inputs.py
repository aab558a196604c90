"""Strategies for files and words: many of them nearly valid, others broken."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

# Pieces of tables, valid UTF-8 and not.
CELLS = st.sampled_from(
    [
        *(b"a", b"b", b"-1", b"0", b"1", b"2", b"0.5", b".5", b"1e999", b"nan", b"NA", b"", b" "),
        *(
            b"\xc3\xa9",
            b"\xff",
            b"\xef\xbb\xbf",
            b'"a"',
            b'"',
            b'""',
            b'"a,b"',
            b"p1",
            b"p2",
            b"p3",
        ),
    ]
)
SEPARATORS = st.sampled_from([b",", b",", b",", b"\t", b";"])
LINE_ENDS = st.sampled_from([b"\n", b"\n", b"\r\n", b"\r"])
HEADERS = st.sampled_from(
    [b"id,label", b"barcode,cluster", b"id,x,y", b"x,y,label", b"label", b",leiden", b"0,1", b""]
)


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """A file that may be a table."""
    separator, end = draw(SEPARATORS), draw(LINE_ENDS)
    width = draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=6))
    lines = [draw(HEADERS), *(separator.join(row) for row in rows)]
    return end.join(lines) + draw(st.sampled_from([b"", end, b"\x00"]))


FILES = tables() | st.binary(max_size=80)
FILE_NAMES = st.sampled_from(
    [
        *("x.csv", "x.tsv", "x.txt", "x.data", "x.csv.gz", "x.labels0"),
        *("x.clusters", "x.cnl", "x.json", "x.jsonl"),
    ]
)
ADDRESSES = st.sampled_from(
    [
        *("", "::label", "::a,b", "::*", "::id=id", "::label=x,id=y", "::header=no", "::", "::x,y"),
        *("::format=pairs", "::format=spaces", "::format=clusters", "::format=json", "::x.1"),
    ]
)

# Words of metrics with options, and texts that look like them.
SPECS = (
    st.sampled_from(
        [
            *("ari", "nmi:average=geometric", "vi:base=2", "v_measure:beta=1e999", "transport"),
            *("all", "f1", "cc:p=0", "adco:bins=1", "cdistance:ground=x", "nmi:average=", ":", ""),
        ]
    )
    | st.text("arinmi:=,_-0.9é", max_size=12)
    | st.text(max_size=8)
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.sampled_from(["a.csv", "1%", "ari=0.5", "drop", "intersect"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abc_", min_size=1, max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        *("reference", "candidate", "min", "max", "ari", "nmi", "max_moved", "min_coverage"),
        *("noise", "noise_policy", "points", "baseline", "coordinates", "by_position", "x"),
    ]
)
CONFIGURATIONS = st.dictionaries(KEYS, VALUES, max_size=5)
BASELINE_KEYS = st.sampled_from(
    [
        *("schema", "version", "files", "policies", "n", "k", "candidate_k", "points"),
        *("reference", "candidate", "space", "values", "x"),
    ]
)
CHANGES_OF_BASELINE = st.dictionaries(BASELINE_KEYS, VALUES, max_size=3)


def as_toml(table: dict[str, Any]) -> str:
    """A table of gate settings as TOML; what TOML has no word for is left out."""
    return "[gate]\n" + "".join(
        f"{key} = {written}\n"
        for key, value in table.items()
        if (written := toml_value(value)) is not None
    )


def toml_value(value: Any) -> str | None:
    """A value as TOML writes it, or None where there is no way to write it."""
    if value is None:
        return None
    if isinstance(value, list):
        return "[" + ", ".join(filter(None, map(toml_value, value))) + "]"
    if isinstance(value, dict):
        pairs = ((key, toml_value(one)) for key, one in value.items())
        return "{" + ", ".join(f"{json.dumps(k)} = {v}" for k, v in pairs if v is not None) + "}"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=True)
    return str(value).lower() if isinstance(value, bool) else repr(value)
