"""Verdicts for GitHub Actions: workflow commands, then the text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clustcmp.render.blocks import WHAT_CHANGED, Block, Judgement, Tone
from clustcmp.render.terminal import write as write_text

# GitHub shows ten commands of a kind at most.
MOST_COMMANDS = 10


def write(blocks: Sequence[Block]) -> str:
    """The commands and the plain text."""
    return write_commands(blocks) + write_text(blocks)


def write_commands(blocks: Sequence[Block]) -> str:
    """The lines that make GitHub show what is wrong beside the job; errors before warnings."""
    found = sorted(find_commands(blocks), key=lambda command: command[0] != "error")
    return "".join(
        f"::{kind} title={escape_property(title)}::{escape_data(message)}\n"
        for kind, title, message in found[:MOST_COMMANDS]
    )


def find_commands(blocks: Sequence[Block]) -> Iterator[tuple[str, str, str]]:
    """The kind, the title and the message of each thing that is wrong."""
    for block in blocks:
        if not isinstance(block, Judgement):
            continue
        title = f"clustcmp {block.title}"
        if block.error:
            yield "error", title, block.reason
        for caution in block.cautions:
            yield "warning", title, caution
        why = f"\n{WHAT_CHANGED}: {block.explained_by}" if block.explained_by else ""
        for check in block.checks:
            if check.tone is not Tone.good:
                kind = "warning" if check.tone is Tone.caution else "error"
                margin = f", {check.margin}" if check.margin else ""
                more = why if check.tone is Tone.failed else ""
                yield kind, title, f"{check.bound}: found {check.found}{margin}{more}"


def escape_data(text: str) -> str:
    """Text that stays within a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Text that stays within a property of a workflow command."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")
