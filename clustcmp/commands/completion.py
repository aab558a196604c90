"""What a shell can complete a word to: metrics with their options, columns of files, gates.

A completer gets the beginning of a word and returns words, or pairs of a word and what it means. It
returns nothing for the beginning of a path, because shells complete paths themselves. It never
raises an error: no message could be read there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import typer

Words = list[tuple[str, str]]


def complete_metric(incomplete: str) -> Words:
    """The metrics, aliases and families that begin so, or the options of a metric after a colon."""
    from clustcmp.metrics import METRICS

    if ":" in incomplete:
        return list(complete_options(incomplete))
    words = [word for word in METRICS.words if word.startswith(incomplete)]
    return [(word, METRICS.explain(word)) for word in words]


def complete_bound(incomplete: str) -> Words:
    """The metrics that a bound can be on, each with the = that its number follows."""
    from clustcmp.metrics import METRICS

    one_metric = (
        (word, meaning)
        for word, meaning in complete_metric(incomplete)
        if METRICS.knows(word.partition(":")[0])
    )
    return [(word if word.endswith("=") else f"{word}=", meaning) for word, meaning in one_metric]


def complete_options(incomplete: str) -> Iterator[tuple[str, str]]:
    """The options of a metric that are not given yet, or the values of the last one."""
    from clustcmp.metrics import METRICS

    name, _, typed = incomplete.partition(":")
    if not METRICS.knows(name):
        return
    options = METRICS.find(name).options
    given, comma, last = typed.rpartition(",")
    start = f"{name}:{given}{comma}"
    option, equals, _ = last.partition("=")
    if not equals:
        taken = {part.partition("=")[0] for part in given.split(",")}
        for one in options.values():
            if one.name not in taken:
                yield f"{start}{one.name}=", one.help
    elif option in options:
        one = options[option]
        for value in one.choices or (("true", "false") if one.type is bool else ()):
            yield f"{start}{option}={value}", "the default" if value == one.default else ""


def complete_file(incomplete: str) -> list[str]:
    """The columns of a file after two colons."""
    from clustcmp.read.address import Address
    from clustcmp.read.header import peek_columns

    file, colons, typed = incomplete.partition("::")
    if not colons:
        return []
    chosen, comma, last = typed.rpartition(",")
    key = re.match(r"(?:label|id)=|", last)
    start = f"{file}::{chosen}{comma}{key[0] if key else ''}"
    columns = peek_columns(os.path.expanduser(Address.of_file(incomplete).path))
    return [start + column for column in columns if column not in chosen.split(",")]


def complete_algorithm(incomplete: str) -> list[str]:
    """The algorithms that begin so."""
    from clustcmp.clusterers.algorithms import ALGORITHMS

    return [name for name in ALGORITHMS if name.startswith(incomplete)]


def complete_gate(context: typer.Context, incomplete: str) -> list[str]:
    """The gates of the configuration, until a file or a gate is given; columns of a file."""
    from clustcmp.analyses.gate.config import find_config
    from clustcmp.errors import ClustcmpError

    if "::" in incomplete or context.params.get("files"):
        return complete_file(incomplete)
    try:
        config = find_config(context.params.get("config"))
    except ClustcmpError:
        return []
    return list(config.named) if config else []
