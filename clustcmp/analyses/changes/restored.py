"""The changes between two clusterings that another report has compared."""

from __future__ import annotations

from clustcmp.analyses.changes.contributions import Contributions
from clustcmp.analyses.changes.report import ChangeReport
from clustcmp.analyses.flows.follow import find_changes
from clustcmp.model import Coverage, Side
from clustcmp.model.columns import Kept


def restore_changes(
    kept: Kept, sides: tuple[Side, Side], coverage: Coverage, ground: str = "euclidean"
) -> ChangeReport:
    """What `changes` says of what a report kept, without what each cluster adds to metrics."""
    changes = find_changes(kept.restore(sides, coverage), ground)
    a, b = (side._replace(origin=None) for side in (kept.a, kept.b))
    nothing = Contributions({}, ground)
    return ChangeReport(sides, coverage, changes, nothing, a, b, places=kept.places)
