"""Documents for people, as text in a terminal: the only writer that knows rich."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from clustcmp.output_settings import Color
from clustcmp.render.blocks import (
    WHAT_CHANGED,
    Block,
    Facts,
    Heading,
    Inputs,
    Judgement,
    Legend,
    Lines,
    Page,
    Ranking,
    Shares,
    Span,
    Square,
    Table,
    Tone,
    pieces_of,
)
from clustcmp.render.terminal.console import PROSE, UNLIMITED, draw, room, width
from clustcmp.render.terminal.tables import GAP, draw_table
from clustcmp.render.terminal.text import HANGING, STYLES, Hanging, as_text


def write(blocks: Iterable[Block], color: Color = "never") -> str:
    """The document as text, coloured or not, as wide as the terminal or as it needs."""
    parts: list[RenderableType] = []
    widest = UNLIMITED
    below_title = False
    for block in blocks:
        drawn = list(draw_block(block))
        if drawn:
            is_close = below_title or (isinstance(block, Lines | Legend) and block.close)
            parts += [Text()] if parts and not is_close else []
            parts += drawn
            below_title = isinstance(block, Heading) and block.level > 1
        if isinstance(block, Page):
            widest = PROSE
    return draw(parts, color, widest)


def draw_block(block: Block) -> Iterable[RenderableType]:
    """What rich draws for a block: nothing for notes and data."""
    match block:
        case Heading():
            about = Span(f"  {block.about}" if block.about else "", Tone.faint)
            return [Hanging(as_text([*pieces_of(block.line), about, block.aside], block.tone))]
        case Inputs():
            return draw_inputs(block)
        case Facts(lines=[first, *others]):
            return map(Hanging, [as_text(first, Tone.strong), *map(as_text, others)])
        case Lines(indent=indent):
            texts = (as_text(line, block.tone, indent) for line in block.lines)
            return (Hanging(text, indent + HANGING) for text in texts)
        case Legend():
            return (Hanging(as_text(line, Tone.faint)) for line in block.lines)
        case Table():
            return draw_table(block)
        case Judgement():
            return draw_verdict(block)
        case Shares() | Square() | Ranking():
            return draw_chart(block)
        case Page():
            return draw_page(block)
    return []


def draw_chart(block: Shares | Square | Ranking) -> Iterable[RenderableType]:
    """A heat map or a ranking; their modules are imported for the commands that have one."""
    if isinstance(block, Shares):
        from clustcmp.render.terminal.shares import draw_shares

        return draw_shares(block, room())
    if isinstance(block, Square):
        from clustcmp.render.terminal.square import draw_square

        return draw_square(block, width())
    from clustcmp.render.terminal.ranking import draw_ranking

    return draw_ranking(block, width())


def draw_inputs(block: Inputs, indent: int = 0) -> Iterator[RenderableType]:
    """One line for each clustering, then a line for what they have in common."""
    grid = Grid.grid(padding=(0, GAP))
    for number in range(max(map(len, block.rows), default=0)):
        # Only the names of files may take several lines.
        grid.add_column(no_wrap=number != 1)
    for name, file, *words in block.rows:
        numbers = [Text(word, justify="right") for word in words[: block.numbers]]
        title = as_text(name, Tone.strong, indent)
        grid.add_row(title, Hanging(Text(file)), *numbers, *words[block.numbers :])
    yield from [grid] if block.rows else []
    start = indent + 1 + GAP
    for fact in block.facts:
        yield Hanging(as_text(fact, Tone.faint, start), start + HANGING)


def draw_verdict(block: Judgement) -> Iterator[RenderableType]:
    """The lines of a verdict, coloured by outcome."""
    title = Text(f"{block.title}: {block.word}, {block.reason}", STYLES[block.tone])
    yield Hanging(title, 2 * HANGING)
    yield from draw_inputs(block.inputs, GAP)
    if not block.checks:
        return
    yield Text()
    grid = Grid.grid(padding=(0, GAP))
    for wraps in (False, True, True, True):
        grid.add_column(no_wrap=not wraps)
    for check in block.checks:
        texts = Hanging(Text(check.bound)), Hanging(Text(check.found)), Hanging(Text(check.margin))
        grid.add_row(as_text(check.word, indent=GAP), *texts, style=STYLES[check.tone])
    yield grid
    if block.explained_by:
        yield Text()
        # A command is not broken into lines: it could not be copied then.
        command = f"{' ' * GAP}{WHAT_CHANGED}: {block.explained_by}"
        yield Text(command, no_wrap=True, overflow="ignore")


def draw_page(page: Page) -> Iterator[RenderableType]:
    """Everything about one thing."""
    first, *others = page.names
    title = Text(first, STYLES[Tone.heading])
    yield title.append("".join(f", {name}" for name in others), STYLES[Tone.faint])
    yield Padding(Text(page.summary), (0, 0, 1, 2))
    facts = Grid.grid(padding=(0, 2))
    for name, fact in page.facts:
        facts.add_row(as_text(f"  {name}", Tone.strong), Text(fact))
    yield facts
    if page.options:
        yield Text()
        options = Grid.grid(padding=(0, 2))
        for name, default, allowed in page.options:
            usual = f"= {default}" if default else ""
            words = as_text(f"  {name}", Tone.strong), as_text(usual, Tone.faint)
            options.add_row(*words, Text(allowed))
        options.add_row("", "", as_text(page.example, Tone.faint))
        yield options
    for note in page.notes:
        yield Padding(Text(note), (1, 0, 0, 2))
