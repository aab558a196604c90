"""Documents as Markdown, for comments, summaries and pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from clustcmp.errors import printable
from clustcmp.render.as_tables import checks_table, ranking_table, square_table
from clustcmp.render.blocks import (
    NO_BREAK,
    WHAT_CHANGED,
    Block,
    Cell,
    Column,
    Facts,
    Heading,
    Inputs,
    Judgement,
    Line,
    Lines,
    Name,
    Notes,
    Piece,
    Ranking,
    Span,
    Square,
    Table,
    Tone,
    pieces_of,
)
from clustcmp.render.widths import quote_blank, short

HEADINGS = {1: "### {}", 2: "**{}** {}", 3: "{}"}


def write(blocks: Iterable[Block]) -> str:
    """The document as Markdown; legends, heat maps and data are left out."""
    lines: list[str] = []
    in_list = False
    for block in blocks:
        written = list(write_block(block))
        is_list = isinstance(block, Inputs | Facts)
        if lines and lines[-1] and written and not (in_list and is_list):
            lines.append("")
        lines += written
        in_list = is_list if written else in_list
    return "\n".join(lines) + "\n"


def write_block(block: Block) -> Iterator[str]:
    """The lines of a block; those of a list or a table stand together."""
    match block:
        case Heading():
            line = write_line(block.line)
            if line:
                yield HEADINGS[block.level].format(line, block.about).rstrip()
                yield ""
        case Inputs():
            for name, file, *words in block.rows:
                yield f"- **{name}**: {code(file)}, {', '.join(words)}"
            yield from (f"- {fact}" for fact in block.facts)
        case Facts():
            yield from (f"- {write_line(line)}" for line in block.lines)
        case Lines():
            yield from paragraphs(escape(write_line(line)) for line in block.lines)
        case Notes():
            notes = (printable(note) for note in block.notes)
            yield from paragraphs(
                f"note: {code(note) if block.quoted else escape(note)}" for note in notes
            )
        case Table():
            yield from write_table(block)
        case Square():
            yield from write_table(square_table(block))
        case Ranking():
            if len(block.references) == 1:
                yield escape(write_line(["compared with ", Name(block.references[0])]))
                yield ""
            yield from write_table(ranking_table(block))
        case Judgement():
            yield from write_verdict(block)


def paragraphs(texts: Iterable[str]) -> Iterator[str]:
    """Texts with an empty line between them."""
    for number, text in enumerate(texts):
        if number:
            yield ""
        yield text


def write_table(block: Table) -> Iterator[str]:
    """One table of all rows, or one of each group under its title."""
    if not block.apart:
        yield from table_lines(block.columns, [row for group in block.groups for row in group.rows])
        return
    for number, group in enumerate(block.groups):
        if number:
            yield ""
        yield f"**{group.title}** ({code(group.word)})"
        yield ""
        yield from table_lines(block.columns, group.rows)


def write_verdict(block: Judgement) -> Iterator[str]:
    """A headline, the inputs and a table of the bounds."""
    name = f" {code(block.name)}" if block.name else ""
    yield f"### gate{name}: {block.word}, {code(block.reason) if block.error else block.reason}"
    yield ""
    yield from write_block(block.inputs)
    if block.checks:
        yield ""
        yield from write_table(checks_table(block))
    if block.explained_by:
        yield ""
        yield f"{WHAT_CHANGED}: {code(block.explained_by)}"


def table_lines(columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The lines of one table without its charts; a row with too few cells is filled up."""
    shown = [number for number, column in enumerate(columns) if not column.chart]
    yield join_cells([escape(columns[number].head) for number in shown])
    yield join_cells(["--:" if columns[number].right else "---" for number in shown])
    for row in rows:
        cells = [escape(write_line(row[number].line)) for number in shown if number < len(row)]
        yield join_cells(cells + [""] * (len(shown) - len(cells)))


def join_cells(cells: Sequence[str]) -> str:
    """One line of a table."""
    return f"| {' | '.join(cells)} |"


def write_line(line: Line) -> str:
    """The text of a line; names and what can be typed stand in backticks."""
    return "".join(map(write_piece, pieces_of(line))).replace(NO_BREAK, " ")


def write_piece(piece: Piece) -> str:
    """The text of one piece of a line."""
    match piece:
        case Name():
            if piece.widest is None:
                return code(quote_blank(printable(piece.text)))
            return code(short(piece.text, piece.widest))
        case Span():
            text = code(piece.text) if piece.code else piece.text
            return f"**{text}**" if piece.tone is Tone.strong else text
        case str():
            return piece
    return ""


def escape(text: str) -> str:
    """Text that cannot end a cell or start a tag."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def code(text: str) -> str:
    """Text in backticks, as many as it takes."""
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
