"""Fuzz for a while: python -m tests.fuzz --seconds 60 [TARGET...]; leaves with 1 on a finding.

With atheris installed, the coverage of the code guides the search; without it, hypothesis searches
at random.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import traceback
from importlib.util import find_spec

from tests.fuzz.targets import TARGETS, Target

# So many examples are tried between two looks at the clock.
BATCH = 200


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="TARGET", help=f"of: {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long, in all")
    parser.add_argument("--seed", type=int, help="where to begin; default: a new one, printed")
    parser.add_argument("--guided", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if unknown := set(given.names) - set(TARGETS):
        parser.error(f"there is no target {', '.join(sorted(unknown))}")
    names = given.names or list(TARGETS)
    first = time.time_ns() % 10**6 if given.seed is None else given.seed
    if given.guided:
        guide(TARGETS[names[0]], given.seconds, first)
    has_atheris = find_spec("atheris") is not None
    print(f"seed {first}, {'atheris' if has_atheris else 'hypothesis'}", flush=True)
    findings = 0
    for name in names:
        search = fuzz_guided if has_atheris else fuzz
        found = search(name, given.seconds / len(names), first)
        findings += found is not None
        print(f"{name}: {found or 'nothing found'}", flush=True)
    return 1 if findings else 0


def fuzz(name: str, seconds: float, first: int) -> str | None:
    """Try a target for so many seconds; the finding, if there is one."""
    end, number = time.monotonic() + seconds, first
    while time.monotonic() < end:
        try:
            TARGETS[name].as_test(BATCH, number)()
        except Exception:  # noqa: BLE001  whatever a target raises is a finding
            return traceback.format_exc()
        number += 1
    return None


def fuzz_guided(name: str, seconds: float, first: int) -> str | None:
    """The same with atheris, which ends its process at the first finding."""
    words = [name, "--guided", "--seconds", str(seconds), "--seed", str(first)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *words], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr if done.returncode else None


def guide(target: Target, seconds: float, first: int) -> None:
    """Let atheris search; this does not return."""
    import atheris

    with atheris.instrument_imports(include=["clustcmp"]):
        test = target.as_test(BATCH, first)
    words = [sys.argv[0], f"-max_total_time={seconds:.0f}", f"-seed={first}", "-verbosity=0"]
    atheris.Setup(words, test.hypothesis.fuzz_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
