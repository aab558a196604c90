"""The settings that say how sure values are; like those in `settings`, each is declared once.

This module has no `from __future__ import annotations`: its annotations are read at run time, and
parsing them from text would slow --help.
"""

from typing import Annotated, Any, Literal, TypedDict

from clustcmp.declarations import Setting


class ConfidenceSettings(TypedDict, total=False):
    """How sure values are."""

    confidence: Annotated[
        float | None,
        Setting("Give each value an interval of this level, such as 0.95.", metavar="LEVEL"),
    ]
    unit: Annotated[
        Literal["point", "cluster"] | None,
        Setting("What intervals leave out: points, or A's clusters whole. Default: point."),
    ]
    seed: Annotated[
        int | None, Setting("The seed of all draws. Default: a new one, printed.", minimum=0)
    ]


class VersusSettings(TypedDict, total=False):
    """Which of two candidates is closer."""

    versus: Annotated[
        Any, Setting("Another candidate C: is B closer to A?", metavar="FILE", is_file=True)
    ]


class ChanceSettings(TypedDict, total=False):
    """Whether values are more than chance."""

    permutations: Annotated[
        int | None,
        Setting("Compare with so many random clusterings, such as 999.", metavar="N", minimum=1),
    ]


class SignificanceSettings(ConfidenceSettings, VersusSettings, ChanceSettings, total=False):
    """How sure values are, whether they are more than chance, and which candidate is closer."""


class TableSettings(ConfidenceSettings, ChanceSettings, total=False):
    """The settings of `compare_table`, where a candidate C would need the points themselves."""
