"""The command line; the one place where an error becomes an exit status."""

from __future__ import annotations

import os
import re
import signal
import sys
import traceback
from io import TextIOWrapper
from threading import Thread
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from clustcmp.commands import changes, compare, gate, matrix, metrics, track
from clustcmp.commands.takes import NOT_A_FLAG
from clustcmp.errors import ClustcmpError, printable
from clustcmp.version import VERSION

# A file may hold names of any length; a message must not.
LONGEST = 2000

# A progress bar hides it, and may not be there any more to show it again.
SHOW_CURSOR = "\x1b[?25h"

DONE, WRONG_INPUT, NO_VERDICT, INTERRUPTED = 0, 2, 3, 130


app = typer.Typer(
    help="diff for clusterings: how far apart two clusterings are, and what changed.",
    epilog="Exit status: 0 done, 1 a gate says no, 2 wrong usage or input, 3 no verdict.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
app.command(epilog=compare.EXAMPLES)(compare.compare)
app.command(epilog=changes.EXAMPLES)(changes.changes)
app.command(epilog=gate.EXAMPLES)(gate.gate)
app.command(epilog=matrix.EXAMPLES)(matrix.matrix)
app.command(epilog=metrics.EXAMPLES)(metrics.metrics)
app.command(epilog=track.EXAMPLES)(track.track)


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        typer.echo(f"clustcmp {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and exit.", callback=show_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Options of clustcmp itself."""


def main() -> NoReturn:
    """Run the command line and leave with its exit status."""
    # Like every tool in a pipe: a reader that has gone ends us quietly, with 141 in the shell.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  it stays open until the end
    for stream in (sys.stdout, sys.stderr):
        # A file name may hold bytes that are no text; they must not turn into a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    status = run_interruptibly(sys.argv[1:])
    sys.stderr.flush()
    # Nobody waits for a thread that still reads the other file, or for memory to be freed piece by
    # piece; and Arrow's threads abort a process that ends while they start.
    os._exit(status)


def run_interruptibly(arguments: list[str]) -> int:
    """The exit status of the command line, which Ctrl-C can end at any time.

    Python does not see Ctrl-C while the main thread is inside of a solver, so another thread works.
    """
    statuses = [DONE]
    worker = Thread(target=lambda: statuses.append(run(arguments)), daemon=True)
    worker.start()
    try:
        worker.join()
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            sys.stderr.write(SHOW_CURSOR)
        return INTERRUPTED
    return statuses[-1]


def run(arguments: list[str]) -> int:
    """The exit status of the command line with these arguments."""
    if sys.stdout is None:
        complain("the result cannot be written: stdout is closed")
        return NO_VERDICT
    try:
        status = call(arguments)
        sys.stdout.flush()
    except ClustcmpError as error:
        complain(error.message, error.hint)
        return error.exit_status
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        complain(f"the result cannot be written: {error.strerror or error}")
        return NO_VERDICT
    except MemoryError:
        complain("there is not enough memory for this", "compare fewer points or fewer clusters")
        return NO_VERDICT
    except Exception:  # noqa: BLE001  a bug: its traceback is what we need to know
        traceback.print_exc()
        complain("this is a bug in clustcmp, please report it with the lines above")
        return NO_VERDICT
    return status


def call(arguments: list[str]) -> int:
    """Let Typer parse the arguments and call the command."""
    # Typer would take -::COLUMN for an option.
    arguments = [re.sub(r"^-::", f"{NOT_A_FLAG}-::", argument) for argument in arguments]
    try:
        status = app(arguments or ["--help"], prog_name="clustcmp", standalone_mode=False)
    except TyperException as error:
        complain(error.format_message(), f"'{called(arguments)} --help' tells how to call it")
        return WRONG_INPUT
    except typer.Abort:
        raise KeyboardInterrupt from None
    return status if isinstance(status, int) else DONE


def called(arguments: list[str]) -> str:
    """The command as far as it was recognisable, for a hint."""
    known = {command.callback.__name__ for command in app.registered_commands if command.callback}
    commands = [word for word in arguments[:1] if word in known]
    return " ".join(["clustcmp", *commands])


def complain(message: str, hint: str = "") -> None:
    """Write an error to stderr."""
    sys.stderr.write(f"clustcmp: error: {printable(message[:LONGEST])}\n")
    if hint:
        sys.stderr.write(f"  hint: {printable(hint[:LONGEST])}\n")
