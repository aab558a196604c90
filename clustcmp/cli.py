"""The command line; the only module in which an error becomes an exit status."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from clustcmp.commands.messages import write_message
from clustcmp.commands.shells import use_own_scripts
from clustcmp.commands.takes import NOT_A_FLAG
from clustcmp.errors import ClustcmpError
from clustcmp.version import VERSION
from clustcmp.wording import read_by

# Characters of a message or a hint. Names in files have any length; an error message is cut.
LONGEST = 2000

DONE, WRONG_INPUT, NO_VERDICT = 0, 2, 3


# In the order of --help. The module of the same name has the function of the command.
COMMANDS = (
    "compare",
    "changes",
    "gate",
    "inspect",
    "matrix",
    "metrics",
    "sql",
    "stability",
    "track",
)

# The line with \b keeps Typer from joining the lines below it.
EXAMPLES = """
\b
Examples:
  clustcmp compare old.csv new.csv
  clustcmp changes old.csv new.csv
  clustcmp gate old.csv new.csv --min ari=0.9
  clustcmp metrics ari
  clustcmp compare --help

Exit status: 0 done, 1 a gate says no, 2 wrong usage or input, 3 no verdict.
"""


def build_app(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with these commands.

    Describing a command to Typer takes 2 ms, so a run describes only the command that it calls.
    """
    app = typer.Typer(
        help="diff for clusterings: how far apart two clusterings are, and what changed.",
        epilog=EXAMPLES,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback()(options)
    for name in commands:
        module = import_module(f"clustcmp.commands.{name}")
        app.command(epilog=module.EXAMPLES)(getattr(module, name))
    return app


def show_version(context: typer.Context, wanted: bool) -> None:
    """Print the version and leave."""
    if not wanted:
        return
    typer.echo(f"clustcmp {VERSION}")
    if context.params.get("verbose"):
        from clustcmp.transport.native import describe_kernel

        typer.echo(f"kernel for transport: {describe_kernel()}")
    raise typer.Exit


def options(
    # It is read before --version, wherever it stands.
    verbose: Annotated[
        bool,
        typer.Option("--verbose", help="With --version: what it is built with.", is_eager=True),
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=show_version),
    ] = False,
) -> None:
    """Options of clustcmp itself."""


def main() -> NoReturn:
    """Run the command line and leave with its exit status."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  it stays open until the end
    for stream in (sys.stdout, sys.stderr):
        # A file name may hold bytes that are not valid text; printing them must not fail.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    status = run(sys.argv[1:])
    with suppress(OSError):
        sys.stderr.flush()
    # Without waiting for threads that still read a file and for memory to be freed. Arrow's threads
    # would abort a process that ends in the usual way while they start.
    os._exit(status)


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
    except OSError as error:
        complain(f"the result cannot be written: {error.strerror or error}")
        return NO_VERDICT
    except MemoryError:
        complain("there is not enough memory for this", "compare fewer points or fewer clusters")
        return NO_VERDICT
    except Exception:  # noqa: BLE001  a bug: the traceback goes into the report about it
        traceback.print_exc()
        complain("this is a bug in clustcmp, please report it with the lines above")
        return NO_VERDICT
    return status


def call(arguments: list[str]) -> int:
    """Let Typer parse the arguments and call the command."""
    # Typer would take -::COLUMN for an option.
    arguments = [re.sub(r"^-::", f"{NOT_A_FLAG}-::", argument) for argument in arguments]
    app = build_app(named_command(arguments) or COMMANDS)
    if arguments[:1] in (["--install-completion"], ["--show-completion"]):
        use_own_scripts()
    try:
        with read_by("command line"):
            status = app(arguments or ["--help"], prog_name="clustcmp", standalone_mode=False)
    except TyperException as error:
        called = " ".join(["clustcmp", *named_command(arguments)])
        complain(error.format_message(), f"'{called} --help' says how to call it")
        return WRONG_INPUT
    except typer.Abort:
        raise KeyboardInterrupt from None
    return status if isinstance(status, int) else DONE


def named_command(arguments: list[str]) -> list[str]:
    """The command that the first argument names, in a list that is otherwise empty."""
    return [word for word in arguments[:1] if word in COMMANDS]


def complain(message: str, hint: str = "") -> None:
    """Write an error to stderr."""
    write_message("clustcmp: error: ", message[:LONGEST], indent=4)
    if hint:
        write_message("  hint: ", hint[:LONGEST])
