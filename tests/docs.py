"""What is generated: JSON schemas, the table of metrics and the output of examples in the README.

`make docs` writes them anew; a test compares them with what is there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests import schemas

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"

CONSOLE = re.compile(r"```console\n\$ (?P<command>[^\n]*)\n.*?```", re.DOTALL)
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
    """The README with all generated parts made anew."""

    def example(found: re.Match[str]) -> str:
        command = found["command"]
        return f"```console\n$ {command}\n{run(command)}```"

    text = CONSOLE.sub(example, text)
    table = run("clustcmp metrics -f markdown")
    return METRICS_TABLE.sub(lambda found: f"{found[1]}\n{table}\n{found[2]}", text)


def main() -> None:
    """Write the schemas and the README anew."""
    schemas.main()
    README.write_text(generate(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
