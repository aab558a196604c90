"""What a clustering was in Python, before its labels and ids became texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

WHOLE_NUMBER = re.compile("-?[0-9]+")


@dataclass(frozen=True, eq=False)
class Origin:
    """The labels of a clustering and the index of its points, as Python gave them.

    Everywhere else a label is a text. `labels` goes from the texts to what they were; if
    `is_whole`, all labels were whole numbers, which the texts are enough to know. `index` holds the
    ids in the order of the points, and None if Python gave none.
    """

    labels: Mapping[str, Any] = field(default_factory=dict)
    is_whole: bool = False
    index: Any = None

    def label(self, name: str) -> Any:
        """The label that a name was; a name that clustcmp made up, such as noise, is a text."""
        if self.is_whole:
            return int(name) if WHOLE_NUMBER.fullmatch(name) else name
        return self.labels.get(name, name)


def show_label(label: Any) -> str:
    """A label as text; pandas makes floats of whole numbers where one of them is missing."""
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def find_types(names: list[str], labels: list[Any]) -> dict[str, Any]:
    """The labels by their names; a name that stands for two labels, 1 and "1", stays a text."""
    if all(isinstance(label, str) for label in labels):
        return {}
    found: dict[str, Any] = {}
    for name, label in zip(names, labels, strict=True):
        found[name] = name if name in found else label
    return found
