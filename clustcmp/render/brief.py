"""A report in a few lines: what was compared and the first values, for prompts and notebooks.

The module that is named after a command has the function `brief`, which sums up the report of this
command in a given number of lines, however large the report is.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from clustcmp.errors import plural, printable
from clustcmp.model import Described
from clustcmp.results import Reported

# Characters of a name.
LONGEST_NAME = 30

# Metrics beside each other.
MOST_METRICS = 4


class Brief(NamedTuple):
    """What was compared, then a table, then what the table leaves out.

    All text is printable. Numbers are in the columns `right`, which are counted from 0.
    """

    facts: Sequence[str]
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    right: range = range(0)
    more: str = ""


def brief_of(report: Reported, lines: int) -> Brief:
    """A report in at most so many lines."""
    module = import_module(f"clustcmp.render.{report.document or report.command}")
    brief: Brief = module.brief(report.in_texts(), lines)
    return brief


def show_sides(sides: Sequence[Described], between: str = "and") -> str:
    """Two clusterings in a few words, such as a.csv and b.csv, 150 points, 3 and 4 clusters."""
    a, b = sides
    words = [f"{show_input(a)} {between} {show_input(b)}"]
    words.append(show_both(a.points, b.points, "point"))
    words.append(show_both(a.clusters, b.clusters, "cluster"))
    if a.kind != b.kind:
        words.append(f"{a.kind} and {b.kind}")
    elif a.kind == "soft":
        words.append("soft")
    return ", ".join(words)


def show_both(a: int, b: int, noun: str) -> str:
    """The numbers of two sides, once if they are equal."""
    return plural(a, noun) if a == b else f"{a:,} and {plural(b, noun)}"


def show_input(side: Described) -> str:
    """The file of a clustering, or its name."""
    return cut_name(side.file or side.name)


def cut_name(name: str) -> str:
    """A name from outside, a long one without its middle."""
    text = printable(name)
    if len(text) <= LONGEST_NAME:
        return text
    return f"{text[: LONGEST_NAME - 11]}…{text[-10:]}"


def fill(n_rows: int, lines: int) -> int:
    """How many of some rows fit in so many lines: all of them, or one less than there are lines."""
    return n_rows if n_rows <= lines else max(lines - 1, 0)


def left_out(number: int, what: str, where: str = "to_text() shows all") -> str:
    """How many things are not shown, and where they are."""
    return f"and {plural(number, f'more {what}')}: {where}" if number > 0 else ""
