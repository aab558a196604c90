"""How messages name a setting: as its flag on the command line, as its keyword in Python.

                                 on the command line     in Python
    say("points", "intersect")   --points intersect      points="intersect"
    say("noise", -1)             --noise=-1              noise=-1
    say("min", {"ari": 0.9})     --min ari=0.9           min={"ari": 0.9}
    say("no_header")             --no-header             no_header=True
    say("coordinates")           --coordinates FILE      coordinates=...
    name_of("coordinates")       --coordinates           coordinates=
    say_each("k", "2:10", "[2]") --k 2:10                k=[2]

The flag is the one that `settings.py` declares. `either` is for the few words that are not those
of a setting. Call these functions when a message is made, not when a module is imported: only then
it is known who reads the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from shlex import quote
from typing import Any, Literal, get_args, get_type_hints, is_typeddict

from clustcmp import output_settings, settings, stability_settings
from clustcmp.declarations import Setting
from clustcmp.settings import Labels
from clustcmp.within import Within

Reader = Literal["command line", "python"]

_reader: ContextVar[Reader] = ContextVar("reader", default="python")

WHOLE_NUMBER = re.compile("0|-?[1-9][0-9]*")

# Metrics are not declared as a setting: each command has its own help for metrics.
METRIC_SETTING = (Any, Setting("Metrics.", flags=("-m",), metavar="METRIC", repeated=True))


def read_by(reader: Reader) -> Within[Reader]:
    """A block in which messages are made for this reader."""
    return Within(_reader, reader)


def current_reader() -> Reader:
    """Who reads the messages that are made now: Python, unless a command runs."""
    return _reader.get()


def either(on_command_line: str, in_python: str) -> str:
    """The words of two that fit the reader."""
    return on_command_line if current_reader() == "command line" else in_python


def name_of(key: str) -> str:
    """The name of a setting alone: `--coordinates` or `coordinates=`."""
    _, setting = find(key)
    return either(flag_of(key, setting), f"{key}=")


def say(key: str, value: Any = None) -> str:
    """A setting with a value, as it is typed; without a value one that stands for any."""
    kind, setting = find(key)
    if kind is bool and value is None:
        value = True
    return either(as_flag(key, setting, value), as_keyword(key, kind, value))


def say_each(key: str, typed: str, literal: str) -> str:
    """A setting whose value is not written alike: `--k 2:10`, `k=range(2, 11)`."""
    return either(f"{name_of(key)} {typed}", f"{name_of(key)}{literal}")


@cache
def find(key: str) -> tuple[Any, Setting]:
    """The type and the declaration of the setting with this key, in the first group that has it."""
    if key == "metrics":
        return METRIC_SETTING
    for module in (settings, stability_settings, output_settings):
        for group in vars(module).values():
            if is_typeddict(group) and key in group.__annotations__:
                kind, setting = get_args(get_type_hints(group, include_extras=True)[key])[:2]
                return kind, setting
    raise KeyError(key)


def flag_of(key: str, setting: Setting, value: Any = True) -> str:
    """The flag of a setting; one of two, such as --life-lines/--no-life-lines, by its value."""
    names = (setting.flags or (f"--{key.replace('_', '-')}",))[0].split("/")
    return names[-1] if value is False else names[0]


def as_flag(key: str, setting: Setting, value: Any) -> str:
    """A setting as it is typed on the command line."""
    flag = flag_of(key, setting, value)
    if value is None:
        return f"{flag} {setting.metavar}" if setting.metavar else flag
    if isinstance(value, bool):
        return flag
    return " ".join(
        f"{flag}={word}" if word.startswith("-") else f"{flag} {word}"
        for word in map(quote, words_of(value))
    )


def as_command(name: str, files: Sequence[str], flags: Iterable[str]) -> str:
    """A command as it is typed in a shell; files that look like flags stand after all flags."""
    quoted = map(quote, files)
    if any(file.startswith("-") for file in files):
        return " ".join(["clustcmp", name, *flags, "--", *quoted])
    return " ".join(["clustcmp", name, *quoted, *flags])


def words_of(value: Any) -> Iterable[str]:
    """The words of a value; a flag is repeated for each of them."""
    if isinstance(value, Mapping):
        return (f"{metric}={str(bound).removesuffix('.0')}" for metric, bound in value.items())
    return map(str, value) if isinstance(value, list | tuple) else [str(value)]


def as_keyword(key: str, kind: Any, value: Any) -> str:
    """A setting as it is written in a call."""
    return f"{key}=..." if value is None else f"{key}={as_literal(kind, value)}"


def as_literal(kind: Any, value: Any) -> str:
    """A value in Python's notation, with texts in double quotes.

    A label that is a whole number is written as a number: as a label 3 is the same as "3".
    """
    if isinstance(value, Mapping):
        entries = (f"{as_literal(Any, k)}: {as_literal(Any, v)}" for k, v in value.items())
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(as_literal(kind, one) for one in value)}]"
    if not isinstance(value, str):
        return repr(value)
    if kind is Labels and WHOLE_NUMBER.fullmatch(value):
        return value
    import json

    return json.dumps(value, ensure_ascii=False)
