"""The clustcmp program; also python -m clustcmp.

Ctrl-C ends the program at once and without a word, whatever it does at that moment. For that SIGINT
gets back the action that the system has for it, before anything is imported. The process then dies
of the signal: a shell calls that 130, and a loop in a shell script ends, too, while it would go on
after a program that leaves with the number 130.

Out of reach is the start of Python: the interpreter, `site`, and the lines above `main()` in the
script that pip writes. Ctrl-C in these few hundredths of a second prints Python's own traceback.
"""

import sys


def main() -> None:
    """Run the command line."""
    # The module signal would import others first; _signal is a part of the interpreter.
    from _signal import SIG_DFL, SIGINT, SIGPIPE, signal  # type: ignore[import-not-found]

    signal(SIGINT, SIG_DFL)
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
