"""The nouns: points, membership, a clustering, a comparison of two, their contingency table."""

from clustcmp.model.clustering import Clustering
from clustcmp.model.comparison import Comparison, Coverage, Described, Side
from clustcmp.model.contingency import Contingency
from clustcmp.model.coordinates import CoordinateTable, find_points, known_coordinates
from clustcmp.model.membership import MISSING, NOISE, Counted, Hard, Membership, Soft
from clustcmp.model.origin import Origin
from clustcmp.model.points import PointSet
from clustcmp.model.texts import Texts
from clustcmp.model.whole_numbers import WholeNumbers

__all__ = [
    "MISSING",
    "NOISE",
    "Clustering",
    "Comparison",
    "Contingency",
    "CoordinateTable",
    "Counted",
    "Coverage",
    "Described",
    "Hard",
    "Membership",
    "Origin",
    "PointSet",
    "Side",
    "Soft",
    "Texts",
    "WholeNumbers",
    "find_points",
    "known_coordinates",
]
