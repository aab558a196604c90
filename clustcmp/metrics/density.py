"""Metrics that compare how densely clusters fill the range of each attribute."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from clustcmp.arrays import Floats, Integers
from clustcmp.errors import LimitExceeded, UsageError
from clustcmp.model import Clustering, Comparison, Hard, Membership, known_coordinates
from clustcmp.options import NUMBER, AtLeast, Options
from clustcmp.registry import Family

density_family = Family("density", "Density profiles")

# Numbers that a block holds: as many as fit the processor's cache, but more where a table has so
# many entries that going through it once for each block would take longer than counting.
SMALLEST_BLOCK = 1 << 16
LARGEST_BLOCK = 1 << 22

# 200 MB of densities.
LARGEST_PROFILE = 25_000_000

# Pairs of clusters, one of a and one of b: matching so many takes seconds, at worst half a minute.
LARGEST_TABLE = 4_000_000

# Points that are folded into one row: numpy is slow at a minimum over many short rows.
FOLD = 256

# A coordinate this close below the border of a bin, as a share of the range, is on the border but
# for rounding.
ROUNDING = 1e-9


class Grid(NamedTuple):
    """Bins of equal width from low to high, both (d,), for each attribute.

    The last bin of an attribute contains its upper end, the other bins do not.
    """

    low: Floats
    high: Floats
    n_bins: int

    @property
    def n_all_bins(self) -> int:
        """The number of bins of all attributes."""
        return len(self.low) * self.n_bins

    def find_bins(self, coordinates: Floats) -> Integers:
        """The bins (d, m) that m points are in, numbered from those of the first attribute on.

        A point outside of the range of an attribute is in the first or the last bin.
        """
        # Everything is halved, because the difference of two huge numbers would overflow.
        low, high = 0.5 * self.low[:, None], 0.5 * self.high[:, None]
        width = np.where(low == high, 1.0, high - low)
        # A copy has each attribute in one row, so that the loops of numpy are long.
        scaled = coordinates.T.copy()
        scaled *= 0.5
        np.clip(scaled, low, high, out=scaled)
        scaled -= low
        scaled /= width
        # In binary 0.3 - 0.1 is below 0.2, so a value on a border may be computed as just below it.
        scaled += ROUNDING
        scaled *= self.n_bins
        bins = scaled.astype(np.intp)
        np.minimum(bins, self.n_bins - 1, out=bins)
        bins += np.arange(0, self.n_all_bins, self.n_bins)[:, None]
        return bins


def make_grid(a: Floats, b: Floats, n_bins: int, ranges: str, span: Floats | None = None) -> Grid:
    """The grid over the given ranges, else over the stream, else over all points of a and b."""
    if ranges:
        low, high = parse_ranges(ranges, a.shape[1])
    else:
        low, high = find_span([a] if b is a else [a, b]) if span is None else span
    return Grid(low, high, n_bins)


def find_span(tables: Sequence[Floats]) -> Floats:
    """The smallest and the largest value (2, d) of each attribute in several tables of points."""
    lows, highs = zip(*map(find_range, tables), strict=True)
    return np.array([np.min(lows, axis=0), np.max(highs, axis=0)])


def find_range(coordinates: Floats) -> tuple[Floats, Floats]:
    """The smallest and the largest value of each attribute."""
    n_points, n_attributes = coordinates.shape
    n_folds = n_points // FOLD
    folded = coordinates[: n_folds * FOLD].reshape(n_folds, FOLD * n_attributes)
    rest = coordinates[n_folds * FOLD :]
    lows = folded.min(axis=0, initial=np.inf).reshape(FOLD, n_attributes)
    highs = folded.max(axis=0, initial=-np.inf).reshape(FOLD, n_attributes)
    return np.vstack([lows, rest]).min(axis=0), np.vstack([highs, rest]).max(axis=0)


def parse_ranges(text: str, n_attributes: int) -> tuple[Floats, Floats]:
    """The ends that `lo:hi;lo:hi` gives for each attribute."""
    hint = "give each attribute two numbers in the order of the columns: 'adco:ranges=0:1;-5:5'"
    parts = text.split(";")
    ends = [[end.strip() for end in part.split(":")] for part in parts]
    for part, numbers in zip(parts, ends, strict=True):
        if len(numbers) != 2 or not all(map(NUMBER.fullmatch, numbers)):
            raise UsageError(f"metric adco: {part!r} in ranges is not two numbers lo:hi", hint=hint)
        low, high = map(float, numbers)
        if not (low < high and math.isfinite(low) and math.isfinite(high)):
            raise UsageError(f"metric adco: {part!r} in ranges is not lo:hi with lo < hi", hint)
    if len(parts) != n_attributes:
        raise UsageError(
            f"metric adco: ranges are given for {len(parts)} attributes, but the points have "
            f"{n_attributes}",
            hint=hint,
        )
    table = np.array(ends, dtype=np.float64)
    return table[:, 0], table[:, 1]


def find_profiles(
    coordinates: Floats, grid: Grid, clusterings: Sequence[Clustering]
) -> list[Floats]:
    """For each clustering of these points the mass (k, bins) of its clusters in all bins."""
    profiles = [
        np.zeros((clustering.n_clusters, grid.n_all_bins), dtype=np.float64)
        for clustering in clusterings
    ]
    largest = max(profile.size for profile in profiles)
    block = max(1, min(max(SMALLEST_BLOCK, largest), LARGEST_BLOCK) // len(grid.low))
    for first in range(0, len(coordinates), block):
        rows = slice(first, first + block)
        bins = grid.find_bins(coordinates[rows])
        for profile, clustering in zip(profiles, clusterings, strict=True):
            weights = clustering.points.weights
            some = None if weights is None else weights[rows]
            add_masses(profile, bins, clustering.membership.take(rows), some)
    return profiles


def add_masses(
    profile: Floats, bins: Integers, membership: Membership, weights: Floats | None = None
) -> None:
    """Add to the profile (k, bins) the points whose bins (d, m) and weights (m,) are given."""
    n_clusters, n_all_bins = profile.shape
    if isinstance(membership, Hard):
        entries = bins + np.multiply(membership.codes, n_all_bins, dtype=np.intp)
        each = None if weights is None else np.broadcast_to(weights, bins.shape).ravel()
        counts = np.bincount(entries.ravel(), weights=each, minlength=profile.size)
        profile += counts.reshape(n_clusters, n_all_bins)
        return
    from scipy.sparse import csr_array

    n_attributes, n_points = bins.shape
    starts = np.arange(0, bins.size + 1, n_attributes)
    is_in_bin = csr_array(
        (np.ones(bins.size), bins.T.ravel(), starts), shape=(n_points, n_all_bins)
    )
    degrees = membership.array if weights is None else membership.array * weights[:, None]
    profile += np.asarray(is_in_bin.T @ degrees, dtype=np.float64).T


class Products(NamedTuple):
    """Sums of dot products: of the profiles of matched clusters, of each of a's, of b's.

    `matching` names the clusters of a and of b that are matched.
    """

    matched: float
    self_a: float
    self_b: float
    matching: list[list[str]]


def multiply_profiles(comparison: Comparison, n_bins: int, ranges: str) -> Products:
    """The dot products of the profiles of both clusterings, with the best matching."""
    from clustcmp.matching import match_lines

    a, b = comparison.a, comparison.b
    here = known_coordinates(a)
    there = here if comparison.same_coordinates else known_coordinates(b)
    check_size(a.n_clusters, b.n_clusters, here.shape[1] * n_bins)
    grid = make_grid(here, there, n_bins, ranges, comparison.span)
    if there is here:
        profile_a, profile_b = find_profiles(here, grid, [a, b])
    else:
        (profile_a,) = find_profiles(here, grid, [a])
        (profile_b,) = find_profiles(there, grid, [b])
    # Products of counts are whole numbers, which floats hold exactly up to 2^53. einsum adds up in
    # the same order for any number of threads, a product of matrices may not.
    similarity = np.einsum("kc,jc->kj", profile_a, profile_b)
    rows, columns = np.nonzero(similarity)
    weights = similarity[rows, columns]
    matched = match_lines(rows, columns, weights, a.n_clusters, b.n_clusters)
    self_a, self_b = (
        float(np.einsum("kc,kc->", profile, profile)) for profile in (profile_a, profile_b)
    )
    # Matched clusters are listed by name, because the codes of clusters without common points
    # depend on the order of rows.
    matching = sorted([a.names[rows[cell]], b.names[columns[cell]]] for cell in matched)
    return Products(math.fsum(weights[matched]), self_a, self_b, matching)


def check_size(n_a: int, n_b: int, n_all_bins: int) -> None:
    """Refuse so many clusters or densities that they would not fit in memory."""
    if n_a * n_b > LARGEST_TABLE or (n_a + n_b) * n_all_bins > LARGEST_PROFILE:
        raise LimitExceeded(
            f"adco: {n_a:,} and {n_b:,} clusters with {n_all_bins:,} densities each are too many "
            "to compare each with each",
            hint="choose fewer bins or attributes, or other metrics",
        )


class Similarity(NamedTuple):
    """PairwiseSim and MaxSim of the paper."""

    pairwise: float
    maximum: float
    matching: list[list[str]]


def compare_profiles(comparison: Comparison, options: Options) -> Similarity:
    """The similarity of a and b, and the largest that either has with itself."""
    matched, self_a, self_b, matching = comparison.once(
        multiply_profiles, options["bins"], options["ranges"]
    )
    if options["density"] == "count":
        return Similarity(matched, max(self_a, self_b), matching)
    n_a, n_b = float(comparison.a.points.mass), float(comparison.b.points.mass)
    return Similarity(matched / (n_a * n_b), max(self_a / n_a**2, self_b / n_b**2), matching)


def show_similarity(comparison: Comparison, options: Options) -> Mapping[str, Any]:
    """The two parts of the quotient, and the labels of a and b that were matched."""
    similarity = compare_profiles(comparison, options)
    return {
        "pairwise_sim": similarity.pairwise,
        "max_sim": similarity.maximum,
        "matching": similarity.matching,
    }


def remark_on_sizes(comparison: Comparison, options: Options) -> Iterator[str]:
    """A note where a and b have different masses and densities are counts."""
    n_a, n_b = comparison.a.points.mass, comparison.b.points.mass
    if n_a != n_b and options["density"] == "count":
        yield (
            f"adco: a has {n_a:,} points and b {n_b:,}, which alone makes a distance; "
            "adco:density=relative compares shares of the points"
        )


def kind_of_grid(options: Options) -> str:
    """The number of bins, and the unit of a density."""
    unit = "counts" if options["density"] == "count" else "shares of the points"
    number = f"{options['bins']} bins" if options["bins"] != 1 else "1 bin"
    return f"{number}, {unit}" + (", given ranges" if options["ranges"] else "")


@density_family.metric(
    "adco",
    brief="how far density profiles differ",
    worst=1.0,
    best=0.0,
    accepts=("hard", "soft"),
    soft_identity=True,
    accepts_different_points=True,
    needs_coordinates=True,
    featured=True,
    convention=kind_of_grid,
    details=show_similarity,
    remarks=remark_on_sizes,
    weights="masses",
    formula="1 - PairwiseSim / MaxSim: the largest sum of dens_k . dens_j over one-to-one "
    "matchings of k and j, and the larger sum of the dens_k . dens_k and of the dens_j . dens_j",
    citation="Bae, Bailey and Dong 2006, doi:10.1007/11941439_38",
)
def adco(
    comparison: Comparison,
    *,
    bins: Annotated[int, AtLeast(1), "how many bins of equal width each attribute has."] = 10,
    density: Annotated[
        Literal["count", "relative"],
        "the points in a bin, or their share of all points of the clustering.",
    ] = "count",
    ranges: Annotated[
        str,
        "from where to where the bins of each attribute go, as lo:hi;lo:hi in quotes; points "
        "outside are in the end bins. Without it they cover all points of a and b, and with "
        "'clustcmp track' all windows.",
    ] = "",
) -> float:
    """How differently the clusters of a and b fill the bins of each attribute, if best matched.

    The profile of a cluster counts its points in the bins of one attribute after the other.
    Clusters are matched one-to-one by the dot product of their profiles; with different numbers
    of clusters the rest of the larger side stays unmatched. An attribute with the same value at
    all points fills one bin, and counts like the others.

    A coordinate on the border of two bins is in the upper one, whatever the rounding of its
    binary form. Values of several comparisons can be compared with each other if they have the
    same bins: give ranges, or follow a stream with 'clustcmp track'.

    Contrary to the paper it is not a metric: clusterings whose profiles agree have the distance 0
    without being equal, and the triangle inequality does not hold.
    """
    options = {"bins": bins, "density": density, "ranges": ranges}
    similarity = compare_profiles(comparison, options)
    return max(1.0 - similarity.pairwise / similarity.maximum, 0.0)
