"""Folders of Parquet parts that workers count: the same bytes, and what is not plain stays here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from clustcmp import folders
from clustcmp.errors import InputError
from clustcmp.inputs import prepare
from clustcmp.keywords import complete
from clustcmp.read.address import Address
from clustcmp.settings import TwoSettings
from tests.files import run_clustcmp
from tests.machines.farm import Farm, send_everything

METRICS = ("-m", "pair_counting", "-m", "information", "-m", "set_matching", "-f", "json")


def write_parts(folder: Path, numbers: bool = False, **changed: Any) -> str:
    """A folder of parts, of which some lack clusters that others have; ids may be numbers."""
    random = np.random.default_rng(5)
    folder.mkdir()
    for part, size in enumerate([40, 1, 77, 30]):
        old = random.integers(part, part + 9, size)
        new = np.where(random.random(size) < 0.3, random.integers(0, 12, size), old)
        ids = [1000 * part + at if numbers else f"p{part}-{at}" for at in range(size)]
        name = "row" if "row" in changed else "id"
        labels = [f"c{one}" for one in new]
        if part == 2:
            labels[3] = changed.get("new", labels[3])
        table = pd.DataFrame({name: ids, "old": old, "new": labels})
        table.to_parquet(folder / f"part-{part}.parquet", index=False)
    return str(folder)


@pytest.mark.parametrize("numbers", [True, False], ids=["numbers", "texts"])
def test_workers_count_parts_with_the_same_bytes(
    numbers: bool,
    farm: Farm,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = write_parts(tmp_path / "parts", numbers)
    command = ("compare", f"{path}::old", f"{path}::new", *METRICS)
    here = run_clustcmp(capsys, *command)
    sent = send_everything(monkeypatch)
    monkeypatch.setattr("clustcmp.analyses.compare.Preparer", None)
    there = run_clustcmp(capsys, *command, "--scheduler", farm.address)
    assert (there.stdout, there.stderr, there.status) == (here.stdout, here.stderr, 0)
    assert sent == [3]


@pytest.mark.parametrize(
    ("changed", "flags"),
    [({"new": "-1"}, ()), ({"row": ""}, ()), ({}, ("--noise", "c3"))],
    ids=["a label like noise", "no column id", "noise"],
)
def test_what_is_not_plain_is_read_here(
    changed: dict[str, Any],
    flags: tuple[str, ...],
    farm: Farm,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = write_parts(tmp_path / "parts", **changed)
    command = ("compare", f"{path}::old", f"{path}::new", *flags, "-m", "ari", "-m", "nmi")
    here = run_clustcmp(capsys, *command)
    send_everything(monkeypatch)
    there = run_clustcmp(capsys, *command, "--scheduler", farm.address)
    assert here.status == 0
    assert there == here


def test_clusters_and_cells_have_the_order_of_the_whole(tmp_path: Path) -> None:
    path = write_parts(tmp_path / "parts")
    a, b = f"{path}::old", f"{path}::new"
    whole = prepare(a, b, complete(TwoSettings, {}))
    parts = [folders.Part(str(one), one.stat().st_size) for one in Path(path).iterdir()]
    counted = [folders.count_part(("::old", "::new"), {}, one) for one in parts]
    addresses = Address.of_clustering(a), Address.of_clustering(b)
    found = folders.add_up([one for one in counted if one], addresses)
    assert len(counted) == 4
    assert found.sides == whole.sides
    for one, other in ((found.a, whole.a), (found.b, whole.b)):
        assert one.names.tolist() == other.names.tolist()
        assert one.membership.masses.tolist() == other.membership.masses.tolist()
    for key in ("rows", "columns", "masses"):
        mine, others = getattr(found.contingency, key), getattr(whole.contingency, key)
        assert mine.tolist() == others.tolist(), key


def test_a_worker_that_does_not_see_the_folder_is_an_error(tmp_path: Path) -> None:
    path = write_parts(tmp_path / "parts") + "/part-0.parquet"
    with pytest.raises(InputError, match="a worker has no such file, or another one") as caught:
        folders.count_part(("::old", "::new"), {}, folders.Part(path, 3))
    assert "under the same path" in caught.value.hint
