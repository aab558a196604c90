"""Checks of the settings for reading: what contradicts, and what would have no effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from clustcmp.errors import UsageError
from clustcmp.keywords import declared, missing_labels, noise_labels
from clustcmp.model import Clustering
from clustcmp.read.files import Role, Use
from clustcmp.settings import InputSettings, SpaceSettings, TwoSettings
from clustcmp.wording import either, name_of, say

# The settings that have a meaning for a table of counts, too.
OF_COUNTS = ("contingency", "points", "header", "max_bytes", "jobs")


def check_both(a: Any, b: Any) -> None:
    """Refuse one clustering, or none, where two are compared."""
    # None beside a clustering is an object that is refused when it is read.
    if b is None:
        given = "neither 'A' nor 'B' is given" if a is None else "'B' is not given, only 'A'"
        raise UsageError(
            given,
            hint=f"give the reference and the candidate, or {say('contingency')}"
            + either("; 'clustcmp compare --help' says how", ""),
        )


def check_contingency(a: Any, b: Any, settings: TwoSettings) -> None:
    """Refuse clusterings beside a table of counts, and settings that need the points themselves."""
    if a is not None or b is not None:
        raise UsageError(
            f"{name_of('contingency')} is given instead of clusterings, but both are given",
            hint="leave out " + either("the files A and B", "a and b"),
        )
    given = cast(Mapping[str, Any], settings)
    for key, one in declared(TwoSettings).items():
        if key not in OF_COUNTS and given[key] != one.setting.default:
            raise UsageError(
                f"{name_of(key)} has no effect on a table of counts, which has no single points",
                hint=f"leave out {name_of(key)}, or compare the clusterings themselves",
            )


def check_settings(settings: InputSettings) -> None:
    """Refuse settings that contradict each other."""
    if settings["header"] and settings["no_header"]:
        raise UsageError(
            f"{say('header')} and {say('no_header')} contradict each other",
            hint="say one of them, and path::header=yes or path::header=no for a single file",
        )


def check_special_labels(
    settings: InputSettings, sides: Sequence[str], things: Sequence[Any]
) -> None:
    """Refuse a label with two meanings, and a policy for noise where there can be no noise.

    A Clustering that was read before may have noise, whatever the settings say.
    """
    noise = {label for side in sides for label in noise_labels(settings, side)}
    if both := sorted(noise.intersection(missing_labels(settings))):
        raise UsageError(
            f"the label {both[0]!r} cannot both mark noise and count as missing",
            hint=f"leave out {say('missing_label', both[0])}, or do not name it as noise",
        )
    may_be_noise = noise or settings["missing"] == "noise"
    policy = settings["noise_policy"]
    if policy is None or may_be_noise or any(isinstance(one, Clustering) for one in things):
        return
    raise UsageError(
        f"{say('noise_policy', policy)} has no effect, because no label marks noise",
        hint=f"name the label, such as {say('noise', -1)}, or leave out {name_of('noise_policy')}",
    )


def check_space(settings: SpaceSettings) -> None:
    """Refuse coordinates and distances that do not go together."""
    given = {key for key, value in settings.items() if value is not None}
    sides = given & {"coordinates_a", "coordinates_b"}
    if "distances" in given and (sides or "coordinates" in given):
        raise UsageError(
            f"{name_of('distances')} is used instead of coordinates, but both are given",
            hint="leave one of them out",
        )
    if "coordinates" in given and sides:
        raise UsageError(
            f"{name_of('coordinates')} is for both sides, but one side has its own as well",
            hint=f"give {name_of('coordinates')}, "
            f"or both {name_of('coordinates_a')} and {name_of('coordinates_b')}",
        )
    if len(sides) == 1:
        one, missing = "coordinates_a", "coordinates_b"
        if one not in sides:
            one, missing = missing, one
        raise UsageError(
            f"{name_of(one)} is given without {name_of(missing)}",
            hint=f"give both, or {name_of('coordinates')} for both sides",
        )


def check_stdin(uses: Iterable[Use]) -> None:
    """Refuse to read stdin twice; several columns of labels are one reading."""
    own = (Role.own_names, Role.own_coordinates)
    of_stdin = [use for use in uses if use.address.is_stdin and use.role not in own]
    columns = {use.address.typed_columns for use in of_stdin}
    only_labels = all(use.role in (Role.clustering, Role.clusterings) for use in of_stdin)
    if len(of_stdin) > 1 and (len(columns) < len(of_stdin) or not only_labels):
        raise UsageError("- (stdin) is given twice, but can be read only once", hint="name a file")
