"""Configurations and baselines as they stand in their files: TOML and JSON, with errors of ours."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from clustcmp.errors import InputError, plural

# Python's parsers fail at a few hundred levels, or earlier if they are called from far inside.
DEEPEST = 100

# A number that stands for a value that cannot be parsed, while its key is looked for.
MARK = "0e0000"

# Characters of a key in a message.
LONGEST = 60

# Texts and comments, whose brackets and digits mean nothing; brackets; and long whole numbers.
TOKENS = re.compile(
    r'"""(?:[^\\]|\\.)*?"""' + r"|'''.*?'''" + r'|"(?:[^"\\\n]|\\.)*"' + r"|'[^'\n]*'|#[^\n]*"
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?<![\w.+-])(?P<number>[+-]?\d[\d_]{600,}+)(?![\w.])",
    re.DOTALL,
)


class Parser(Protocol):
    """tomllib.loads or json.loads."""

    def __call__(self, text: str, /, *, parse_float: Callable[[str], Any]) -> Any:
        """The document in a text."""


class Excess(NamedTuple):
    """A value that Python's parsers do not take: where it is in the text, and why."""

    start: int
    end: int
    problem: str


def load(path: str, parse: Parser, kind: str) -> Any:
    """The document in a file of this kind. A byte order mark is dropped, as in files of data."""
    try:
        content = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be opened: {why}") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}: is not UTF-8: {error.reason}") from None
    try:
        return parse(text, parse_float=float)
    except (ValueError, RecursionError) as error:
        raise unreadable(path, text, parse, kind, error) from None


def unreadable(
    path: str, text: str, parse: Parser, kind: str, error: ValueError | RecursionError
) -> InputError:
    """The error for a text that was not parsed, with the line and, for a single value, its key."""
    line = re.search(r"line (\d+)", str(error))
    if line:
        return InputError(f"{path}:{line[1]}: is not {kind}: {error}")
    excesses = find_excesses(text)
    if excesses:
        start, _, problem = excesses[0]
        key = find_key(text, excesses, parse) or "a value"
        return InputError(f"{path}:{line_of(text, start)}: {key} {problem}")
    return InputError(f"{path}:{line_of(text.rstrip(), len(text))}: is not {kind}: {error}")


def line_of(text: str, position: int) -> int:
    """The line of a position, counted from 1."""
    return text.count("\n", 0, position) + 1


def find_excesses(text: str) -> list[Excess]:
    """The whole numbers of too many digits, and what is nested too deeply."""
    most = sys.get_int_max_str_digits()
    found: list[Excess] = []
    opened: list[int] = []
    for token in TOKENS.finditer(text):
        if token["open"]:
            opened.append(token.start())
        elif token["close"] and opened:
            add_nested(found, opened, token.end())
        elif token["number"]:
            digits = sum(map(str.isdigit, token["number"]))
            if 0 < most < digits:
                problem = f"has {plural(digits, 'digit')}, but {most:,} are the most"
                found.append(Excess(token.start(), token.end(), problem))
    while opened:
        add_nested(found, opened, len(text))
    return sorted(found)


def add_nested(found: list[Excess], opened: list[int], end: int) -> None:
    """Close the last bracket, and note it if it is the first one that is too deep."""
    start = opened.pop()
    if len(opened) == DEEPEST:
        # What is inside of it goes with it.
        found[:] = [one for one in found if one.start < start]
        found.append(Excess(start, end, f"is nested more than {DEEPEST} levels deep"))


def find_key(text: str, excesses: Sequence[Excess], parse: Parser) -> str:
    """The key of the first excess, or nothing if the text is broken there, too.

    Each excess is replaced with a number that both notations have, and the first one is noticed.
    """
    pieces = []
    for excess, following in pairwise([*excesses, Excess(len(text), len(text), "")]):
        pieces.append(text[excess.end : following.start])
    start = f"{text[: excesses[0].start]}{MARK}"
    first = object()
    for rest in ("0.0".join(pieces), ""):
        with suppress(ValueError, RecursionError):
            document = parse(start + rest, parse_float=lambda n: first if n == MARK else 0.0)
            return key_of(first, document)
    return ""


def key_of(wanted: object, document: Any) -> str:
    """Where an object is in a document, such as gate.ari.min or values[0].value."""
    waiting = [("", document)]
    while waiting:
        key, value = waiting.pop()
        if value is wanted:
            return key if len(key) <= LONGEST else f"{key[:LONGEST]}..."
        if isinstance(value, dict):
            waiting += [(f"{key}.{name}" if key else name, one) for name, one in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{key}[{number}]", one) for number, one in enumerate(value)]
    return ""
