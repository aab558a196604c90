"""clustcmp compare: how far apart two clusterings are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from clustcmp.commands.arguments import MaybeA, MaybeB, metric_option
from clustcmp.commands.running import files_in, paths_of, run
from clustcmp.commands.takes import takes
from clustcmp.errors import UsageError
from clustcmp.keywords import declared, part_of
from clustcmp.output_settings import ENDINGS, CompareOutputSettings, PartsView
from clustcmp.settings import CompareSettings, TwoSettings
from clustcmp.wording import name_of

if TYPE_CHECKING:
    from clustcmp.results import Report

EXAMPLES = """
\b
Examples:
  clustcmp compare old.csv new.csv
  clustcmp compare truth.csv found.csv -m pair_f1 -m bcubed_f1
  clustcmp compare cells.tsv::leiden cells.tsv::louvain \\
      -m nmi:average=geometric -f json
  clustcmp compare old.csv new.csv --metric cdistance
  clustcmp compare old.csv new.csv --coordinates cells.csv::x,y
  clustcmp compare entities.csv found.csv -m pair_f1 \\
      --confidence 0.95 --unit cluster
  clustcmp compare truth.csv new.csv --versus old.csv
  clustcmp compare truth.csv found.csv --per cluster -m f1 -m missing
  clustcmp compare old.csv new.csv --permutations 999 --seed 1 \\
      --draws draws.csv
  clustcmp compare old.csv new.csv --weights balanced
  clustcmp compare --contingency counts.csv --confidence 0.95
  zcat new.csv.gz | clustcmp compare old.csv - -m all --points intersect
"""


@takes
def compare(
    a: MaybeA = None,
    b: MaybeB = None,
    metric: Annotated[
        list[str] | None,
        metric_option(
            "A metric (ari), with options (nmi:average=geometric), a family (information), "
            "or all; repeat for more. Default: the featured ones. See 'clustcmp metrics'."
        ),
    ] = None,
    per: Annotated[
        Literal["cluster", "point"] | None,
        typer.Option(
            "--per",
            help="Show which clusters, or which points, a value comes from, the worst first; -m "
            "names the columns.",
        ),
    ] = None,
    draws: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write each value of --permutations to this file, a row each, as CSV unless the "
            "ending says otherwise.",
        ),
    ] = None,
    *,
    settings: CompareSettings,
    output: CompareOutputSettings,
) -> None:
    """Compare clustering B with the reference A.

    The files are CSV or TSV with a header, .txt with one label per line, or of a format that
    --format-a lists; .gz, .bz2, .xz and .zst are unpacked. Rows are joined by ids: the column id,
    the first one if it has no name, or the only one that could be ids; by position if no file has
    any. A column label or cluster, or the only other column, holds labels; several numeric columns
    are soft memberships.

    The interval of --confidence covers the value that as many other such points would give on
    average; --unit cluster is for records that come by entity, and covers what as many other
    clusters would give. --versus C says whether B or C is closer to A, or that this is undecided.
    The p of --permutations speaks against independence, not for likeness: at a million points an
    ari of 0.000005 has p < 0.001.
    """
    from clustcmp.analyses.compare import compare

    reads = [a, b, *files_in(CompareSettings, settings)]
    if per is not None:
        check_parts(draws, settings)
        show_parts(per, a, b, metric, settings, output)
        return
    check_values(output)
    if draws is not None:
        check_draws(draws, [*reads, output.get("output")], "permutations" in settings)
    run(
        output,
        reads,
        lambda: compare(a, b, metric or None, **settings),
        lambda report: write_draws(report, draws),
    )


def show_parts(
    per: str,
    a: Any,
    b: Any,
    measures: list[str] | None,
    settings: CompareSettings,
    output: CompareOutputSettings,
) -> None:
    """Show the clusters or the points of a comparison."""
    from clustcmp.analyses.parts.library import per_cluster, per_point

    compute = {"cluster": per_cluster, "point": per_point}[per]
    run(
        output,
        [a, b, *files_in(CompareSettings, settings)],
        lambda: compute(a, b, measures or None, **part_of(TwoSettings, settings)),
        **part_of(PartsView, output),
    )


def check_parts(draws: str | None, settings: CompareSettings) -> None:
    """Refuse what asks about the value of a metric, which has no answer for its parts."""
    flags = [name_of(key) for key in settings if key not in declared(TwoSettings)]
    if draws is not None:
        flags.insert(0, "--draws")
    if flags:
        raise UsageError(
            f"{flags[0]} asks about values, but --per shows clusters or points",
            hint=f"leave out {' and '.join(flags)}, or --per",
        )


def check_values(output: CompareOutputSettings) -> None:
    """Refuse flags that choose among clusters or points where values are shown."""
    if flags := [name_of(key) for key in part_of(PartsView, output)]:
        raise UsageError(
            f"{flags[0]} has no effect without --per", hint="add --per cluster or --per point"
        )


def check_draws(path: str, used: list[Any], has_permutations: bool) -> None:
    """Refuse a file for draws that cannot be written, or without any draws."""
    from clustcmp.write import check_apart, check_writable

    if not has_permutations:
        raise UsageError("--draws writes what --permutations draws", hint="add --permutations 999")
    check_writable(path)
    check_apart(path, paths_of(used))


def write_draws(report: Report, path: str | None) -> list[str]:
    """Write all draws to a file, and return notes about it."""
    if path is None:
        return []
    from clustcmp.render import show
    from clustcmp.write import write_text

    write_text(path, show(report.draws, ENDINGS.get(Path(path).suffix.lower(), "csv")))
    return [] if report.draws else [f"{path}: no metric can be compared with chance"]
