"""Zaki and Meira: slides to Data Mining and Analysis, chapter 17, Clustering validation."""

from __future__ import annotations

from pathlib import Path

import clustcmp

from .iris import BAD, EXAMPLES, GOOD, SPECIES, principal_components
from .rows import Evidence, Paper, value

zaki = Paper("Zaki, Meira")


def declare(what: str, metric: str, good: str, bad: str) -> None:
    """The rows of a metric for the good and the bad k-means clustering of iris."""
    for name, file, printed in (("good", GOOD, good), ("bad", BAD, bad)):

        def compute(file: Path = file) -> float:
            return value(metric, SPECIES, file)

        zaki.numbers(f"iris, {name}", what, printed)(compute)


declare("purity", "purity", "0.887", "0.667")
declare("match", "maximum_matching", "0.887", "0.560")
declare("F", "f_measure", "0.885", "0.658")
declare("H(T|C), bits", "entropy_a_given_b:base=2", "0.418", "0.743")
declare("NMI, geometric", "nmi:average=geometric", "0.742", "0.587")
declare("VI, bits", "variation_of_information:base=2", "0.812", "1.200")


@zaki.numbers("iris, good", "F on the first slide", "0.895", "misprint: a later slide has 0.885")
def misprinted_f() -> float:
    return value("f_measure", SPECIES, GOOD)


@zaki.numbers("iris, good", "n on the first slide", "100", "misprint: its table sums to 150")
def misprinted_n() -> float:
    report = clustcmp.compare(SPECIES, GOOD, metrics=["rand"])
    return float(report.inputs[0].points)


def inside(metric: str, file: Path) -> float:
    """A metric of one clustering, on the principal components."""
    located = principal_components()
    report = clustcmp.compare(SPECIES, file, metrics=[metric], coordinates=located)
    (found,) = (result.value for result in report if result.side == "b")
    if found is None:
        raise ValueError(f"{metric} has no value for {file.name}")
    return found


def declare_inside(what: str, metric: str, good: str, bad: str) -> None:
    """The rows of a metric of one clustering."""
    for name, file, printed in (("good", GOOD, good), ("bad", BAD, bad)):

        def compute(file: Path = file) -> float:
            return inside(metric, file)

        zaki.numbers(f"iris, {name}", what, printed)(compute)


declare_inside("BetaCV", "beta_cv", "0.24", "0.33")
declare_inside("C-index", "c_index", "0.034", "0.08")


@zaki.claim("iris, stability", "mean VI of bootstrap samples per k = 2, ..., 9: k* = 2", "k = 2")
def most_stable() -> Evidence:
    # The paper draws 500 samples and takes the best of 100 runs of k-means.
    report = clustcmp.stability(
        EXAMPLES / "iris.csv",
        "kmeans",
        "vi",
        k=range(2, 10),
        samples=100,
        bootstrap=True,
        set={"n_init": 3},
        gaussians=0,
        seed=1,
    )
    means = " ".join("-" if row.value is None else f"{row.value:.2f}" for row in report.curve)
    best = None if report.best is None else report.best.k
    return Evidence(best == 2, f"k = {best}: {means}")
