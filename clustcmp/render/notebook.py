"""A report in a few lines of HTML, for notebooks: text and a small table, without scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from clustcmp.errors import printable
from clustcmp.render.brief import Brief, brief_of
from clustcmp.results import Reported

# Lines of a report, notes below it, and characters of a note or another text.
MOST_LINES = 24
MOST_NOTES = 3
LONGEST = 400


def write(report: Reported) -> str:
    """The HTML that a notebook shows for a report."""
    return "".join(parts_of(brief_of(report, MOST_LINES), report.notes))


def parts_of(brief: Brief, notes: Sequence[str]) -> Iterator[str]:
    """The elements of the HTML, one after the other."""
    headline, *facts = brief.facts
    yield f"<div><p><strong>{clean(headline)}</strong>"
    yield from (f"<br>{clean(fact)}" for fact in facts)
    yield "</p>"
    if brief.rows:
        yield "<table>"
        if any(brief.head):
            yield f"<thead>{row_of('th', brief.head, brief.right)}</thead>"
        yield "<tbody>"
        yield from (row_of("td", row, brief.right) for row in brief.rows)
        yield "</tbody></table>"
    remarks = [brief.more] if brief.more else []
    remarks += [f"note: {note}" for note in notes[:MOST_NOTES]]
    if len(notes) > MOST_NOTES:
        remarks.append(f"and {len(notes) - MOST_NOTES} more in .notes")
    if remarks:
        yield f"<p>{'<br>'.join(map(clean, remarks))}</p>"
    yield "</div>"


def row_of(tag: str, cells: Sequence[str], right: range) -> str:
    """A row of the table; numbers are on the right, all else on the left."""
    shown = (
        f'<{tag} style="text-align: {"right" if position in right else "left"}">'
        f"{clean(cell)}</{tag}>"
        for position, cell in enumerate(cells)
    )
    return f"<tr>{''.join(shown)}</tr>"


def clean(text: str) -> str:
    """Text in which nothing is markup, without the end of a very long one."""
    shown = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return escape(printable(shown))
