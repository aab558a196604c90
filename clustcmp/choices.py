"""The words that options take; here, so that the command line knows them without numpy."""

from __future__ import annotations

from enum import StrEnum

# How large a file may be when unpacked, unless somebody says otherwise.
MAX_BYTES = 4 << 30


class Points(StrEnum):
    """What to do when a and b do not have the same points."""

    error = "error"
    intersect = "intersect"


class NoisePolicy(StrEnum):
    """What noise is: one ordinary cluster, nothing at all, or a cluster for each point."""

    cluster = "cluster"
    drop = "drop"
    singletons = "singletons"


class Missing(StrEnum):
    """What a point without a label is: an error, dropped, or noise."""

    error = "error"
    drop = "drop"
    noise = "noise"


class OutputFormat(StrEnum):
    """How a result is printed."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"


class GateFormat(StrEnum):
    """How a verdict is printed."""

    table = "table"
    json = "json"
    markdown = "markdown"
    github = "github"


class Color(StrEnum):
    """When to use colours."""

    auto = "auto"
    always = "always"
    never = "never"


class Order(StrEnum):
    """How several clusterings are ordered: like by like, or as they were given."""

    similarity = "similarity"
    given = "given"
