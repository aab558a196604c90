"""A curve drawn with braille characters, eight dots in each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .points import Points

WIDTH, HEIGHT = 60, 10

# The bits of the eight dots of a character, by row and column.
DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
BLANK = 0x2800


@dataclass(frozen=True, eq=False)
class Curve:
    """The points of a curve; y is drawn from 0 to the first of 0.05, 0.1, 0.2, 0.5, 1 above it."""

    title: str
    x: Points
    y: Points


def draw(curve: Curve) -> list[str]:
    """The lines of a plot with a title, axes and the ends of both."""
    top = next((end for end in (0.05, 0.1, 0.2, 0.5, 1.0) if curve.y.max() <= end), 1.0)
    columns = np.arange(2 * WIDTH)
    x = np.linspace(curve.x[0], curve.x[-1], len(columns))
    y = np.interp(x, curve.x, curve.y) / top
    rows = np.clip(np.rint((1.0 - y) * (4 * HEIGHT - 1)), 0, 4 * HEIGHT - 1).astype(np.int64)
    cells = np.zeros((HEIGHT, WIDTH), dtype=np.int64)
    np.bitwise_or.at(cells, (rows // 4, columns // 2), DOTS[rows % 4, columns % 2])

    lines = [curve.title]
    for number, row in enumerate(cells):
        label = {0: f"{top:g}", HEIGHT - 1: "0"}.get(number, "")
        text = "".join(chr(BLANK + cell) if cell else " " for cell in row.tolist())
        lines.append(f"{label:>5} |{text.rstrip()}")
    lines.append(f"{'':>5} +{'-' * WIDTH}")
    lines.append(f"{'':>7}{curve.x[0]:<{WIDTH // 2}g}{curve.x[-1]:>{WIDTH // 2}g}")
    return lines
