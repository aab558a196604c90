"""Tables in Markdown for the documents that are not made of blocks yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clustcmp.render.markdown import escape


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], right: str = ""
) -> list[str]:
    """The lines of a table."""
    rules = ["--:" if name == right else "---" for name in header]
    cells = [header, rules, *([escape(cell) for cell in row] for row in rows)]
    return [f"| {' | '.join(row)} |" for row in cells]
