"""Make random mutations, run the tests on each, and print those that no test notices.

Leaves with 1 if there are any, except for those in equivalent.txt, which change nothing that a user
could see.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.mutants.mutations import Mutation, find_mutations
from tests.mutants.trial import ROOT, Server, copy_project, find_reach, mutated_files, try_out

EQUIVALENT = Path(__file__).with_name("equivalent.txt")


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="how many mutations (40)")
    parser.add_argument("--seed", type=int, default=0, help="which ones are drawn (0)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only FILE:LINE with this text")
    parser.add_argument(
        "--reach",
        type=Path,
        metavar="FILE",
        help="what each test reaches, from an earlier run; other tests are added",
    )
    arguments = parser.parse_args()

    mutations = draw(arguments.count, arguments.seed, arguments.only)
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        project = copy_project(Path(folder))
        server = Server(project)
        reach = find_reach(server, arguments.reach or project / "reach.json")
        for number, mutation in enumerate(mutations, 1):
            noticed = try_out(mutation, project, server, reach)
            print(f"{number}/{len(mutations)} {show(mutation, noticed)}", flush=True)
            if not noticed:
                survivors.append(mutation)
        server.end()
    print(f"{len(survivors)} of {len(mutations)} mutations are not noticed")
    return 1 if survivors else 0


def draw(count: int, seed: int, only: str) -> list[Mutation]:
    """Some of all mutations, without those that are known to be equivalent."""
    known = read_equivalent()
    found = [
        mutation
        for mutation in find_all()
        if only in f"{mutation.path}:{mutation.line}" and mutation.key not in known
    ]
    return random.Random(seed).sample(found, min(count, len(found)))


def find_all() -> Iterator[Mutation]:
    """All mutations of all files, also the equivalent ones."""
    for path in mutated_files():
        yield from find_mutations(path, (ROOT / path).read_text(encoding="utf-8"))


def read_equivalent() -> list[str]:
    """The keys of the mutations that are known to be equivalent."""
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def show(mutation: Mutation, noticed: str) -> str:
    """Where a mutation is, what it changes, and which test notices."""
    where = f"{mutation.path}:{mutation.line}"
    if noticed:
        return f"{where} {noticed}"
    return "\n".join([f"{where} NOT NOTICED", *mutation.changed_lines()])


if __name__ == "__main__":
    sys.exit(main())
