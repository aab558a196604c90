"""Gates in clustcmp.toml or pyproject.toml."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from clustcmp.analyses.bounds.thresholds import (
    Kind,
    Level,
    Threshold,
    check_thresholds,
    find_metric,
    parse_share,
    parse_threshold,
)
from clustcmp.analyses.gate.settings import Settings
from clustcmp.choices import Missing, NoisePolicy, Points
from clustcmp.errors import InputError, UsageError, did_you_mean

# Looked for in the current folder, in this order: a file, and where in it the gates are.
PLACES = {"clustcmp.toml": ("gate",), "pyproject.toml": ("tool", "clustcmp", "gate")}

# What a threshold says in a file: `ari = { min = 0.9, warn_min = 0.95 }`.
BOUNDS = {
    "min": (Kind.min, Level.fail),
    "max": (Kind.max, Level.fail),
    "warn_min": (Kind.min, Level.warn),
    "warn_max": (Kind.max, Level.warn),
    "max_change": (Kind.max_change, Level.fail),
}

HOW_TO_CONFIGURE = (
    "give two files and bounds, or describe gates in [gate] of clustcmp.toml "
    "or in [tool.clustcmp.gate] of pyproject.toml"
)

Read = Callable[["Table", str, Any], Any]


@dataclass(frozen=True)
class Config:
    """The gates of a file: one without a name, and any number with names."""

    path: str
    unnamed: Settings | None
    named: Mapping[str, Settings]

    def all(self) -> list[Settings]:
        """Every gate; beside named ones the one without a name is only what they share."""
        gates = list(self.named.values())
        if not gates and self.unnamed is not None:
            gates = [self.unnamed]
        if not gates:
            raise UsageError("there is no gate to run", hint=HOW_TO_CONFIGURE)
        return gates

    def choose(self, files: Sequence[str], given: Settings) -> Settings:
        """The gate that one command line means: by two files, by the candidate, or by its name."""
        unnamed = self.unnamed or Settings()
        if len(files) > 2:
            raise UsageError(f"a gate has two files, and there are {len(files)}")
        if len(files) == 2 and files[0] in self.named:
            raise UsageError(
                f"{files[0]!r} is a gate of {self.path}, and {files[1]!r} is one word too many",
                hint="a gate by its name has its files in the configuration",
            )
        if len(files) == 2:
            return replace(unnamed, a=files[0], b=files[1])
        if not files:
            return self.choose_only()
        if files[0] in self.named:
            return self.named[files[0]]
        if given.baseline or unnamed.baseline:
            return replace(unnamed, b=files[0])
        raise self.no_gate(files[0])

    def choose_only(self) -> Settings:
        """The gate that is meant without any words."""
        gates = self.all()
        if len(gates) > 1:
            known = ", ".join(map(repr, self.named))
            raise UsageError(
                f"{self.path}: has several gates", hint=f"name one of {known}, or run --all"
            )
        return gates[0]

    def no_gate(self, name: str) -> UsageError:
        """The error for a word that is neither a gate nor enough files."""
        if os.path.exists(name.partition("::")[0]):
            return UsageError(
                f"{name}: is one file, and a gate compares two",
                hint="give the reference and the candidate, or the candidate and --baseline",
            )
        known = ", ".join(map(repr, self.named))
        where = f"{self.path}: there" if self.path else "there"
        hint = did_you_mean(name, self.named, f"its gates are {known}" if known else "")
        return UsageError(f"{where} is no gate {name!r}", hint=hint or HOW_TO_CONFIGURE)


@dataclass(frozen=True)
class Table:
    """A table of a file, with its name for messages and the folder that paths start from."""

    path: str
    name: str
    entries: Mapping[str, Any]

    def wrong(self, key: str, message: str, hint: str = "") -> InputError:
        """The error about one of its keys."""
        return InputError(f"{self.path}: [{self.name}] {key}: {message}", hint=hint)


def find_config(path: str | None) -> Config | None:
    """The gates of the given file, or of the first one in this folder that has any."""
    if path is not None:
        return read_config(path, required=True)
    found = (read_config(name, required=False) for name in PLACES if os.path.exists(name))
    return next((config for config in found if config), None)


def read_config(path: str, required: bool) -> Config | None:
    """The gates of a file, or None if it has none and need not."""
    document = load_toml(path)
    keys = PLACES.get(Path(path).name, PLACES["clustcmp.toml"])
    here: Any = document
    for depth, key in enumerate(keys):
        # What stands beside a gate in a place of our own is a slip of the pen.
        if key == "gate" and isinstance(here, Mapping):
            check_neighbours(path, keys[:depth], here)
        here = here.get(key) if isinstance(here, Mapping) else None
    if here is None and required:
        raise InputError(
            f"{path}: has no table [{'.'.join(keys)}]", hint="a gate is described there"
        )
    if here is None:
        return None
    if not isinstance(here, Mapping):
        raise InputError(f"{path}: {'.'.join(keys)} is not a table")
    return read_gates(Table(path, ".".join(keys), here))


def load_toml(path: str) -> Mapping[str, Any]:
    """What is in a TOML file."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be opened: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8: {error.reason}") from None
    except (ValueError, RecursionError) as error:
        line = re.search(r"line (\d+)", str(error))
        place = f"{path}:{line[1]}" if line else path
        raise InputError(f"{place}: is not TOML: {error}") from None


