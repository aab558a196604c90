"""Numbers, ranges and shares in the form in which people read them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal

from clustcmp.errors import plural, printable
from clustcmp.model import Coverage, Described
from clustcmp.options import show_option
from clustcmp.render.blocks import NO_BREAK
from clustcmp.results import Result
from clustcmp.sureness import Interval
from clustcmp.wording import either, say


def legend(*entries: str) -> str:
    """What signs stand for, side by side; a line ends between two entries only."""
    return "   ".join(entry.replace(" ", NO_BREAK) for entry in entries)


ARROWS = {True: "↑", False: "↓", None: " "}
LEGEND = legend("↑ higher is better", "↓ lower is better")


# The decimals of values that the user asked for.
_decimals: ContextVar[int | None] = ContextVar("decimals", default=None)


@contextmanager
def rounded_to(decimals: int | None) -> Iterator[None]:
    """Values that are shown within this block have so many decimals; None is for six."""
    token = _decimals.set(decimals)
    try:
        yield
    finally:
        _decimals.reset(token)


def chosen_decimals() -> int | None:
    """The decimals of values that the user asked for, if so."""
    return _decimals.get()


def show_value(value: float) -> str:
    """A value with six decimals, or with six digits where these decimals would all be 0.

    If the user asked for a number of decimals, the value has these, also where all are 0.
    """
    decimals = chosen_decimals()
    if decimals is not None and abs(value) < 1e12:
        return f"{value:z.{decimals}f}"
    if value and not 1e-5 <= abs(value) < 1e12:
        return f"{value:.5e}"
    return f"{value:.6f}"


def show_interval(interval: tuple[float, float] | None) -> str:
    """The proven ends of an approximate value; rounding only widens the interval."""
    if interval is None:
        return ""
    low, high = (Decimal(show_value(end)) for end in interval)
    low -= last_digit(low) if low > Decimal(interval[0]) else 0
    high += last_digit(high) if high < Decimal(interval[1]) else 0
    return f"{show_value(float(low))} to {show_value(float(high))}"


def show_confidence(interval: Interval | None) -> str:
    """The interval that says how sure a value is, or a dash."""
    if interval is None or interval.ends is None:
        return "—"
    return show_ends(*interval.ends)


def show_ends(low: float, high: float) -> str:
    """Both ends of an interval, with the decimals that its width needs unless the user chose."""
    return f"[{show_within(low, low, high)},{NO_BREAK}{show_within(high, low, high)}]"


def show_within(value: float, low: float, high: float) -> str:
    """A value with the decimals that the width of its interval needs, unless the user chose."""
    largest = max(abs(low), abs(high))
    if chosen_decimals() is not None:
        return show_value(value)
    if largest and not 1e-3 <= largest < 1e12:
        return f"{value:.3g}"
    # Four digits of the value, and two of the width: more of them would be noise.
    usual = 3 - math.floor(math.log10(max(largest, 1.0)))
    wanted = 1 + math.ceil(-math.log10(high - low)) if high > low else 0
    decimals = min(max(wanted, usual, 0), 12)
    return f"{value:z.{decimals}f}"


def last_digit(number: Decimal) -> Decimal:
    """What the last digit of a number counts."""
    return Decimal((0, (1,), int(number.as_tuple().exponent)))


def show_approximate(
    value: float | None, interval: tuple[float, float] | None, missing: str = "—"
) -> str:
    """A value, with its interval if it is approximate; a dash or another word for none."""
    if value is None or math.isnan(value):
        return missing
    return f"{show_value(value)} ({show_interval(interval)})" if interval else show_value(value)


def show_status(result: Result) -> str:
    """Why a result has no value, in a word or two."""
    return result.status.value.replace("_", " ")


def show_missing(results: Iterable[Result]) -> Iterator[str]:
    """How many results have no value, for each reason."""
    reasons: dict[tuple[str, str], int] = {}
    for result in results:
        if result.value is None:
            key = show_status(result), printable(result.reason or "")
            reasons[key] = reasons.get(key, 0) + 1
    for (status, reason), number in reasons.items():
        yield f"{status} ({reason}): {number} of the cells"


def show_metric(result: Result) -> str:
    """The metric as it can be asked for, and of which side it is."""
    return f"{result.metric} of {result.side}" if result.side else result.metric


def show_direction(higher_is_better: bool | None, best: float | None) -> str:
    """An arrow and the best value, if there is one."""
    end = "" if best is None else f" {show_option(best)}"
    return f"{ARROWS[higher_is_better]}{end}".strip()


def show_mass(mass: float, decimals: int = 1) -> str:
    """A number of points, or a sum of degrees with some decimals."""
    return f"{mass:,}" if isinstance(mass, int) else f"{mass:,.{decimals}f}"


def show_share(share: float) -> str:
    """A share in percent; only all is 100 % and only nothing is 0 %."""
    percent = 100.0 * share
    if share <= 0.0 or share >= 1.0:
        return f"{percent:.0f} %"
    if percent < 0.1:
        return "<0.1 %"
    if percent < 0.95:
        return f"{percent:.1f} %"
    if percent > 99.0:
        return f"{min(percent, 99.9):.1f} %"
    return f"{percent:.0f} %"


def describe_all(sides: Sequence[Described]) -> list[tuple[str, ...]]:
    """Each clustering in a few words: its name, its file, how many points and clusters.

    Special points are counted for all clusterings if one of them has any.
    """
    specials = {
        "noise": "noise",
        "dropped_noise": "noise dropped",
        "dropped_missing": "missing dropped",
    }
    shown = {
        key: words for key, words in specials.items() if any(getattr(one, key) for one in sides)
    }
    return [
        (
            side.name,
            printable(side.title or side.file or "(object)"),
            plural(side.points, "point"),
            *show_weights(side, sides),
            plural(side.clusters, "cluster"),
            side.kind,
            *(f"{getattr(side, key):,} {words}" for key, words in shown.items()),
        )
        for side in sides
    ]


def show_weights(side: Described, sides: Sequence[Described]) -> list[str]:
    """The sum of the weights of a clustering; nothing if no clustering has any."""
    if all(one.mass is None for one in sides):
        return []
    if side.mass is None:
        return ["no weights"]
    whole = int(side.mass) if side.mass.is_integer() else side.mass
    return [f"weight {whole:,}" if isinstance(whole, int) else f"weight {whole:,.6g}"]


def show_coverage(coverage: Coverage, joined_by: str | None) -> str:
    """How many points are in both clusterings, and how many in one only."""
    words = [f"{plural(coverage.shared, 'point')} in both", *show_joint(coverage, joined_by)]
    if coverage.only_a or coverage.only_b:
        words += [f"{coverage.only_a:,} only in a", f"{coverage.only_b:,} only in b"]
    return ", ".join(words)


def show_joint(coverage: Coverage, joined_by: str | None) -> list[str]:
    """What the points in both clusterings were joined by."""
    return [f"joined by {show_ids(joined_by)}"] if coverage.shared and joined_by is not None else []


def show_ids(joined_by: str) -> str:
    """The columns of ids in words; the first column of a file may have no name."""
    return printable(joined_by) if joined_by else "the first column"


def show_coordinates(sides: Sequence[Described]) -> list[str]:
    """The columns that say where the points are, for all sides or for each."""
    found = {side.coordinates: side.name for side in sides if side.coordinates}
    if len(found) < 2:
        return [f"{count_columns(columns)}" for columns in found]
    return [f"{side.name}: {count_columns(side.coordinates)}" for side in sides if side.coordinates]


def count_columns(columns: Sequence[str]) -> str:
    """How many coordinates there are, and the first of them by name."""
    most = 6
    named = ", ".join(printable(name) for name in columns[:most])
    more = f" and {len(columns) - most} more" if len(columns) > most else ""
    return f"{plural(len(columns), 'coordinate')}: {named}{more}"


def show_unfit(results: Iterable[Result]) -> list[str]:
    """Metrics that do not apply, one line for each reason."""
    reasons: dict[str, list[str]] = {}
    for result in results:
        reasons.setdefault(result.reason or "", []).append(show_metric(result))
    return [
        f"not applicable ({reason}): {', '.join(metrics)}" for reason, metrics in reasons.items()
    ]


def show_percent(share: float, digits: int = 12) -> str:
    """A share as a percentage, with more digits if rounding would show 0 % or 100 %."""
    shown = f"{100.0 * share:.{digits}g}"
    if shown in ("0", "100") and share not in (0.0, 1.0):
        shown = f"{100.0 * share:.12g}"
    return f"{shown} %"


def how_to_show_all() -> str:
    """What a reader types to see what a document leaves out: a flag, or a call."""
    return either(say("show_all"), f"to_text({say('show_all')})")
