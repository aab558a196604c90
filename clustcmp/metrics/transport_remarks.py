"""What there is to say about quotients of transports: their ground distance, speed and width."""

from __future__ import annotations

from collections.abc import Iterator

from clustcmp.geometry import TRUE_METRICS
from clustcmp.metrics.approximate import approximate_clusters, approximate_points
from clustcmp.model import Comparison
from clustcmp.options import Options
from clustcmp.results import Estimate
from clustcmp.wording import name_of

# Pairs of points from which on POT takes seconds.
SLOW_WITHOUT_KERNEL = 10_000_000

# Exact values are known to so many digits.
ROUNDING = 1e-9


def remark_on_ground(comparison: Comparison, options: Options) -> Iterator[str]:
    """Notes where the ground distance is not a metric, and where a kernel would be faster."""
    if options["ground"] == "euclidean" and options["solver"] == "auto":
        yield from remark_on_kernel(comparison)
    if options["ground"] not in TRUE_METRICS and options["ground"] != "precomputed":
        yield (f"{options['ground']} is not a metric, so what the paper proves need not hold")


def remark_on_kernel(comparison: Comparison) -> Iterator[str]:
    """A note on a slow run without the kernel."""
    if comparison.a.points.size * comparison.b.points.size < SLOW_WITHOUT_KERNEL:
        return
    from clustcmp.transport.native import load_kernel

    if load_kernel() is None:
        yield (
            "clustcmp was installed without a C compiler, so POT solved the transports; with one "
            "this is several times faster"
        )


def remark_on_points(comparison: Comparison, options: Options) -> Iterator[str]:
    """Notes where the ground distance is not a metric, and on wide intervals."""
    yield from remark_on_ground(comparison, options)
    found = approximate_points(comparison, options)
    yield from remark_on_width("similarity_distance", found, options)


def remark_on_clusters(comparison: Comparison, options: Options) -> Iterator[str]:
    """Notes where the ground distance is not a metric, and where the value is always 0 or 1."""
    yield from remark_on_ground(comparison, options)
    yield from remark_on_width("cdistance", approximate_clusters(comparison, options), options)
    if 1 in (comparison.a.n_clusters, comparison.b.n_clusters):
        yield "cdistance is always 1 (or 0) when a or b has a single cluster"


def remark_on_width(name: str, found: float | Estimate | None, options: Options) -> Iterator[str]:
    """A note on an interval that is wider than asked for."""
    if not isinstance(found, Estimate):
        return
    width = found.high - found.low
    if width <= float(options["tolerance"]) * found.value + ROUNDING:
        return
    share = f", {width / found.value:.2g} of the value" if found.value else ""
    yield (
        f"{name} lies between {found.low:.6g} and {found.high:.6g}{share}: the time of "
        f"{name_of('budget')} was over, or Ctrl-C was pressed"
    )
