"""Notes on labels that mark noise or count as missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from clustcmp.keywords import missing_labels, noise_labels, own_noise_labels
from clustcmp.notes import Note
from clustcmp.settings import InputSettings
from clustcmp.wording import say


class Marked(NamedTuple):
    """How many points of a clustering are noise, and how many have no label."""

    noise: int
    missing: int


def note_marks(settings: InputSettings, marked: Sequence[Marked], no_point: str) -> Iterator[Note]:
    """Notes if noise is compared in a way that was not chosen, and on labels that no point has.

    A label that no point has is probably a typo. `no_point` says which points were looked at.
    """
    has_noise = any(one.noise for one in marked)
    if has_noise and settings["noise_policy"] is None:
        yield note_policy()
    if (labels := noise_labels(settings)) and not has_noise:
        yield Note(f"{no_point} has the label {show_labels(labels)} that marks noise")
    for side, one in zip("ab", marked, strict=False):
        own = own_noise_labels(settings, side)
        if own and not one.noise:
            yield Note(f"no point of {side} has the label {show_labels(own)} that marks noise")
    # With --missing noise, points without a label are noise.
    becomes_noise = settings["missing"] == "noise"
    is_missing = any(one.noise if becomes_noise else one.missing for one in marked)
    if (labels := missing_labels(settings)) and not is_missing:
        yield Note(f"{no_point} has the label {show_labels(labels)} that counts as missing")


def note_policy() -> Note:
    """A note that noise is compared as one cluster, and how to choose otherwise."""
    others = " or ".join(say("noise_policy", policy) for policy in ("drop", "singletons"))
    return Note(f"noise is compared as one cluster; choose otherwise with {others}")


def show_labels(labels: Iterable[str]) -> str:
    """Labels in a sentence."""
    return " or ".join(map(repr, labels))
