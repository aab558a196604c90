"""Which column of a DataFrame or of a matrix holds labels, if its columns are not degrees."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from clustcmp.arrays import Floats
from clustcmp.errors import InputError, show_names
from clustcmp.wording import say

# What pandas calls columns of objects that are numbers.
NUMBERS = {"integer", "floating", "mixed-integer-float", "decimal"}


def find_labels(frame: Any, name: str) -> Any:
    """The column of labels in a DataFrame, or None if its columns can be degrees.

    One column is labels, and so is a text column without any number beside it.
    """
    if frame.shape[1] == 1:
        column = frame.iloc[:, 0]
        return None if is_all_ones(column.to_numpy()) else column
    columns = [frame.iloc[:, position] for position in range(frame.shape[1])]
    texts = [column for column in columns if is_text(column)]
    if len(texts) == 1 and not any(map(is_numeric, columns)):
        return texts[0]
    if texts:
        what = f"a DataFrame with the columns {show_names([str(one) for one in frame.columns])}"
        raise InputError(f"{name}: {what} is not a clustering", hint=choose_column(texts[0].name))
    return None


def is_all_ones(values: npt.NDArray[Any]) -> bool:
    """Whether values can be the degrees of an only cluster."""
    return values.dtype.kind == "f" and bool((values == 1.0).all())


def is_text(column: Any) -> bool:
    """Whether a column of a DataFrame holds texts or categories."""
    from pandas.api.types import infer_dtype

    return infer_dtype(column, skipna=True) in {"string", "categorical", "mixed", "mixed-integer"}


def is_numeric(column: Any) -> bool:
    """Whether a column of a DataFrame holds numbers, which may be objects."""
    from pandas.api.types import infer_dtype, is_bool_dtype, is_numeric_dtype

    if is_bool_dtype(column.dtype):
        return False
    return is_numeric_dtype(column.dtype) or infer_dtype(column, skipna=True) in NUMBERS


def choose_column(name: Any) -> str:
    """The advice to choose a column of a DataFrame, such as this one."""
    return f"choose the column with the labels: {show_column(name)}"


def show_column(name: Any) -> str:
    """A column of a DataFrame as Python chooses it."""
    import json

    return f"df[{json.dumps(name, ensure_ascii=False) if isinstance(name, str) else repr(name)}]"


def show_first_column(given: Any) -> str:
    """The first column of a DataFrame or of an array as Python chooses it."""
    return show_column(given.columns[0]) if hasattr(given, "columns") else "labels[:, 0]"


def check_not_labels(degrees: Floats, given: Any, name: str) -> None:
    """Refuse columns of labels: whole numbers of which some are above 1 are not degrees."""
    if not (degrees > 1.0).any() or (degrees != np.floor(degrees)).any():
        return
    raise InputError(
        f"{name}: whole numbers above 1 are labels or counts, not degrees of membership",
        hint=f"choose the column with the labels: {show_first_column(given)}; "
        f"counts become degrees with {say('normalize')}",
    )
