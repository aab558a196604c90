"""Clustering b as it was given, with the names of a on the clusters that have a good match.

A match is good if it holds more than a given share of one of the two clusters. One-to-one matches
use up all clusters, so that the last ones may share a few points only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clustcmp.analyses.changes.columns import as_column, check_points_known, strongest
from clustcmp.analyses.changes.lines import File, join_lines, quote
from clustcmp.analyses.flows.fates import slack
from clustcmp.arrays import NONE, Flags, Integers
from clustcmp.errors import plural
from clustcmp.model import MISSING, NOISE
from clustcmp.model.columns import SideColumns, give_back
from clustcmp.model.texts import Texts, match
from clustcmp.notes import Note
from clustcmp.records import Label
from clustcmp.wording import name_of

if TYPE_CHECKING:
    import pandas as pd

    from clustcmp.analyses.changes.report import ChangeReport

# A column of a soft file with such a name is not read as a cluster.
RESERVED = frozenset({"", "id", "label", "cluster"})


class NewNames(NamedTuple):
    """The new names of all clusters of b as it was given.

    `n_weak` clusters have a match that holds too little of either cluster, and do not get its name.
    `n_renamed` clusters had the name of another cluster of a, and therefore get a new one.
    """

    names: list[str]
    n_weak: int
    n_renamed: int
    share: float

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes if clusters did not get the name of their match, or a name that is new."""
        notes = []
        if self.n_weak:
            clusters = plural(self.n_weak, "cluster")
            words = ("do", "their matches, which hold")
            do, its = ("does", "its match, which holds") if self.n_weak == 1 else words
            notes.append(
                f"{clusters} of b {do} not get the name of {its} no more than {self.share:.6g} of "
                f"either cluster; {name_of('relabel_share')} sets this share"
            )
        if self.n_renamed:
            are = "is" if self.n_renamed == 1 else "are"
            notes.append(
                f"{plural(self.n_renamed, 'cluster')} of b had the name of another cluster of a "
                f'and {are} now called "... (new)"'
            )
        return tuple(Note(f"relabelled: {note}") for note in notes)


def relabel(report: ChangeReport, delimiter: str = ",") -> File:
    """A table of all points of b, in the order of b.

    Noise keeps the label that marks noise; a point without a label stays without one.
    """
    check_points_known(report.b)
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

    check_points_known(report.b)
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
    of_match, _ = names_of_matches(report)
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
    of_match, weak = names_of_matches(report)
    of_a = {*report.a.names.tolist(), *report.a.given_names.tolist()}
    old = report.b.given_names.tolist()
    taken = {*of_a, *old}
    is_written = written_names(report.b)
    names, n_renamed = [], 0
    for code, name in enumerate(old):
        if code in of_match:
            names.append(of_match[code])
        elif name in of_a and is_written[code] and weak.get(code) != name:
            names.append(fresh_name(name, taken))
            n_renamed += 1
        else:
            names.append(name)
    return NewNames(names, len(weak), n_renamed, report.relabel_share)


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


def names_of_matches(report: ChangeReport) -> tuple[dict[int, str], dict[int, str]]:
    """The names in a of the matches of clusters of b, by the codes in b as it was given.

    The first names are those of good matches, the second those of matches that hold too little.
    """
    names_a = report.a.names.tolist()
    may_name = ~noise_clusters(report.a)
    if not report.b.given_is_hard:
        may_name &= ~np.array([name.lower() in RESERVED for name in names_a])
    is_good = find_good(report)
    good: dict[int, str] = {}
    weak: dict[int, str] = {}
    for given, partner in given_matches(report.b, report.changes.partners.of_b):
        if may_name[partner]:
            (good if is_good[partner] else weak)[given] = names_a[partner]
    return good, weak


def find_good(report: ChangeReport) -> Flags:
    """Which clusters of a have a match that holds enough of one of the two."""
    changes = report.changes
    rows, columns, masses = (column[changes.is_matched] for column in changes.flows)
    needed = report.relabel_share * (1.0 + slack(masses))
    is_good = np.zeros(len(changes.sizes_a), dtype=np.bool_)
    is_good[rows] = (masses > needed * changes.sizes_a[rows]) | (
        masses > needed * changes.sizes_b[columns]
    )
    return is_good


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
