"""Objects of other libraries that hold labels or coordinates: fitted estimators and AnnData."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clustcmp.errors import InputError, show_names
from clustcmp.read.address import is_path
from clustcmp.read.indexes import is_pandas

# The names of columns of labels, as in files.
LABELS = ("label", "cluster")


def held_labels(given: Any, name: str) -> Any:
    """The labels in an AnnData or in a fitted estimator; any other object as it is."""
    if is_plain(given):
        return given
    if is_anndata(given):
        return given.obs[find_column(given, name)]
    if not callable(getattr(given, "fit", None)):
        return given
    labels = getattr(given, "labels_", None)
    if labels is None:
        raise InputError(
            f"{name}: a {type(given).__name__} without labels_ is not a clustering",
            hint="fit it first; if it has no labels_ then, give what its predict returns",
        )
    return labels


def held_coordinates(given: Any, name: str) -> Any:
    """The only array of coordinates in an AnnData, with the barcodes; other objects as they are."""
    if is_plain(given) or not is_anndata(given):
        return given
    arrays = list(given.obsm)
    if len(arrays) != 1:
        chosen = f", such as obsm[{arrays[0]!r}]" if arrays else ""
        raise InputError(
            f"{name}: which coordinates of the AnnData? obsm has {show_names(arrays) or 'none'}",
            hint=f"give an array of coordinates{chosen}",
        )
    import pandas as pd

    return pd.DataFrame(given.obsm[arrays[0]], index=given.obs_names)


def is_plain(given: Any) -> bool:
    """Whether an object is a path, a pandas object or a list, which hold nothing else."""
    return is_path(given) or is_pandas(given) or isinstance(given, Sequence)


def is_anndata(given: Any) -> bool:
    """Whether an object is an AnnData, without importing anndata."""
    return all(hasattr(given, part) for part in ("obs", "obsm", "obs_names"))


def find_column(given: Any, name: str) -> str:
    """The column of labels of an AnnData: called label or cluster, or the only one."""
    columns = [str(one) for one in given.obs.columns]
    for word in LABELS:
        if found := [one for one in columns if one.lower() == word]:
            return found[0]
    if len(columns) == 1:
        return columns[0]
    what = f"an AnnData with the columns {show_names(columns) or 'none'} in obs"
    chosen = columns[0] if columns else "leiden"
    raise InputError(
        f"{name}: {what} is not a clustering", hint=f"choose one of them: adata.obs[{chosen!r}]"
    )
