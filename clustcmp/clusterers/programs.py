"""Other programs as clusterers: started once for each clustering, without a shell.

    Program("python cluster.py --k {k} --seed {seed} {input} {output}", timeout=60)

The words of the command are split before anything is filled in, so that no value is ever taken
apart. {input} is a CSV with an id column and the columns of the data. {output} is a file that
clustcmp reads, and is a CSV unless an ending follows, as in {output}.tsv. Its points are joined by
their ids. What the program prints is ignored, but the last lines of stderr are part of an error.
"""

from __future__ import annotations

import csv
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from clustcmp.clusterers.base import Found, Runs, Sample, Transfer, Value, hard_of, in_words
from clustcmp.clusterers.calls import Calls
from clustcmp.errors import (
    ClustcmpError,
    ClustererFailed,
    UsageError,
    did_you_mean,
    plural,
    printable,
)
from clustcmp.model import Clustering
from clustcmp.model.membership import Hard, Soft
from clustcmp.read import read_clustering

# Words that a shell would act on. A program would get them as arguments.
OF_A_SHELL = ("|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1", "|&")

# A word in braces, with the ending that may follow {output}; doubled braces are braces.
BRACES = re.compile(r"\{\{|\}\}|\{(\w*)\}((?<=\{output\})(?:\.\w+)+)?")

LAST_LINES = 5
LONGEST_LINE = 200


class Program:
    """A program that clusters points; `reading` are settings by which its output is read."""

    def __init__(
        self,
        command: str,
        varied: str = "k",
        timeout: float | None = None,
        reading: Mapping[str, Any] | None = None,
        keeps_failures: bool = True,
    ) -> None:
        """Nothing is started yet; the words are checked."""
        self.words = split_words(command)
        self.varied = varied
        self.timeout = timeout
        self.reading = dict(reading or {})
        self.keeps_failures = keeps_failures
        self._calls: Calls | None = None
        check_words(self.words, varied)

    @property
    def name(self) -> str:
        """The first word, without its folder."""
        return Path(self.words[0]).name

    @property
    def runs(self) -> Runs:
        """A thread waits for each program; the programs are processes of their own."""
        return "threads"

    def transfer_of(self, value: Value) -> Transfer:
        """Nothing is known about the shape of the clusters."""
        return "neighbours"

    @contextmanager
    def opened(self) -> Iterator[None]:
        """At the end of this block no program runs any more, and no file of theirs is left."""
        with Calls() as self._calls:
            try:
                yield
            finally:
                self._calls = None

    def cluster(self, sample: Sample, value: Value, seed: int) -> Found:
        """The clustering of a sample, by one call of the program."""
        if self._calls is None:
            with self.opened():
                return self.cluster(sample, value, seed)
        folder = self._calls.folder()
        try:
            write_input(folder / "input.csv", sample)
            words, output = fill_in(self.words, folder, self.varied, value, seed)
            problem = self._calls.run(words, folder, self.timeout)
            if not problem:
                try:
                    return read_output(output, sample, self.reading)
                except Wrong as error:
                    problem = str(error)
            raise self._failed(problem, folder, value, seed)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _failed(self, problem: str, folder: Path, value: Value, seed: int) -> ClustererFailed:
        """The error about a call, with the line that repeats it on the same points."""
        said = last_lines(folder / "stderr") or last_lines(folder / "stdout")
        hint = ""
        if self.keeps_failures:
            kept = keep(folder)
            line = shlex.join(fill_in(self.words, kept, self.varied, value, seed)[0])
            hint = f"repeat it: {line}"
        what = f"{self.name}, {in_words(self.varied, value, seed)}: {problem}"
        return ClustererFailed(f"{what}; its last lines: {said}" if said else what, hint)


class Wrong(Exception):
    """What is wrong with the output of a program."""


