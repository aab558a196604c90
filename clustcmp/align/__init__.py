"""From clusterings to comparisons: the same points in the same order, and where they are."""

from clustcmp.align.collection import Collection, align
from clustcmp.align.form import Canonical, canonical
from clustcmp.align.rows import Alignment, note_positions

__all__ = ["Alignment", "Canonical", "Collection", "align", "canonical", "note_positions"]
