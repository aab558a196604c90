"""From the columns of a file to a clustering: codes of labels if hard, degrees if soft."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

import numpy as np

from clustcmp.arrays import WHOLE, Codes, Floats
from clustcmp.errors import InputError, plural
from clustcmp.keywords import missing_labels, noise_labels
from clustcmp.model import MISSING, NOISE, Clustering, Hard, PointSet, Soft, Texts
from clustcmp.model.texts import encode
from clustcmp.notes import Note
from clustcmp.read.address import Address
from clustcmp.read.columns import Columns, LabelColumn, TabularFile, where_in
from clustcmp.read.headers import first_line_may_be_row
from clustcmp.read.roles import Roles, has_known_name
from clustcmp.settings import ReadSettings
from clustcmp.wording import say

# Says where a row (from 0) stands, for messages.
Where = Callable[[int], str]

# Labels that other programs write where a label is missing.
LOOKS_MISSING = ("NA", "NaN", "nan", "None")

# Degrees rounded to two decimals: three times 0.33.
ROUNDED = 0.01 + 1e-9


def build_points(file: TabularFile, roles: Roles, columns: Columns) -> PointSet:
    """The points of a file, with their ids and weights if it has any."""
    weights = None
    if roles.weights is not None:
        weights = columns.numbers[roles.weights]
        check_weights(file, roles.weights, weights)
    if roles.id is not None:
        ids = columns.texts[roles.id]
        check_ids(file, ids)
        return PointSet(len(ids), ids, weights=weights)
    if roles.label is not None:
        return PointSet(len(columns.labels[roles.label].codes), weights=weights)
    return PointSet(len(columns.numbers[roles.clusters[0]]), weights=weights)


def check_weights(file: TabularFile, column: str, weights: Floats) -> None:
    """Refuse a weight below 0, and weights that are all 0."""
    negative = np.flatnonzero(weights < 0.0)
    if len(negative):
        row = int(negative[0])
        raise InputError(
            f"{where_in(file, row)}: column {column!r}: the weight {weights[row]:g} is negative",
            hint="weights are 0 or more; a point of weight 0 is left out",
        )
    if not weights.any():
        raise InputError(
            f"{file.name}: column {column!r}: all weights are 0",
            hint="name a column in which some points have a weight above 0",
        )


def build_clustering(
    file: TabularFile,
    address: Address,
    roles: Roles,
    columns: Columns,
    points: PointSet,
    settings: ReadSettings,
) -> Clustering:
    """The hard clustering in a column of labels, or the soft one in columns of degrees."""
    where = partial(where_in, file)
    made = partial(Clustering, id_name=roles.id, name=address.title or None)
    if roles.label is not None:
        labels = columns.labels[roles.label]
        check_header(file, address, roles.label, labels, settings)
        check_blanks(file, labels)
        codes = hard_codes(labels, settings, where)
        notes = (*note_labels(address.source, labels.names, settings), *file.notes)
        hard = Hard(codes, len(labels.names))
        return made(points, hard, labels.names, address.source, notes, origin=labels.origin)
    given = np.stack([columns.numbers[name] for name in roles.clusters], axis=1)
    degrees, notes = soft_degrees(address.name, roles.clusters, given, settings, where)
    return made(points, Soft(degrees), Texts.of(roles.clusters), address.source, notes)


def check_header(
    file: TabularFile,
    address: Address,
    label: str,
    labels: LabelColumn,
    settings: ReadSettings,
) -> None:
    """Refuse a first line that may be a row: the name of the label column is a label below it.

    The name of a known or a named column says that the first line is a header.
    """
    is_sure = file.header_is_said or has_known_name(file)
    if is_sure or address.label is not None or address.id is not None or settings["id"] is not None:
        return
    if codes_of(labels.names, [label]):
        raise first_line_may_be_row(file.name, f"has the label {label!r} as other lines do")


def check_blanks(file: TabularFile, labels: LabelColumn) -> None:
    """Refuse labels that all differ and have equally many words: columns between blanks."""
    if len(file.header) > 1 or len(labels.names) < len(labels.codes) or len(labels.codes) < 2:
        return
    # The first line may be a header with fewer words, as R writes it.
    rows = file.sample.rows[1:]
    widths = {len(row[0].replace("\t", " ").split(" ")) for row in rows}
    if len(rows) > 2 and len(widths) == 1 and max(widths) > 1:
        raise InputError(
            f"{file.name}: each line is a label of its own and has {max(widths)} words, so it may "
            "be a table with blanks between its columns",
            hint="say ::format=spaces if it is one, or write it with commas as .csv",
        )


def check_ids(
    file: TabularFile, ids: Texts, or_else: str = ", or name another id column with ::id=NAME"
) -> None:
    """Refuse an id that is empty or listed twice; or_else is another remedy than correcting it."""
    empty = ids.find_empty()
    if len(empty):
        raise InputError(
            f"{where_in(file, int(empty[0]))}: the id is empty",
            hint=f"give each point an id{or_else}",
        )
    if twice := ids.duplicate:
        on = "on" if file.unit == "line" else "in"
        raise InputError(
            f"{where_in(file, twice[1])}: point {ids[twice[1]]!r} is listed twice, also {on} "
            f"{file.unit} {file.line(twice[0])}",
            hint=f"give each point one row{or_else}",
        )


def hard_codes(labels: LabelColumn, settings: ReadSettings, where: Where) -> Codes:
    """The code of each point's label, or NOISE, or MISSING where the label is missing."""
    missing = np.flatnonzero(labels.names.sizes == 0).tolist()
    missing += codes_of(labels.names, missing_labels(settings))
    noise = codes_of(labels.names, noise_labels(settings))
    if missing and settings["missing"] == "error":
        check_none_missing(labels, missing, where)
    if not missing and not noise:
        return labels.codes
    meaning = np.arange(len(labels.names), dtype=np.int32)
    meaning[missing] = NOISE if settings["missing"] == "noise" else MISSING
    meaning[noise] = NOISE
    return meaning[labels.codes]


