"""The commands, one module each; here are the options that several of them share."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from clustcmp.choices import Color, OutputFormat
from clustcmp.errors import printable

Format = Annotated[OutputFormat, typer.Option("--format", "-f", help="How to print the result.")]
Colors = Annotated[Color, typer.Option(help="When to use colours; NO_COLOR counts for auto.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes on stderr, only errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say on stderr what is being done.")]


def complete_metric(incomplete: str) -> list[tuple[str, str]]:
    """The metrics, aliases and families that a shell can complete a word to."""
    from clustcmp.metrics import METRICS

    words = [word for word in METRICS.words if word.startswith(incomplete)]
    return [(word, METRICS.explain(word)) for word in words]


def tell(lines: Iterable[str], quiet: bool = False) -> None:
    """Write lines to stderr, unless nothing is to be said."""
    if not quiet:
        sys.stderr.writelines(f"{printable(line)}\n" for line in lines)
