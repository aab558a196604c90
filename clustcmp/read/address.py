"""Addresses: what a user types to name a file and columns in it.

An address begins with the path of a file, or with `-` for stdin. Columns follow after `::`:

    path                        a file whose columns are found by their names
    path::COLUMN                a column of labels
    path::label=NAME,id=NAME    a column of labels and a column of ids
    path::*                     each column but the ids is a clustering (only where several fit)
    path::x,y                   columns of coordinates, also path::id=NAME,x,y

If there is a file whose name is the whole text, the address has no columns.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clustcmp.errors import InputError

STDIN = ("-", "/dev/stdin")

# Instead of the name of a label column: each column but the ids is a clustering.
ALL_COLUMNS = "*"

HOW_TO_NAME = "write path::COLUMN or path::label=COLUMN,id=COLUMN"
HOW_TO_CHOOSE = "write path::COLUMN,COLUMN or path::id=COLUMN,COLUMN,COLUMN"


@dataclass(frozen=True)
class Address:
    """A file and columns in it; `text` is what the user typed.

    `label` and `id` are columns of a clustering, `columns` are those of coordinates. What was not
    typed is None or empty.
    """

    text: str
    path: str
    label: str | None = None
    id: str | None = None
    columns: tuple[str, ...] = ()

    @classmethod
    def of_file(cls, text: str) -> Address:
        """The file that a text names, whatever the columns after :: are."""
        path, colons, _ = text.partition("::")
        return cls(text, path if colons and not os.path.exists(text) else text)

    @classmethod
    def of_clustering(cls, text: str) -> Address:
        """The address of a clustering, with the columns that the text names."""
        file = cls.of_file(text)
        if not file.typed_columns:
            return file
        columns = file.typed_columns.removeprefix("::")
        named = {"label": columns}
        if re.match(r"(label|id)=", columns):
            parts = re.split(r",(?=(?:label|id)=)", columns)
            named = dict(part.split("=", 1) for part in parts)
            if len(named) < len(parts):
                raise InputError(f"{text!r} names the same column twice", hint=HOW_TO_NAME)
        if not all(named.values()):
            raise InputError(f"{text!r} does not name a column after ::", hint=HOW_TO_NAME)
        return cls(text, file.path, named.get("label"), named.get("id"))

    @classmethod
    def of_coordinates(cls, text: str) -> Address:
        """The address of coordinates, with the columns that the text chooses."""
        file = cls.of_file(text)
        if not file.typed_columns:
            return file
        named = file.typed_columns.removeprefix("::").split(",")
        ids = [name.removeprefix("id=") for name in named if name.startswith("id=")]
        chosen = tuple(name for name in named if not name.startswith("id="))
        if not all((*ids, *chosen)):
            raise InputError(f"{text!r} does not name a column after ::", hint=HOW_TO_CHOOSE)
        if len(ids) > 1 or len(set(chosen)) < len(chosen):
            raise InputError(f"{text!r} names the same column twice", hint=HOW_TO_CHOOSE)
        return cls(text, file.path, id=ids[0] if ids else None, columns=chosen)

    @property
    def typed_columns(self) -> str:
        """The columns as they were typed, with the :: before them; empty without columns."""
        return self.text[len(self.path) :]

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
        return *self._file, *map(str.lower, Path(self.path).suffixes)

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
        text = f"{self.path}::{label}"
        if self.id is not None or re.match(r"(label|id)=", label):
            id_part = f",id={self.id}" if self.id is not None else ""
            text = f"{self.path}::label={label}{id_part}"
        return Address(text, self.path, label, self.id)

    def relative_to(self, folder: str) -> str | None:
        """The address as it is written in a file of that folder; stdin has none there."""
        if self.is_stdin:
            return None
        return os.path.relpath(self.path, folder or ".") + self.typed_columns


def is_path(thing: Any) -> bool:
    """Whether an input is the address of a file, and not an object that holds the values."""
    return isinstance(thing, str | Path)
