"""The door to POT: exact optimal transport, or an error, never a wrong number.

Called directly, POT 0.9.7 stops after 100,000 iterations and only warns; it returns 0.0 for a
NaN or for supply that does not meet the demand; it crashes on a 0 x 0 problem; it returns wrong
values for costs around 1e-18. This module prevents all four.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import SolverFailed
from clustcmp.geometry import unit_of
from clustcmp.memory import check_fits
from clustcmp.transport.pot import load_emd
from clustcmp.wording import name_of

NO_LIMIT = 1 << 62

# How far the sums of a plan may miss supply and demand, as a share of all mass.
TOLERANCE = 1e-9

# Memory for cost, plan and POT's own network; 41 bytes measured at 2,000 x 2,000 and 4,000 x 4,000.
BYTES_PER_CELL = 44

# With equal masses a transport is an assignment of copies of sources to copies of sinks. Up to this
# many copies scipy's assignment solver is done before POT is even imported.
MOST_COPIES = 600


class Plan(NamedTuple):
    """The flows, all above 0, from sources to sinks; row by row."""

    sources: Integers
    sinks: Integers
    flows: Floats


def transport(cost: Floats, supply: Floats, demand: Floats) -> float:
    """The least cost of moving the supply (m,) to the demand (n,), both scaled to sum to 1."""
    highest = check_problem(cost, supply, demand)
    supply, demand, total = bring_to_one_total(supply, demand)
    if highest == 0.0:
        return 0.0
    if 1 in cost.shape:
        return float(np.einsum("i,ij,j->", supply, cost, demand)) / (total * float(demand.sum()))
    if cost.shape[0] < cost.shape[1]:
        # With more sources than sinks the solver is a tenth faster than the other way round.
        cost, supply, demand = cost.T, demand, supply
    # Scaled by powers of two, cost and mass are near 1 and keep all their digits: whole masses give
    # a plan of whole flows, and the order of rows does not change the value.
    unit, mass = unit_of(np.array(highest)), unit_of(np.array(total))
    scaled: Floats = np.divide(cost, unit, order="C")
    plan = solve(scaled, supply / mass, demand / mass)
    least = float(np.einsum("i,i->", plan.flows, scaled[plan.sources, plan.sinks]))
    return least * (unit * (mass / total))


def transport_plan(cost: Floats, supply: Floats, demand: Floats) -> Plan:
    """The cheapest flows from the supply (m,) to the demand (n,), all scaled to sum to 1."""
    highest = check_problem(cost, supply, demand)
    supply, demand, total = bring_to_one_total(supply, demand)
    if 1 in cost.shape:
        sources, sinks = np.nonzero(np.outer(supply, demand))
        return Plan(sources, sinks, supply[sources] * demand[sinks] / (total * demand.sum()))
    unit, mass = unit_of(np.array(highest)) if highest else 1.0, unit_of(np.array(total))
    plan = solve(np.divide(cost, unit, order="C"), supply / mass, demand / mass)
    return plan._replace(flows=plan.flows * (mass / total))


def bring_to_one_total(supply: Floats, demand: Floats) -> tuple[Floats, Floats, float]:
    """Supply and demand with the same sum, and this sum."""
    total = float(supply.sum())
    if total == float(demand.sum()):
        return supply, demand, total
    return supply / total, demand / demand.sum(), 1.0


def solve(cost: Floats, supply: Floats, demand: Floats) -> Plan:
    """The cheapest plan by POT's network simplex, checked."""
    return solve_with_prices(cost, supply, demand)[0]