def check_none_missing(labels: LabelColumn, missing: Sequence[int], where: Where) -> None:
    """Refuse a point whose label has one of these codes, which count as missing."""
    rows = np.flatnonzero(np.isin(labels.codes, missing))
    # The dictionary of a Parquet file may have labels that no row has.
    if len(rows):
        name = labels.names[int(labels.codes[rows[0]])]
        what = f"{name!r} counts as missing" if name else "is empty"
        raise InputError(
            f"{where(int(rows[0]))}: the label {what}",
            hint=f"fill it in, or choose what it means with {say_missing()}",
        )


def say_missing() -> str:
    """What can be said about points without a label."""
    return f"{say('missing', 'drop')} or {say('missing', 'noise')}"


def codes_of(names: Texts, wanted: Collection[str]) -> list[int]:
    """The codes of the names that are wanted."""
    if not wanted:
        return []
    sizes, found = names.sizes, set[int]()
    longest = sizes.max(initial=0)
    for text in wanted:
        # Each character takes at least one byte, so most lists of labels have no such name.
        if len(text) <= longest:
            candidates = np.flatnonzero(sizes == len(encode(text)))
            is_same = names.equal(candidates, Texts.of([text]), np.zeros_like(candidates))
            found.update(candidates[is_same].tolist())
    return sorted(found)


def note_labels(source: str, names: Texts, settings: ReadSettings) -> tuple[Note, ...]:
    """Notes where a label looks like noise, or as if it were missing, and nothing was said."""
    noise = noise_labels(settings)
    suspects = {*LOOKS_MISSING} if noise else {"-1", *LOOKS_MISSING}
    suspects -= {*noise, *missing_labels(settings)}
    found = {names[code] for code in codes_of(names, suspects)}
    notes = []
    if "-1" in found:
        say_noise = say("noise", "-1")
        text = f"label -1 is an ordinary cluster; if it marks noise, say {say_noise}"
        notes.append(Note(text, source))
    if missing := sorted(found - {"-1"}):
        notes.append(note_missing(source, missing))
    return tuple(notes)


def note_missing(source: str, labels: Sequence[str]) -> Note:
    """A note that these labels are labels, and how to say that they are missing ones."""
    shown = " and ".join(map(repr, labels))
    one = f"label {shown} is an ordinary cluster; if it stands for a missing label"
    many = f"labels {shown} are ordinary clusters; if they stand for missing labels"
    is_one = len(labels) == 1
    how = f"{say('missing_label', labels[0] if is_one else labels)} with {say_missing()}"
    return Note(f"{one if is_one else many}, say {how}", source)


def soft_degrees(
    source: str,
    names: Sequence[str],
    degrees: Floats,
    settings: ReadSettings,
    where: Where,
    column: str = "",
) -> tuple[Floats, tuple[Note, ...]]:
    """The degrees with rows that sum to 1, and notes about what was done to them.

    `column` is how Python chooses a column of an object, for messages; a file has none.
    """
    with np.errstate(over="ignore"):
        # In order of size, so that the order of the columns does not change a bit.
        sums = np.sort(degrees, axis=1).sum(axis=1)
    path = "-" if source == "stdin" else source
    choose = f"choose it: {column}" if column else f"name it with {path}::COLUMN"
    check_degrees(names, degrees, sums, settings, where, choose)
    notes = []
    rounded = np.flatnonzero(np.abs(sums - 1.0) > WHOLE)
    if len(rounded) and not settings["normalize"]:
        row = int(rounded[0])
        notes.append(
            Note(
                f"the degrees of {plural(len(rounded), 'row')} do not sum to 1 exactly "
                f"({where(row)}: {sums[row]:.6g}); each row was divided by its sum",
                source,
            )
        )
    if np.isin(degrees, (0.0, 1.0)).all():
        how = f"choose a column, {column}," if column else "name a column with ::"
        notes.append(Note(f"read as soft memberships; {how} if these are labels", source))
    return degrees / sums[:, None], tuple(notes)


def check_degrees(
    names: Sequence[str],
    degrees: Floats,
    sums: Floats,
    settings: ReadSettings,
    where: Where,
    choose: str,
) -> None:
    """Refuse a degree below 0, and a row with a sum that does not count as 1."""
    not_labels = f"if one of the columns holds labels, {choose}"
    negative = np.argwhere(degrees < 0.0)
    if len(negative):
        row, column = negative[0].tolist()
        raise InputError(
            f"{where(row)}: column {names[column]!r}: "
            f"the degree {degrees[row, column]:.6g} is negative",
            hint=f"degrees are from 0 to 1; {not_labels}",
        )
    allowed = np.inf if settings["normalize"] else ROUNDED
    wrong = np.flatnonzero((np.abs(sums - 1.0) > allowed) | (sums <= 0.0) | ~np.isfinite(sums))
    if len(wrong):
        row = int(wrong[0])
        can_be_divided = 0.0 < sums[row] < np.inf
        remedy = f"divide each row by its sum with {say('normalize')}"
        remedy = remedy if can_be_divided else "correct it"
        raise InputError(
            f"{where(row)}: the degrees sum to {sums[row]:.6g}, not to 1",
            hint=f"{remedy}; {not_labels}",
        )
