"""The kernel in C against POT and scipy's linprog: the same optimum for clouds of every kind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial.distance import cdist

import clustcmp
from clustcmp.transport.distances import Problems, cluster_distances
from clustcmp.transport.native import load_kernel
from clustcmp.transport.places import Places, Spread

Array = np.ndarray[Any, np.dtype[Any]]

# In CI there is a compiler, so a kernel that was not built fails its tests there.
pytestmark = pytest.mark.skipif(
    load_kernel() is None and not os.environ.get("CI"), reason="the kernel was not built"
)

KINDS = ("clustered", "coinciding", "collinear", "grid", "heavy tails", "scaled", "far away")


def draw_cloud(random: np.random.Generator, kind: str, n: int, dimensions: int) -> Array:
    """Points of one kind."""
    points = random.normal(size=(n, dimensions)) + 3.0 * random.integers(0, 3, (n, 1))
    if kind == "coinciding":
        points = points[random.integers(0, max(n // 3, 1), n)]
    if kind == "collinear":
        points[:, 1:] = points[:, :1]
    if kind == "grid":
        points = random.integers(0, 3, (n, dimensions)).astype(float)
    if kind == "heavy tails":
        points = random.standard_cauchy((n, dimensions))
    if kind == "scaled":
        points *= 10.0 ** random.integers(-9, 9)
    if kind == "far away":
        points += 1e6
    return points


def spread_over(random: np.random.Generator, n_places: int, whole: bool) -> Spread:
    """Some masses at some of the places."""
    count = int(random.integers(1, n_places + 1))
    places = np.sort(random.choice(n_places, count, replace=False))
    masses = random.integers(1, 50, count).astype(float) if whole else random.random(count) + 1e-9
    return Spread(places, masses, float(masses.sum()))


def problems_of(seed: int, kind: str, dimensions: int, whole: bool) -> Problems:
    """Random clusters of a and b over the same places."""
    random = np.random.default_rng(seed)
    coordinates = np.unique(
        draw_cloud(random, kind, int(random.integers(2, 60)), dimensions), axis=0
    )
    # The program divides coordinates by a power of two before it solves anything.
    coordinates /= 2.0 ** np.ceil(np.log2(max(np.abs(coordinates).max(), 1e-300)))
    n = len(coordinates)
    places = Places(np.arange(n), np.arange(n), coordinates, None, "euclidean", 1.0)
    a, b = (
        [spread_over(random, n, whole) for _ in range(int(random.integers(1, 4)))] for _ in range(2)
    )
    return Problems(places, a, b)


@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(KINDS),
    dimensions=st.sampled_from([2, 2, 3, 7, 20, 50]),
    whole=st.booleans(),
)
@settings(max_examples=400, deadline=None)
def test_kernel_and_pot_find_the_same_optimum(
    seed: int, kind: str, dimensions: int, whole: bool
) -> None:
    problems = problems_of(seed, kind, dimensions, whole)
    positions = problems.places.positions
    scale = float(np.ptp(positions, axis=0).max()) or 1.0
    by_pot = cluster_distances(problems, 1, "pot")
    by_kernel = cluster_distances(problems, 1)
    assert np.abs(by_kernel - by_pot).max() <= 1e-12 * max(scale, np.abs(positions).max() * 1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_kernel_finds_the_optimum_of_a_linear_program(kind: str) -> None:
    random = np.random.default_rng(5)
    points = draw_cloud(random, kind, 24, 2)
    # linprog is exact to 1e-7 only, so the points have to be near 1 and near the origin.
    points -= points.mean(axis=0)
    points = np.unique(points / np.abs(points).max(), axis=0)
    half = len(points) // 2
    a, b = np.arange(half), np.arange(half, len(points))
    supply, demand = np.ones(len(a)) / len(a), np.ones(len(b)) / len(b)
    rows = np.kron(np.eye(len(a)), np.ones(len(b)))
    columns = np.kron(np.ones(len(a)), np.eye(len(b)))
    found = linprog(
        cdist(points[a], points[b]).ravel(),
        A_eq=np.vstack([rows, columns]),
        b_eq=np.concatenate([supply, demand]),
    )
    places = Places(a, b, points, None, "euclidean", 1.0)
    one, other = (Spread(side, np.ones(len(side)), float(len(side))) for side in (a, b))
    assert cluster_distances(Problems(places, [one], [other]), 1)[0, 0] == pytest.approx(
        found.fun, rel=1e-7, abs=1e-12
    )


def test_three_points_by_hand() -> None:
    # Half of the mass goes from (0, 0) to (3, 4), at the distance 5; the other half stays.
    coordinates = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 4.0]])
    places = Places(np.arange(3), np.arange(3), coordinates, None, "euclidean", 1.0)
    a = Spread(np.array([0, 1]), np.ones(2), 2.0)
    b = Spread(np.array([1, 2]), np.ones(2), 2.0)
    assert cluster_distances(Problems(places, [a], [b]), 1)[0, 0] == 2.5


def test_large_problems_take_short_lists_and_keep_the_optimum() -> None:
    random = np.random.default_rng(1)
    coordinates = random.normal(size=(3_600, 2))
    places = Places(np.arange(3_600), np.arange(3_600), coordinates, None, "euclidean", 1.0)
    a = Spread(np.arange(1_800), np.ones(1_800), 1_800.0)
    b = Spread(np.arange(1_800, 3_600), np.ones(1_800), 1_800.0)
    problems = Problems(places, [a], [b])
    assert abs(cluster_distances(problems, 1) - cluster_distances(problems, 1, "pot")) <= 1e-12


def blobs(n: int) -> tuple[Array, Array, Array]:
    """Points, and two clusterings that differ for every tenth point."""
    random = np.random.default_rng(3)
    a = random.integers(0, 5, n)
    b = np.where(random.random(n) < 0.1, random.integers(0, 5, n), a)
    return random.normal(size=(n, 3)) + 2.0 * a[:, None], a, b


def test_jobs_and_the_order_of_sides_do_not_change_a_bit() -> None:
    problems = problems_of(8, "clustered", 3, whole=True)
    there = cluster_distances(problems, 1)
    back = cluster_distances(Problems(problems.places, problems.b, problems.a), 3)
    assert there.size > 1
    assert np.array_equal(there, back.T)


def test_pot_can_be_asked_for() -> None:
    coordinates, a, b = blobs(300)
    ours, pots = (
        clustcmp.compare(a, b, metric, coordinates=coordinates).results[0].value
        for metric in ("cdistance", "cdistance:solver=pot")
    )
    assert ours == pytest.approx(pots, rel=1e-12)


KERNEL = Path(clustcmp.__file__).parent / "transport" / "kernel"

# Reads random problems of its own making, solves them, and prints the values.
DRIVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernel.h"
int transport_pairs(int, const double *, const int64_t *, const int32_t *, const int64_t *,
                    const double *, const int64_t *, const int64_t *, const int32_t *,
                    const int64_t *, const double *, const int64_t *, int64_t, const int32_t *,
                    const int32_t *, double *);
static uint64_t state = 88172645463325252ull;
static uint64_t draw(uint64_t below) {
  state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return state % below;
}
int main(void) {
  for (int round = 0; round < 400; round++) {
    int d = 1 + (int)draw(6), na = 1 + (int)draw(70), nb = 1 + (int)draw(70), kind = (int)draw(3);
    int n = na + nb, shared = kind == 2 ? (na < nb ? na : nb) / 2 : 0;
    double *x = malloc(sizeof(double) * n * d), *share = NULL, value;
    int64_t begin_a[2] = {0, na}, begin_b[2] = {0, nb}, ta = 0, tb = 0;
    int64_t *ua = malloc(8 * na), *ub = malloc(8 * nb);
    int32_t *pa = malloc(4 * na), *pb = malloc(4 * nb), zero = 0;
    for (int i = 0; i < n * d; i++) x[i] = kind ? (double)draw(1000) / 7.0 : (double)draw(4);
    for (int i = 0; i < na; i++) { pa[i] = i; ta += ua[i] = 1 + (int64_t)draw(9); }
    for (int i = 0; i < nb; i++) { pb[i] = na - shared + i; tb += ub[i] = 1 + (int64_t)draw(9); }
    int status = transport_pairs(d, x, begin_a, pa, ua, share, &ta, begin_b, pb, ub, share, &tb, 1,
                                 &zero, &zero, &value);
    if (status) return 1;
    unsigned long long bits;
    memcpy(&bits, &value, 8);
    printf("%llx\n", bits);
    free(x); free(ua); free(ub); free(pa); free(pb);
  }
  return 0;
}
"""

