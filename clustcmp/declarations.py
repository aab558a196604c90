"""How a setting is declared: its help, its default, and how it is written."""

from typing import Any, NamedTuple


class Setting(NamedTuple):
    """How a setting is written and described.

    `flags` are its names on the command line, by default the key with dashes. A repeated setting
    may be given several times. `is_file` says that the value may be the path of a file, which a
    TOML file gives relative to itself; `is_metric` says that it names a metric. Settings that do
    not decide about values, such as the number of threads, are not kept in baselines. A setting for
    Python only has no flag. One that is not `in_files` would let a file of a stranger do harm.
    """

    help: str
    default: Any = None
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    minimum: int | None = None
    maximum: int | None = None
    repeated: bool = False
    is_file: bool = False
    is_metric: bool = False
    decides: bool = True
    python_only: bool = False
    in_files: bool = True


def label(help: str) -> Setting:
    """A setting that holds labels."""
    return Setting(help, (), metavar="LABEL", repeated=True)


def bound(help: str) -> Setting:
    """A setting that holds bounds on metrics."""
    return Setting(help, metavar="METRIC=NUMBER", repeated=True)


def share(help: str, default: float | None = None) -> Setting:
    """A setting that is a share of points."""
    return Setting(help, default, metavar="SHARE")


def file(help: str, *flags: str, repeated: bool = False) -> Setting:
    """A setting that is the path of a file."""
    return Setting(help, None, flags, metavar="FILE", repeated=repeated, is_file=True)


# An address, or in Python a Client of dask; the only setting that two groups share as a whole.
SCHEDULER = Setting(
    "Let the workers of this dask scheduler do long work: tcp://host:8786. Default: "
    "DASK_SCHEDULER_ADDRESS. Trust it: it can run any code.",
    metavar="ADDRESS",
    decides=False,
    in_files=False,
)