def split_words(command: str) -> list[str]:
    """The words of a command."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(
            f"the command cannot be split into words: {error}: {command}",
            hint="close each quotation mark",
        ) from None
    if not words:
        raise UsageError("the command is empty", hint="write 'prog {k} {seed} {input} {output}'")
    return words


def check_words(words: list[str], varied: str) -> None:
    """Refuse words for a shell, unknown words in braces, and a command that lacks one of them."""
    for word in words:
        if word in OF_A_SHELL:
            raise UsageError(
                f"the command has the word {word!r}, but it is started without a shell",
                hint="put the line into a script and name the script: "
                "sh script.sh {k} {seed} {input} {output}",
            )
    known = (varied, "seed", "input", "output")
    found = {match[1] for word in words for match in BRACES.finditer(word) if match[1] is not None}
    for name in sorted(found - {*known}):
        guess = did_you_mean(name, known)
        allowed = f"known are {', '.join(f'{{{one}}}' for one in known)}; write {{{{ for a brace"
        raise UsageError(
            f"{{{name}}} in the command is not known",
            hint=" ".join(filter(None, [guess, allowed])),
        )
    for name in (varied, "input", "output"):
        if name not in found:
            raise UsageError(
                f"{varied} varies, but the command has no {{{varied}}}"
                if name == varied
                else f"the command has no {{{name}}}",
                hint=f"write 'prog {{{varied}}} {{seed}} {{input}} {{output}}'",
            )
    if "{" not in words[0] and shutil.which(words[0]) is None:
        raise UsageError(
            f"there is no program {words[0]!r}",
            hint="name one that is installed, or its path such as ./prog",
        )


def fill_in(
    words: list[str], folder: Path, varied: str, value: Value, seed: int
) -> tuple[list[str], Path]:
    """The words of one call, and the file that it is to write."""
    values = {varied: str(value), "seed": str(seed), "input": str(folder / "input.csv")}
    output = folder / "output.csv"

    def one(match: re.Match[str]) -> str:
        nonlocal output
        if match[1] is None:
            return match[0][0]
        if match[1] == "output":
            output = folder / f"output{match[2] or '.csv'}"
            return str(output)
        return values[match[1]]

    return [BRACES.sub(one, word) for word in words], output


def write_input(path: Path, sample: Sample) -> None:
    """The points as a CSV: ids first, then the coordinates with all their digits."""
    n_points, n_columns = sample.coordinates.shape
    ids = sample.ids if len(sample.ids) else [str(row) for row in range(n_points)]
    columns = sample.columns or tuple(f"x{number}" for number in range(1, n_columns + 1))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([id_column(columns), *columns])
        rows = zip(ids, sample.coordinates.tolist(), strict=True)
        writer.writerows([point, *map(repr, row)] for point, row in rows)


def id_column(columns: tuple[str, ...]) -> str:
    """A name for the column of ids that no other column has."""
    name = "id"
    while name in columns:
        name += "_"
    return name


def read_output(path: Path, sample: Sample, reading: Mapping[str, Any]) -> Found:
    """The clustering in the file that a program wrote, with its points in the order of ours."""
    if not path.exists():
        raise Wrong(f"it ended well, but did not write {{output}}, {path.name}")
    try:
        clustering = read_clustering(str(path), **reading)
    except ClustcmpError as error:
        # The folder has a new name in each call.
        raise Wrong(f"its output: {str(error).replace(str(path.parent) + '/', '')}") from None
    rows = find_rows(clustering, sample)
    membership = clustering.membership.take(rows)
    notes = tuple(note.text for note in clustering.notes)
    if isinstance(membership, Hard):
        return Found(hard_of(membership.codes), notes=notes)
    return Found(Soft(np.ascontiguousarray(membership.array)), notes=notes)


def find_rows(clustering: Clustering, sample: Sample) -> Any:
    """For each point its row in the output; without ids the order of the points counts."""
    n_points, points = len(sample.coordinates), clustering.points
    if points.ids is None:
        if points.size != n_points:
            raise Wrong(f"its output has no ids, and {points.size} rows for {n_points} points")
        return np.arange(n_points)
    ids = list(sample.ids) if len(sample.ids) else [str(row) for row in range(n_points)]
    places = {points.ids[row]: row for row in range(points.size)}
    missing = [one for one in ids if one not in places]
    if missing:
        raise Wrong(f"its output misses {plural(len(missing), 'point')}, such as {missing[0]!r}")
    if len(places) > n_points:
        invented = next(iter(places.keys() - {*ids}))
        more = plural(len(places) - n_points, "point")
        raise Wrong(f"its output has {more} that it was not given, such as {invented!r}")
    return np.array([places[one] for one in ids], dtype=np.int64)


def last_lines(path: Path) -> str:
    """The last lines that a program wrote to a file, without anything that acts on a terminal."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - LAST_LINES * 4 * LONGEST_LINE))
        text = file.read().decode("utf-8", errors="replace")
    lines = [line for line in text.splitlines() if line.strip()][-LAST_LINES:]
    return " | ".join(printable(line[:LONGEST_LINE]) for line in lines)


def keep(folder: Path) -> Path:
    """A folder that stays, with the input of a call that failed."""
    import tempfile

    kept = Path(tempfile.mkdtemp(prefix="clustcmp-failed-"))
    shutil.copy(folder / "input.csv", kept / "input.csv")
    return kept
