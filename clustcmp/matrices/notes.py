"""What there is to note about many comparisons, each thing once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clustcmp.matrices.cells import Answer
from clustcmp.matrices.gather import Gathering

# So many are named; the others are counted.
NAMED = 3


def find_notes(gathering: Gathering, answers: Sequence[Answer]) -> list[str]:
    """What was found in the files, about their points, and about single comparisons."""
    titles = [clustering.title for clustering in gathering.clusterings]
    found = [note for clustering in gathering.clusterings for note in clustering.notes]
    for one in answers:
        # A clustering compared with itself is nobody's question.
        if one.place.row != one.place.column:
            about = f"{titles[one.place.row]} and {titles[one.place.column]}"
            found += [f"{about}: {remark}" for remark in one.remarks]
    return [*condense(found), *note_noise(gathering), *note_points(answers)]


def condense(notes: Iterable[str]) -> list[str]:
    """The notes `about: text`, those with the same text as one."""
    subjects: dict[str, dict[str, None]] = {}
    for note in notes:
        about, _, text = note.partition(": ")
        subjects.setdefault(text, {})[about] = None
    return [f"{enumerate_some(list(found))}: {text}" for text, found in subjects.items()]


def enumerate_some(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    named = names[:NAMED] if len(names) > NAMED + 1 else names
    if more := len(names) - len(named):
        return f"{', '.join(named)} and {more} more"
    return ", ".join(named)


def note_noise(gathering: Gathering) -> list[str]:
    """A note if labels were called noise and none is there, as after a slip of the pen."""
    noise = gathering.policies.noise
    if not noise or any(clustering.n_noise for clustering in gathering.clusterings):
        return []
    return [f"no point has the label {' or '.join(map(repr, noise))} that marks noise"]


def note_points(answers: Sequence[Answer]) -> list[str]:
    """How many points comparisons leave out, because of their label or because one has them."""
    dropped = max(one.coverage.dropped for one in answers)
    single = max(one.coverage.only_a + one.coverage.only_b for one in answers)
    notes = []
    if dropped:
        notes.append(
            f"dropped: up to {dropped} points of a comparison that are noise or have no label in "
            "one of the two"
        )
    if single:
        notes.append(f"up to {single} points of a comparison are in one of the two only")
    return notes
