"""Numbers, shares and times as people type them.

Numbers are exact, a share is 1% or 0.01, a time 90, 90s, 5min or 1.5h.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from clustcmp.errors import UsageError
from clustcmp.options import NUMBER
from clustcmp.wording import name_of

# Seconds of each unit of time. A name that ends with another one stands before that one.
UNITS = {"min": 60, "m": 60, "h": 3600, "s": 1}


def as_decimal(text: str) -> Decimal | None:
    """The number that a text stands for, or None if it is not a number or too large for a float."""
    if not NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def parse_share(written: str | float, what: str) -> float:
    """A share of points, written as 1% or as 0.01."""
    text = str(written)
    percent = text.strip().endswith("%")
    digits = text.strip().removesuffix("%").strip()
    number = as_decimal(digits)
    if number is None:
        raise UsageError(f"{what}: {text!r} is not a share", hint="write a share as 1% or as 0.01")
    if not percent and number == 1 and "." not in digits:
        raise UsageError(
            f"{what}: {text!r} is ambiguous: 1 % or 100 %?", hint="write 1%, 100% or 1.0"
        )
    share = float(number / 100 if percent else number)
    if not 0.0 <= share <= 1.0:
        raise UsageError(
            f"{what}: {text!r} is not a share of points", hint="a share is between 0% and 100%"
        )
    return share


def parse_duration(written: str | float, what: str) -> float:
    """A time in seconds, above 0."""
    text = str(written).strip()
    unit = next((unit for unit in UNITS if text.endswith(unit)), "")
    number = as_decimal(text.removesuffix(unit).strip())
    if number is None or number <= 0:
        raise UsageError(
            f"{what}: {text!r} is not a time", hint="write a time as 90s, 5min or 1.5h"
        )
    return float(number * UNITS.get(unit, 1))


def find_budget(settings: Mapping[str, Any]) -> float | None:
    """How many seconds an interval may be refined, or None if the user does not say."""
    written = settings.get("budget")
    return None if written is None else parse_duration(written, name_of("budget"))
