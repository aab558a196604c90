"""The clustcmp program; also python -m clustcmp."""

from __future__ import annotations

import signal
import sys

from clustcmp.version import VERSION


def main() -> None:
    """Run the command line."""
    if sys.argv[1:] == ["--version"]:
        # Answered here, --version takes half of the time: Typer is not imported.
        sys.stdout.write(f"clustcmp {VERSION}\n")
        return
    # Ctrl-C while modules are imported ends the process without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from clustcmp.cli import main as run_cli

    run_cli()


if __name__ == "__main__":
    main()
