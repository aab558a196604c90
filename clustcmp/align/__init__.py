"""From clusterings to comparisons: the same points in the same order, and where they are."""

from clustcmp.align.collection import Collection, align
from clustcmp.align.form import Canonical, canonical
from clustcmp.align.labelings import Labelings, find_alignment
from clustcmp.align.rows import Alignment, note_positions
from clustcmp.align.unseen import note_unseen

__all__ = [
    "Alignment",
    "Canonical",
    "Collection",
    "Labelings",
    "align",
    "canonical",
    "find_alignment",
    "note_positions",
    "note_unseen",
]
