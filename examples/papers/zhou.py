"""Zhou, Li and Zha 2005: A new Mallows distance based metric for comparing clusterings."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.cluster.vq import kmeans2

from .points import Codes, Points, make_clusters, reassign
from .rows import Evidence, Paper, value
from .triangle import draw_hard, draw_soft, try_triangles

zhou = Paper("Zhou 2005")

NOT_GIVEN = "points and settings of the algorithms not given"
SIZES = [400, 400, 400]


@cache
def first_set() -> tuple[Points, Codes]:
    """DS1: clusters A, B and C of 400 points; C is twice as far from A as B."""
    return make_clusters([(0, 0), (6, 0), (0, 12)], SIZES, [1, 1, 1], seed=1)


def moves() -> tuple[Codes, Codes]:
    """L_ab and L_ac: a third of A in B, and in C."""
    _, codes = first_set()
    moved = np.arange(SIZES[0] // 3)
    return reassign(codes, moved, 1), reassign(codes, moved, 2)


def of_moves(metric: str) -> tuple[float, ...]:
    """A metric between the original and L_ab, and between it and L_ac."""
    points, codes = first_set()
    return tuple(value(metric, codes, moved, coordinates=points) for moved in moves())


zhou.missing("table 1", "VI and CC of EM v CEM on six sets", "0.19 / 0.0068 ...", NOT_GIVEN)


@zhou.numbers(
    "table 2",
    "VI/(log K + log J): L_ab, L_ac",
    "0.202 0.202",
    "they are equal; 0.202 needs 123 of 400 points moved, a third is 133",
)
def vi_of_moves() -> tuple[float, ...]:
    return of_moves("variation_of_information:normalize=log_kj")


@zhou.numbers(
    "table 2",
    "Rand: L_ab, L_ac",
    "0.881 0.881",
    "they are equal; 0.881 needs 127 of 400 points moved, a third is 133",
)
def rand_of_moves() -> tuple[float, ...]:
    return of_moves("rand")


@zhou.numbers(
    "table 2",
    "CSS/100: L_ab, L_ac",
    "0.287 0.658",
    "points and unit of length not given",
)
def css_of_moves() -> tuple[float, ...]:
    return tuple(found / 100 for found in of_moves("css"))


@zhou.numbers(
    "table 2",
    "CSS(L_ac) / CSS(L_ab)",
    "2.29",
    "with |AC| = 2 |AB| and a random third of A it is about 2",
)
def css_ratio() -> float:
    near, far = of_moves("css")
    return far / near


zhou.missing("table 2", "k-means and DBSCAN on DS1", "0.186 / 0.263 ...", NOT_GIVEN)


@cache
def second_set() -> tuple[Points, Codes]:
    """DS2: 1,000 points in the centre and four satellites of 250."""
    centres = [(0, 0), (4, 0), (0, 4), (-4, 0), (0, -4)]
    return make_clusters(centres, [1000] + [250] * 4, [1.5] + [0.4] * 4, seed=2)


def one_cluster() -> Codes:
    """Uni-Label: all points of DS2 in one cluster."""
    return np.zeros(len(second_set()[0]), dtype=np.int64)


def k_means() -> Codes:
    """K-means on DS2 with k = 5, from the true means."""
    points, codes = second_set()
    means = np.stack([points[codes == code].mean(axis=0) for code in range(5)])
    return np.asarray(kmeans2(points, means, minit="matrix")[1], dtype=np.int64)


@zhou.numbers(
    "table 3", "VI/(log K + log J): Uni-Label", "0.58", "ours follows from the sizes alone"
)
def vi_of_one_cluster() -> float:
    _, codes = second_set()
    return value("variation_of_information:normalize=log_kj", codes, one_cluster())


@zhou.numbers("table 3", "Rand: Uni-Label", "0.57", "ours follows from the sizes alone")
def rand_of_one_cluster() -> float:
    return value("rand", second_set()[1], one_cluster())


@zhou.numbers(
    "table 3",
    "CSS/100: Uni-Label, k-means",
    "0.06 1.19",
    "by eq. 5 Uni-Label pays 2/3 of all distances to the common mean, k-means only for points it "
    "moves; points made up",
)
def css_of_one_cluster() -> tuple[float, ...]:
    points, codes = second_set()
    others = one_cluster(), k_means()
    return tuple(value("css", codes, other, coordinates=points) / 100 for other in others)


zhou.missing("table 3", "DBSCAN on DS2", "0.59 / 0.53 / 0.058", NOT_GIVEN)


@zhou.claim("section 4.1", "CC: triangle inequality, hard and soft", "holds")
def cc_triangles() -> Evidence:
    return try_triangles("cc", draw_hard(12, 12, seed=3) + draw_soft(12, 12, seed=4))


@zhou.claim("section 6", "CSS: triangle inequality", "holds", "counterexample")
def css_triangles() -> Evidence:
    points = np.random.default_rng(5).normal(size=(12, 2))
    return try_triangles("css", draw_hard(12, 12, seed=5), coordinates=points)