FLAGS = ["-std=gnu11", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]


def run_driver(folder: Path, name: str, *flags: str) -> str:
    """What the driver prints if it and the kernel are compiled with these flags."""
    source, program = folder / "driver.c", folder / name
    source.write_text(DRIVER, encoding="ascii")
    compiler = os.environ.get("CC", "cc")
    command = [compiler, *FLAGS, *flags, f"-I{KERNEL}", str(source)]
    command += [str(path) for path in sorted(KERNEL.glob("*.c"))]
    built = subprocess.run([*command, "-o", str(program), "-lm"], capture_output=True, text=True)
    if built.returncode:
        pytest.skip(f"this compiler cannot do that: {built.stderr[-300:]}")
    ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert not ran.stderr
    return ran.stdout


def test_sanitizers_find_no_fault_and_every_instruction_set_gives_the_same_bits(
    tmp_path: Path,
) -> None:
    plain = run_driver(tmp_path, "plain", "-O3")
    assert plain.count("\n") == 400
    one_set = run_driver(tmp_path, "one", "-O2", "-DONE_INSTRUCTION_SET")
    checked = run_driver(
        tmp_path,
        "checked",
        "-O1",
        "-g",
        "-DONE_INSTRUCTION_SET",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    )
    assert plain == one_set == checked


def test_without_the_kernel_pot_gives_the_same_value() -> None:
    program = """
import sys
from clustcmp.transport import native
if sys.argv[1] == "without":
    native.LIBRARY = "clustcmp.transport._missing"
import clustcmp
print(clustcmp.compare("examples/iris_species.csv", "examples/iris_kmeans_bad.csv", "cdistance",
                       coordinates="examples/iris.csv")["cdistance"])
"""
    root = Path(clustcmp.__file__).parent.parent
    values = [
        float(
            subprocess.run(
                [sys.executable, "-c", program, word],
                cwd=root,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for word in ("with", "without")
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-13)


def test_the_version_says_whether_there_is_a_kernel() -> None:
    command = [sys.executable, "-m", "clustcmp", "--version", "--verbose"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert shown.endswith("kernel for transport: built\n")
