"""Numbers and shares as people type them: exactly, and a share as 1% or as 0.01."""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation

from clustcmp.errors import UsageError
from clustcmp.options import NUMBER


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
