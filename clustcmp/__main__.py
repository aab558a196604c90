"""The clustcmp program; also python -m clustcmp.

Ctrl-C ends the program at once and without a word, whatever it does at that moment. For that SIGINT
gets back the action that the system has for it, before anything is imported: the script
`bin/clustcmp` does so first. The process then dies of the signal: a shell calls that 130, and
a loop in a shell script ends, too, while it would go on after a program that leaves with 130.

Out of reach is the start of Python itself, before it runs any line of the script. Ctrl-C in these
one or two hundredths of a second prints Python's own traceback.
"""

# The module signal would import others first; _signal and _imp are parts of the interpreter.
import sys
from _imp import lock_held
from _signal import SIG_DFL, SIGINT, SIGPIPE, raise_signal, signal  # type: ignore[import-not-found]


def main() -> None:
    """Run the command line."""
    signal(SIGINT, SIG_DFL)
    # Ctrl-C during the start of Python can get lost in a callback of the import system, which then
    # stays locked: the next thread that imports something would wait for ever.
    if lock_held():
        raise_signal(SIGINT)
    # When the reader of a pipe has gone, the process ends without a message (141 in the shell).
    signal(SIGPIPE, SIG_DFL)
    if sys.argv[1:] == ["--version"] and sys.stdout is not None:
        # Answered here, --version takes half of the time: Typer is not imported.
        from clustcmp.version import VERSION

        sys.stdout.write(f"clustcmp {VERSION}\n")
        return
    # A start makes 60,000 objects that stay. Python would look through them for garbage again and
    # again, which takes 4 % of a start and a fifth of a large report.
    import gc

    gc.set_threshold(200_000)
    from clustcmp.cli import main as run_cli

    run_cli()


if __name__ == "__main__":
    main()
