"""All that says what a gate compares and what it asks for, from flags and files alike."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from clustcmp.analyses.bounds.thresholds import (
    COVERAGE,
    MOVED,
    Kind,
    Threshold,
    check_thresholds,
)
from clustcmp.choices import Missing, NoisePolicy, Points
from clustcmp.errors import UsageError
from clustcmp.inputs import Policies
from clustcmp.read import Space


@dataclass(frozen=True)
class Settings:
    """One gate; None is what nobody has said, and becomes the default at the end."""

    name: str | None = None
    a: str | None = None
    b: str | None = None
    coordinates: str | None = None
    coordinates_a: str | None = None
    coordinates_b: str | None = None
    distances: str | None = None
    baseline: str | None = None
    points: Points | None = None
    noise: tuple[str, ...] | None = None
    noise_policy: NoisePolicy | None = None
    missing: Missing | None = None
    normalize: bool | None = None
    no_header: bool | None = None
    max_bytes: int | None = None
    jobs: int | None = None
    max_moved: float | None = None
    min_coverage: float | None = None
    thresholds: tuple[Threshold, ...] = ()

    def overridden_by(self, other: Settings) -> Settings:
        """These settings, with all that the other one says in their place."""
        said = {field.name: getattr(other, field.name) for field in fields(other)}
        changed: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
        if has_space(other):
            # Other coordinates replace all that was said about where points are.
            changed |= {name: said[name] for name in SPACE}
        merged = {(bound.metric, bound.key): bound for bound in self.thresholds}
        merged |= {(bound.metric, bound.key): bound for bound in other.thresholds}
        return replace(self, **{**changed, "thresholds": tuple(merged.values())})

    @property
    def space(self) -> Space:
        """Where the points are."""
        return Space(*(getattr(self, name) for name in SPACE))

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are read, without their columns."""
        given = (getattr(self, name) for name in ("a", "b", *SPACE))
        return tuple(file.partition("::")[0] for file in given if file is not None)

    @property
    def policies(self) -> Policies:
        """How to read and to compare."""
        given = {name: getattr(self, name) for name in POLICIES}
        return Policies(**{name: value for name, value in given.items() if value is not None})

    @property
    def bounds(self) -> tuple[Threshold, ...]:
        """All thresholds, those on moved points and on the coverage last."""
        shares = [
            Threshold(MOVED, Kind.max, self.max_moved) if self.max_moved is not None else None,
            Threshold(COVERAGE, Kind.min, self.min_coverage)
            if self.min_coverage is not None
            else None,
        ]
        return (*self.thresholds, *(bound for bound in shares if bound))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics whose values decide."""
        return tuple(dict.fromkeys(bound.metric for bound in self.bounds if not bound.is_share))

    def check(self) -> None:
        """Refuse settings that no gate can have."""
        check_thresholds(self.bounds)
        changes = [bound for bound in self.bounds if bound.kind is Kind.max_change]
        if changes and self.baseline is None:
            raise UsageError(
                f"{changes[0].metric}: a change is measured against accepted values",
                hint="name the file that holds them with --baseline",
            )


SPACE = ("coordinates", "coordinates_a", "coordinates_b", "distances")
POLICIES = tuple(field.name for field in fields(Policies))


def has_space(settings: Settings) -> bool:
    """Whether anything is said about where points are."""
    return any(getattr(settings, name) is not None for name in SPACE)
