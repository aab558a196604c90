"""What there is to note about many comparisons, each thing once."""

from __future__ import annotations

from collections.abc import Sequence

from clustcmp.analyses.matrix.cells import Answer
from clustcmp.analyses.matrix.gather import Gathering
from clustcmp.notes import Note, condense
from clustcmp.read import noise_labels


def find_notes(gathering: Gathering, answers: Sequence[Answer]) -> list[Note]:
    """What was found in the files, about their points, and about single comparisons."""
    titles = [clustering.title for clustering in gathering.clusterings]
    found = [note for clustering in gathering.clusterings for note in clustering.notes]
    for one in answers:
        # A clustering compared with itself is nobody's question.
        if one.place.row != one.place.column:
            about = f"{titles[one.place.row]} and {titles[one.place.column]}"
            found += [Note(remark.text, about) for remark in one.remarks]
    return [*condense(found), *note_noise(gathering), *note_points(answers)]


def note_noise(gathering: Gathering) -> list[Note]:
    """A note if labels were called noise and none is there, as after a slip of the pen."""
    noise = noise_labels(gathering.settings)
    if not noise or any(clustering.n_noise for clustering in gathering.clusterings):
        return []
    labels = " or ".join(map(repr, noise))
    return [Note(f"no point has the label {labels} that marks noise")]


def note_points(answers: Sequence[Answer]) -> list[Note]:
    """How many points comparisons leave out, because of their label or because one has them."""
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
        notes.append(Note(f"up to {single} points of a comparison are in one of the two only"))
    return notes
