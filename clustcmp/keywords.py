"""Settings as they are given: checked, converted, completed with their defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from types import NoneType
from typing import Annotated, Any, NamedTuple, TypeVar, cast, get_args, get_type_hints

from clustcmp.declarations import Setting
from clustcmp.errors import UsageError, did_you_mean
from clustcmp.records import Rule
from clustcmp.settings import Bounds, InputSettings, JoinSettings, Labels, ReadSettings, Share, Time
from clustcmp.typed import fit

# How values of these types are written.
HOW_TO_WRITE: dict[Any, str] = {
    Labels: 'write labels as texts: ["-1"]',
    Bounds: 'write bounds by metric: {"ari": 0.9}',
    Share: "write a share as 1% or as 0.01",
    Time: "write a time as 90s, 5min or 1.5h",
}


class Declared(NamedTuple):
    """One setting of a group: its key, the type of its values, and how it is written."""

    key: str
    kind: Any
    setting: Setting


# What `weights` says instead of a file: every cluster of the reference weighs the same.
BALANCED = "balanced"

# The settings for labels that mark noise on one side only, and for the format of one side.
OWN_NOISE = {"a": "noise_a", "b": "noise_b"}
OWN_FORMAT = {"a": "format_a", "b": "format_b"}

Group = TypeVar("Group")
Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def declared(group: type) -> Mapping[str, Declared]:
    """The settings of a group by their keys, those of the groups that it extends first."""
    found = {}
    for key, hint in get_type_hints(group, include_extras=True).items():
        kind, setting = get_args(hint)[:2]
        found[key] = Declared(key, kind, setting)
    return found


def complete(group: type[Group], given: Mapping[str, Any]) -> Group:
    """All settings of a group: those that are given, checked, and the defaults of the others."""
    said = cast(Mapping[str, Any], check(group, given))
    defaults = {key: one.setting.default for key, one in declared(cast(type, group)).items()}
    return cast(Group, {**defaults, **said})


def check(group: type[Group], given: Mapping[str, Any]) -> Group:
    """The given settings as the program uses them; None stands for what was not given."""
    known = declared(cast(type, group))
    for key in given:
        if key not in known:
            raise unknown_setting(key, known)
    found = {key: convert(known[key], value) for key, value in given.items() if value is not None}
    return cast(Group, found)


def part_of(group: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the given settings that belong to a group."""
    known = declared(group)
    return {key: value for key, value in given.items() if key in known}


def unknown_setting(key: str, known: Iterable[str]) -> UsageError:
    """The error for a word that is not the key of a setting."""
    words = list(known)
    hint = did_you_mean(key, words, f"the settings are {', '.join(words)}")
    return UsageError(f"there is no setting {key!r}", hint=hint)


def convert(one: Declared, value: Any) -> Any:
    """A value as the program uses it, or an error that says what is allowed."""
    rule = Rule(minimum=one.setting.minimum, maximum=one.setting.maximum)
    try:
        fitted = fit(Annotated[without_none(one.kind), rule], value, one.key)
    except UsageError as error:
        raise UsageError(error.message, error.hint or HOW_TO_WRITE.get(one.kind, "")) from None
    if one.kind == Labels:
        return tuple(map(str, fitted if isinstance(fitted, tuple) else [fitted]))
    return fitted


def without_none(kind: Any) -> Any:
    """The type of the values of a setting that need not be given."""
    kinds = [one for one in get_args(kind) if one is not NoneType]
    return kinds[0] if NoneType in get_args(kind) and len(kinds) == 1 else kind


def takes_settings(function: Function) -> Function:
    """The function, which gets all settings of its group, checked and completed.

    The group is what `**settings: Unpack[Group]` names. A wrong keyword is a UsageError that names
    the right one.
    """
    return with_settings(function, complete)


def takes_some_settings(function: Function) -> Function:
    """The function, which gets the settings that were given, checked, without any default."""
    return with_settings(function, check)


def with_settings(function: Function, fill: Callable[..., Mapping[str, Any]]) -> Function:
    """The function with its keywords turned into settings of its group."""
    *own, rest = inspect.signature(function).parameters.values()
    (group,) = get_args(get_type_hints(function)[rest.name])
    known = declared(group)

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        names = [parameter.name for parameter in own]
        for key in keywords:
            if key not in known and key not in names:
                raise unknown_setting(key, [*names, *known])
        given = {key: keywords.pop(key) for key in list(keywords) if key in known}
        return function(*arguments, **keywords, **fill(group, given))

    keyword_only = [
        inspect.Parameter(
            key,
            inspect.Parameter.KEYWORD_ONLY,
            default=one.setting.default,
            annotation=one.kind,
        )
        for key, one in known.items()
    ]
    call.__signature__ = inspect.signature(function).replace(  # type: ignore[attr-defined]
        parameters=[*own, *keyword_only]
    )
    return cast(Function, call)


def noise_labels(settings: ReadSettings, side: str = "") -> tuple[str, ...]:
    """The labels that mark noise: those of one side, a or b, and those of all clusterings."""
    return (*own_noise_labels(settings, side), *cast(tuple[str, ...], settings["noise"]))


def own_noise_labels(settings: ReadSettings, side: str) -> tuple[str, ...]:
    """The labels that mark noise on one side only; none if it is neither a nor b."""
    known = cast(Mapping[str, Any], settings)
    return cast(tuple[str, ...], known.get(OWN_NOISE.get(side, ""), ()))


def format_of_side(settings: ReadSettings, side: str) -> str | None:
    """The format of the file of one side, if the user names it; none if neither a nor b."""
    known = cast(Mapping[str, Any], settings)
    return cast(str | None, known.get(OWN_FORMAT.get(side, "")))


def settings_of_side(settings: InputSettings, side: str) -> InputSettings:
    """The settings with the labels that mark noise on one side, a or b, or in any clustering."""
    return cast(InputSettings, {**settings, "noise": noise_labels(settings, side)})


def weights_in(settings: InputSettings) -> Any:
    """The file or the object that holds weights; None if there is none, or they are balanced."""
    given = cast(Mapping[str, Any], settings).get("weights")
    return None if isinstance(given, str) and given == BALANCED else given


def are_balanced(settings: InputSettings) -> bool:
    """Whether points get such weights that every cluster of the reference weighs the same."""
    given = cast(Mapping[str, Any], settings).get("weights")
    return given is not None and weights_in(settings) is None


def missing_labels(settings: ReadSettings) -> tuple[str, ...]:
    """The labels that count as missing."""
    return cast(tuple[str, ...], settings["missing_label"])


def find_noise_policy(settings: JoinSettings) -> str:
    """How noise is compared: as one cluster, unless the user says otherwise."""
    return settings["noise_policy"] or "cluster"


# All settings for reading files at their defaults.
DEFAULTS = complete(InputSettings, {})
