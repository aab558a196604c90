"""The parts of a document: what a command says, without the format in which it is written.

A document is a list of blocks, made from a report by the module that is named after the command. A
writer turns blocks into text and knows nothing else; a block that does not fit a format, such as a
heat map in Markdown, is left out by its writer.

Text in a block is printable: what comes from outside is a Name or has passed `printable`. Notes and
the names in a Square, a Ranking or Shares are as they came, and writers make them printable.
A no-break space (NO_BREAK) is a space at which no line ends; every writer shows a plain space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from clustcmp.arrays import Floats

if TYPE_CHECKING:
    from clustcmp.render.drawings import Drawing

NO_BREAK = "\u00a0"


class Tone(StrEnum):
    """What a piece of text is for the reader; a writer chooses how to show that."""

    plain = "plain"
    strong = "strong"
    faint = "faint"
    heading = "heading"
    chart = "chart"
    caution = "caution"
    remark = "remark"
    good = "good"
    bad = "bad"
    passed = "passed"
    failed = "failed"
    unknown = "unknown"


class Span(NamedTuple):
    """A piece of a line; `code` is something that a user can type, such as the name of a metric.

    `about` explains the piece where a format has room beside the text, such as under the pointer.
    """

    text: str
    tone: Tone = Tone.plain
    code: bool = False
    about: str = ""


class Name(NamedTuple):
    """A name from outside, not yet made printable; no format shows more than `widest` columns."""

    text: str
    tone: Tone = Tone.plain
    widest: int | None = None


class Bar(NamedTuple):
    """A bar as long as a share from 0 to 1; none where the share is None."""

    share: float | None


class Strip(NamedTuple):
    """A row of small columns, each as high as a share from 0 to 1; a gap where it is None."""

    shares: Sequence[float | None]


Piece = str | Span | Name | Bar | Strip
Line = Sequence[Piece] | Piece


class Cell(NamedTuple):
    """A cell of a table; `brief` is shown instead where room is short, as in a terminal."""

    line: Line = ""
    tone: Tone = Tone.plain
    brief: Line | None = None


class Column(NamedTuple):
    """A column of a table: its head, and how its cells are aligned and wrapped.

    `right` columns are right-aligned; `digits` columns are right-aligned in fixed-width formats
    only, so that digits stand below each other. `wraps` is for cells that may take several lines.
    `brief` is the head where room is short. Cells of a `chart` column are pictures, without which a
    format shows the `spare` columns instead. `minus` is for columns of words with negative numbers.
    """

    head: str
    right: bool = False
    digits: bool = False
    wraps: bool = False
    narrowest: int = 0
    tone: Tone = Tone.plain
    brief: str | None = None
    chart: bool = False
    spare: bool = False
    minus: bool = False


class Group(NamedTuple):
    """Rows of a table that belong together, under a title; `word` asks for them all.

    With a `curve` each group is a picture of its own, and `about` are a few words on it.
    """

    rows: Sequence[Sequence[Cell]]
    title: str = ""
    word: str = ""
    curve: Strip | None = None
    about: str = ""


class Heading(NamedTuple):
    """A title: level 1 of a document, level 2 of a part, level 3 of the next block.

    `about` are a few words on what the title names, `aside` words that the title can do without.
    """

    line: Line
    level: int = 2
    tone: Tone = Tone.plain
    about: str = ""
    aside: str = ""


class Inputs(NamedTuple):
    """What was compared: for each clustering its name, its file and a few words.

    The first `numbers` of these words are set so that their digits stand below each other. `facts`
    are about all clusterings together.
    """

    rows: Sequence[Sequence[str]]
    facts: Sequence[str] = ()
    numbers: int = 1


class Facts(NamedTuple):
    """The sums of a report, a line each."""

    lines: Sequence[Line]


class Lines(NamedTuple):
    """Sentences, each on a line of its own; `close` ones belong to the block above."""

    lines: Sequence[Line]
    tone: Tone = Tone.plain
    close: bool = False
    indent: int = 0


class Legend(NamedTuple):
    """What the signs in the blocks above stand for."""

    lines: Sequence[str]
    close: bool = False


class Notes(NamedTuple):
    """What a user should know about the input; the command line says it on stderr."""

    notes: Sequence[str]
    quoted: bool = False


class Table(NamedTuple):
    """Rows under columns, in groups; `apart` says that each group can be a table of its own."""

    columns: Sequence[Column]
    groups: Sequence[Group]
    apart: bool = False
    indent: int = 0

    @property
    def has_strips(self) -> bool:
        """Whether its second column holds strips."""
        rows = (row for group in self.groups for row in group.rows)
        return any(isinstance(cell.line, Strip) for row in rows for cell in row[1:3])


# What stands before the command that explains a failure.
WHAT_CHANGED = "what changed"


class CheckLine(NamedTuple):
    """One bound of a gate: what became of it, what was found, how far that is from the bound."""

    tone: Tone
    word: str
    bound: str
    found: str
    margin: str
    has_value: bool = True


class Judgement(NamedTuple):
    """A gate: a word and a reason, what was compared, and a line for each bound.

    `error` says that the gate could not be run, so that the reason is the text of the error.
    `cautions` are doubts about the whole comparison. `explained_by` is the command that shows why
    the gate failed.
    """

    name: str
    tone: Tone
    word: str
    reason: str
    inputs: Inputs
    checks: Sequence[CheckLine] = ()
    error: bool = False
    cautions: Sequence[str] = ()
    explained_by: str = ""

    @property
    def title(self) -> str:
        """What to call the gate."""
        return f"gate {self.name}" if self.name else "gate"


class Shares(NamedTuple):
    """A heat map: for each row how large its share in each column is, from 0 to 1.

    `which` says which rows and columns these are, if they are not all.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    shares: Sequence[Sequence[float]]
    which: str = ""


