"""Documents as LaTeX, to be read by \\input: plain tables, and everything else as comments.

The tables need no package. Letters from outside that are not ASCII stay as they are; XeLaTeX and
LuaLaTeX know them all, pdfLaTeX the usual ones of Europe.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from clustcmp.errors import printable
from clustcmp.render.as_tables import checks_table, ranking_table, square_table
from clustcmp.render.blocks import (
    NO_BREAK,
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

# Characters that are commands of LaTeX or are missing from its usual fonts, and signs of ours.
ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "{''}",
    # After the end of a row these would be arguments of the command that ends it.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "∞": r"$\infty$",
    "✗": r"$\times$",
    "…": r"\ldots{}",
    "—": "---",
    NO_BREAK: "~",
}

# Two of the characters at the end would become another one, such as a dash, and two spaces one.
TO_ESCAPE = re.compile(rf"[{re.escape(''.join(ESCAPES))}]|[-'`,!?](?=[-'`,])| (?= )")

# The last line of a table.
END = r"\end{tabular}"

NEGATIVE = re.compile(r"-(?=[0-9])")

# A negative number among words, as in an interval.
NEGATIVE_WORD = re.compile(r"(?<![^~}])-(?=[0-9])")


def write(blocks: Iterable[Block]) -> str:
    """The document as LaTeX; legends, charts and data are left out."""
    lines: list[str] = []
    for block in blocks:
        written = list(write_block(block))
        # An empty line ends a paragraph: without it a second table would stand beside the first.
        lines += [""] if written and lines[-1:] == [END] else []
        lines += written
    text = "\n".join(lines) + "\n"
    if all(line.isascii() for line in lines if not line.startswith("%")):
        return text
    return f"% Some letters may need XeLaTeX or LuaLaTeX.\n{text}"


def write_block(block: Block) -> Iterator[str]:
    """The lines of a block."""
    match block:
        case Heading():
            words = [plain(block.line), block.about, block.aside]
            yield from comments([" ".join(filter(None, words))])
        case Inputs():
            yield from comments([*map("  ".join, block.rows), *block.facts])
        case Facts() | Lines():
            yield from comments(map(plain, block.lines))
        case Notes():
            yield from comments(f"note: {printable(note)}" for note in block.notes)
        case Table():
            yield from write_table(block)
        case Square():
            yield from write_table(square_table(block))
        case Ranking():
            yield from write_table(ranking_table(block))
        case Judgement():
            yield from comments([f"{block.title}: {block.word}, {block.reason}"])
            yield from write_block(block.inputs)
            yield from write_table(checks_table(block)) if block.checks else ()


def comments(texts: Iterable[str]) -> Iterator[str]:
    """Texts of one line each, which LaTeX does not show."""
    return (f"% {text.replace(NO_BREAK, ' ')}".rstrip() for text in texts)


def write_table(block: Table) -> Iterator[str]:
    """A table without its charts; the titles of groups take a row of their own."""
    columns = [column for column in block.columns if not column.chart]
    kept = [number for number, column in enumerate(block.columns) if not column.chart]
    letters = "".join("r" if column.right or column.digits else "l" for column in columns)
    yield f"\\begin{{tabular}}{{{letters}}}"
    yield r"\hline"
    yield join_cells([escape(column.head) for column in columns])
    yield r"\hline"
    for group in block.groups:
        if group.title and not group.curve:
            yield rf"\multicolumn{{{len(columns)}}}{{l}}{{\textit{{{escape(group.title)}}}}} \\"
        for row in group.rows:
            cells = [row[number] if number < len(row) else Cell() for number in kept]
            yield join_cells(list(map(write_cell, columns, cells)))
    yield r"\hline"
    yield END


def join_cells(cells: Sequence[str]) -> str:
    """One row of a table."""
    return f"{' & '.join(cells)} \\\\"


def write_cell(column: Column, cell: Cell) -> str:
    """The text of a cell; negative numbers have a minus, not a hyphen."""
    text = "".join(map(write_piece, pieces_of(cell.line)))
    if column.minus:
        return NEGATIVE_WORD.sub("$-$", text)
    return NEGATIVE.sub("$-$", text, count=1) if column.right or column.digits else text


def write_piece(piece: Piece) -> str:
    """One piece of a line; what is strong is bold."""
    text = escape(plain(piece))
    return f"\\textbf{{{text}}}" if isinstance(piece, Span) and piece.tone is Tone.strong else text


def plain(line: Line) -> str:
    """The text of a line as it is, without pictures."""
    texts = []
    for piece in pieces_of(line):
        match piece:
            case Name(widest=int(widest)):
                texts.append(short(piece.text, widest))
            case Name():
                texts.append(quote_blank(printable(piece.text)))
            case Span():
                texts.append(piece.text)
            case str():
                texts.append(piece)
    return "".join(texts)


def escape(text: str) -> str:
    """Text in which nothing is a command, and nothing is replaced by another character."""
    return TO_ESCAPE.sub(escape_one, text)


def escape_one(found: re.Match[str]) -> str:
    """What stands for a character; one that must not join the next one has a group after it."""
    character = found[0]
    return "\\ " if character == " " else ESCAPES.get(character, f"{character}{{}}")
