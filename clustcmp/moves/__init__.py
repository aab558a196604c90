"""Which cluster became which, and which points moved.

The package is not called changes, since `clustcmp.changes` is the function for Python.
"""

from clustcmp.moves.changes import Changes, Match, find_changes
from clustcmp.moves.kinds import Kind

__all__ = ["Changes", "Kind", "Match", "find_changes"]
