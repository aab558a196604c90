"""Finding the scheduler, and a check that its workers compute what this machine would compute."""

from __future__ import annotations

import gc
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import wraps
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar, cast

from clustcmp.backends import send_to
from clustcmp.errors import MachinesFailed, UsageError
from clustcmp.progress import begin, remark
from clustcmp.wording import say

if TYPE_CHECKING:
    from distributed import Client

Function = TypeVar("Function", bound=Callable[..., Any])

# Where dask itself looks for a scheduler.
VARIABLE = "DASK_SCHEDULER_ADDRESS"

INSTALL = "pip install 'clustcmp[dask]'"

# tcp://host:8786, or host:8786 for short.
ADDRESS = re.compile(
    r"(?:(?P<scheme>[a-z]+)://)?(?P<host>\[[0-9a-fA-F:.]+\]|[^\s/:]+):(?P<port>\d+)"
)

# Seconds until a machine must have answered at all; how long dask then waits is a setting of dask.
ANSWER = 10.0

# What decides about the last digits of a value, or whether messages are understood.
PACKAGES = ("clustcmp", "numpy", "scipy", "POT", "dask", "distributed")

# Only clusterings need this one: it must be the same where it is installed.
OPTIONAL = "scikit-learn"

# What a scheduler needs: it only hands out what it is given.
MESSAGES = ("Python", "clustcmp", "dask", "distributed")

# An expression, because a machine without clustcmp could not look up a function of clustcmp.
WHAT_IS_THERE = f"""(lambda find, sys, version: {{
    "Python": ".".join(map(str, sys.version_info[:2])),
    **{{name: version(name) for name in {(*PACKAGES, OPTIONAL)}}},
    "kernel": bool(version("clustcmp")) and find("clustcmp.transport._kernel") is not None,
}})(
    __import__("importlib.util").util.find_spec,
    __import__("sys"),
    lambda name: next((
        one.version for one in __import__("importlib.metadata").metadata.distributions(name=name)
    ), None),
)"""


def uses_machines(function: Function) -> Function:
    """The function, whose parallel work goes to the workers of the `scheduler` in its settings."""

    @wraps(function)
    def call(*arguments: Any, **settings: Any) -> Any:
        with joined(settings.get("scheduler")):
            return function(*arguments, **settings)

    return cast(Function, call)


@contextmanager
def joined(scheduler: Any) -> Iterator[None]:
    """A block whose parallel work goes to the workers of a scheduler, if there is one.

    `scheduler` is an address or a Client of dask. If it is None, the environment may name an
    address, which is not reached until it is needed.
    """
    given = find_in_environment() if scheduler is None else scheduler
    if given is None:
        yield
        return
    from clustcmp.machines.sending import Machines

    address = check_address(given) if isinstance(given, str) else address_of(given)
    with closing(Machines(address, connected(given, address))) as machines:
        if scheduler is not None:
            begin("joined the scheduler")
            machines.count_workers()
        with send_to(machines):
            yield


def find_in_environment() -> str | None:
    """The scheduler that the environment names; none for code that a worker runs."""
    address = os.environ.get(VARIABLE)
    if not address or is_worker():
        return None
    if find_spec("distributed") is None:
        remark(f"{VARIABLE} is set, but dask is not installed, so all work is done here: {INSTALL}")
        return None
    return address


def is_worker() -> bool:
    """Whether a task of dask runs this, which would wait for others and keep its worker busy."""
    if "distributed" not in sys.modules:
        return False
    from distributed import get_worker

    try:
        get_worker()
    except ValueError:
        return False
    return True


def check_address(address: str) -> str:
    """The address of a scheduler with its scheme; an error for anything else."""
    found = ADDRESS.fullmatch(address)
    if found is None:
        raise UsageError(
            f"{say('scheduler', address)}: not the address of a scheduler",
            hint=f"write scheme, host and port: {say('scheduler', 'tcp://host:8786')}",
        )
    return address if found["scheme"] else f"tcp://{address}"


