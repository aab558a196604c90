"""JSON: a list of labels, an object from ids to labels, records, or rows of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clustcmp.errors import InputError
from clustcmp.read.typed_table import TypedTable, show_number, table_of

EXPECTED = (
    'a list of labels, an object {"id": "label", ...}, a list of records '
    '[{"id": ..., "label": ...}, ...] or rows of numbers'
)

# Up to here each whole number is a float of its own.
MOST_EXACT = 1 << 53

# A place in the file, for messages, with the value that stands there.
Placed = tuple[str, Any]


def parse_json(name: str, data: bytes, has_header: bool | None) -> TypedTable:
    """One JSON document."""
    given = decode(name, data.decode(), 0)
    if isinstance(given, dict):
        if any(isinstance(value, list) for value in given.values()):
            return from_columns(name, given)
        ids, labels = list(given), list(given.values())
        check_plain(name, ((f"at {key!r}", label) for key, label in given.items()))
        return build(name, {"id": ids, "label": labels})
    if not isinstance(given, list):
        raise InputError(f"{name}: holds {kind_of(given)}", hint=f"expected is {EXPECTED}")
    return from_list(name, [(f"item {number}", item) for number, item in enumerate(given, 1)])


def parse_json_lines(name: str, data: bytes, has_header: bool | None) -> TypedTable:
    """One JSON value per line: records, labels, or rows of numbers."""
    lines = enumerate(data.decode().split("\n"), 1)
    items = [
        (f"line {number}", decode(name, line, number)) for number, line in lines if line.strip()
    ]
    return from_list(name, items)


def decode(name: str, text: str, line: int) -> Any:
    """A JSON value, in which no key stands twice; `line` is 0 if the text is the whole file."""
    import json

    def take_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for position, key in enumerate(keys) if key in keys[:position])
            where = f"{name}:{line}" if line else name
            raise InputError(f"{where}: the key {twice!r} is there twice", hint="keep one of them")
        return found

    try:
        try:
            return json.loads(text, object_pairs_hook=take_pairs)
        except json.JSONDecodeError:
            raise
        except ValueError:
            # Python makes no number of more than 4,300 digits, but a label they can be.
            return json.loads(text, object_pairs_hook=take_pairs, parse_int=take_digits)
    except RecursionError:
        raise InputError(f"{name}: is nested too deeply", hint=f"expected is {EXPECTED}") from None
    except ValueError as error:
        at = line or getattr(error, "lineno", 1)
        reason = getattr(error, "msg", str(error))
        raise InputError(
            f"{name}:{at}: is not JSON: {reason}", hint=f"expected is {EXPECTED}"
        ) from None


def take_digits(text: str) -> int | str:
    """A whole number, or its digits if they are too many for one."""
    try:
        return int(text)
    except ValueError:
        return text


def from_list(name: str, items: Sequence[Placed]) -> TypedTable:
    """A list of labels, of records, or of rows of numbers."""
    if not items:
        raise InputError(f"{name}: is empty", hint=f"expected is {EXPECTED}")
    if isinstance(items[0][1], dict):
        return from_records(name, items)
    if isinstance(items[0][1], list):
        return from_rows(name, items)
    check_plain(name, iter(items))
    return build(name, {"1": [label for _, label in items]}, has_header=False)


def from_records(name: str, items: Sequence[Placed]) -> TypedTable:
    """A column for each key that a record has; a key that a record lacks is missing there."""
    keys: dict[str, None] = {}
    for place, record in items:
        if not isinstance(record, dict):
            raise InputError(
                f"{name}: {place} is {kind_of(record)}, where others are records",
                hint=f"expected is {EXPECTED}",
            )
        keys |= dict.fromkeys(record)
    # Lists and records in a record are columns that cannot be read; the others can.
    plain = [key for key in keys if all(is_plain(record.get(key)) for _, record in items)]
    if not plain:
        raise InputError(f"{name}: no key has labels or numbers", hint=f"expected is {EXPECTED}")
    return build(name, {key: [record.get(key) for _, record in items] for key in plain})


def from_rows(name: str, items: Sequence[Placed]) -> TypedTable:
    """Rows of numbers: degrees or coordinates."""
    width = len(items[0][1])
    for place, row in items:
        if not isinstance(row, list) or len(row) != width or not width:
            raise InputError(
                f"{name}: {place} is not a row of {width} numbers, as the first one",
                hint=f"expected is {EXPECTED}",
            )
        check_plain(name, ((f"{place}: value {at}", value) for at, value in enumerate(row, 1)))
    columns = {str(at + 1): [row[at] for _, row in items] for at in range(width)}
    return build(name, columns, has_header=False)


def from_columns(name: str, given: Mapping[str, Any]) -> TypedTable:
    """Columns by their names, as DataFrame.to_dict("list") gives them."""
    sizes = {len(value) if isinstance(value, list) else -1 for value in given.values()}
    if len(sizes) > 1 or 0 in sizes:
        raise InputError(
            f"{name}: its lists are not equally long, or are empty", hint=f"expected is {EXPECTED}"
        )
    for key, column in given.items():
        check_plain(name, ((f"{key!r}, item {at}", one) for at, one in enumerate(column, 1)))
    return build(name, given)


def is_plain(value: Any) -> bool:
    """Whether a value is a text, a number, true, false or null."""
    return not isinstance(value, list | dict)


def check_plain(name: str, items: Iterator[Placed]) -> None:
    """Refuse a list or an object where a label or a number is expected."""
    for place, value in items:
        if not is_plain(value):
            raise InputError(
                f"{name}: {place} is {kind_of(value)}, not a label or a number",
                hint=f"expected is {EXPECTED}",
            )


def kind_of(value: Any) -> str:
    """What a JSON value is, for messages."""
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return kinds.get(type(value), "null" if value is None else "a number")


def build(name: str, columns: Mapping[str, Sequence[Any]], has_header: bool = True) -> TypedTable:
    """A table of these columns."""
    for key, column in columns.items():
        check_characters(name, key, column)
    return table_of(name, {key: as_arrow(column) for key, column in columns.items()}, has_header)


def check_characters(name: str, key: str, column: Sequence[Any]) -> None:
    """Refuse half of a character, which JSON can spell and no text can hold."""
    for number, text in enumerate((key, *column)):
        if isinstance(text, str) and any("\ud800" <= sign <= "\udfff" for sign in text):
            what = f"item {number}" if number else "a key"
            raise InputError(
                f"{name}: {what}: {text!r} has half of a character", hint="write it in UTF-8"
            )


def as_arrow(column: Sequence[Any]) -> Any:
    """A column of numbers if all values are numbers, of booleans if all are, else of texts."""
    import pyarrow as pa

    types = {type(value) for value in column if value is not None}
    is_exact = all(type(value) is not int or abs(value) <= MOST_EXACT for value in column)
    if types <= {int, float} and float in types and is_exact:
        return pa.array([None if value is None else float(value) for value in column], pa.float64())
    if types in ({int}, {bool}):
        try:
            return pa.array(column)
        except (OverflowError, pa.ArrowInvalid):
            # More digits than a machine's number has: still a label.
            pass
    return pa.array([show(value) for value in column], pa.large_string())


def show(value: Any) -> str | None:
    """A value as text: numbers as they are written, without a fraction of zero."""
    if value is None or isinstance(value, str):
        return value
    return show_number(value) if isinstance(value, float) else str(value)
