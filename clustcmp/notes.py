"""Notes: what a user should know about a result, as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# A note names at most this many subjects and counts the others.
MOST_NAMED = 3


class Note(str):
    """A sentence with what it is about: `Note("no id column", "a.csv")` is "a.csv: no id column".

    `about` holds the files, steps or clusterings that the note concerns, none if it concerns the
    whole input. `text` is the sentence without them.
    """

    __slots__ = ("about", "text")
    about: tuple[str, ...]
    text: str

    def __new__(cls, text: str, *about: str) -> Note:
        note = super().__new__(cls, f"{name_some(about)}: {text}" if about else text)
        note.about = about
        note.text = text
        return note

    def __reduce__(self) -> tuple[type[Note], tuple[str, ...]]:
        return Note, (self.text, *self.about)


def condense(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Notes with the same text as one note about everything that they are about."""
    subjects: dict[str, dict[str, None]] = {}
    for note in notes:
        subjects.setdefault(note.text, {}).update(dict.fromkeys(note.about))
    return tuple(Note(text, *about) for text, about in subjects.items())


def name_some(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    named = names[:MOST_NAMED] if len(names) > MOST_NAMED + 1 else names
    if more := len(names) - len(named):
        return f"{', '.join(named)} and {more} more"
    return ", ".join(named)
