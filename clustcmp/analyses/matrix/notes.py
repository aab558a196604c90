"""What there is to note about many comparisons, each thing once."""

from __future__ import annotations

from collections.abc import Sequence

from clustcmp.align import Collection, note_positions
from clustcmp.analyses.matrix.cells import Compared
from clustcmp.notes import Note, condense


def find_notes(collection: Collection, answers: Sequence[Compared]) -> list[Note]:
    """What was found in the files, about their points, and about single comparisons."""
    titles = collection.titles
    found: list[Note] = []
    for index, clustering in enumerate(collection.clusterings):
        found += collection.notes(index)
        found += [Note(note.text, titles[index]) for note in note_positions(clustering)]
    for one in answers:
        # Skip the diagonal: remarks on a clustering compared with itself are of no use.
        if one.cell.row != one.cell.column:
            about = f"{titles[one.cell.row]} and {titles[one.cell.column]}"
            found += [Note(remark.text, about) for remark in one.remarks]
    are_left_out = collection.labelings.settings["points"] == "intersect"
    return [*condense(found), *collection.note_labels(), *note_points(answers, are_left_out)]


def note_points(answers: Sequence[Compared], are_left_out: bool) -> list[Note]:
    """How many points comparisons leave out because of their label, and how many one side has.

    Points that only one side has may be left out, too.
    """
    dropped = max(one.coverage.dropped for one in answers)
    single = max(one.coverage.only_a + one.coverage.only_b for one in answers)
    notes = []
    if dropped:
        notes.append(
            Note(
                f"dropped: up to {dropped} points of a comparison that are noise or have no label "
                "in one of the two"
            )
        )
    if single:
        text = f"up to {single} points of a comparison are in one of the two only"
        if are_left_out:
            text += (
                " and left out; where clusters lost points, precision, recall and purity are "
                "too high"
            )
        notes.append(Note(text))
    return notes
