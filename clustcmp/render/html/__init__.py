"""Documents as one HTML page that needs no network: tables that can be sorted and searched.

Everything from outside is escaped, and the page's policy forbids all scripts but its own.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence

from clustcmp.errors import printable
from clustcmp.render.as_tables import checks_table, ranking_table, square_table
from clustcmp.render.blocks import (
    NO_BREAK,
    WHAT_CHANGED,
    Block,
    Cell,
    Chart,
    Column,
    Facts,
    Group,
    Heading,
    Headline,
    Inputs,
    Judgement,
    Legend,
    Line,
    Lines,
    Name,
    Notes,
    Page,
    Piece,
    Ranking,
    Shares,
    Span,
    Square,
    Table,
    Tone,
    pieces_of,
    table,
)
from clustcmp.render.html.charts import NO_CHARTS, figures_of, plotly_script
from clustcmp.render.html.page import page
from clustcmp.render.widths import quote_blank, short, thin_out

# Columns for a name, and characters for another text.
WIDEST = 120
LONGEST = 2000


def write(blocks: Iterable[Block]) -> str:
    """The document as a page; charts need plotly, and data is left out."""
    shown = list(blocks)
    parts: list[str] = []
    caption = ""
    charts: list[Chart] = []
    library = plotly_script() if any(isinstance(block, Chart) for block in shown) else ""
    for block in shown:
        if isinstance(block, Chart):
            charts += [block] if library else []
            parts += write_chart(block, len(charts), 3 if caption else 2) if library else []
        else:
            parts += write_block(block, caption)
        caption = text_of(block.line) if isinstance(block, Heading) else ""
    if any(isinstance(block, Chart) for block in shown) and not library:
        parts.append(f'<p class="note">{clean(NO_CHARTS)}</p>')
    return page(clean(title_of(shown)), "\n".join(parts), figures_of(charts), library)


def title_of(blocks: Sequence[Block]) -> str:
    """What the page is about, in one line."""
    # One word of several gates would be taken for the outcome of them all.
    if sum(isinstance(block, Judgement) for block in blocks) > 1:
        return "clustcmp: gates"
    for block in blocks:
        match block:
            case Judgement():
                return f"{block.title}: {block.word}"
            case Page():
                return f"clustcmp: {block.names[0]}"
            case Inputs() if len(block.rows) > 1:
                between = "and" if len(block.rows) == 2 else "to"
                return f"clustcmp: {block.rows[0][1]} {between} {block.rows[-1][1]}"
            case Heading(level=1) if words := text_of(block.line) or block.aside:
                return f"clustcmp: {words}"
    return "clustcmp"


def write_block(block: Block, caption: str = "") -> Iterator[str]:
    """The elements of a block."""
    match block:
        case Heading():
            yield from write_heading(block)
        case Headline():
            yield from (f'<p class="headline">{write_line(line)}</p>' for line in block.lines)
        case Inputs():
            yield from write_inputs(block)
        case Facts():
            yield from write_list(map(write_line, block.lines))
        case Lines():
            yield from (f"<p{tone(block.tone)}>{write_line(line)}</p>" for line in block.lines)
        case Legend():
            yield from (f'<p class="faint">{clean(line)}</p>' for line in block.lines)
        case Notes():
            yield from (f'<p class="note">note: {clean(note)}</p>' for note in block.notes)
        case Table():
            yield from write_table(block, caption)
        case Square():
            yield from write_table(square_table(block), caption)
        case Ranking():
            if len(block.references) == 1:
                yield f"<p>compared with {write_piece(Name(block.references[0]))}</p>"
            yield from write_table(ranking_table(block), caption)
        case Judgement():
            yield from write_verdict(block)
        case Shares():
            yield from write_shares(block)
        case Page():
            yield from write_page(block)


def write_heading(block: Heading) -> Iterator[str]:
    """A title below that of the page, and the words on it."""
    line = write_line(block.line)
    level = max(block.level, 2)
    if line:
        yield f"<h{level}{tone(block.tone)}>{line}</h{level}>"
    words = " ".join(filter(None, [block.about, block.aside]))
    if words:
        yield f'<p class="faint">{clean(words)}</p>'


def write_chart(block: Chart, number: int, level: int = 2) -> Iterator[str]:
    """A place for a chart, which the page's script draws, with its words around it."""
    title = clean(block.title)
    yield f'<section class="chart"><h{level}>{title}</h{level}>'
    yield f"<p>{clean(block.how)}</p>"
    yield (
        f'<div class="drawing" id="chart-{number}" role="group" '
        f'aria-label="{title}: {clean(block.text)}"></div>'
    )
    yield f'<p class="tools"><button type="button" class="save" data-chart="{number}">Save as SVG'
    yield f'<span class="unseen"> the chart: {title}</span></button></p></section>'


