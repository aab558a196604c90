"""Every error that clustcmp raises on purpose.

ClustcmpError               a message, a hint, an exit status
    UsageError              2: the command or the call asks for something that does not exist
    InputError              2: a file or an object cannot be read as what it should be; a ValueError
    SolverFailed            3: a solver did not reach the optimum
    ClustererFailed         3: an algorithm or a program gave no clustering
    LimitExceeded           3: the work would not fit this machine
    MachinesFailed          3: a scheduler cannot be reached, or its workers did not do the work
Undefined                   a metric's formula has no value here; becomes the reason of a result

An Obstacle is not an error by itself: it says what the input lacks for a metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum


class ClustcmpError(Exception):
    """An error that a user can act on: a message that says what is wrong, and a hint what to do."""

    exit_status = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(ClustcmpError):
    """A setting, a metric or an argument that does not exist or does not fit the others."""

    exit_status = 2


class InputError(ClustcmpError, ValueError):
    """A file or an object that cannot be read, or that does not fit the other one.

    Other libraries raise ValueError for such input, so that `except ValueError` works here, too.
    """

    exit_status = 2


class SolverFailed(ClustcmpError):
    """A solver stopped without the optimum, so there is no number to report."""


class ClustererFailed(ClustcmpError):
    """An algorithm or a program did not give the clustering that it was asked for."""


class LimitExceeded(ClustcmpError):
    """The work would exceed what this machine has."""


class MachinesFailed(ClustcmpError):
    """Other machines did not do the work that they were sent."""


class Undefined(Exception):
    """The formula of a metric has no value for this input, such as 0/0."""


class Obstacle(StrEnum):
    """What the input lacks for a metric."""

    different_points = "needs the same points in a and b"
    not_hard = "needs hard clusterings"
    no_coordinates = "needs coordinates"
    no_distances = "needs distances"
    no_points = "needs the points, not only their counts"
    no_weights = "is not defined for points with weights"
    only_counts = "needs weights that are whole numbers"


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint that names the known word closest to a misspelt one."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else otherwise


def plural(count: int, noun: str) -> str:
    """A count with its noun: 1 row, 2,000 rows."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def show_names(names: Sequence[str], most: int = 12) -> str:
    """Names in a sentence, cut off where there are many."""
    shown = ", ".join(map(repr, names[:most]))
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def printable(text: str) -> str:
    """Text from outside in which nothing can act as a command; such characters become escapes.

    Control characters are commands to a terminal, and ##[ anywhere in a line is a command to the
    runner of GitHub Actions.
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown.replace("##[", "##\\x5b")
