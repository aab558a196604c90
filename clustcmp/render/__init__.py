"""Report -> blocks -> writer: one document for each command, one writer for each format.

The module that is named after a command has the function `document`, which turns the report of this
command into blocks. The module that is named after a format has the function `write`, which turns
blocks into text; JSON is written from the report's `to_dict`. The function `brief` of a command
sums up its report in a few lines, which Python's prompt and notebooks show.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, get_args

from clustcmp.errors import UsageError, did_you_mean
from clustcmp.keywords import check, complete
from clustcmp.output_settings import Color, DigitSettings, GateFormat, OutputFormat, View
from clustcmp.render.blocks import Block, expand
from clustcmp.results import Reported

# The formats of verdicts; --junit writes the last one to a file of its own.
FORMATS = (*get_args(GateFormat), "junit")


def show(
    report: Reported, format: str, color: Color = "never", digits: int | None = None, **view: Any
) -> str:
    """The report as text, its values with so many decimals where it is for people.

    The keywords in `view` choose what the document shows.
    """
    known = FORMATS if report.command in ("gate", "baseline") else get_args(OutputFormat)
    if format not in known:
        raise UsageError(
            f"format={format!r} is not possible",
            hint=did_you_mean(format, known, f"the formats are {', '.join(known)}"),
        )
    if format == "json":
        from clustcmp.render import json

        return json.write(report.to_dict())
    from clustcmp.render.words import rounded_to

    with rounded_to(check(DigitSettings, {"digits": digits}).get("digits")):
        return write(document_of(report.in_texts(), format == "html", **view), format, color)


def show_briefly(report: Reported) -> str:
    """The report in a few lines of text."""
    from clustcmp.render import prompt

    return prompt.write(report)


def show_in_notebook(report: Reported) -> str:
    """The report in a few lines of HTML."""
    from clustcmp.render import notebook

    return notebook.write(report)


def document_of(report: Reported, on_page: bool = False, **view: Any) -> list[Block]:
    """The blocks that the command of a report shows, on a page or in another format.

    The VIEW of the command's document declares what can be chosen.
    """
    module = import_module(f"clustcmp.render.{report.document or report.command}")
    chosen = complete(getattr(module, "VIEW", View), view)
    return list(expand(module.document(report, **chosen), on_page))


def write(blocks: list[Block], format: str, color: Color = "never") -> str:
    """Blocks in a format; only a terminal has colours."""
    if format == "table":
        from clustcmp.render import terminal

        return terminal.write(blocks, color)
    text: str = import_module(f"clustcmp.render.{format}").write(blocks)
    return text