def address_of(client: Any) -> str:
    """The address of the scheduler of a Client of dask that is connected."""
    if "distributed" in sys.modules:
        from distributed import Client

        if isinstance(client, Client) and client.status == "running" and not client.asynchronous:
            return str(client.scheduler.address)
    raise UsageError(
        f"scheduler={client!r} is neither an address nor a Client of dask that is connected and "
        "not asynchronous",
        hint='write scheduler="tcp://host:8786"',
    )


@contextmanager
def connected(given: Any, address: str) -> Iterator[Client]:
    """A Client whose workers compute what this machine would compute."""
    if not isinstance(given, str):
        check_versions(given, address)
        yield given
        return
    if find_spec("distributed") is None:
        raise UsageError(
            f"{say('scheduler', given)} needs dask, which is not installed", hint=INSTALL
        )
    knock(address)
    with open_client(address) as client, quiet():
        check_versions(client, address)
        yield client


def knock(address: str) -> None:
    """Refuse an address where nothing answers, which dask would try to reach for half a minute."""
    import socket

    found = ADDRESS.fullmatch(address)
    if found is None or found["scheme"] not in ("tcp", "tls"):
        return
    where = found["host"].strip("[]"), int(found["port"])
    try:
        socket.create_connection(where, ANSWER).close()
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise unreachable(address, why) from None


def unreachable(address: str, why: str) -> MachinesFailed:
    """The error for a scheduler that cannot be joined."""
    hint = "start one with 'dask scheduler', or correct the address"
    if address.startswith("tls:"):
        hint = "docs/machines.md says which settings of dask name the certificates"
    return MachinesFailed(f"no scheduler can be reached at {address}: {why}", hint=hint)


@contextmanager
def open_client(address: str) -> Iterator[Client]:
    """A connection to a scheduler with the settings of dask, such as those for TLS."""
    from distributed import Client

    why = ""
    with warnings.catch_warnings():
        # Other versions are an error in `check_versions`.
        warnings.simplefilter("ignore")
        try:
            client = Client(address, set_as_default=False, name="clustcmp")
        except Exception as error:  # noqa: BLE001  it becomes an error of ours below
            why = str(error) or type(error).__name__
    if why:
        # A client that failed is ended when it is collected as garbage; if that happens while
        # another one starts, dask waits for itself forever.
        gc.collect()
        raise unreachable(address, why)
    try:
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=ANSWER)


@contextmanager
def quiet() -> Iterator[None]:
    """A block in which dask does not write to the log what becomes an error here."""
    import logging

    loggers = [logging.getLogger(f"distributed{name}") for name in ("", ".client")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def check_versions(client: Client, address: str) -> None:
    """Refuse a scheduler and workers that would not do exactly what this machine does."""
    here = eval(WHAT_IS_THERE)
    try:
        on_scheduler = client.run_on_scheduler(eval, WHAT_IS_THERE)
        workers = client.run(eval, WHAT_IS_THERE)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise unreachable(address, f"it does not say which versions it has ({why})") from error
    for name, there in {"the scheduler": on_scheduler, **workers}.items():
        keys = MESSAGES if there is on_scheduler else here
        if wrong := [key for key in keys if differs(key, here[key], there[key])]:
            raise MachinesFailed(
                f"{name if there is on_scheduler else f'the worker {name}'} has "
                + ", ".join(show_version(key, there[key]) for key in wrong)
                + "; here is "
                + ", ".join(show_version(key, here[key]) for key in wrong),
                hint="install the same versions everywhere",
            )


def differs(key: str, here: Any, there: Any) -> bool:
    """Whether two versions may give other results, or misunderstand each other."""
    return here != there and not (key == OPTIONAL and None in (here, there))


def show_version(key: str, version: Any) -> str:
    """A package with its version, or that there is none."""
    if isinstance(version, bool):
        return f"{'a' if version else 'no'} {key} for transport"
    return f"no {key}" if version is None else f"{key} {version}"
