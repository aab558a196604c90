"""Gates in clustcmp.toml or pyproject.toml."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from clustcmp.analyses.bounds.thresholds import (
    BOUNDS,
    Threshold,
    check_thresholds,
    find_metric,
    make_threshold,
)
from clustcmp.analyses.gate.definition import Gate
from clustcmp.analyses.gate.documents import load
from clustcmp.errors import InputError, UsageError, did_you_mean
from clustcmp.keywords import BALANCED, declared
from clustcmp.metrics import METRICS
from clustcmp.read import Address
from clustcmp.registry import Request
from clustcmp.settings import GateSettings, Labels
from clustcmp.typed import fit, is_a, show
from clustcmp.wording import either, name_of, say

# Looked for in the current folder, in this order: a file, and where in it the gates are.
LOCATIONS = {"clustcmp.toml": ("gate",), "pyproject.toml": ("tool", "clustcmp", "gate")}

HOW_TO_CONFIGURE = (
    "give two files and bounds, or describe gates in [gate] of clustcmp.toml "
    "or in [tool.clustcmp.gate] of pyproject.toml"
)

# The files of a gate have two names each: those of compare, and those that say what they are.
FILES = {"a": "a", "b": "b", "reference": "a", "candidate": "b"}

# What a table of a gate may hold besides the bounds on metrics.
KEYS = (
    "reference",
    "candidate",
    *(key for key, one in declared(GateSettings).items() if one.setting.in_files),
    "thresholds",
    "a",
    "b",
)


@dataclass(frozen=True)
class Config:
    """The gates of a file: one without a name, and any number with names."""

    path: str
    unnamed: Gate | None
    named: Mapping[str, Gate]

    def all(self) -> list[Gate]:
        """Every gate. Beside named gates the one without a name only holds what they share."""
        gates = list(self.named.values())
        if not gates and self.unnamed is not None:
            gates = [self.unnamed]
        if not gates:
            raise UsageError("there is no gate to run", hint=HOW_TO_CONFIGURE)
        return gates

    def choose(self, files: Sequence[str], given: Gate) -> Gate:
        """The gate that one command line means: by two files, by the candidate, or by its name."""
        unnamed = self.unnamed or Gate()
        if len(files) > 2:
            raise UsageError(f"{len(files)} files are given, but a gate compares two")
        if len(files) == 2 and files[0] in self.named:
            raise UsageError(
                f"{files[0]!r} is a gate of {self.path} and takes no files, "
                f"but {files[1]!r} is given too",
                hint="a gate that is called by its name has its files in the configuration",
            )
        if len(files) == 2:
            return replace(unnamed, a=files[0], b=files[1])
        if not files and given.is_counted:
            return replace(unnamed, a=None, b=None)
        if not files:
            return self.choose_only()
        if files[0] in self.named:
            return self.named[files[0]]
        if given.baseline or unnamed.baseline:
            return replace(unnamed, b=files[0])
        raise self.no_gate(files[0])

    def named_gate(self, name: str) -> Gate:
        """The gate of this name."""
        if name not in self.named:
            raise self.no_gate(name)
        return self.named[name]

    def choose_only(self) -> Gate:
        """The gate to run if the command line names none."""
        gates = self.all()
        if len(gates) > 1:
            known = ", ".join(map(repr, self.named))
            run_all = either("run --all", "call clustcmp.run_gates")
            raise UsageError(
                f"{self.path}: has several gates", hint=f"name one of {known}, or {run_all}"
            )
        return gates[0]

    def no_gate(self, name: str) -> UsageError:
        """The error for a single word that is neither a gate nor a candidate with a baseline."""
        if os.path.exists(Address.of_file(name).path):
            return UsageError(
                f"{name}: is one file, but a gate compares two",
                hint="give the reference and the candidate, "
                f"or the candidate and {name_of('baseline')}",
            )
        known = ", ".join(map(repr, self.named))
        where = f"{self.path}: there" if self.path else "there"
        hint = did_you_mean(name, self.named, f"its gates are {known}" if known else "")
        return UsageError(f"{where} is no gate called {name!r}", hint=hint or HOW_TO_CONFIGURE)


# What holds if there is no configuration.
NO_CONFIG = Config("", None, {})


@dataclass(frozen=True)
class Section:
    """A table of a file, with its name for messages and the folder that paths start from."""

    path: str
    name: str
    entries: Mapping[str, Any]

    @contextmanager
    def naming_errors(self) -> Iterator[None]:
        """Turn an error about a key into one that also names the file and the table."""
        try:
            yield
        except UsageError as error:
            raise InputError(f"{self.path}: [{self.name}] {error.message}", error.hint) from None


def find_gates(path: str | None, names: Sequence[str] = ()) -> list[Gate]:
    """The gates with these names, or all, of a configuration."""
    config = find_config(path) or NO_CONFIG
    return [config.named_gate(name) for name in names] if names else config.all()


def find_config(path: str | None) -> Config | None:
    """The gates of the given file, or of the first one in this folder that has any."""
    if path is not None:
        return read_config(path, required=True)
    found = (read_config(name, required=False) for name in LOCATIONS if os.path.exists(name))
    return next((config for config in found if config), None)


def read_config(path: str, required: bool) -> Config | None:
    """The gates of a file, or None if it has none and need not."""
    document = load(path, tomllib.loads, "TOML")
    keys = LOCATIONS.get(Path(path).name, LOCATIONS["clustcmp.toml"])
    here: Any = document
    for depth, key in enumerate(keys):
        # A key beside `gate` in a table that only clustcmp reads is probably a typo.
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
    return read_gates(Section(path, ".".join(keys), here))


def check_neighbours(path: str, keys: tuple[str, ...], table: Mapping[str, Any]) -> None:
    """Refuse a key beside `gate`, which could only be a misspelt gate."""
    for key in table:
        if key != "gate":
            where = f"[{'.'.join((*keys, key))}]"
            hint = did_you_mean(key, ["gate"], "gates are in [gate] and in [gate.NAME]")
            raise InputError(f"{path}: {where} is not known", hint=hint)


def read_gates(table: Section) -> Config:
    """The gate that a table describes, and those in the tables inside of it.

    What the outer table says holds for each named gate that does not say otherwise.
    """
    inner = {key: value for key, value in table.entries.items() if is_gate(key, value)}
    outer = {key: value for key, value in table.entries.items() if key not in inner}
    common = read_settings(Section(table.path, table.name, outer), suggestions=inner)
    named = {}
    for name, entries in inner.items():
        own = read_settings(Section(table.path, f"{table.name}.{name}", entries))
        named[name] = replace(common.overridden_by(own), name=name)
    return Config(table.path, common if outer else None, named)


def is_gate(key: str, value: Any) -> bool:
    """Whether a table inside of [gate] is a gate of its own.

    The table is something else if its key is a setting or names a metric, or if it holds nothing
    but bounds.
    """
    if not isinstance(value, Mapping) or key in KEYS or is_metric(key):
        return False
    holds_tables = any(isinstance(entry, Mapping) for entry in value.values())
    return not value or not set(value) <= set(BOUNDS) or holds_tables


def is_metric(key: str) -> bool:
    """Whether a key names one metric, perhaps with options."""
    return METRICS.knows(key.partition(":")[0])


def read_settings(table: Section, suggestions: Mapping[str, Any] | None = None) -> Gate:
    """The gate that a table describes."""
    given: dict[str, Any] = {}
    files: dict[str, str] = {}
    thresholds: list[Threshold] = []
    with table.naming_errors():
        for key, value in table.entries.items():
            if key in FILES:
                check_free(key, files)
                files[FILES[key]] = read_path(table, key, value)
            elif key == "thresholds":
                thresholds += read_tables(value)
            elif key in KEYS:
                given[key] = read_setting(table, key, value)
            elif key in declared(GateSettings):
                raise UsageError(f"{key}: cannot be set in a file", hint=f"say {say(key)}")
            elif isinstance(value, Mapping) or is_metric(key):
                thresholds += read_bounds(key, value)
            else:
                raise unknown_key(key, suggestions or ())
        gate = Gate.of(cast(GateSettings, given), **files)
        gate = replace(gate, thresholds=(*thresholds, *gate.thresholds))
        check_thresholds(gate.thresholds)
    return gate


def check_free(key: str, files: Mapping[str, str]) -> None:
    """Refuse a second name of a file that is already set."""
    if FILES[key] in files:
        names = " and ".join(f"`{name}`" for name in FILES if FILES[name] == FILES[key])
        raise UsageError(
            f"{key}: {names} are two names of one file, but both are set", "choose one"
        )


def unknown_key(key: str, suggestions: Iterable[str]) -> UsageError:
    """The error for a key that is neither a setting nor a metric."""
    hint = did_you_mean(key, [*KEYS, *suggestions], f"the settings are {', '.join(KEYS)}")
    return UsageError(f"{key}: is not a setting of a gate", hint)


def read_setting(table: Section, key: str, value: Any) -> Any:
    """The value of a setting; its type is checked with that of all others."""
    one = declared(GateSettings)[key]
    if one.setting.is_file and not (key == "weights" and value == BALANCED):
        return read_path(table, key, value)
    labels = value if isinstance(value, list) else [value]
    if one.kind == Labels and any(isinstance(label, float) for label in labels):
        # 1.50 and 1.5 are two labels, and TOML does not tell which of them was written.
        raise UsageError(f"{key}={show(value)} is not a label", 'write labels as texts: ["-1"]')
    return value


def read_tables(tables: Any) -> list[Threshold]:
    """The bounds on several metrics, `ari = { min = 0.9 }` each."""
    by_metric = fit(Mapping[str, Any], tables, "thresholds")
    return [bound for metric, bounds in by_metric.items() for bound in read_bounds(metric, bounds)]


def read_bounds(metric: str, bounds: Any) -> list[Threshold]:
    """The bounds on one metric."""
    request = find_metric(metric)
    if not isinstance(bounds, Mapping) or not bounds:
        hint = f"write {show_bound(metric, request, bounds)}"
        raise UsageError(f"{metric}: says neither min nor max", hint)
    return [read_bound(metric, request, key, value) for key, value in bounds.items()]


def show_bound(typed: str, request: Request, value: Any) -> str:
    """How a value that stands alone is written as a bound: as the upper one of a distance."""
    key = typed if re.fullmatch(r"[\w-]+", typed, re.ASCII) else f'"{typed}"'
    kind = "max" if request.metric.higher_is_better is False else "min"
    return f"{key} = {{ {kind} = {show(value) if is_a(float, value) else 0.9} }}"


def read_bound(metric: str, request: Request, key: str, value: Any) -> Threshold:
    """One bound on a metric."""
    if key not in BOUNDS:
        otherwise = f"bounds are {', '.join(BOUNDS)}"
        if key in KEYS:
            otherwise = f"{metric} is a metric, so no gate can have this name"
        raise UsageError(f"{metric}.{key}: is not a bound", did_you_mean(key, BOUNDS, otherwise))
    kind, level = BOUNDS[key]
    allowed = float | str if kind.is_change else float
    return make_threshold(kind, request, fit(allowed, value, f"{metric}.{key}"), level)


def read_path(table: Section, key: str, value: Any) -> str:
    """A file, found from where the configuration is."""
    path: str = fit(str, value, key)
    if not path:
        raise UsageError(f"{key}={path!r} is not a file")
    return (
        path if Address.of_file(path).is_stdin else os.path.join(os.path.dirname(table.path), path)
    )
