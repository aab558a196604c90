"""Changes for people: what became of each cluster, and a heat map of the flows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence

import numpy as np
from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from clustcmp.analyses.changes.order import rank
from clustcmp.analyses.changes.records import Birth, ClusterChange, in_one_order
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.analyses.flows.fates import Fate
from clustcmp.arrays import NONE, Integers
from clustcmp.choices import Color
from clustcmp.errors import printable
from clustcmp.render.changes import (
    choose_rows,
    mass_columns,
    show_birth,
    show_change,
    show_mass,
    show_rest,
    show_share,
    summary,
)
from clustcmp.render.heat import cell_width, has_room, heat_rows, shade_legend
from clustcmp.render.tables import NARROWEST, draw, inputs_grid, plain_table
from clustcmp.render.widths import LONGEST_NAME, quote_blank, short, thin_out

# Columns of the terminal for a name in front of a row of the heat map.
LONGEST_TITLE = 16

# Stands for a space at which no line may end. It is for private use, and such a character from
# outside is printed as an escape.
HARD_SPACE = "\ue000"

# A heat map with more rows and columns is a picture of noise.
LARGEST_HEAT_MAP = 20

STYLES = {
    Fate.died: "red",
    Fate.split: "yellow",
    Fate.merged: "yellow",
    Fate.regrouped: "yellow",
    Fate.renamed: "dim",
    Fate.same: "dim",
}


def changes_table(report: ChangeReport, color: Color, top: int | None) -> str:
    """The inputs, the sums, what became of the clusters, and the heat map."""
    first, *sums = summary(report)
    shown, births = choose_rows(report, top)
    parts: list[RenderableType] = [
        inputs_grid(report.inputs),
        Text(f"   {first}", style="dim"),
        Text(),
        *(Text(line, style="bold" if line is sums[0] else "") for line in sums),
        Text(),
        clusters_table(report, shown, births),
    ]
    parts += [Text(line, style="dim") for line in show_rest(report, shown, births, "--all")]
    parts += [Text(), *heat_map(report)]
    return draw(parts, color).replace(HARD_SPACE, " ")


def clusters_table(
    report: ChangeReport, shown: Sequence[ClusterChange], births: Sequence[Birth]
) -> Table:
    """A row for each cluster of a and each birth; what matters most comes first."""
    table = plain_table()
    table.add_column("a → b", overflow="fold", min_width=LONGEST_NAME + 9)
    table.add_column("kind", no_wrap=True)
    for heading in (*mass_columns(report), *report.contributions.parts):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in in_one_order(shown, births):
        if isinstance(one, ClusterChange):
            table.add_row(*cluster_cells(report, one))
        else:
            change = keep_together(show_birth(one, short))
            table.add_row(change, Text("born", style="green"), show_mass(one.size))
    return table


def cluster_cells(report: ChangeReport, cluster: ClusterChange) -> Iterator[Text]:
    """The cells of one cluster."""
    yield keep_together(show_change(report, cluster, short))
    yield Text(cluster.kind.value, style=STYLES.get(cluster.kind, ""))
    for field in mass_columns(report).values():
        mass = getattr(cluster, field)
        yield Text(show_mass(mass), style="" if mass else "dim")
    for name, total in report.contributions.totals.items():
        yield Text(show_share(cluster.contributions[name] / total) if total else "0 %")


def keep_together(line: str) -> Text:
    """A line that is not broken between a name and its share."""
    return Text(line.replace(" (", f"{HARD_SPACE}(").replace(" %", f"{HARD_SPACE}%"))


def heat_map(report: ChangeReport) -> Iterator[Text]:
    """The shares of clusters of a in clusters of b, their matches on the diagonal."""
    rows, columns = choose_lines(report)
    names_a, names_b = report.a.names, report.b.names
    titles = [short(names_a[row], LONGEST_TITLE) for row in rows.tolist()]
    margin = max(map(cell_len, titles)) + 2
    terminal = max(shutil.get_terminal_size().columns, NARROWEST)
    numbers = has_room(len(columns), terminal - margin)
    heads, legend = name_columns([names_b[column] for column in columns.tolist()], numbers)
    what = "share of each cluster of a (rows) in clusters of b (columns)"
    unit = ", in %" if numbers else ""
    yield Text(f"{what}{unit}{which(report, rows, columns)}", style="dim")
    # A head ends above the shade of its cells.
    padding = (" " * (cell_width(numbers) - 1 - cell_len(head)) + head for head in heads)
    yield Text(" " * margin + " ".join(padding), style="dim")
    lines = heat_rows(find_shares(report, rows, columns), numbers)
    for title, line in zip(titles, lines, strict=True):
        yield Text(title + " " * (margin - cell_len(title))) + line
    yield from (Text(line, style="dim") for line in legend)
    if not numbers:
        yield Text(shade_legend(), style="dim")


def name_columns(names: Sequence[str], numbers: bool) -> tuple[list[str], list[str]]:
    """What stands above the columns: their names if all are short, else numbers and a legend."""
    width = cell_width(numbers) - 1
    heads = [quote_blank(thin_out(printable(name))) for name in names]
    if all(cell_len(head) <= width and len(head) <= width for head in heads):
        return heads, []
    heads = [str(number) for number in range(1, len(names) + 1)]
    lines = ["columns:"]
    for head, name in zip(heads, names, strict=True):
        entry = f" {head} {short(name)}"
        if cell_len(lines[-1] + entry) >= NARROWEST:
            lines.append("        ")
        lines[-1] += entry + ("," if head != heads[-1] else "")
    return heads, lines


def which(report: ChangeReport, rows: Integers, columns: Integers) -> str:
    """Which clusters are in the heat map, if not all."""
    n_a, n_b = len(report.changes.sizes_a), len(report.changes.sizes_b)
    if len(rows) == n_a and len(columns) == n_b:
        return ""
    return f"; {len(rows)} of {n_a:,} and {len(columns)} of {n_b:,} clusters, the most changed"


def choose_lines(report: ChangeReport) -> tuple[Integers, Integers]:
    """The clusters of a that changed most, and of b their matches, then what received most."""
    changes = report.changes
    every_b = np.arange(len(changes.sizes_b))
    rows = np.array([cluster.code for cluster in report.first_clusters(LARGEST_HEAT_MAP)])
    # The largest first; rows with a match before all, so that the diagonal is not interrupted.
    rows = np.array(rank([changes.sizes_a[rows]], rows, report.a.names, len(rows)))
    partners = changes.partners.of_a[rows]
    rows = np.concatenate([rows[partners != NONE], rows[partners == NONE]])
    matches = partners[partners != NONE]
    others = every_b[~np.isin(every_b, matches)]
    cells = np.concatenate([changes.cells_of_a(row) for row in rows.tolist()])
    received = np.bincount(
        changes.flows.columns[cells], changes.flows.masses[cells], minlength=len(every_b)
    )
    keys = [received[others], changes.sizes_b[others]]
    found = rank(keys, others, report.b.names, LARGEST_HEAT_MAP - len(matches))
    return rows, np.array([*matches.tolist(), *found])


def find_shares(report: ChangeReport, rows: Integers, columns: Integers) -> list[list[float]]:
    """The share of each row in each column."""
    changes = report.changes
    where = np.full(len(changes.sizes_b), NONE)
    where[columns] = np.arange(len(columns))
    shares = np.zeros((len(rows), len(columns)))
    for index, row in enumerate(rows.tolist()):
        cells = changes.cells_of_a(row)
        cells = cells[where[changes.flows.columns[cells]] != NONE]
        at = where[changes.flows.columns[cells]]
        shares[index, at] = changes.flows.masses[cells] / changes.sizes_a[row]
    listed: list[list[float]] = shares.tolist()
    return listed
