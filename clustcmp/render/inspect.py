"""The document of `clustcmp inspect`."""

from __future__ import annotations

from collections.abc import Iterator

from clustcmp.analyses.inspect import COLUMNS, InspectReport, SeenClustering, SeenFile, SeenJoin
from clustcmp.errors import plural, printable
from clustcmp.render.blocks import (
    Block,
    Cell,
    Column,
    Data,
    Group,
    Heading,
    Lines,
    Name,
    Notes,
    Span,
    Table,
)
from clustcmp.render.brief import Brief, cut_name, fill, left_out
from clustcmp.render.words import show_ids, show_mass

# So many clusters of each clustering are shown with their sizes; JSON has all.
MOST_CLUSTERS = 6


def document(report: InspectReport) -> list[Block]:
    """Each file with its columns and clusterings, what joins two files, and the command lines."""
    blocks = [block for file in report.files for block in blocks_of(file)]
    if report.join is not None:
        blocks.append(Heading("both files"))
        blocks.append(Lines(list(say_join(report.join))))
    if report.commands:
        blocks.append(Heading("what to type"))
        blocks.append(Lines([[Span(printable(one), code=True)] for one in report.commands]))
    return [*blocks, Notes(report.notes), Data(COLUMNS, report.rows)]


def blocks_of(file: SeenFile) -> Iterator[Block]:
    """One file: its columns, its clusterings, and why a comparison would refuse it."""
    about = f"{file.format}, {plural(file.rows, 'row')}, {plural(len(file.columns), 'column')}"
    yield Heading([Name(file.file)], about=about)
    columns = [
        Column("column"),
        Column("taken for"),
        Column("could be"),
        Column("why", wraps=True),
    ]
    rows = [
        [
            Cell([Name(one.name)]),
            Cell(one.taken_for or "—"),
            Cell(", ".join(one.could_be) or "—"),
            Cell("; ".join(one.why) or "—"),
        ]
        for one in file.columns
    ]
    yield Table(columns, [Group(rows)])
    if file.clusterings:
        yield clusterings_table(file)
    if file.problem is not None:
        hint = f" ({file.hint})" if file.hint else ""
        yield Lines([f"compare refuses it as it is: {printable(file.problem + hint)}"])


def clusterings_table(file: SeenFile) -> Table:
    """A row for each clustering of a file."""
    columns = [
        Column("clustering"),
        Column("kind"),
        Column("id"),
        Column("points", right=True),
        Column("noise", right=True),
        Column("missing", right=True),
        Column("clusters", right=True),
        Column("sizes", wraps=True),
    ]
    rows = [
        [
            Cell([Name(one.address)]),
            Cell(one.kind),
            Cell("—" if one.id is None else [Name(one.id or "(first)")]),
            Cell(f"{one.points:,}"),
            Cell(f"{one.noise:,}"),
            Cell(f"{one.missing:,}"),
            Cell(f"{len(one.clusters):,}"),
            Cell(show_sizes(one)),
        ]
        for one in file.clusterings
    ]
    return Table(columns, [Group(rows)])


def show_sizes(clustering: SeenClustering) -> str:
    """The sizes of the largest clusters."""
    shown = [
        f"{printable(one.label)} {show_mass(one.size)}"
        for one in clustering.clusters[:MOST_CLUSTERS]
    ]
    rest = len(clustering.clusters) - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more" if rest else "")


def say_join(join: SeenJoin) -> Iterator[str]:
    """What joins two files, and how many points both have."""
    if join.shared is not None:
        words = [f"{plural(join.shared, 'point')} in both"]
        words += [f"joined by {show_ids(join.joined_by)}"] if join.joined_by else []
        words += [f"{join.only_a:,} only in the first, {join.only_b:,} only in the second"]
        yield ", ".join(words)
    if join.problem is not None:
        hint = f" ({join.hint})" if join.hint else ""
        yield f"compare refuses them as they are: {printable(join.problem + hint)}"


def brief(report: InspectReport, lines: int) -> Brief:
    """The files and their clusterings."""
    rows = [
        [cut_name(one.address), plural(one.points, "point"), plural(len(one.clusters), "cluster")]
        for file in report.files
        for one in file.clusterings
    ]
    shown = rows[: fill(len(rows), lines - 1)]
    more = left_out(len(rows) - len(shown), "clustering")
    return Brief([f"inspect: {plural(len(report.files), 'file')}"], (), shown, more=more)