def write_inputs(block: Inputs) -> Iterator[str]:
    """A line for each clustering, and the facts about all of them."""
    rows = (
        f"<strong>{clean(name)}</strong> <bdi>{clean(file)}</bdi> {clean(', '.join(words))}"
        for name, file, *words in block.rows
    )
    yield from write_list([*rows, *map(clean, block.facts)])


def write_list(items: Iterable[str]) -> Iterator[str]:
    """A list of lines, if there are any."""
    lines = "".join(f"<li>{item}</li>" for item in items)
    if lines:
        yield f"<ul>{lines}</ul>"


def write_verdict(block: Judgement) -> Iterator[str]:
    """A gate: its outcome, the inputs, the bounds, and how to find out more."""
    yield f"<h2{tone(block.tone)}>{clean(f'{block.title}: {block.word}')}</h2>"
    yield f"<p>{clean(block.reason)}</p>"
    yield from write_inputs(block.inputs)
    yield from (f'<p class="note">{clean(caution)}</p>' for caution in block.cautions)
    if block.checks:
        bounds = checks_table(block)
        tones = [check.tone for check in block.checks]
        rows = [
            [Cell(first.line, own), *others]
            for own, (first, *others) in zip(tones, bounds.groups[0].rows, strict=True)
        ]
        yield from write_table(table(bounds.columns, rows), f"Bounds of {block.title}")
    if block.explained_by:
        yield f"<p>{WHAT_CHANGED}: <code>{clean(block.explained_by)}</code></p>"


def write_shares(block: Shares) -> Iterator[str]:
    """A table of shares in percent, each with a bar as long as the share."""
    heads = "".join(
        f'<th scope="col" class="right">{write_piece(Name(name))}</th>' for name in block.columns
    )
    rows = "".join(
        f'<tr><th scope="row">{write_piece(Name(name))}</th>'
        f"{''.join(map(write_share, shares))}</tr>"
        for name, shares in zip(block.rows, block.shares, strict=True)
    )
    title = clean(" ".join(filter(None, [block.title, block.which])))
    head = f'<tr><th scope="col">cluster</th>{heads}</tr>'
    yield frame(title, f"<thead>{head}</thead><tbody>{rows}</tbody>")


def write_share(share: float) -> str:
    """A cell with a share in percent and its bar."""
    shown = "·" if share == 0.0 else f"{100.0 * share:.0f}" if share >= 0.005 else "&lt;1"
    bar = f'<rect width="{100.0 * share:.1f}" height="10"></rect>'
    return (
        f'<td class="heat">{shown}<svg viewBox="0 0 100 10" preserveAspectRatio="none" '
        f'aria-hidden="true">{bar}</svg></td>'
    )


def write_page(block: Page) -> Iterator[str]:
    """Everything about one metric."""
    yield f"<p>{', '.join(f'<code>{clean(name)}</code>' for name in block.names)}</p>"
    yield f"<p>{clean(block.summary)}</p>"
    facts = [[Cell(name), Cell(text)] for name, text in block.facts]
    yield from write_table(table([Column("fact"), Column("value")], facts))
    if block.options:
        options = [list(map(Cell, option)) for option in block.options]
        yield from write_table(table([Column(h) for h in ("option", "default", "help")], options))
    if block.example:
        yield f"<p>written as <code>{clean(block.example)}</code></p>"
    yield from (f"<p>{clean(note)}</p>" for note in block.notes)


