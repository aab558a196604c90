"""Files about single points: those that moved, and b with the names of a."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from clustcmp.analyses.changes.lines import join_lines, number_texts, quote
from clustcmp.analyses.flows.follow import Changes
from clustcmp.analyses.flows.kinds import NONE
from clustcmp.arrays import Integers
from clustcmp.errors import UsageError
from clustcmp.model import MISSING, NOISE, Clustering, Comparison, Hard
from clustcmp.model.texts import Texts, match
from clustcmp.notes import Note

# Names of columns that are no cluster when a file is read again.
RESERVED = frozenset({"", "id", "label", "cluster"})


class File(NamedTuple):
    """The text of a file, and what there is to know about it."""

    text: str
    notes: tuple[Note, ...] = ()


def list_moved(comparison: Comparison, changes: Changes, delimiter: str = ",") -> File:
    """A line for each point that is not in the match of its old cluster, in the order of a.

    Points are named by their ids, or else by their row, counted from 1.
    """
    if changes.by_plan:
        raise UsageError(
            "too few points are in both to say which of them moved",
            hint="leave out the list of moved points",
        )
    shared = comparison.coverage.shared
    old = strongest(comparison.a)[:shared]
    new = strongest(comparison.b)[:shared]
    moved = np.flatnonzero(changes.partners.of_a[old] != new)
    moved = moved[np.argsort(comparison.rows[0][moved], kind="stable")]
    every = np.arange(len(moved))
    expected = changes.partners.of_a[old[moved]]
    # Behind the last name is an empty one, for clusters without a match.
    names_b = comparison.b.names + Texts.of([""])
    columns = [
        (find_ids(comparison, moved), every),
        (comparison.a.names, old[moved]),
        (comparison.b.names, new[moved]),
        (names_b, np.where(expected == NONE, len(comparison.b.names), expected)),
    ]
    text = join_lines(("id", "from", "to", "expected"), columns, delimiter)
    if comparison.is_hard:
        return File(text)
    note = Note("moved points: a point of a soft clustering is in its strongest cluster")
    return File(text, (note,))


def strongest(clustering: Clustering) -> Integers:
    """The cluster of each point, or where it has several the one of its highest degree."""
    return clustering.membership.strongest()


def find_ids(comparison: Comparison, points: Integers) -> Texts:
    """The ids of points that are in both, or their rows, counted from 1."""
    for given, rows in zip(comparison.given, comparison.rows, strict=True):
        if given.points.ids is not None:
            return given.points.ids.take(rows[points])
    return number_texts((comparison.rows[0][points] + 1).tolist())


def relabel(
    comparison: Comparison, changes: Changes, noise: str = "", delimiter: str = ","
) -> File:
    """All of b, in its order, with the names of a on matched clusters.

    Noise stays noise and gets the label that marks it; a point without a label stays without.
    """
    given = comparison.given[1]
    names, notes = new_names(comparison, changes)
    ids = given.points.ids
    every = np.arange(given.points.size)
    columns = [] if ids is None else [(ids, every)]
    header = [] if ids is None else ["id"]
    if not given.is_hard:
        text = soft_lines(given, ids, names, delimiter)
        return File(text, tuple(notes))
    labels = Texts.of([*names, noise, ""])
    codes = given.membership.strongest()
    codes[codes == NOISE] = len(names)
    codes[codes == MISSING] = len(names) + 1
    text = join_lines([*header, "label"], [*columns, (labels, codes)], delimiter)
    return File(text, tuple(notes))


def soft_lines(given: Clustering, ids: Texts | None, names: list[str], delimiter: str) -> str:
    """The text of a soft clustering under these names, with all digits."""
    header = [*([] if ids is None else ["id"]), *names]
    lines = [delimiter.join(map(quote, header))]
    for point, degrees in enumerate(given.membership.array.tolist()):
        first = [] if ids is None else [quote(ids[point])]
        lines.append(delimiter.join([*first, *map(repr, degrees)]))
    return "\n".join(lines) + "\n"


def new_names(comparison: Comparison, changes: Changes) -> tuple[list[str], list[Note]]:
    """The new names of all clusters of b as it was given, and notes about odd ones."""
    given_a, given_b = comparison.given
    of_match = names_of_matches(comparison, changes)
    names_a = [*strings(comparison.a.names), *strings(given_a.names)]
    taken = {*names_a, *strings(given_b.names)}
    of_a = set(names_a)
    is_used = used_names(given_b)
    names, new = [], 0
    for code, name in enumerate(strings(given_b.names)):
        if code in of_match:
            names.append(of_match[code])
        elif name in of_a and is_used[code]:
            names.append(fresh_name(name, taken))
            new += 1
        else:
            names.append(name)
    if not new:
        return names, []
    clusters, are = ("cluster", "is") if new == 1 else ("clusters", "are")
    note = Note(
        f"relabelled: {new} {clusters} of b without a match had a name of a and {are} now "
        'called "... (new)"'
    )
    return names, [note]


def used_names(given: Clustering) -> npt.NDArray[np.bool_]:
    """Which names are written: of labels those that a point has, not the one that marks noise."""
    if not given.is_hard:
        return np.ones(given.n_clusters, dtype=np.bool_)
    return np.asarray(given.masses > 0)


def fresh_name(name: str, taken: set[str]) -> str:
    """The name with an addition that makes it new."""
    fresh, number = f"{name} (new)", 2
    while fresh in taken:
        fresh, number = f"{name} (new {number})", number + 1
    taken.add(fresh)
    return fresh


def names_of_matches(comparison: Comparison, changes: Changes) -> dict[int, str]:
    """The name in a of each matched cluster of b, by its code in b as it was given."""
    names_a = comparison.a.names
    is_noise = noise_clusters(comparison, 0)
    may_name = ~is_noise
    if not comparison.given[1].is_hard:
        reserved = [strings(names_a)[code].lower() in RESERVED for code in range(len(names_a))]
        may_name &= ~np.array(reserved)
    return {
        given: names_a[partner]
        for given, partner in given_codes(comparison, changes)
        if may_name[partner]
    }


def noise_clusters(comparison: Comparison, side: int) -> np.ndarray:
    """Which clusters of a side are made of its noise."""
    given, rows = comparison.given[side], comparison.rows[side]
    clustering = (comparison.a, comparison.b)[side]
    is_noise = np.zeros(clustering.n_clusters, dtype=np.bool_)
    if isinstance(given.membership, Hard):
        noise = given.membership.is_noise[rows]
        is_noise[clustering.membership.strongest()[noise]] = True
    return is_noise


def given_codes(comparison: Comparison, changes: Changes) -> Iterator[tuple[int, int]]:
    """The code of each matched cluster of b as it was given, and that of its match in a."""
    given, rows, tidy = comparison.given[1], comparison.rows[1], comparison.b
    if isinstance(given.membership, Hard):
        codes = given.membership.codes[rows]
        known = codes >= 0
        now = np.full(given.n_clusters, NONE)
        now[codes[known]] = tidy.membership.strongest()[known]
        old = np.flatnonzero(now != NONE)
        now = now[old]
    else:
        # The columns of a file have different names.
        now, old = match(tidy.names, given.names)
    partners = changes.partners.of_b[now]
    matched = partners != NONE
    yield from zip(old[matched].tolist(), partners[matched].tolist(), strict=True)


def strings(texts: Texts) -> list[str]:
    """Texts as Python strings."""
    return [texts[position] for position in range(len(texts))]
