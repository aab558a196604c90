"""The arguments that several commands share, each with its one help text."""

from __future__ import annotations

from typing import Annotated, Any

import typer


def complete_metric(incomplete: str) -> list[tuple[str, str]]:
    """The metrics, aliases and families that a shell can complete a word to."""
    from clustcmp.metrics import METRICS

    words = [word for word in METRICS.words if word.startswith(incomplete)]
    return [(word, METRICS.explain(word)) for word in words]


def metric_option(help: str) -> Any:
    """The option -m, which names a metric and can be repeated."""
    return typer.Option(
        "--metric", "-m", metavar="METRIC", help=help, autocompletion=complete_metric
    )


FILE = "path, path::COLUMN, path::label=COLUMN,id=COLUMN, or - for stdin."

FileA = Annotated[str, typer.Argument(metavar="A", help=f"The reference: {FILE}")]
FileB = Annotated[str, typer.Argument(metavar="B", help="The candidate, in the same way.")]
