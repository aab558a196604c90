"""Lines of blocks as text of rich."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from clustcmp.render.blocks import NO_BREAK, Line, Name, Span, Tone, pieces_of
from clustcmp.render.widths import LONGEST_NAME, short

# rich ends lines at a no-break space, too, so that this character for private use stands for one
# while rich draws. In text from outside `printable` has made an escape of it.
HARD_SPACE = "\ue000"

STYLES = {
    Tone.plain: "",
    Tone.strong: "bold",
    Tone.faint: "dim",
    Tone.heading: "bold cyan",
    Tone.chart: "cyan",
    Tone.caution: "yellow",
    Tone.remark: "bold yellow",
    Tone.good: "green",
    Tone.bad: "red",
    Tone.passed: "bold green",
    Tone.failed: "bold red",
    Tone.unknown: "bold magenta",
}


def plain_grid() -> Table:
    """A table without a frame."""
    return Table(box=None, padding=(0, 2, 0, 0), header_style=STYLES[Tone.faint], pad_edge=False)


def as_text(
    line: Line, tone: Tone = Tone.plain, indent: int = 0, longest_name: int = LONGEST_NAME
) -> Text:
    """A line in the style of its tone, with names cut to so many columns."""
    text = Text(" " * indent, STYLES[tone])
    for piece in pieces_of(line):
        match piece:
            case Name():
                text.append(short(piece.text, longest_name), STYLES[piece.tone])
            case Span():
                text.append(piece.text.replace(NO_BREAK, HARD_SPACE), STYLES[piece.tone])
            case _:
                text.append(piece.replace(NO_BREAK, HARD_SPACE))
    return text
