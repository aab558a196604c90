"""The mutations that `make mutants` tries are small, valid changes of the code."""

from __future__ import annotations

import ast
from dataclasses import replace

from tests.mutants.mutations import find_mutations
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


def test_a_mutation_is_tried_with_the_tests_that_run_its_function_quickest_first() -> None:
    reach = {
        "slow": Reach(2.0, frozenset({"code.py:6"})),
        "other": Reach(0.5, frozenset({"code.py:1"})),
        "quick": Reach(1.0, frozenset({"code.py:6", "code.py:1"})),
        "tests/test_readme.py::test": Reach(9.0, frozenset()),
    }
    in_function, *_ = find_mutations("code.py", CODE)
    outside = replace(in_function, function="")
    assert find_tests(in_function, reach) == ["quick", "slow"]
    assert find_tests(outside, reach) == ["tests/test_readme.py::test", "other", "quick", "slow"]


def test_mutations_are_programs_and_their_tests_exist() -> None:
    assert all((ROOT / "tests" / test).exists() for test in TESTS)
    for path in mutated_files():
        source = (ROOT / path).read_text(encoding="utf-8")
        for mutation in find_mutations(path, source)[::10]:
            ast.parse(mutation.mutated)
            assert mutation.mutated != source