@dataclass(frozen=True, eq=False)
class Square:
    """A heat map: how far several things are from each other, each by its name.

    `values` (n, n) are NaN where there is none, and `intervals` the ends of approximate ones by row
    and column. The `medoid` represents the others best, with a `mean` value to them. `ends` are the
    worst and the best possible value, if both are finite.
    """

    names: Sequence[str]
    values: Floats
    higher_is_better: bool | None
    medoid: int | None = None
    mean: float | None = None
    intervals: Mapping[tuple[int, int], tuple[float, float]] = field(default_factory=dict)
    ends: tuple[float, float] | None = None


class RankedColumn(NamedTuple):
    """A column of values: its head and, if there are several references, the name of its own."""

    head: str
    reference: str = ""


class RankedValue(NamedTuple):
    """A value as text, whether it is the best one of its column, and the reference of a best one.

    `reference` is the name of the reference that is best for this thing, where the column is the
    best over several.
    """

    text: str
    is_best: bool = False
    reference: str = ""


class RankedRow(NamedTuple):
    """A thing that is compared with references: its name, its values, and a few words about it."""

    name: str
    values: Sequence[RankedValue]
    clusters: int
    about: str


class Ranking(NamedTuple):
    """Things in the order of how far they are from a reference, or from several."""

    references: Sequence[str]
    columns: Sequence[RankedColumn]
    rows: Sequence[RankedRow]

    @property
    def names_references(self) -> bool:
        """Whether the references of values stand beside them."""
        return any(value.reference for row in self.rows for value in row.values)


class Page(NamedTuple):
    """Everything about one thing: its names, a sentence, facts, options and more sentences.

    An option has a name, a default and a help; `example` says how to write the options.
    """

    names: Sequence[str]
    summary: str
    facts: Sequence[tuple[str, str]]
    options: Sequence[tuple[str, str, str]] = ()
    example: str = ""
    notes: Sequence[str] = ()


class Data(NamedTuple):
    """The values themselves, unrounded, for programs; the rows are made when they are asked for."""

    columns: Sequence[str]
    rows: Callable[[], Iterable[Sequence[Any]]]


class Headline(NamedTuple):
    """What a report comes down to, in sentences for people who look at nothing else."""

    lines: Sequence[Line]


class Chart(NamedTuple):
    """A picture: its title, a sentence on how to read it, and the same in words.

    `text` is for readers who cannot see the picture, `drawing` is what it shows, as plain data.
    """

    title: str
    how: str
    text: str
    drawing: Drawing


class OnPage(NamedTuple):
    """Blocks that a page shows, made when they are asked for; `instead` is for other formats."""

    make: Callable[[], Iterable[Block]]
    instead: Sequence[Block] = ()


Block = (
    Heading
    | Headline
    | Chart
    | OnPage
    | Inputs
    | Facts
    | Lines
    | Legend
    | Notes
    | Table
    | Judgement
    | Shares
    | Square
    | Ranking
    | Page
    | Data
)


def expand(blocks: Iterable[Block], on_page: bool) -> Iterator[Block]:
    """The blocks for a page, or those for other formats."""
    for block in blocks:
        if isinstance(block, OnPage):
            yield from expand(block.make() if on_page else block.instead, on_page)
        else:
            yield block


def pieces_of(line: Line) -> Sequence[Piece]:
    """The pieces of a line, also of one that is a single piece."""
    return [line] if isinstance(line, Piece) else line


def join(lines: Iterable[Iterable[Piece]], separator: str = ", ") -> Iterator[Piece]:
    """The pieces of some lines, with a separator between two lines."""
    for number, line in enumerate(lines):
        if number:
            yield separator
        yield from line


def table(columns: Sequence[Column], rows: Iterable[Sequence[Cell]], **facts: Any) -> Table:
    """A table whose rows are in no group."""
    return Table(columns, [Group(list(rows))], **facts)
