"""What every command does around its own work: progress bar, notes, times, and the result last."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

from clustcmp.commands.messages import write_message
from clustcmp.errors import UsageError
from clustcmp.keywords import declared
from clustcmp.output_settings import ENDINGS, FormatSettings, OutputFormat, ShowSettings
from clustcmp.progress import Stopwatch

if TYPE_CHECKING:
    from clustcmp.results import Reported

# More notes than this are counted only; JSON has them all.
MOST_NOTES = 10


Shown = TypeVar("Shown", bound="Reported")


def run(
    output: FormatSettings,
    reads: Iterable[Any],
    compute: Callable[[], Shown],
    write: Callable[[Shown], Iterable[str]] = lambda report: (),
    **view: Any,
) -> Shown:
    """Compute the report of a command, and show it.

    `reads` are files that must not be written over. `write` writes further files and returns notes
    about them. The keywords in `view` choose what the document of the command shows.
    """
    form = choose_format(OutputFormat, output)
    check_output(output, reads)
    with listening(output) as stopwatch:
        report = compute()
    finish(output, report, form, stopwatch.seconds, lambda: write(report), **view)
    return report


def finish(
    output: ShowSettings,
    report: Reported,
    form: str,
    seconds: Mapping[str, float],
    write: Callable[[], Iterable[str]] = lambda: (),
    **view: Any,
) -> None:
    """Render, and only then write and print: with an error nothing is written at all."""
    text = render(output, report, form, **view)
    tell_notes((*report.notes, *write()), output.get("quiet", False))
    if output.get("verbose"):
        took = ", ".join(f"{stage} in {time:.3f} s" for stage, time in seconds.items())
        write_message("", took)
    emit(output, text)


@contextmanager
def listening(output: ShowSettings) -> Iterator[Stopwatch]:
    """Show the progress of the work inside of this, unless the user wants quiet."""
    from clustcmp.progress import told_to
    from clustcmp.render.bar import ProgressBar

    wanted = output.get("quiet", False), output.get("verbose", False)
    with ProgressBar(*wanted) as bar, told_to(bar):
        yield bar


def choose_format(formats: Any, output: ShowSettings, usual: str = "table") -> str:
    """The format that was typed, else the one of the file's ending, else the usual one.

    `formats` is the Literal with all formats of a command.
    """
    typed: str | None = cast(Mapping[str, Any], output).get("format")
    path = output.get("output")
    if typed is not None or path is None:
        return typed or usual
    word = ENDINGS.get(Path(path).suffix.lower())
    if word is None or word not in get_args(formats):
        known = [ending for ending, name in ENDINGS.items() if name in get_args(formats)]
        raise UsageError(
            f"{path}: the ending does not say which format to write",
            hint=f"choose one with -f, or name the file {', '.join(known)}",
        )
    return word


def check_output(output: ShowSettings, reads: Iterable[Any]) -> None:
    """Refuse a file that cannot be written, or that is read, before any work is done."""
    path = output.get("output")
    if path is not None:
        from clustcmp.write import check_apart, check_writable

        check_writable(path)
        check_apart(path, paths_of(reads))


def files_in(group: type, settings: Mapping[str, Any]) -> list[Any]:
    """The files among the settings of a group."""
    known = declared(group)
    files = [
        value for key, value in settings.items() if key in known and known[key].setting.is_file
    ]
    return [one for value in files for one in (value if isinstance(value, list) else [value])]


def paths_of(reads: Iterable[Any]) -> list[str]:
    """The files among what is read, without the columns in their addresses."""
    from clustcmp.read.address import Address

    return [Address.of_file(file).path for file in reads if isinstance(file, str)]


def render(output: ShowSettings, report: Reported, form: str, **view: Any) -> str:
    """The text of the result; a file gets what a pipe would get, even if stdout is a terminal."""
    from clustcmp.render import show

    color = output.get("color", "auto")
    view["digits"] = cast(Mapping[str, Any], output).get("digits")
    if output.get("output") is None:
        return show(report, form, color, **view)
    with redirect_stdout(StringIO()):
        # FORCE_COLOR is meant for what a person looks at: a file has colours only if asked for.
        return show(report, form, "never" if color == "auto" else color, **view)


def emit(output: ShowSettings, text: str) -> None:
    """Write the result: a file whole or not at all, else to stdout."""
    path = output.get("output")
    if path is None:
        sys.stdout.write(text)
        return
    from clustcmp.write import write_text

    write_text(path, text)


def tell_notes(notes: Sequence[str], quiet: bool = False) -> None:
    """Write the first notes to stderr, and how many more there are."""
    tell(notes[:MOST_NOTES], quiet)
    if len(notes) > MOST_NOTES:
        tell([f"and {len(notes) - MOST_NOTES} more notes; -f json has all"], quiet)


def tell(notes: Iterable[str], quiet: bool = False) -> None:
    """Write notes to stderr, unless nothing is to be said."""
    for note in () if quiet else notes:
        write_message("note: ", note)
