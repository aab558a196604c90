"""diff for clusterings: how far apart two clusterings are, and what changed.

>>> import clustcmp
>>> clustcmp.compare([0, 0, 1, 1], [0, 0, 1, 2], metrics=["ari"])["ari"]
0.5714285714285714
"""

# Type checkers take this name for true. Nothing is imported here, not even typing, because the
# program imports this module before it can do anything about Ctrl-C.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from clustcmp.analyses.bounds.verdict import GateFailed, Verdict
    from clustcmp.analyses.changes.library import changes
    from clustcmp.analyses.compare import compare, compare_table
    from clustcmp.analyses.gate.library import accept_baseline, gate, run_gates
    from clustcmp.analyses.inspect import inspect
    from clustcmp.analyses.matrix.library import matrix
    from clustcmp.analyses.matrix.report import MatrixReport
    from clustcmp.analyses.parts.consistency import consistency
    from clustcmp.analyses.parts.library import per_cluster, per_point
    from clustcmp.analyses.sql import sql
    from clustcmp.analyses.stability.library import stability
    from clustcmp.analyses.stability.of_runs import stability_of
    from clustcmp.analyses.stability.report import StabilityReport
    from clustcmp.analyses.track.library import track
    from clustcmp.errors import (
        ClustcmpError,
        InputError,
        LimitExceeded,
        SolverFailed,
        UsageError,
    )
    from clustcmp.metrics import METRICS
    from clustcmp.model import Clustering, Contingency
    from clustcmp.read import read_clustering
    from clustcmp.results import Report, Result
    from clustcmp.version import __version__

__all__ = [
    "METRICS",
    "ClustcmpError",
    "Clustering",
    "Contingency",
    "GateFailed",
    "InputError",
    "LimitExceeded",
    "MatrixReport",
    "Report",
    "Result",
    "SolverFailed",
    "StabilityReport",
    "UsageError",
    "Verdict",
    "__version__",
    "accept_baseline",
    "changes",
    "compare",
    "compare_table",
    "consistency",
    "gate",
    "inspect",
    "matrix",
    "per_cluster",
    "per_point",
    "read_clustering",
    "run_gates",
    "sql",
    "stability",
    "stability_of",
    "track",
]

# Where each name comes from when it is first used, so that --help stays quick.
LATE = {
    "__version__": "clustcmp.version",
    "METRICS": "clustcmp.metrics",
    "ClustcmpError": "clustcmp.errors",
    "Clustering": "clustcmp.model",
    "Contingency": "clustcmp.model",
    "GateFailed": "clustcmp.analyses.bounds.verdict",
    "InputError": "clustcmp.errors",
    "LimitExceeded": "clustcmp.errors",
    "MatrixReport": "clustcmp.analyses.matrix.report",
    "Report": "clustcmp.results",
    "Result": "clustcmp.results",
    "SolverFailed": "clustcmp.errors",
    "StabilityReport": "clustcmp.analyses.stability.report",
    "UsageError": "clustcmp.errors",
    "Verdict": "clustcmp.analyses.bounds.verdict",
    "accept_baseline": "clustcmp.analyses.gate.library",
    "changes": "clustcmp.analyses.changes.library",
    "compare": "clustcmp.analyses.compare",
    "compare_table": "clustcmp.analyses.compare",
    "consistency": "clustcmp.analyses.parts.consistency",
    "gate": "clustcmp.analyses.gate.library",
    "inspect": "clustcmp.analyses.inspect",
    "matrix": "clustcmp.analyses.matrix.library",
    "per_cluster": "clustcmp.analyses.parts.library",
    "per_point": "clustcmp.analyses.parts.library",
    "read_clustering": "clustcmp.read",
    "run_gates": "clustcmp.analyses.gate.library",
    "sql": "clustcmp.analyses.sql",
    "stability": "clustcmp.analyses.stability.library",
    "stability_of": "clustcmp.analyses.stability.of_runs",
    "track": "clustcmp.analyses.track.library",
}


def __getattr__(name: str) -> object:
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(LATE[name]), name)
    # Later uses find the name in the module and do not come here.
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
