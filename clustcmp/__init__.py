"""diff for clusterings: how far apart two clusterings are, and what changed.

>>> import clustcmp
>>> clustcmp.compare([0, 0, 1, 1], [0, 0, 1, 2], metrics=["ari"])["ari"]
0.5714285714285714
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from clustcmp.errors import (
    ClustcmpError,
    InputError,
    LimitExceeded,
    SolverFailed,
    UsageError,
)
from clustcmp.version import VERSION

if TYPE_CHECKING:
    from clustcmp.api import compare
    from clustcmp.gatekeeper import gate
    from clustcmp.gates.verdict import GateFailed, Verdict
    from clustcmp.matrices import MatrixReport, matrix
    from clustcmp.metrics import METRICS
    from clustcmp.model import Clustering, Report, Result
    from clustcmp.moves.library import changes
    from clustcmp.read import read_clustering
    from clustcmp.tracking.follow import track

__version__ = VERSION

__all__ = [
    "METRICS",
    "ClustcmpError",
    "Clustering",
    "GateFailed",
    "InputError",
    "LimitExceeded",
    "MatrixReport",
    "Report",
    "Result",
    "SolverFailed",
    "UsageError",
    "Verdict",
    "__version__",
    "changes",
    "compare",
    "gate",
    "matrix",
    "read_clustering",
    "track",
]

# numpy and all that needs it is imported when it is first asked for: --help must be quick.
LATE = {
    "METRICS": "clustcmp.metrics",
    "Clustering": "clustcmp.model",
    "GateFailed": "clustcmp.gates.verdict",
    "MatrixReport": "clustcmp.matrices",
    "Report": "clustcmp.model",
    "Result": "clustcmp.model",
    "Verdict": "clustcmp.gates.verdict",
    "changes": "clustcmp.moves.library",
    "compare": "clustcmp.api",
    "gate": "clustcmp.gatekeeper",
    "matrix": "clustcmp.matrices",
    "read_clustering": "clustcmp.read",
    "track": "clustcmp.tracking.follow",
}


def __getattr__(name: str) -> Any:
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(LATE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
