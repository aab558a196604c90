"""A plugin for pytest that collects all tests once and runs some of them in a fork for each trial.

The variables ORDERS and ANSWERS of the environment are the numbers of two pipes. An order is a line
of JSON, and so is its answer:

    {"reach": FILE}                               add to FILE what each test reaches
    {"path": FILE, "tests": [...], "seconds": n}  run tests with the code that is in FILE now

In the second case the functions of the file get their code anew in the fork, so that nothing is
imported again. The answer is the first test that fails, an empty text, or null if no function has
other code than before: then the change is one that only an import can show.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

# hasty is imported for its profile of hypothesis.
from tests.mutants import hasty, reach  # noqa: F401

# Characters of an answer: less than a pipe takes at once.
PIPE_BUF, LONGEST = 4096, 1000


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Carry out orders until there are no more."""
    with (
        os.fdopen(int(os.environ["ORDERS"])) as orders,
        os.fdopen(int(os.environ["ANSWERS"]), "w") as answers,
    ):
        for line in orders:
            print(json.dumps(carry_out(session, json.loads(line))), file=answers, flush=True)
    return True


def carry_out(session: pytest.Session, order: dict[str, Any]) -> str | None:
    """The answer to one order, found in a fork of this process."""
    receiving, sending = os.pipe()
    child = os.fork()
    if not child:
        # A group of its own, so that what the tests start can be ended with them.
        os.setsid()
        try:
            answer = (
                find_reach(session, order) if "reach" in order else find_failure(session, order)
            )
        except BaseException as error:  # noqa: BLE001  the mutation broke more than a test
            answer = f"{type(error).__name__}: {error}"
        os.write(sending, json.dumps(answer and answer[:LONGEST]).encode())
        os._exit(0)
    os.close(sending)
    ready, _, _ = select.select([receiving], [], [], order.get("seconds"))
    told = os.read(receiving, PIPE_BUF) if ready else b""
    os.close(receiving)
    for end in (os.killpg, os.kill):
        with suppress(OSError):
            end(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if not ready:
        return f"more than {order['seconds']:g} s"
    answer = json.loads(told) if told else "the process ended"
    return answer if answer is None else str(answer)


def find_reach(session: pytest.Session, order: dict[str, Any]) -> str:
    """Note what each test reaches, except for those in the file; the tests that fail."""
    session.config.pluginmanager.register(reach)
    file = Path(order["reach"])
    if file.exists():
        reach.noted.update(json.loads(file.read_text(encoding="utf-8")))
    items = [item for item in session.items if item.nodeid not in reach.noted]
    failed = [item.nodeid for item in items if run(session, item, None)]
    file.write_text(json.dumps(reach.noted), encoding="utf-8")
    return ", ".join(failed)


def find_failure(session: pytest.Session, order: dict[str, Any]) -> str | None:
    """The first of some tests that fails with the code that is in a file now."""
    if not renew(order["path"]):
        return None
    items = {item.nodeid: item for item in session.items}
    chosen = [items[test] for test in order["tests"] if test in items]
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        if run(session, item, following):
            return f"FAILED {item.nodeid}"
    return ""


def run(session: pytest.Session, item: pytest.Item, following: pytest.Item | None) -> bool:
    """Run a test; whether it fails."""
    before = session.testsfailed
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return session.testsfailed > before


def renew(path: str) -> bool:
    """Give all functions of a file the code that is there now; whether any code differs."""
    module = compile(Path(path).read_text(encoding="utf-8"), path, "exec", dont_inherit=True)
    codes = {(code.co_qualname, code.co_firstlineno): code for code in all_codes(module)}
    differs = False
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename.endswith(path):
            old = function.__code__
            new = codes.get((old.co_qualname, old.co_firstlineno))
            if new is not None and new.replace(co_filename=old.co_filename) != old:
                function.__code__ = new
                differs = True
    return differs


def all_codes(code: CodeType) -> Iterator[CodeType]:
    """A piece of code, and all functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from all_codes(constant)