def solve_with_prices(cost: Floats, supply: Floats, demand: Floats) -> tuple[Plan, Floats]:
    """The cheapest plan by POT's network simplex, checked, and the potentials of the sinks."""
    plan, log = load_emd()(
        supply,
        demand,
        cost,
        numItermax=NO_LIMIT,
        log=True,
        center_dual=False,
        check_marginals=False,  # supply and demand are checked before, the plan is checked below
    )
    if log["warning"] is not None or log["result_code"] != 1:
        raise SolverFailed(
            f"the transport of {cost.shape[0]} x {cost.shape[1]} points did not reach its optimum: "
            f"{log['warning']}"
        )
    # Of m x n cells no more than m + n - 1 are in use; this finds them ten times faster than
    # np.nonzero of the plan itself.
    used = np.flatnonzero(plan.ravel() != 0.0)
    sources, sinks = np.divmod(used, plan.shape[1])
    flows = plan.ravel()[used]
    off = max(
        float(np.abs(np.bincount(sources, flows, len(supply)) - supply).sum()),
        float(np.abs(np.bincount(sinks, flows, len(demand)) - demand).sum()),
    )
    if not off <= TOLERANCE or not flows.min() > 0.0:
        raise SolverFailed(f"the transport plan misses supply or demand by {off:.3g} of the mass")
    return Plan(sources, sinks, flows), np.asarray(log["v"], dtype=np.float64)


def check_problem(cost: Floats, supply: Floats, demand: Floats) -> float:
    """The highest cost; a problem for which POT returns a wrong number or crashes is refused."""
    if cost.shape != (len(supply), len(demand)) or not cost.size:
        raise SolverFailed(
            f"the cost of {len(supply)} sources and {len(demand)} sinks has the shape {cost.shape}"
        )
    highest = float(cost.max())
    for name, values, upper in (
        ("cost", cost, highest),
        ("supply", supply, supply.max()),
        ("demand", demand, demand.max()),
    ):
        # The minimum of numbers and a NaN is NaN, and NaN >= 0 is false.
        if not values.min() >= 0.0 or not upper < math.inf:
            raise SolverFailed(f"the {name} has entries that are negative or not finite")
    if not supply.sum() > 0.0 or not demand.sum() > 0.0:
        raise SolverFailed("the supply or the demand is 0 everywhere")
    return highest


def transport_equal(cost: Floats) -> float:
    """The least cost of moving m equal masses to n equal masses, both summing to 1."""
    m, n = cost.shape
    copies = math.lcm(m, n)
    if copies > MOST_COPIES:
        return transport(cost, np.ones(m), np.ones(n))
    return math.fsum(cost[assign_copies(cost, copies)]) / copies


def plan_equal(cost: Floats) -> Plan:
    """The cheapest flows, summing to 1, from m equal masses to n equal masses."""
    m, n = cost.shape
    copies = math.lcm(m, n)
    if copies > MOST_COPIES:
        return transport_plan(cost, np.ones(m), np.ones(n))
    flows = np.zeros((m, n))
    np.add.at(flows, assign_copies(cost, copies), 1.0 / copies)
    sources, sinks = np.nonzero(flows)
    return Plan(sources, sinks, flows[sources, sinks])


def assign_copies(cost: Floats, copies: int) -> tuple[Integers, Integers]:
    """Source and sink of each of the equal pieces that supply and demand are cut into."""
    from scipy.optimize import linear_sum_assignment

    m, n = cost.shape
    check_problem(cost, np.ones(m), np.ones(n))
    # Each source is cut into lcm / m pieces and each sink into lcm / n pieces, all of equal mass.
    pieces = np.repeat(np.repeat(cost, copies // m, axis=0), copies // n, axis=1)
    sources, sinks = linear_sum_assignment(pieces)
    return sources // (copies // m), sinks // (copies // n)


def check_memory(
    problems: Sequence[tuple[int, int]], jobs: int, bytes_per_cell: int = BYTES_PER_CELL
) -> None:
    """Refuse transports of these sizes if the largest that run at once do not fit in memory."""
    largest = sorted((m * n for m, n in problems), reverse=True)[:jobs]
    check_fits(
        bytes_per_cell * sum(largest),
        "the transports that run at the same time",
        f"lower {name_of('jobs')}, compare fewer points, or use more memory",
    )
