"""What the values of a file say about its columns: which of them could be ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clustcmp.model import Texts
from clustcmp.read.columns import ColumnType, ColumnTypes, KnownColumns, TabularFile
from clustcmp.read.sample import FirstRows


class Evidence:
    """A file with named columns, and what is known of their values.

    Most columns are ruled out by the first rows alone; only the others are read as a whole.
    """

    def __init__(self, known: KnownColumns) -> None:
        """Nothing is read yet."""
        self.known = known
        self._ids: dict[str, Texts] | None = None

    @property
    def file(self) -> TabularFile:
        """The file."""
        return self.known.file

    @property
    def sample(self) -> FirstRows:
        """The first rows of the file."""
        return self.file.sample

    def possible_ids(self, along: ColumnTypes) -> Mapping[str, Texts]:
        """The columns that could be ids: no value is empty or occurs twice, and none is a fraction.

        Columns that are needed anyhow are read along, so that the file is parsed once.
        """
        if self._ids is None:
            names = [
                name
                for name in self.file.header
                if not self.sample.repeats(name) and not self.sample.has_fractions(name)
            ]
            wanted = {**along, **dict.fromkeys(names, ColumnType.text)}
            texts = self.known.read(wanted).texts if names else {}
            self._ids = {name: texts[name] for name in names if could_be_ids(texts[name])}
        return self._ids

    def faulty_ids(self, names: Sequence[str]) -> str | None:
        """A column that seems to hold ids, but has a value twice or empty."""
        possible = self.possible_ids({})
        return next(
            (
                name
                for name in names
                if name not in possible
                and self.sample.nearly_distinct(name)
                and not self.sample.has_fractions(name)
            ),
            None,
        )

    def is_counter(self, name: str, others: Sequence[str]) -> bool:
        """Whether a column only counts the rows, beside texts that seem to be ids."""
        return self.sample.counts(name) and any(
            self.sample.has_text(other) and self.sample.nearly_distinct(other) for other in others
        )

    def repeats(self, name: str) -> bool:
        """Whether a value of the column occurs twice."""
        if self.sample.repeats(name):
            return True
        labels = self.known.read({name: ColumnType.labels}).labels[name]
        return len(labels.names) < len(labels.codes)


def could_be_ids(texts: Texts) -> bool:
    """Whether each text could name one point."""
    return not len(texts.find_empty()) and texts.duplicate is None
