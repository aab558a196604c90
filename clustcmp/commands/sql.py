"""clustcmp sql: the statement with which a database counts what compare reads."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from clustcmp.commands.takes import takes
from clustcmp.settings import SqlSettings

EXAMPLES = """
\b
Examples:
  clustcmp sql old_labels new_labels --id cell --label cluster
  clustcmp sql lab.runs::leiden lab.runs::louvain --id cell
  clustcmp sql my-project.lab.old my-project.lab.new --id cell \\
      --label cluster --quote backtick
"""

TABLE = "table, table::COLUMN, or table::label=COLUMN,id=COLUMN."


@takes
def sql(
    a: Annotated[str, typer.Argument(metavar="A", help=f"The reference: {TABLE}")],
    b: Annotated[str, typer.Argument(metavar="B", help="The candidate, in the same way.")],
    *,
    settings: SqlSettings,
) -> None:
    """Print SQL that counts the points that clusters share.

    So a billion points are compared: the database that has them joins and counts, and
    'clustcmp compare --contingency' judges the counts. The statement is plain SQL for BigQuery,
    DuckDB, Snowflake and Spark. Labels may be of any type. An id that is listed twice, or missing,
    makes a count negative, which compare refuses.
    """
    from clustcmp.analyses.sql import sql

    sys.stdout.write(sql(a, b, **settings))
