"""A context variable that has another value within a block."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Generic, TypeVar

T = TypeVar("T")


class Within(Generic[T]):
    """A block in which a variable has a value; afterwards the variable is as before.

    A matrix of clusterings enters thousands of blocks; a generator with `contextmanager` would take
    three times as long.
    """

    __slots__ = ("_token", "_value", "_variable")
    _token: Token[T]

    def __init__(self, variable: ContextVar[T], value: T) -> None:
        """The block has not begun."""
        self._variable = variable
        self._value = value

    def __enter__(self) -> None:
        self._token = self._variable.set(self._value)

    def __exit__(self, *error: object) -> None:
        self._variable.reset(self._token)
