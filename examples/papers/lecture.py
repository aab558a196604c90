"""Kalidas Y., IIT Tirupati: Clustering metrics, a lecture.

It gives an example and formulas, and leaves the values to the reader.
"""

from __future__ import annotations

from .rows import Paper, value

lecture = Paper("lecture")

ACTUAL = [1, 1, 2, 2, 2, 3, 4, 4, 5]
PREDICTED = [1, 1, 1, 2, 2, 3, 3, 3, 3]


def declare(what: str, worked_out: str, metric: str) -> None:
    """A row: a metric of the example, and its value by the formulas of the lecture."""

    def compute() -> float:
        return value(metric, ACTUAL, PREDICTED)

    lecture.numbers("example", what, worked_out, source="by hand")(compute)


declare("Rand", "0.75", "rand")
declare("ARI by Hubert and Arabie", "0.263636", "adjusted_rand")
lecture.missing(
    "slide 115",
    "ARI as (RI - mean)/(max - min)",
    "-",
    "depends on the random clusterings; see adjusted_rand:null=sampled",
)
declare("mutual information", "0.848686", "mutual_information")
declare("homogeneity", "0.557262", "homogeneity")
declare("completeness", "0.800000", "completeness")
declare("V", "0.656925", "v_measure")
declare("VI, as H(G|C) + H(C|G)", "0.886441", "variation_of_information")
