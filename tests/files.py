"""Small files for tests, and what was read from them as plain Python."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from clustcmp.cli import run
from clustcmp.keywords import complete
from clustcmp.model import Clustering
from clustcmp.model.texts import Texts
from clustcmp.settings import InputSettings, ReadSettings


class Outcome(NamedTuple):
    """What a run of the program leaves behind."""

    status: int
    stdout: str
    stderr: str


def write(name: str, content: str | bytes) -> str:
    """Write a file byte by byte as given; returns its name."""
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return name


def reading(**given: Any) -> ReadSettings:
    """All settings for reading one file, with the given ones changed."""
    return complete(ReadSettings, given)


def comparing(**given: Any) -> InputSettings:
    """All settings for reading and aligning files, with the given ones changed."""
    return complete(InputSettings, given)


def run_clustcmp(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    """Run the program in this process."""
    capsys.readouterr()
    status = run(list(arguments))
    return Outcome(status, *capsys.readouterr())


def pipe(monkeypatch: pytest.MonkeyPatch, content: str | bytes) -> None:
    """Let stdin hold this content."""
    data = content.encode() if isinstance(content, str) else content
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def strings(texts: Texts | None) -> list[str]:
    """Texts as Python strings."""
    return [texts[position] for position in range(len(texts))] if texts else []


def ids_of(clustering: Clustering) -> list[str]:
    """The ids in the order of the file, none if points go by position."""
    return strings(clustering.points.ids)


def labels_of(clustering: Clustering) -> list[str]:
    """The label of each point in the order of the file."""
    return [clustering.names[code] for code in clustering.membership.array.tolist()]
