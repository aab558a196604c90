"""Columns of one file as windows: sweeps over resolutions and the cuts of a tree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clustcmp
from clustcmp.errors import UsageError
from tests.files import run_clustcmp, write

# Eight points, cut into 1, 2, 4, 4 and 8 clusters, which the file has in another order.
CUTS = {
    "eight": "abcdefgh",
    "one": "xxxxxxxx",
    "four": "aabbccdd",
    "again": "ppqqrrss",
    "two": "mmmmnnnn",
}


@pytest.fixture(autouse=True)
def cuts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cuts as columns of a file."""
    monkeypatch.chdir(tmp_path)
    rows = (",".join([f"p{i}", *(one[i] for one in CUTS.values())]) for i in range(8))
    write("cuts.csv", "\n".join([",".join(["id", *CUTS]), *rows, ""]))


def test_columns_are_followed_from_few_clusters_to_many() -> None:
    track = clustcmp.track(["cuts.csv::one,two,four,again,eight"], by="clusters")
    assert [window.clusters for window in track.windows] == [1, 2, 4, 4, 8]
    # Ties keep the order of the file.
    assert [window.file for window in track.windows][2:4] == ["cuts.csv::four", "cuts.csv::again"]
    # Of the pairs of one cluster 12 of 28 are together in the next cut, which is chance: 0; of
    # those of two clusters 4 of 12, by chance 4 of 28: (1/3 - 1/7) / (6/7) = 2/9.
    expected = (0.0, 2 / 9, 1.0, 0.0)
    assert track["adjusted_wallace_ab"] == pytest.approx(expected, abs=1e-12)
    # Of 28 pairs 12, 4, 4 and 0 are together.
    assert track["simpson_b"] == pytest.approx((16 / 28, 24 / 28, 24 / 28, 1.0), abs=1e-12)


def test_other_order_and_metrics_stay_as_they_were() -> None:
    track = clustcmp.track(["cuts.csv::eight,one"], "rand")
    assert [window.clusters for window in track.windows] == [8, 1]
    assert track.stable is None
    assert "stable" not in track.to_dict()


def test_stable_regions_are_the_longest_runs_that_keep_the_value() -> None:
    same, other = [1, 1, 2, 2], [1, 2, 1, 2]
    track = clustcmp.track([same, same, same, other, same, same], "ari", stable=1.0, length=1)
    found = [(one.source, one.target, one.steps) for one in track.stable or ()]
    assert found == [("W1", "W3", 2), ("W5", "W6", 1)]
    long = clustcmp.track([same, same, same, other, same, same], "ari", stable=1.0, length=2)
    assert [one.steps for one in long.stable or ()] == [2]
    by_distance = clustcmp.track([same, same, other], "vi", stable=0.0, length=1)
    assert [(one.target, one.worst) for one in by_distance.stable or ()] == [("W2", 0.0)]


def test_the_command_names_stable_regions(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("track", "cuts.csv::four,again", "--by", "clusters", "--stable", "0.99")
    text = run_clustcmp(capsys, *words, "--length", "1").stdout
    assert "stable region: W1 to W2, 1 step of adjusted_wallace_ab, the worst 1.000000" in text
    assert "no stable region" in run_clustcmp(capsys, *words).stdout
    document = json.loads(run_clustcmp(capsys, *words, "--length", "1", "-f", "json").stdout)
    assert document["stable"] == [
        {
            "bound": 0.99,
            "from": "W1",
            "metric": "adjusted_wallace_ab",
            "steps": 1,
            "to": "W2",
            "worst": 1.0,
        }
    ]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"length": 3}, "length= is about stable regions"),
        ({"stable": 0.9, "lag": 2}, "stable regions are runs of steps"),
        ({"stable": float("nan")}, "stable"),
        ({"by": "size"}, "by"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        clustcmp.track([[1, 1], [1, 2], [1, 1]], **settings)  # type: ignore[arg-type]
