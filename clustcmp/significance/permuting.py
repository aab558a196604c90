"""Random permutations of points that need not be sent: other machines draw them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np

from clustcmp.arrays import Integers
from clustcmp.model.once import PicklesFields


@dataclass(frozen=True, eq=False)
class Permutation(PicklesFields):
    """A permutation of so many points, drawn from a generator in this state.

    The state alone is pickled; whoever gets it draws the same order.
    """

    state: Any
    size: int

    @cached_property
    def order(self) -> Integers:
        """The points in their random order."""
        return draw(generator_in(self.state), self.size)


@dataclass(frozen=True, eq=False)
class Permutations(Sequence[Permutation]):
    """So many permutations, each drawn when it is first asked for.

    The last one that was drawn has its order; for earlier ones it is drawn again if needed.
    """

    generator: np.random.Generator
    size: int
    total: int

    def __len__(self) -> int:
        return self.total

    @cached_property
    def _states(self) -> list[Any]:
        """The states of the generator before each permutation so far."""
        return []

    @overload
    def __getitem__(self, position: int) -> Permutation: ...

    @overload
    def __getitem__(self, position: slice) -> Sequence[Permutation]: ...

    def __getitem__(self, position: int | slice) -> Permutation | Sequence[Permutation]:
        if isinstance(position, slice):
            return [self[one] for one in range(*position.indices(self.total))]
        if not 0 <= position < self.total:
            raise IndexError(position)
        found = None
        while len(self._states) <= position:
            found = self._draw()
        return found or Permutation(self._states[position], self.size)

    def _draw(self) -> Permutation:
        """The next permutation; the generator moves on."""
        found = Permutation(self.generator.bit_generator.state, self.size)
        self._states.append(found.state)
        # As if `order` had been asked for, which would set up another generator.
        found.__dict__["order"] = draw(self.generator, self.size)
        return found


def draw(generator: np.random.Generator, size: int) -> Integers:
    """A random order of so many points."""
    order: Integers = generator.permutation(size)
    return order


def generator_in(state: Any) -> np.random.Generator:
    """A generator in this state."""
    bits = np.random.PCG64()
    bits.state = state
    return np.random.Generator(bits)
