"""The style of each cluster in the charts of two clusterings: a match has that of its partner."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustcmp.analyses.changes.order import rank
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.arrays import NONE, Integers
from clustcmp.render.drawings import OTHERS

# Six colours with six symbols each.
MOST_STYLES = 36


class Styles(NamedTuple):
    """The style of each cluster of a and of each cluster of b, or OTHERS."""

    of_a: Integers
    of_b: Integers


def find_styles(report: ChangeReport) -> Styles:
    """Styles for the largest clusters of a and their matches, then for the largest others of b."""
    changes = report.changes
    styles = Styles(np.full(len(changes.sizes_a), OTHERS), np.full(len(changes.sizes_b), OTHERS))
    codes = np.arange(len(changes.sizes_a))
    largest = rank([changes.sizes_a], codes, report.a.names, MOST_STYLES)
    styles.of_a[largest] = np.arange(len(largest))
    partners = changes.partners.of_a[largest]
    styles.of_b[partners[partners != NONE]] = np.arange(len(largest))[partners != NONE]
    without = np.flatnonzero(changes.partners.of_b == NONE)
    more = rank([changes.sizes_b[without]], without, report.b.names, MOST_STYLES - len(largest))
    styles.of_b[more] = len(largest) + np.arange(len(more))
    return styles
