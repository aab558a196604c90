"""Metrics of soft clusterings agree with their definitions, written out point by point."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import clustcmp
from clustcmp.errors import LimitExceeded
from clustcmp.metrics import concordance, random_walk
from tests.metrics.test_contracts import Degrees, soft_pairs

SOFT = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.4, 0.4, 0.2]])
OTHER = np.array([[0.5, 0.5], [0.9, 0.1], [0.3, 0.7], [0.2, 0.8]])


def value(metric: str, a: Any, b: Any) -> float:
    """The value of one metric."""
    result = clustcmp.compare(a, b, metrics=[metric]).results[0]
    assert result.value is not None, result.reason
    return result.value


def together(degrees: Degrees) -> Degrees:
    """For all pairs of points the sum of the products of their degrees."""
    pairs = itertools.combinations(degrees, 2)
    return np.array([float(x @ y) for x, y in pairs])


def alike(degrees: Degrees) -> Degrees:
    """For all pairs of points 1 - half the differences of their degrees."""
    pairs = itertools.combinations(degrees, 2)
    return np.array([1.0 - float(np.abs(x - y).sum()) / 2.0 for x, y in pairs])


@given(pair=soft_pairs)
def test_pairs_are_compared_by_how_much_they_are_together(pair: tuple[Degrees, Degrees]) -> None:
    a, b = pair
    assume(len(a) > 1)
    s, t = together(a), together(b)
    assume(((s - t) ** 2).sum() > 1e-9)
    st_, ss, tt, n_pairs = float(s @ t), float(s @ s), float(t @ t), len(s)
    assert value("rand", a, b) == pytest.approx(1.0 - ((s - t) ** 2).mean(), abs=1e-9)
    assert value("jaccard", a, b) == pytest.approx(st_ / (ss + tt - st_), abs=1e-9)
    assert value("pair_f1", a, b) == pytest.approx(2.0 * st_ / (ss + tt), abs=1e-9)
    assert value("mirkin", a, b) == pytest.approx(2.0 * ((s - t) ** 2).sum(), abs=1e-9)
    cosine = st_ / math.sqrt(ss * tt) if ss * tt else 0.0
    assert value("fowlkes_mallows", a, b) == pytest.approx(cosine, abs=1e-9)
    chance = s.sum() * t.sum() / n_pairs
    adjusted = (st_ - chance) / ((ss + tt) / 2.0 - chance)
    assert value("adjusted_rand", a, b) == pytest.approx(adjusted, abs=1e-6)
    if min(s.std(), t.std()) > 1e-4:
        correlation = float(np.corrcoef(s, t)[0, 1])
        assert value("hubert_gamma", a, b) == pytest.approx(correlation, abs=1e-6)


def test_soft_chance_scores_exactly_0_on_average() -> None:
    drawn = [
        value("adjusted_rand:soft=matrix", SOFT, OTHER[list(order)])
        for order in itertools.permutations(range(4))
    ]
    assert math.fsum(drawn) == pytest.approx(0.0, abs=1e-12)


@given(pair=soft_pairs, labels=st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_concordance_is_the_difference_of_likenesses(
    pair: tuple[Degrees, Degrees], labels: list[int]
) -> None:
    a, b = pair
    assume(len(a) > 1)
    hard = np.array(labels[: len(a)])
    for one, other in ((a, b), (a, hard), (hard, b)):
        e, f = (alike(x if x.ndim == 2 else np.eye(3)[x]) for x in (one, other))
        different = np.abs(e - f).mean()
        if different < 1e-9:
            continue
        chance = np.abs(np.subtract.outer(e, f)).mean()
        soft = "soft=concordance"
        assert value(f"rand:{soft}", one, other) == pytest.approx(1.0 - different, abs=1e-9)
        if chance > 1e-6 and not (one.ndim == 1 and other.ndim == 1):
            aci = 1.0 - different / chance
            assert value(f"adjusted_rand:{soft}", one, other) == pytest.approx(aci, abs=1e-6)


def test_published_concordances() -> None:
    # D'Ambrosio et al. 2021 and Huellermeier et al. 2012.
    evenly = [[0.5, 0.5]] * 3
    soft = "rand:soft=concordance"
    a = [[0.34, 0.33, 0.33], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5]]
    assert value(soft, a, evenly) == pytest.approx(0.61)
    a = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    assert value(soft, a, [[0.5, 0.5], [0.3, 0.7], [0.5, 0.5]]) == pytest.approx(7 / 15)


def test_blocks_of_pairs_do_not_change_the_concordance(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = [f"{name}:soft=concordance" for name in ("rand", "adjusted_rand")]
    whole = [value(spec, SOFT, OTHER) for spec in specs]
    monkeypatch.setattr(concordance, "BLOCK", 1)
    assert [value(spec, SOFT, OTHER) for spec in specs] == pytest.approx(whole, abs=1e-14)


def test_too_many_pairs_are_an_error_that_names_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concordance, "MOST_PAIRS", 5)
    with pytest.raises(LimitExceeded, match="4 points have more than 5") as error:
        value("rand:soft=concordance", SOFT, OTHER)
    assert "soft=matrix" in (error.value.hint or "")
    assert value("rand:soft=concordance", SOFT, [0, 0, 1, 1]) < 1.0


@given(pair=soft_pairs)
def test_soft_clusters_share_the_smaller_degrees(pair: tuple[Degrees, Degrees]) -> None:
    a, b = pair
    table = np.minimum(a[:, :, None], b[:, None, :]).sum(axis=0)
    best = max(
        math.fsum(table[k, j] for k, j in enumerate(columns))
        for columns in itertools.permutations(range(table.shape[1]), table.shape[0])
    )
    n, by_b, by_a = len(a), table.max(axis=0).sum(), table.max(axis=1).sum()
    assert value("maximum_matching", a, b) == pytest.approx(best / n, abs=1e-9)
    assert value("clustering_error", a, b) == pytest.approx(1.0 - best / n, abs=1e-9)
    assert value("purity", a, b) == pytest.approx(by_b / n, abs=1e-9)
    assert value("inverse_purity", a, b) == pytest.approx(by_a / n, abs=1e-9)
    assert value("van_dongen", a, b) == pytest.approx(2 * n - by_a - by_b, abs=1e-9)


def visits(degrees: Degrees, alpha: float) -> Degrees:
    """How often a walk from each point is at each other, by inverting the matrix of all points."""
    onward = degrees / degrees.sum(axis=1, keepdims=True)
    back = degrees[:, degrees.any(axis=0)] / degrees[:, degrees.any(axis=0)].sum(axis=0)
    step = onward[:, degrees.any(axis=0)] @ back.T
    walk: Degrees = (1.0 - alpha) * np.linalg.inv(np.eye(len(degrees)) - alpha * step)
    return walk


@given(pair=soft_pairs, alpha=st.sampled_from([0.2, 0.9]))
@settings(max_examples=50)
def test_element_centric_of_soft_clusterings_is_the_random_walk(
    pair: tuple[Degrees, Degrees], alpha: float
) -> None:
    a, b = pair
    labels = np.arange(len(a)) % 2
    for other, degrees in ((b, b), (labels, np.eye(2)[labels])):
        apart = np.abs(visits(a, alpha) - visits(degrees, alpha)).sum(axis=1)
        expected = float(np.mean(1.0 - apart / (2.0 * alpha)))
        found = value(f"element_centric:alpha={alpha}", a, other)
        assert found == pytest.approx(expected, abs=1e-9)


def test_blocks_of_points_do_not_change_element_centric(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = value("element_centric", SOFT, OTHER)
    monkeypatch.setattr(random_walk, "BLOCK", 1)
    assert value("element_centric", SOFT, OTHER) == pytest.approx(whole, abs=1e-14)


def test_one_cluster_in_two_halves_is_one_cluster_to_element_centric() -> None:
    hard = np.eye(2)[[0, 0, 1, 1]]
    halves = np.repeat(hard / 2.0, 2, axis=1)
    assert value("element_centric", halves, hard) == pytest.approx(1.0)
    assert value("rand:soft=concordance", halves, hard) == pytest.approx(1.0)
    assert value("rand", halves, hard) < 0.95


def test_many_kinds_of_points_are_an_error_and_few_kinds_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(random_walk, "MOST_KINDS", 4)
    many, others = np.repeat(SOFT, 50, axis=0), np.repeat(OTHER, 50, axis=0)
    assert value("element_centric", many, others) < 1.0
    monkeypatch.setattr(random_walk, "MOST_KINDS", 3)
    with pytest.raises(LimitExceeded, match="at most 3, and there are 4"):
        value("element_centric", many, others)


def test_defaults_for_soft_clusterings_are_noted_with_the_former_ones() -> None:
    metrics = ["ari", "rand", "purity"]
    notes = clustcmp.compare(SOFT, OTHER, metrics=metrics).notes
    texts = [str(note) for note in notes if "soft=" in str(note)]
    assert len(texts) == 2
    assert "adjusted_rand:soft=expected" in texts[0]
    assert "purity:soft=product" in texts[1]
    chosen = clustcmp.compare(SOFT, OTHER, metrics=["ari:soft=matrix", "purity:soft=min"]).notes
    assert not any("soft=" in str(note) for note in chosen)
    hard = clustcmp.compare([0, 0, 1], [0, 1, 1], metrics=metrics)
    assert not any("soft=" in str(note) for note in hard.notes)
    assert not any("soft" in result.convention for result in hard)


def test_the_convention_says_how_soft_clusterings_count() -> None:
    results = clustcmp.compare(SOFT, OTHER, metrics=["ari", "ari:soft=expected", "purity"])
    assert [result.convention for result in results] == [
        "Hubert-Arabie, 0 is chance, soft=matrix",
        "Hubert-Arabie, 0 is chance, soft=expected",
        "of b's clusters, soft=min",
    ]
