"""Addresses: what a user types to name a file and columns in it.

An address begins with the path of a file, or with `-` for stdin. Columns follow after `::`:

    path                        a file whose columns are found by their names
    path::COLUMN                a column of labels
    path::label=NAME,id=NAME    a column of labels and a column of ids, also path::COLUMN,id=NAME
    path::weights=NAME          a column that says how much each point weighs
    path::header=no             the first line is a row; header=yes: it names the columns
    path::format=NAME           the file has this format, whatever its name is
    path::leiden_*, path::a,b   several columns of labels, `*` for all (only where several fit)
    path::x,y                   columns of coordinates, also path::id=NAME,x,y

`NAME=path` gives the clustering a name for tables. If there is a file whose name is the whole
text, the address has neither a name nor columns.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clustcmp.errors import InputError

STDIN = ("-", "/dev/stdin")

# Instead of the name of a label column: each column but ids and measurements is a clustering.
ALL_COLUMNS = "*"

HOW_TO_NAME = "write path::COLUMN or path::label=COLUMN,id=COLUMN"
HOW_TO_CHOOSE = "write path::COLUMN,COLUMN or path::id=COLUMN,COLUMN,COLUMN"

# What can be said after ::, apart from columns.
KEY = re.compile(r"(label|id|weights|header|format)=")
BEFORE_KEY = re.compile(rf",(?={KEY.pattern.replace('(', '(?:')})")

# A name before the path. A path with a folder before its first = has none.
TITLE = re.compile(r"([^=/\\:]+)=(?=.)")


@dataclass(frozen=True)
class Address:
    """A file and columns in it; `text` is what the user typed.

    `label`, `id` and `weights` are columns of a clustering, `columns` are those of coordinates.
    `header` says whether the first line names the columns, `format` which format the file has,
    `title` is the name of the clustering for tables. What was not typed is None or empty.
    """

    text: str
    path: str
    label: str | None = None
    id: str | None = None
    columns: tuple[str, ...] = ()
    header: bool | None = None
    format: str | None = None
    title: str = ""
    weights: str | None = None

    @classmethod
    def of_file(cls, text: str) -> Address:
        """The file that a text names, whatever the columns after :: are."""
        if os.path.exists(text):
            return cls(text, text)
        path, _, _ = text.partition("::")
        found = None if os.path.exists(path) else TITLE.match(path)
        if found is None:
            return cls(text, path)
        return cls(text, path[found.end() :], title=found.group(1))

    @classmethod
    def of_clustering(cls, text: str) -> Address:
        """The address of a clustering, with the columns that the text names."""
        file = cls.of_file(text)
        if not file.typed_columns:
            return file
        first, *others = BEFORE_KEY.split(file.typed_columns.removeprefix("::"))
        parts = [first if KEY.match(first) else f"label={first}", *others]
        named = file._read_parts(parts, HOW_TO_NAME)
        header = file._read_header(named.get("header"))
        return replace(
            file,
            label=named.get("label"),
            id=named.get("id"),
            header=header,
            format=named.get("format"),
            weights=named.get("weights"),
        )

    @classmethod
    def of_coordinates(cls, text: str) -> Address:
        """The address of coordinates, with the columns that the text chooses."""
        file = cls.of_file(text)
        if not file.typed_columns:
            return file
        parts = file.typed_columns.removeprefix("::").split(",")
        named = file._read_parts([part for part in parts if KEY.match(part)], HOW_TO_CHOOSE)
        for key in ("label", "weights"):
            if key in named:
                raise InputError(f"{text!r}: coordinates have no {key}=", hint=HOW_TO_CHOOSE)
        chosen = tuple(part for part in parts if not KEY.match(part))
        if not all(chosen):
            raise InputError(f"{text!r} does not name a column after ::", hint=HOW_TO_CHOOSE)
        if len(set(chosen)) < len(chosen):
            raise InputError(f"{text!r} names the same column twice", hint=HOW_TO_CHOOSE)
        header = file._read_header(named.get("header"))
        return replace(
            file, id=named.get("id"), columns=chosen, header=header, format=named.get("format")
        )

    def _read_parts(self, parts: list[str], hint: str) -> dict[str, str]:
        """What is said after ::, by its key."""
        named = dict(part.split("=", 1) for part in parts)
        if len(named) < len(parts):
            raise InputError(f"{self.text!r} names the same column twice", hint=hint)
        if not all(named.values()):
            raise InputError(f"{self.text!r} does not name a column after ::", hint=hint)
        return named

    def _read_header(self, word: str | None) -> bool | None:
        """Whether the first line names the columns, if that is said."""
        known = {None: None, "yes": True, "no": False}
        if word not in known:
            raise InputError(
                f"{self.text!r}: header={word} is not possible",
                hint="write header=yes or header=no",
            )
        return known[word]

    @property
    def typed_columns(self) -> str:
        """The columns as they were typed, with the :: before them; empty without columns."""
        return self.source[len(self.path) :]

    @property
    def source(self) -> str:
        """The path and the columns as they were typed, without a name before them."""
        return self.text[len(self.title) + 1 :] if self.title else self.text

    @property
    def may_be_several(self) -> bool:
        """Whether the label may stand for several columns, as a list or a pattern."""
        return self.label is not None and any(sign in self.label for sign in "*?[,")

    @property
    def is_stdin(self) -> bool:
        """Whether the address is that of standard input."""
        return self.path in STDIN

    @property
    def name(self) -> str:
        """The file as messages call it."""
        return "stdin" if self.is_stdin else self.path

    @property
    def file_key(self) -> tuple[Any, ...]:
        """Equal for two addresses whose files are the same and are read in the same way.

        A link with another ending has a key of its own, because the ending decides how to read.
        """
        return *self._file, self.format, *map(str.lower, Path(self.path).suffixes)

    def is_same_file(self, other: Address) -> bool:
        """Whether two addresses lead to one file, however their paths are written."""
        return self._file == other._file

    @property
    def _file(self) -> tuple[Any, ...]:
        """What tells the file from all others; a path that cannot be found stands for itself."""
        if self.is_stdin:
            return STDIN
        try:
            found = os.stat(self.path)
        except (OSError, ValueError):
            return (self.path,)
        return found.st_dev, found.st_ino

    def of_column(self, label: str) -> Address:
        """The address of one column of labels in the same file, as it would be typed."""
        parts = [f"id={self.id}"] if self.id is not None else []
        parts += [f"weights={self.weights}"] if self.weights is not None else []
        parts += [f"header={'yes' if self.header else 'no'}"] if self.header is not None else []
        parts += [f"format={self.format}"] if self.format is not None else []
        first = f"label={label}" if parts or KEY.match(label) or "," in label else label
        text = f"{self.path}::{','.join([first, *parts])}"
        return replace(self, text=text, label=label, columns=(), title="")

    def relative_to(self, folder: str) -> str | None:
        """The address as it is written in a file of that folder; stdin has none there."""
        if self.is_stdin:
            return None
        return os.path.relpath(self.path, folder or ".") + self.typed_columns


def is_path(thing: Any) -> bool:
    """Whether an input is the address of a file, and not an object that holds the values."""
    return isinstance(thing, str | Path)