def check_neighbours(path: str, keys: tuple[str, ...], table: Mapping[str, Any]) -> None:
    """Refuse what stands in the place of a gate and is none."""
    for key in table:
        if key != "gate":
            where = f"[{'.'.join((*keys, key))}]"
            hint = did_you_mean(key, ["gate"], "gates are in [gate] and in [gate.NAME]")
            raise InputError(f"{path}: {where} is not known", hint=hint)


def read_gates(table: Table) -> Config:
    """The gate that a table describes, and those in the tables inside of it.

    What the outer table says holds for each named gate that does not say otherwise.
    """
    inner = {key: value for key, value in table.entries.items() if is_gate(key, value)}
    outer = {key: value for key, value in table.entries.items() if key not in inner}
    common = read_settings(Table(table.path, table.name, outer), suggestions=inner)
    named = {}
    for name, entries in inner.items():
        own = read_settings(Table(table.path, f"{table.name}.{name}", entries))
        named[name] = replace(common.overridden_by(own), name=name)
    return Config(table.path, common if outer else None, named)


def is_gate(key: str, value: Any) -> bool:
    """Whether an entry is a gate of its own, and not a setting or the bounds on a metric."""
    if not isinstance(value, Mapping) or key in READERS:
        return False
    return not (value and set(value) <= set(BOUNDS)) and not is_metric(key)


def is_metric(key: str) -> bool:
    """Whether a key names one metric."""
    try:
        find_metric(key)
    except UsageError:
        return False
    return True


def read_settings(table: Table, suggestions: Mapping[str, Any] | None = None) -> Settings:
    """The settings that a table describes."""
    settings: dict[str, Any] = {}
    thresholds: list[Threshold] = []
    for key, value in table.entries.items():
        if key in READERS:
            settings[key] = READERS[key](table, key, value)
        elif isinstance(value, Mapping):
            thresholds += read_bounds(table, key, value)
        else:
            known = [*READERS, *(suggestions or ())]
            raise table.wrong(
                key,
                "is not a setting of a gate",
                did_you_mean(key, known, f"the settings are {', '.join(READERS)}"),
            )
    thresholds += settings.pop("thresholds", ())
    for name, short in RENAMED.items():
        if name in settings and short in settings:
            raise table.wrong(name, f"is the same as {short}, and both are there", "choose one")
        if name in settings:
            settings[short] = settings.pop(name)
    try:
        check_thresholds(thresholds)
    except UsageError as error:
        raise InputError(f"{table.path}: [{table.name}] {error.message}", error.hint) from None
    return Settings(**settings, thresholds=tuple(thresholds))


