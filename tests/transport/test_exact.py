"""The door to POT: exact values, or an error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from clustcmp.errors import SolverFailed
from clustcmp.transport import exact as solver
from clustcmp.transport.exact import plan_equal, transport, transport_equal, transport_plan

Array = np.ndarray[Any, np.dtype[Any]]


def linear_program(cost: Array, supply: Array, demand: Array) -> float:
    """The least cost, by scipy's solver for linear programs."""
    m, n = cost.shape
    rows = np.kron(np.eye(m), np.ones(n))
    columns = np.kron(np.ones(m), np.eye(n))
    solved = linprog(
        cost.ravel(),
        A_eq=np.vstack([rows, columns]),
        b_eq=np.concatenate([supply, demand]),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert solved.status == 0
    assert solved.fun is not None
    return float(solved.fun)


@given(shape=st.tuples(st.integers(1, 9), st.integers(1, 9)), seed=st.integers(0, 99))
def test_equal_masses_agree_with_the_linear_program(shape: tuple[int, int], seed: int) -> None:
    cost = np.random.default_rng(seed).integers(0, 9, shape).astype(float)
    m, n = shape
    expected = linear_program(cost, np.full(m, 1 / m), np.full(n, 1 / n))
    assert transport_equal(cost) == pytest.approx(expected, abs=1e-9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "MOST_COPIES", 0)
        assert transport_equal(cost) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("most_copies", [0, 600])
@given(shape=st.tuples(st.integers(1, 6), st.integers(1, 6)), seed=st.integers(0, 99))
def test_a_plan_of_equal_masses_has_the_least_cost_and_moves_all_of_them(
    most_copies: int, shape: tuple[int, int], seed: int
) -> None:
    cost = np.random.default_rng(seed).integers(0, 9, shape).astype(float)
    m, n = shape
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "MOST_COPIES", most_copies)
        sources, sinks, flows = plan_equal(cost)
    assert np.bincount(sources, flows, m) == pytest.approx(np.full(m, 1 / m))
    assert np.bincount(sinks, flows, n) == pytest.approx(np.full(n, 1 / n))
    least = linear_program(cost, np.full(m, 1 / m), np.full(n, 1 / n))
    assert flows @ cost[sources, sinks] == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e-18, 1.0, 1e18, 1e300])
def test_any_scale_of_cost_is_solved_exactly(scale: float) -> None:
    generator = np.random.default_rng(3)
    cost, supply, demand = generator.random((5, 7)), generator.random(5), generator.random(7)
    expected = linear_program(cost, supply / supply.sum(), demand / demand.sum())
    assert transport(cost * scale, supply, demand) == pytest.approx(expected * scale, rel=1e-9)
    plan = transport_plan(cost * scale, supply, demand)
    assert plan.flows @ cost[plan.sources, plan.sinks] == pytest.approx(expected, rel=1e-9)


def test_a_plan_without_any_cost_moves_all_of_the_supply() -> None:
    plan = transport_plan(np.zeros((2, 3)), np.array([1.0, 3.0]), np.array([1.0, 1.0, 2.0]))
    assert np.bincount(plan.sources, plan.flows, 2).tolist() == [0.25, 0.75]
    assert np.bincount(plan.sinks, plan.flows, 3).tolist() == [0.25, 0.25, 0.5]


@pytest.mark.parametrize("shape", [(1, 3), (3, 1)])
def test_the_only_plan_from_one_source_or_to_one_sink_is_found_without_the_solver(
    shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "solve", None)
    cost = np.array([1.0, 2.0, 6.0]).reshape(shape)
    masses = np.array([2.0, 1.0, 1.0]), np.array([4.0])
    supply, demand = masses if shape[1] == 1 else masses[::-1]
    assert transport(cost, supply, demand) == 2.5
    assert transport_plan(cost, supply, demand).flows.tolist() == [0.5, 0.25, 0.25]


@pytest.mark.parametrize("shape", [(2, 3), (3, 2)])
def test_the_solver_is_given_more_sources_than_sinks_which_is_faster(
    shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    def note(cost: Array, supply: Array, demand: Array) -> solver.Plan:
        given.append(cost.shape)
        return solve(cost, supply, demand)

    solve = solver.solve
    monkeypatch.setattr(solver, "solve", note)
    assert transport(np.ones(shape), np.ones(shape[0]), np.ones(shape[1])) == pytest.approx(1.0)
    assert given == [(3, 2)]


@pytest.mark.parametrize(
    ("cost", "supply", "demand"),
    [
        (np.zeros((0, 0)), [], []),
        (np.array([[1.0, math.nan], [0.0, 1.0]]), [1, 1], [1, 1]),
        (np.array([[1.0, math.inf], [0.0, 1.0]]), [1, 1], [1, 1]),
        (np.array([[1.0, -1.0], [0.0, 1.0]]), [1, 1], [1, 1]),
        (np.ones((2, 2)), [1, -1], [1, 1]),
        (np.ones((2, 2)), [0, 0], [1, 1]),
        (np.ones((2, 3)), [1, 1], [1, 1]),
    ],
    ids=["0 x 0", "NaN", "inf", "negative cost", "negative supply", "no supply", "wrong shape"],
)
def test_problems_that_pot_would_get_wrong_are_refused(
    cost: Array, supply: list[float], demand: list[float]
) -> None:
    with pytest.raises(SolverFailed):
        transport(cost, np.array(supply, dtype=float), np.array(demand, dtype=float))


def test_a_solver_that_stops_early_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "NO_LIMIT", 1)
    generator = np.random.default_rng(4)
    with (
        pytest.raises(SolverFailed, match="did not reach its optimum"),
        pytest.warns(UserWarning, match="numItermax"),
    ):
        transport(generator.random((30, 30)), np.ones(30), np.ones(30))
