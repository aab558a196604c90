"""The small changes that can be made to a file of code, each of which a test should notice."""

from __future__ import annotations

import ast
import difflib
import io
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

# What an operator, a keyword or a number is replaced with.
SWAPS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "+": "-",
    "-": "+",
    "and": "or",
    "or": "and",
    "0": "1",
    "1": "2",
    "2": "1",
    "0.0": "1.0",
    "1.0": "2.0",
    "2.0": "1.0",
    "True": "False",
    "False": "True",
}


@dataclass(frozen=True)
class Mutation:
    """A change of one piece of a file: what stands there from `start` to `end` becomes `new`."""

    path: str
    source: str
    start: int
    end: int
    new: str
    function: str = ""  # FILE:NAME of the innermost function around the piece
    scope: str = ""  # the names of the classes and functions around the piece, joined by dots

    @property
    def line(self) -> int:
        """The line where the piece begins, counted from 1."""
        return self.source.count("\n", 0, self.start) + 1

    @property
    def mutated(self) -> str:
        """The whole file after the change."""
        return self.source[: self.start] + self.new + self.source[self.end :]

    @property
    def changed_line(self) -> str:
        """The line where the change is, after it."""
        return self.mutated.splitlines()[self.line - 1]

    @property
    def key(self) -> str:
        """The change by its function and what the lines say, which stays when the lines move."""
        lines = [line[1:].strip() for line in self.changed_lines()]
        return " | ".join([self.path, self.scope, *lines])

    def changed_lines(self) -> Iterator[str]:
        """The lines before, each after -, and the lines after, each after +."""
        before, after = self.source.splitlines(), self.mutated.splitlines()
        for line in difflib.unified_diff(before, after, lineterm="", n=0):
            if line[:1] in "+-" and line[:3] not in ("+++", "---"):
                yield line


def find_mutations(path: str, source: str) -> list[Mutation]:
    """All changes of a file, in the order of its lines."""
    tree = ast.parse(source)
    places = Places(source)
    silent = [places.span(node) for node in find_silent(tree)]
    found = [*swap_tokens(path, source, places), *change_conditions(path, source, tree, places)]
    heard = [
        one
        for one in found
        if not any(first <= one.start and one.end <= last for first, last in silent)
    ]
    scopes = find_scopes(tree, places)
    return sorted(
        (place_in_scope(one, scopes) for one in heard),
        key=lambda one: (one.start, one.end, one.new),
    )


class Scope(NamedTuple):
    """Where a function or a class is, and which of the two."""

    start: int
    end: int
    name: str
    is_function: bool


def find_scopes(tree: ast.Module, places: Places) -> list[Scope]:
    """All functions and classes of a file. Decorators run outside of them, but belong to them."""
    return sorted(
        Scope(*places.span(node), node.name, isinstance(node, ast.FunctionDef))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    )


def place_in_scope(mutation: Mutation, scopes: Iterable[Scope]) -> Mutation:
    """The mutation with the classes and functions around it, and the innermost function."""
    around = [one for one in scopes if one.start <= mutation.start and mutation.end <= one.end]
    names = [one.name for one in around]
    n_outside = 0
    for number, one in enumerate(around, 1):
        n_outside = number if one.is_function else n_outside
    return replace(
        mutation,
        function=f"{mutation.path}:{'.'.join(names[:n_outside])}" if n_outside else "",
        scope=".".join(names),
    )


def find_silent(tree: ast.Module) -> Iterator[ast.AST]:
    """Parts of a file whose change no test can notice.

    These are annotations, whether a dataclass is frozen, whether zip is strict about lengths that
    agree, whether a table that is right is checked or trusted, a number that only makes what is
    drawn repeatable, and constants at the top of a module, which mostly decide about speed and
    memory.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef) and node.returns:
            yield node.returns
        elif isinstance(node, ast.ClassDef):
            yield from node.decorator_list
        elif isinstance(node, ast.keyword) and node.arg in ("strict", "trusted"):
            yield node
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "np.random.default_rng":
            yield from (one for one in node.args if isinstance(one, ast.Constant))
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield node


class Places:
    """Where lines and columns are in the text of a file."""

    def __init__(self, source: str) -> None:
        self.lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """The position of a column, counted in characters, of a line, counted from 1."""
        return self.starts[line - 1] + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node begins and ends; its columns are counted in bytes."""
        ends = []
        for line, column in (
            (node.lineno, node.col_offset),  # type: ignore[attr-defined]
            (node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        ):
            in_characters = len(self.lines[line - 1].encode()[:column].decode())
            ends.append(self.at(line, in_characters))
        return ends[0], ends[1]


def swap_tokens(path: str, source: str, places: Places) -> Iterator[Mutation]:
    """Operators, keywords and small numbers, replaced by others."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.OP, tokenize.NAME, tokenize.NUMBER) and token.string in SWAPS:
            yield Mutation(
                path, source, places.at(*token.start), places.at(*token.end), SWAPS[token.string]
            )


def change_conditions(
    path: str, source: str, tree: ast.Module, places: Places
) -> Iterator[Mutation]:
    """Conditions that are negated, and guards that are removed."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            start, end = places.span(node.test)
            yield Mutation(path, source, start, end, f"not ({source[start:end]})")
            if isinstance(node, ast.If) and is_guard(node):
                yield Mutation(path, source, start, end, "False")


def is_guard(node: ast.If) -> bool:
    """Whether a condition only protects what follows: its body leaves, and there is no else."""
    return not node.orelse and isinstance(node.body[-1], ast.Raise | ast.Return | ast.Continue)
