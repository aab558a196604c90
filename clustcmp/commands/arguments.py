"""The arguments that several commands share, each with its one help text."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from clustcmp.commands.completion import complete_file, complete_metric


def metric_option(help: str) -> Any:
    """The option -m, which names a metric and can be repeated."""
    return typer.Option(
        "--metric", "-m", metavar="METRIC", help=help, autocompletion=complete_metric
    )


FILE = "path, path::COLUMN, path::label=COLUMN,id=COLUMN, or - for stdin."

# A and B where --contingency may stand for both.
MaybeA = Annotated[
    str | None,
    typer.Argument(metavar="A", help=f"The reference: {FILE}", autocompletion=complete_file),
]
MaybeB = Annotated[
    str | None,
    typer.Argument(
        metavar="B", help="The candidate, in the same way.", autocompletion=complete_file
    ),
]
