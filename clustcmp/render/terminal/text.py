"""Lines of blocks as text of rich."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.text import Text

from clustcmp.render.blocks import NO_BREAK, Bar, Line, Name, Span, Strip, Tone, pieces_of
from clustcmp.render.widths import LONGEST_NAME, short

# rich ends lines at a no-break space, too, so that this character for private use stands for one
# while rich draws. In text from outside `printable` has made an escape of it.
HARD_SPACE = "\ue000"

# The heights of a strip, the ends of a bar by eighths, and the characters of a full bar.
LEVELS = "▁▂▃▄▅▆▇█"
EIGHTHS = " ▏▎▍▌▋▊▉"
FULL_BAR = 20

# Columns in front of the second line of a sentence, and of all further ones.
HANGING = 2

# A strip has at most so many characters; of more shares, several are one character.
LONGEST_STRIP = 40

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


def as_text(
    line: Line,
    tone: Tone = Tone.plain,
    indent: int = 0,
    longest_name: int = LONGEST_NAME,
    longest_strip: int = LONGEST_STRIP,
) -> Text:
    """A line in the style of its tone, with names and strips cut to so many columns."""
    text = Text(" " * indent, STYLES[tone])
    for piece in pieces_of(line):
        match piece:
            case Name():
                text.append(short(piece.text, longest_name), STYLES[piece.tone])
            case Span():
                text.append(piece.text.replace(NO_BREAK, HARD_SPACE), STYLES[piece.tone])
            case Bar():
                text.append(draw_bar(piece.share or 0.0))
            case Strip():
                text.append(draw_strip(piece.shares, longest_strip))
            case _:
                text.append(piece.replace(NO_BREAK, HARD_SPACE))
    return text


class Hanging:
    """A text that is indented from its second line on, if it does not fit in one line."""

    def __init__(self, text: Text, indent: int = HANGING) -> None:
        self.text = text
        self.indent = indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        if cell_len(self.text.plain) <= options.max_width:
            yield self.text
            return
        first = self.text.wrap(console, options.max_width, overflow="fold")[0]
        rest = self.text[len(first) :]
        rest = rest[len(rest.plain) - len(rest.plain.lstrip(" ")) :]
        yield first
        width = max(options.max_width - self.indent, 1)
        for line in rest.wrap(console, width, overflow="fold"):
            yield Text(" " * self.indent).append_text(line)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self.text)


def draw_bar(share: float) -> str:
    """A bar as long as the share of a full one."""
    eighths = round(share * FULL_BAR * 8)
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()


def draw_strip(shares: Sequence[float | None], longest: int) -> str:
    """A character for each share, or for the largest of several; a dot for none."""
    n_characters = min(len(shares), longest)
    strip = []
    for position in range(n_characters):
        ends = (at * len(shares) // n_characters for at in (position, position + 1))
        known = [share for share in shares[slice(*ends)] if share is not None]
        level = min(int(max(known, default=0.0) * len(LEVELS)), len(LEVELS) - 1)
        strip.append(LEVELS[level] if known else "·")
    return "".join(strip)
