"""clustcmp changes: which cluster became which."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clustcmp.commands.arguments import MaybeA, MaybeB
from clustcmp.commands.running import files_in, paths_of, run
from clustcmp.commands.takes import takes
from clustcmp.errors import UsageError
from clustcmp.keywords import part_of
from clustcmp.output_settings import ChangesOutputSettings, ChangesView
from clustcmp.settings import ChangesSettings

if TYPE_CHECKING:
    from clustcmp.analyses.changes.report import ChangeReport

EXAMPLES = """
\b
Examples:
  clustcmp changes old.csv new.csv
  clustcmp changes old.csv new.csv --moved moved.csv --relabel renamed.csv
  clustcmp changes old.csv new.csv --coordinates cells.csv::x,y --all
  clustcmp changes january.csv may.csv \\
      --coordinates-a x1.csv --coordinates-b x2.csv -f json
  clustcmp changes --contingency counts.csv
"""

# The endings of a table with a header.
TABLES = ("", ".csv", ".tsv")


@takes
def changes(
    a: MaybeA = None,
    b: MaybeB = None,
    moved: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write the points that moved as CSV: id, from, to, expected."
        ),
    ] = None,
    relabel: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write B as CSV or .tsv, with A's names on matched clusters (--relabel-share).",
        ),
    ] = None,
    *,
    settings: ChangesSettings,
    output: ChangesOutputSettings,
) -> None:
    """Show which cluster became which, and which points moved.

    Clusters are matched one to one, so that as many points as possible are in the match of their
    old cluster; the others moved. In the table = stands before the match. Points only in A are
    gone, points only in B are new; --points intersect leaves both out. Where A and B share too few
    points, and coordinates or distances are given, clusters are matched by the transport plan
    between them. With coordinates the table shows how much each cluster adds to cdistance and css.

    A cluster of A is the same (its match has the same points), renamed (the same points, another
    name), split (more than half of a cluster of B other than its match comes from it), merged
    (most of another cluster of A went to the same cluster of B), regrouped (split and merged),
    changed (it has a match, and none of these holds) or died (it has no match, and no cluster of B
    has more than half of it). A cluster of B without a match is born if no cluster of A gives more
    than half of it. The mass of a cluster or of a flow is its number of points, the sum of their
    degrees if A or B is soft.

    Exactly, clusters are merged if their match, or the cluster of B with more than half of them,
    has more than half of a cluster of A that is not its match. For example, x has 6 points and y
    has 4; cluster p of B has all of x and 3 points of y, and cluster q the last point of y. Then x
    is matched with p, and y with q. Since p has most of y, both x and y are merged.
    """
    from clustcmp.analyses.changes.library import changes

    if relabel is None and "relabel_share" in settings:
        raise UsageError("--relabel-share has no effect without --relabel FILE")
    reads = [a, b, *files_in(ChangesSettings, settings)]
    check_files([moved, relabel, output.get("output")], reads)
    run(
        output,
        reads,
        lambda: changes(a, b, **settings),
        lambda report: write_files(report, moved, relabel),
        **part_of(ChangesView, output),
    )


def check_files(written: list[str | None], reads: list[object]) -> None:
    """Refuse files that cannot be written, or that are read or written otherwise."""
    from clustcmp.write import check_apart, check_writable

    used = paths_of(reads)
    for path in filter(None, written):
        check_writable(path)
        check_apart(path, used)
        used.append(path)
    for path in filter(None, written[:2]):
        if Path(path).suffix.lower() not in TABLES or ".labels" in Path(path).name.lower():
            raise UsageError(
                f"{path}: a table is written as CSV or .tsv", hint="name it .csv or .tsv"
            )


def write_files(report: ChangeReport, moved: str | None, relabelled: str | None) -> list[str]:
    """Write the files that are asked for, and return notes about them."""
    from clustcmp.write import write_text

    # Both texts are made before the first file is written.
    made = {}
    if moved is not None:
        from clustcmp.analyses.changes.moved import list_moved

        made[moved] = list_moved(report, delimiter_of(moved))
    if relabelled is not None:
        from clustcmp.analyses.changes.relabel import relabel

        made[relabelled] = relabel(report, delimiter_of(relabelled))
    for path, file in made.items():
        write_text(path, file.text)
    return [note for file in made.values() for note in file.notes]


def delimiter_of(path: str) -> str:
    """What stands between the cells of a file, by its ending."""
    return "\t" if path.lower().endswith(".tsv") else ","