def write_table(block: Table, caption: str = "") -> Iterator[str]:
    """A table without its charts; each group is a part of it under a title."""
    kept = [number for number, column in enumerate(block.columns) if not column.chart]
    columns = [block.columns[number] for number in kept]
    heads = "".join(
        f'<th scope="col"{side(column)}>{clean(column.head)}</th>'
        if column.head
        else f"<td{side(column)}></td>"
        for column in columns
    )
    bodies = "".join(write_group(group, columns, kept) for group in block.groups if group.rows)
    if bodies:
        head = f"<thead><tr>{heads}</tr></thead>"
        yield frame(clean(caption or describe(columns)), f"{head}{bodies}")


def describe(columns: Sequence[Column]) -> str:
    """The caption of a table that has no heading."""
    first, *_ = heads = [column.head for column in columns if column.head]
    return f"One row per {first}" if first.isalpha() else f"Columns: {', '.join(heads)}"


def frame(caption: str, content: str) -> str:
    """A table that scrolls within the page, also by keyboard."""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">'
        f"<table><caption>{caption}</caption>\n{content}</table></div>"
    )


def write_group(group: Group, columns: Sequence[Column], kept: Sequence[int]) -> str:
    """The rows of a group; a row with too few cells is filled up."""
    title = " ".join(filter(None, [group.title, group.about]))
    lines = []
    if title:
        lines.append(
            f'<tr><th class="group" scope="rowgroup" colspan="{len(columns)}">'
            f"{clean(title)}</th></tr>"
        )
    for row in group.rows:
        cells = [row[number] if number < len(row) else Cell() for number in kept]
        lines.append(f"<tr>{''.join(map(write_cell, columns, cells))}</tr>")
    return f"<tbody>{chr(10).join(lines)}</tbody>\n"


def write_cell(column: Column, cell: Cell) -> str:
    """One cell of a table."""
    own = cell.tone if cell.tone is not Tone.plain else column.tone
    text = write_line(cell.line)
    shown = f"<span{tone(own)}>{text}</span>" if own is not Tone.plain and text else text
    return f"<td{side(column)}>{shown}</td>"


def side(column: Column) -> str:
    """The attribute of a cell that is right-aligned."""
    return ' class="right"' if column.right or column.digits else ""


def tone(own: Tone) -> str:
    """The attribute of an element that has a tone."""
    return "" if own is Tone.plain else f' class="{own}"'


def write_line(line: Line) -> str:
    """The HTML of a line."""
    return "".join(map(write_piece, pieces_of(line)))


def write_piece(piece: Piece) -> str:
    """One piece of a line; names are set apart from the direction of the text around them."""
    match piece:
        case Name():
            shown = short(piece.text, piece.widest or WIDEST)
            full = thin_out(quote_blank(printable(piece.text)))
            title = f' title="{clean(full)}"' if full != shown else ""
            return f"<bdi{title}>{clean(shown)}</bdi>"
        case Span():
            text = f"<code>{clean(piece.text)}</code>" if piece.code else clean(piece.text)
            text = write_tip(text, piece.about) if piece.about else text
            return text if piece.tone is Tone.plain else f"<span{tone(piece.tone)}>{text}</span>"
        case str():
            return clean(piece)
    return ""


def write_tip(text: str, about: str) -> str:
    """A text with an explanation, which the pointer, a tap or the keyboard opens."""
    shown = clean(about)
    return (
        f'<details class="tip"><summary title="{shown}">{text}</summary>'
        f'<span class="about">{shown}</span></details>'
    )


def text_of(line: Line) -> str:
    """The text of a line without markup."""
    texts = (p if isinstance(p, str) else getattr(p, "text", "") for p in pieces_of(line))
    return "".join(texts)


def clean(text: str) -> str:
    """Text in which nothing is markup, without the end of a very long one."""
    shown = thin_out(printable(text.replace(NO_BREAK, " ")))
    shown = shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"
    # In a log of GitHub Actions ##[ gives a command.
    return html.escape(shown).replace("##[", "##&#91;")
