"""The mutations that `make mutants` tries are small, valid changes of the code."""

from __future__ import annotations

import ast
import itertools
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import clustcmp
from tests.mutants import reach as reach_plugin
from tests.mutants.__main__ import find_all, read_equivalent
from tests.mutants.mutations import find_mutations
from tests.mutants.server import renew
from tests.mutants.trial import ROOT, TESTS, Reach, find_tests, mutated_files

CODE = '''\
"""Text with 1 and < stays."""

BLOCK = 1 << 20


def fits(x: int, most: int = 2) -> bool:
    if x < 0 or not x:
        return False
    return x + 1 <= most
'''


def test_conditions_operators_and_numbers_are_mutated() -> None:
    changed = {(one.line, one.changed_line) for one in find_mutations("code.py", CODE)}
    assert changed == {
        (6, "def fits(x: int, most: int = 1) -> bool:"),
        (7, "    if x <= 0 or not x:"),
        (7, "    if x < 1 or not x:"),
        (7, "    if x < 0 and not x:"),
        (7, "    if not (x < 0 or not x):"),
        (7, "    if False:"),
        (8, "        return True"),
        (9, "    return x - 1 <= most"),
        (9, "    return x + 2 <= most"),
        (9, "    return x + 1 < most"),
    }


def test_the_key_of_a_mutation_names_the_functions_around_it_and_not_the_line() -> None:
    method = "class Box:\n    @property\n    def full(self) -> bool:\n        return self.n > 2\n"
    above = "def free() -> int:\n    return 0\n\n\n"
    keys = [mutation.key for mutation in find_mutations("box.py", above + method)]
    assert keys == [
        "box.py | free | return 0 | return 1",
        "box.py | Box.full | return self.n > 2 | return self.n >= 2",
        "box.py | Box.full | return self.n > 2 | return self.n > 1",
    ]


def test_each_mutation_that_is_known_to_be_equivalent_exists_once() -> None:
    found = Counter(mutation.key for mutation in find_all())
    assert {key: found[key] for key in read_equivalent()} == dict.fromkeys(read_equivalent(), 1)


def test_seeds_that_only_repeat_what_is_drawn_and_trust_in_tables_are_not_mutated() -> None:
    code = "def draw(n):\n    return make(np.random.default_rng(0).random(n), trusted=True)\n"
    assert find_mutations("code.py", code) == []


def test_a_mutation_is_tried_with_the_tests_that_run_its_function_quickest_first() -> None:
    reach = {
        "slow": Reach(2.0, frozenset({"code.py:fits"})),
        "other": Reach(0.5, frozenset({"code.py:other"})),
        "quick": Reach(1.0, frozenset({"code.py:fits", "code.py:other"})),
        "tests/test_readme.py::test": Reach(9.0, frozenset()),
    }
    in_function, *_ = find_mutations("code.py", CODE)
    outside = replace(in_function, function="")
    assert find_tests(in_function, reach) == ["quick", "slow"]
    assert find_tests(outside, reach) == ["tests/test_readme.py::test", "other", "quick", "slow"]


def test_functions_get_the_code_of_a_changed_file_without_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "renewed.py"
    path.write_text("def add(n=1):\n    return (lambda m: m + n)(2)\n")
    from renewed import add  # type: ignore[import-not-found]

    assert not renew(str(path))
    path.write_text("def add(n=1):\n    return (lambda m: m - n)(2)\n")
    assert renew(str(path))
    assert add() == 1
    # What stands outside of functions needs an import.
    path.write_text("def add(n=2):\n    return (lambda m: m - n)(2)\n")
    assert not renew(str(path))


def test_mutations_are_programs_and_their_tests_exist() -> None:
    assert all((ROOT / "tests" / test).exists() for test in TESTS)
    for path in mutated_files():
        source = (ROOT / path).read_text(encoding="utf-8")
        for mutation in find_mutations(path, source)[::10]:
            ast.parse(mutation.mutated)
            assert mutation.mutated != source


def test_a_thread_that_outlives_a_test_does_not_disturb_the_notes_of_what_the_test_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noted: dict[str, dict[str, list[str]]] = {}
    monkeypatch.setattr(reach_plugin, "noted", noted)
    many, enough = threading.Event(), threading.Event()

    def call_ever_more_functions() -> None:
        for line in itertools.count(1):
            exec(compile("\n" * (line % 20_000) + "def f(): 0\nf()", str(line), "exec"), {})
            if line == 5_000:
                many.set()
            if enough.is_set():
                return

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    hook = reach_plugin.pytest_runtest_protocol(cast(pytest.Item, SimpleNamespace(nodeid="test")))
    next(hook)
    thread = threading.Thread(target=call_ever_more_functions)
    thread.start()
    many.wait()
    clustcmp.compare([1, 2], [1, 1], metrics="rand")
    try:
        with pytest.raises(StopIteration):
            hook.send(None)
    finally:
        sys.setswitchinterval(usual)
        enough.set()
        thread.join()
    assert any(one.startswith("clustcmp/evaluate.py:") for one in noted["test"]["reached"])
