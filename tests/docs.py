"""What is generated: JSON schemas, the table of metrics and the output of examples in documents.

`make docs` writes them anew; a test compares them with what is there.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import traceback
from io import StringIO
from pathlib import Path
from typing import Any

import clustcmp
from clustcmp.file_formats import FORMAT_NAMES, FORMATS, OTHERWISE
from tests import schemas

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PYTHON = ROOT / "docs" / "python.md"
FILES = ROOT / "docs" / "files.md"
# The documents with examples of commands, which all run in the folder of the project.
PAGES = (
    README,
    *(
        ROOT / "docs" / f"{name}.md"
        for name in ("files", "metrics", "output", "parts", "significance")
    ),
)

CONSOLE = re.compile(r"```console\n\$ (?P<command>[^\n]*)\n.*?```", re.DOTALL)
SESSION = re.compile(r"```pycon\n(.*?)```", re.DOTALL)
FORMATS_TABLE = re.compile(r"(<!-- formats: [^\n]*-->\n).*?(<!-- /formats -->)", re.DOTALL)
FORMAT_NAMES_LIST = re.compile(r"(<!-- format names -->).*?(<!-- /format names -->)")
METRICS_TABLE = re.compile(r"(<!-- metrics: [^\n]*-->\n).*?(<!-- /metrics -->)", re.DOTALL)


def run(command: str) -> str:
    """What a command of the README prints, with this Python's clustcmp."""
    folder = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    # In GitHub Actions a gate speaks to GitHub; the README shows what it says to people, plainly.
    for variable in ("GITHUB_STEP_SUMMARY", "FORCE_COLOR"):
        environment.pop(variable, None)
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def generate(text: str) -> str:
    """The README or another page with all generated parts made anew."""

    def example(found: re.Match[str]) -> str:
        command = found["command"]
        return f"```console\n$ {command}\n{run(command)}```"

    text = CONSOLE.sub(example, text)
    names = ", ".join(f"`{name}`" for name in FORMAT_NAMES)
    text = FORMAT_NAMES_LIST.sub(lambda found: f"{found[1]}{names}{found[2]}", text)
    return METRICS_TABLE.sub(
        lambda found: f"{found[1]}\n{run('clustcmp metrics -f markdown')}\n{found[2]}", text
    )


def formats_table() -> str:
    """The formats of files as a table in Markdown, from the registry."""
    rows = [
        f"| `{one.name}` | {', '.join(f'`{ending}`' for ending in one.endings)} | {one.about} |"
        for one in (*FORMATS, OTHERWISE)
    ]
    return "\n".join(["| name | ending | is read as |", "| --- | --- | --- |", *rows])


def generate_formats(text: str) -> str:
    """A document with the table of formats made anew."""
    return FORMATS_TABLE.sub(lambda found: f"{found[1]}\n{formats_table()}\n\n{found[2]}", text)


def generate_sessions(text: str) -> str:
    """A document with the answers in all its sessions of Python made anew, in one session."""
    known: dict[str, Any] = {}

    def session(found: re.Match[str]) -> str:
        lines = [line for line in found[1].splitlines() if line.startswith(">>> ")]
        return (
            "```pycon\n" + "".join(f"{line}\n{answer(line[4:], known)}" for line in lines) + "```"
        )

    with contextlib.chdir(ROOT):
        return SESSION.sub(session, text)


def answer(line: str, known: dict[str, Any]) -> str:
    """What Python prints after a line, without spaces at the ends of lines and without frames."""
    printed = StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(line, "docs/python.md", "single"), known)
        except (clustcmp.ClustcmpError, clustcmp.GateFailed) as error:
            print("Traceback (most recent call last):\n  ...")
            print("".join(traceback.format_exception_only(error)).rstrip())
    return re.sub(r" +$", "", printed.getvalue(), flags=re.MULTILINE)


def main() -> None:
    """Write the schemas and the documents anew."""
    schemas.main()
    PYTHON.write_text(generate_sessions(PYTHON.read_text(encoding="utf-8")), encoding="utf-8")
    FILES.write_text(generate_formats(FILES.read_text(encoding="utf-8")), encoding="utf-8")
    for page in PAGES:
        page.write_text(generate(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
