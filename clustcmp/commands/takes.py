"""The door from declared settings to Typer: a parameter that is a group becomes its flags."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any, get_type_hints, is_typeddict

import typer

from clustcmp.commands.completion import complete_bound, complete_file, complete_metric
from clustcmp.errors import UsageError
from clustcmp.keywords import Declared, declared
from clustcmp.settings import Bounds, Share, Time
from clustcmp.typed import LARGEST
from clustcmp.wording import find, name_of, say

# Stands before an argument that begins with a dash and is not a flag. The character is for private
# use, and no name of a file is likely to begin with it.
NOT_A_FLAG = "\ue000"


def takes(command: Callable[..., None]) -> Callable[..., None]:
    """The command as Typer sees it: each parameter that is a group of settings is its flags.

    The command itself gets a dictionary with the settings that were typed, and no others: library
    functions fill in the defaults, and a gate puts what was typed over what its file says.
    """
    hints = get_type_hints(command, include_extras=True)
    flags = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    groups: dict[str, list[str]] = {}
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        if is_typeddict(hint):
            shown = [one for one in declared(hint).values() if not one.setting.python_only]
            groups[parameter.name] = [one.key for one in shown]
            flags += map(as_flag, shown)
        else:
            flags.append(parameter.replace(annotation=hint, kind=parameter.KEYWORD_ONLY))

    @wraps(command)
    def call(context: typer.Context, **typed: Any) -> None:
        given = {name: as_typed(value) for name, value in typed.items()}
        for name, keys in groups.items():
            values = {key: given.pop(key) for key in keys}
            given[name] = {key: value for key, value in values.items() if was_typed(context, key)}
            for key, value in given[name].items():
                check_number(key, value)
        command(**given)

    # Typer looks at the signature, and at the annotations of what is wrapped.
    call.__signature__ = inspect.Signature(flags)  # type: ignore[attr-defined]
    call.__annotations__ = {flag.name: flag.annotation for flag in flags}
    del call.__wrapped__
    return call


def as_typed(value: Any) -> Any:
    """An argument without the mark that kept Typer from taking it for a flag."""
    if isinstance(value, list):
        return [as_typed(one) for one in value]
    # A choice is a str, too, and must stay the choice that it is.
    return value.removeprefix(NOT_A_FLAG) if type(value) is str else value


def check_number(key: str, value: Any) -> None:
    """Refuse numbers that Typer reads, but that can neither be computed nor written: nan, inf."""
    if isinstance(value, float) and not math.isfinite(value):
        _, setting = find(key)
        hint = f"{name_of(key)} takes a finite number. {setting.help}"
    elif isinstance(value, int) and abs(value) > LARGEST:
        hint = f"{name_of(key)} takes a whole number, at most {LARGEST}"
    else:
        return
    raise UsageError(f"{say(key, value)} is not possible", hint=hint)


def was_typed(context: typer.Context, key: str) -> bool:
    """Whether a setting stands on the command line."""
    source = context.get_parameter_source(key)
    return source is not None and source.name != "DEFAULT"


def as_flag(one: Declared) -> inspect.Parameter:
    """One setting as a parameter that Typer understands."""
    setting = one.setting
    kind, default, names = typed_as(one), setting.default, setting.flags
    if setting.repeated:
        default = None
    if kind is bool and not names:
        # A name of its own keeps Typer from adding --no-NAME.
        names = (f"--{one.key.replace('_', '-')}",)
    option = typer.Option(
        *names,
        # Typer would write <int range>.
        metavar=setting.metavar or ("NUMBER" if kind in (int, int | None) else None),
        help=setting.help,
        min=setting.minimum,
        max=setting.maximum,
        autocompletion=completer_of(one),
    )
    return inspect.Parameter(
        one.key,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, option],
    )


def completer_of(one: Declared) -> Callable[[str], Sequence[Any]] | None:
    """What completes the value of a setting; shells complete paths, and Typer completes choices."""
    if one.kind is Bounds:
        return complete_bound
    if one.setting.is_metric:
        return complete_metric
    return complete_file if one.setting.is_file else None


def typed_as(one: Declared) -> Any:
    """The type of a setting on the command line, where files, labels and bounds are texts."""
    if one.setting.repeated:
        return list[str] | None
    return str | None if one.kind in (Any, Share, Time) else one.kind