def read_thresholds(table: Table, key: str, value: Any) -> list[Threshold]:
    """The bounds on several metrics, `ari = { min = 0.9 }` each."""
    if not isinstance(value, Mapping):
        raise table.wrong(key, "is not a table", "write ari = { min = 0.9 } below it")
    inside = Table(table.path, f"{table.name}.{key}", value)
    return [
        bound for metric, bounds in value.items() for bound in read_bounds(inside, metric, bounds)
    ]


def read_bounds(table: Table, metric: str, bounds: Any) -> list[Threshold]:
    """The bounds on one metric."""
    if not isinstance(bounds, Mapping) or not bounds:
        raise table.wrong(metric, "has no bound", f"write {metric} = {{ min = 0.9 }}")
    found = []
    for key, value in bounds.items():
        if key not in BOUNDS:
            otherwise = f"bounds are {', '.join(BOUNDS)}"
            if key in READERS:
                otherwise = f"{metric} is a metric, so no gate can have this name"
            hint = did_you_mean(key, BOUNDS, otherwise)
            raise table.wrong(f"{metric}.{key}", "is not a bound", hint)
        kind, level = BOUNDS[key]
        is_change = kind is Kind.max_change and isinstance(value, str)
        if isinstance(value, bool) or not (isinstance(value, int | float) or is_change):
            raise table.wrong(f"{metric}.{key}", f"{value!r} is not a number")
        try:
            found.append(parse_threshold(kind, f"{metric}={value}", level))
        except UsageError as error:
            raise table.wrong(f"{metric}.{key}", error.message, error.hint) from None
    return found


def read_text(table: Table, key: str, value: Any) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value:
        raise table.wrong(key, f"{value!r} is not a text")
    return value


def read_path(table: Table, key: str, value: Any) -> str:
    """A file, found from where the configuration is."""
    text = read_text(table, key, value)
    if text == "-" or text.startswith("-::"):
        return text
    return os.path.join(os.path.dirname(table.path), text)


def read_labels(table: Table, key: str, value: Any) -> tuple[str, ...]:
    """One label or several; numbers are the text that they are written as."""
    labels = value if isinstance(value, list) else [value]
    if any(isinstance(label, bool) or not isinstance(label, str | int) for label in labels):
        raise table.wrong(key, f"{value!r} is not a label", 'write labels as texts: ["-1"]')
    return tuple(map(str, labels))


def read_flag(table: Table, key: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise table.wrong(key, f"{value!r} is neither true nor false")
    return value


def read_count(table: Table, key: str, value: Any) -> int:
    """A whole number from 1 on."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise table.wrong(key, f"{value!r} is not a whole number from 1 on")
    return value


def read_share(table: Table, key: str, value: Any) -> float | None:
    """A share of points: "1%" or 0.01."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise table.wrong(key, f"{value!r} is no share", 'write "1%" or 0.01')
    try:
        return parse_share(value, key)
    except UsageError as error:
        raise table.wrong(key, error.message, error.hint) from None


def read_choice(choices: type[StrEnum]) -> Read:
    """One of several words."""

    def read(table: Table, key: str, value: Any) -> StrEnum:
        known = [choice.value for choice in choices]
        if value not in known:
            hint = did_you_mean(str(value), known, f"it is one of {', '.join(known)}")
            raise table.wrong(key, f"{value!r} is not possible", hint)
        return choices(value)

    return read


# The files of a gate have two names each: those of compare, and those that say what they are.
RENAMED = {"reference": "a", "candidate": "b"}

READERS: dict[str, Read] = {
    "reference": read_path,
    "candidate": read_path,
    "coordinates": read_path,
    "coordinates_a": read_path,
    "coordinates_b": read_path,
    "distances": read_path,
    "baseline": read_path,
    "points": read_choice(Points),
    "noise": read_labels,
    "noise_policy": read_choice(NoisePolicy),
    "missing": read_choice(Missing),
    "normalize": read_flag,
    "no_header": read_flag,
    "max_bytes": read_count,
    "jobs": read_count,
    "max_moved": read_share,
    "min_coverage": read_share,
    "thresholds": read_thresholds,
    "a": read_path,
    "b": read_path,
}
