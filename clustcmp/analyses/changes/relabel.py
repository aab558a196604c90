"""Clustering b as it was given, with the names of a on the clusters that have a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clustcmp.analyses.changes.columns import SideColumns, as_column, give_back, strongest
from clustcmp.analyses.changes.lines import File, join_lines, quote
from clustcmp.arrays import NONE, Flags, Integers
from clustcmp.model import MISSING, NOISE
from clustcmp.model.texts import Texts, match
from clustcmp.notes import Note
from clustcmp.records import Label

if TYPE_CHECKING:
    import pandas as pd

    from clustcmp.analyses.changes.report import ChangeReport

# A column of a soft file with such a name is not read as a cluster.
RESERVED = frozenset({"", "id", "label", "cluster"})


class NewNames(NamedTuple):
    """The new names of all clusters of b as it was given.

    `n_renamed` clusters have no match, but a name that a has too, and therefore get a new one.
    """

    names: list[str]
    n_renamed: int

    @property
    def notes(self) -> tuple[Note, ...]:
        """A note if clusters got a name that neither a nor b has."""
        if not self.n_renamed:
            return ()
        clusters, are = ("cluster", "is") if self.n_renamed == 1 else ("clusters", "are")
        text = (
            f"relabelled: {self.n_renamed} {clusters} of b without a match had a name of a and "
            f'{are} now called "... (new)"'
        )
        return (Note(text),)


def relabel(report: ChangeReport, delimiter: str = ",") -> File:
    """A table of all points of b, in the order of b.

    Noise keeps the label that marks noise; a point without a label stays without one.
    """
    b, found = report.b, find_names(report)
    if not b.given_is_hard:
        return File(soft_lines(b, found.names, delimiter), found.notes)
    columns = [] if b.ids is None else [(b.ids, np.arange(len(b.given)))]
    labels = Texts.of([*found.names, report.noise_label, ""])
    header = [*([] if b.ids is None else ["id"]), "label"]
    text = join_lines(header, [*columns, (labels, label_codes(b))], delimiter)
    return File(text, found.notes)


def relabel_frame(report: ChangeReport) -> pd.DataFrame:
    """All points of b, in the order of b, indexed by their ids or else by their position.

    The only column is `label`, which is None for points without a label; if b is soft there is a
    column of degrees for each cluster.
    """
    import pandas as pd

    b, labels = report.b, given_labels(report)
    index: pd.Index[Any] = pd.RangeIndex(len(b.given))
    if b.index is not None:
        index = pd.Index(b.index)
    elif b.ids is not None:
        index = pd.Index(b.ids.tolist(), name="id")
    if not b.given_is_hard:
        return pd.DataFrame(b.given, index=index, columns=labels)
    every = np.empty(len(labels) + 2, dtype=object)
    noise = give_back(b.origin, report.noise_label) if report.noise_label else None
    every[:] = [*labels, noise, None]
    return pd.DataFrame({"label": as_column(every[label_codes(b)], index)})


def given_labels(report: ChangeReport) -> list[Label]:
    """The new names of the clusters of b, of the type that they had in a or in b."""
    of_match = names_of_matches(report)
    return [
        give_back(report.a.origin if code in of_match else report.b.origin, name)
        for code, name in enumerate(find_names(report).names)
    ]


def label_codes(b: SideColumns) -> Integers:
    """The code of each point's label; behind all clusters come noise, then a missing label."""
    codes = strongest(b.given)
    codes[codes == NOISE] = len(b.given_names)
    codes[codes == MISSING] = len(b.given_names) + 1
    return codes


def soft_lines(b: SideColumns, names: list[str], delimiter: str) -> str:
    """The text of a soft clustering under these names, with all digits."""
    ids = b.ids
    header = [*([] if ids is None else ["id"]), *names]
    lines = [delimiter.join(map(quote, header))]
    for point, degrees in enumerate(b.given.tolist()):
        first = [] if ids is None else [quote(ids[point])]
        lines.append(delimiter.join([*first, *map(repr, degrees)]))
    return "\n".join(lines) + "\n"


def find_names(report: ChangeReport) -> NewNames:
    """The name in a of matched clusters, a new name where one of a would be wrong, else the old."""
    of_match = names_of_matches(report)
    of_a = {*report.a.names.tolist(), *report.a.given_names.tolist()}
    old = report.b.given_names.tolist()
    taken = {*of_a, *old}
    is_written = written_names(report.b)
    names, n_renamed = [], 0
    for code, name in enumerate(old):
        if code in of_match:
            names.append(of_match[code])
        elif name in of_a and is_written[code]:
            names.append(fresh_name(name, taken))
            n_renamed += 1
        else:
            names.append(name)
    return NewNames(names, n_renamed)


def written_names(b: SideColumns) -> Flags:
    """Which names are written: of labels those that a point has, not the one that marks noise."""
    is_written = np.ones(len(b.given_names), dtype=np.bool_)
    if b.given_is_hard:
        is_written[:] = False
        is_written[b.given[b.given >= 0]] = True
    return is_written


def fresh_name(name: str, taken: set[str]) -> str:
    """The name with an addition that is not taken yet; from now on it is taken."""
    fresh, number = f"{name} (new)", 2
    while fresh in taken:
        fresh, number = f"{name} (new {number})", number + 1
    taken.add(fresh)
    return fresh


def names_of_matches(report: ChangeReport) -> dict[int, str]:
    """The name in a of each matched cluster of b, by its code in b as it was given."""
    names_a = report.a.names.tolist()
    may_name = ~noise_clusters(report.a)
    if not report.b.given_is_hard:
        may_name &= ~np.array([name.lower() in RESERVED for name in names_a])
    return {
        given: names_a[partner]
        for given, partner in given_matches(report.b, report.changes.partners.of_b)
        if may_name[partner]
    }


def noise_clusters(side: SideColumns) -> Flags:
    """Which of the compared clusters are made of noise."""
    is_noise = np.zeros(len(side.names), dtype=np.bool_)
    if side.given_is_hard:
        is_noise[strongest(side.membership)[side.given[side.rows] == NOISE]] = True
    return is_noise


def given_matches(side: SideColumns, partners: Integers) -> Iterator[tuple[int, int]]:
    """The code of each matched cluster of b as it was given, and that of its match in a."""
    if side.given_is_hard:
        codes = side.given[side.rows]
        known = codes >= 0
        now = np.full(len(side.given_names), NONE)
        now[codes[known]] = strongest(side.membership)[known]
        old = np.flatnonzero(now != NONE)
        now = now[old]
    else:
        # The columns of a soft clustering have different names.
        now, old = match(side.names, side.given_names)
    matches = partners[now]
    matched = matches != NONE
    yield from zip(old[matched].tolist(), matches[matched].tolist(), strict=True)
