"""clustcmp inspect: what there is in files, and what could be done with them."""

from __future__ import annotations

from typing import Annotated

import typer

from clustcmp.commands.completion import complete_file
from clustcmp.commands.running import run
from clustcmp.commands.takes import takes
from clustcmp.output_settings import OutputSettings
from clustcmp.settings import InspectSettings

EXAMPLES = """
\b
Examples:
  clustcmp inspect cells.csv
  clustcmp inspect old.csv new.csv
  clustcmp inspect 'results.csv::*' -f json
"""


@takes
def inspect(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES...",
            help="One or more files: path, path::COLUMN or path::*. With two files also what joins "
            "them.",
            autocompletion=complete_file,
        ),
    ],
    *,
    settings: InspectSettings,
    output: OutputSettings,
) -> None:
    """Say what there is in files.

    For each file: its format, its columns with what compare takes them for and what they could be,
    and its clusterings with the sizes of their clusters. With two files also which ids join them
    and how many points both have. Last the command lines that would use the files. Files are read
    by the same rules as in all other commands.
    """
    from clustcmp.analyses.inspect import inspect

    run(output, files, lambda: inspect(*files, **settings))
