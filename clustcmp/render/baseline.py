"""What changes when the values of a run are accepted."""

from __future__ import annotations

from clustcmp.analyses.gate.baseline import Baseline, changes_between
from clustcmp.choices import Color, GateFormat
from clustcmp.errors import printable
from clustcmp.render.json import write as to_json
from clustcmp.render.machine import markdown_table
from clustcmp.render.markdown import code
from clustcmp.render.words import show_value


def render_update(old: Baseline | None, new: Baseline, format: GateFormat, color: Color) -> str:
    """The accepted values before and now; as JSON the new baseline itself."""
    if format is GateFormat.json:
        return to_json(new.document)
    rows = [
        (metric, "—" if before is None else show_value(before), show_value(now))
        for metric, before, now in changes_between(old, new)
    ]
    # What the new baseline does not have any more is a change as well.
    accepted = old.values if old else {}
    gone = sorted(accepted.keys() - new.values.keys())
    rows += [(metric, show_value(accepted[metric]), "—") for metric in gone]
    if format is GateFormat.markdown:
        cells = [(code(metric), before, now) for metric, before, now in rows]
        lines = [f"### baseline {code(printable(new.path))}", ""]
        lines += markdown_table(("metric", "before", "now"), cells)
        return "\n".join(lines) + "\n"
    from rich.text import Text

    from clustcmp.render.tables import draw, plain_table

    table = plain_table()
    table.add_column("metric")
    table.add_column("before", justify="right")
    table.add_column("now", justify="right")
    for metric, before, now in rows:
        style = "" if before == now else "bold"
        table.add_row(Text(metric), Text(before), Text(now, style=style))
    title = Text(f"baseline {printable(new.path)}: {'updated' if old else 'new'}", style="bold")
    return draw([title, Text(), table], color)
