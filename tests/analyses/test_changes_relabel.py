"""Which clusters of b get the name of their match, and what those are called that do not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustcmp
from clustcmp.errors import UsageError
from tests.files import run_clustcmp, write


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def relabelled(a: list[Any], b: list[Any], **settings: Any) -> list[Any]:
    """The labels of b with the names of a."""
    labels: list[Any] = clustcmp.changes(a, b, **settings).relabelled["label"].tolist()
    return labels


def test_a_match_gives_its_name_if_it_holds_more_than_half_of_one_cluster() -> None:
    # x and p share half of x and all of p; y and q share all of y and half of q.
    assert relabelled(list("xxxx"), list("pprs")) == ["x", "x", "r", "s"]
    assert relabelled(list("yyvw"), list("qqqq")) == ["y"] * 4


def test_a_match_that_holds_half_of_both_does_not_give_its_name() -> None:
    # x and p share 1 of 2 and 1 of 2 points, as do y and q.
    a, b = ["x", "x", "y", "y"], ["p", "q", "p", "q"]
    assert relabelled(a, b) == b
    taken = relabelled(a, b, relabel_share=0.49)
    assert sorted(set(taken)) == ["x", "y"]


@pytest.mark.parametrize("share", [0.25, "25%", "0.25"])
def test_the_share_that_a_match_must_hold_more_of_can_be_set(share: Any) -> None:
    # x is scattered: 1 of 4 points in each of four clusters of 4.
    a = ["x", "y", "z", "w"] * 4
    b = ["p"] * 4 + ["q"] * 4 + ["r"] * 4 + ["s"] * 4
    assert relabelled(a, b, relabel_share=share) == b
    assert set(relabelled(a, b, relabel_share="24%")) == {"x", "y", "z", "w"}


@pytest.mark.parametrize("share", ["half", 1.5, "1", -0.1])
def test_what_is_not_a_share_is_refused(share: Any) -> None:
    with pytest.raises(UsageError, match="relabel_share="):
        clustcmp.changes(["x"], ["p"], relabel_share=share)


def test_a_cluster_without_a_good_match_never_takes_a_name_that_was_taken_over() -> None:
    # a's 1 becomes b's 2 with all points; b's 1 has 1 of 3 points of a's 2, 3 and 4 each.
    a = ["1"] * 3 + ["2", "2", "2", "3", "3", "3", "4", "4", "4"]
    b = ["2"] * 3 + ["1", "5", "6", "1", "5", "6", "1", "5", "6"]
    assert relabelled(a, b) == ["1"] * 3 + ["1 (new)", "5", "6"] * 3


def test_a_cluster_keeps_its_name_if_its_weak_match_has_the_same() -> None:
    a, b = ["x", "x", "y", "y"], ["x", "y", "x", "y"]
    assert relabelled(a, b) == b


def test_a_note_says_how_many_clusters_do_not_get_the_name_of_their_match(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.csv", "id,label\n1,x\n2,x\n3,y\n4,y\n")
    write("b.csv", "id,label\n1,p\n2,q\n3,p\n4,q\n")
    arguments = ("changes", "a.csv", "b.csv", "--relabel", "new.csv")
    outcome = run_clustcmp(capsys, *arguments)
    assert Path("new.csv").read_text() == Path("b.csv").read_text()
    assert (
        "relabelled: 2 clusters of b do not get the name of their matches, which hold no more than "
        "0.5 of either cluster; --relabel-share sets this share"
    ) in outcome.stderr
    assert "relabelled" not in run_clustcmp(capsys, *arguments, "--relabel-share", "0").stderr
    assert "x" in Path("new.csv").read_text()


def test_a_share_without_a_file_to_write_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.csv", "id,label\n1,x\n2,y\n")
    outcome = run_clustcmp(capsys, "changes", "a.csv", "a.csv", "--relabel-share", "0.3")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert os.listdir() == ["a.csv"]


labels = st.integers(1, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.sampled_from("wxyz"), min_size=n, max_size=n)] * 2)
)


@given(labels, st.sampled_from([0.0, 0.3, 0.5, 0.9]))
def test_names_tell_clusters_apart_and_those_of_a_are_names_of_good_matches(
    both: tuple[list[str], list[str]], share: float
) -> None:
    a, b = both
    report = clustcmp.changes(a, b, relabel_share=share)
    new = report.relabelled["label"].tolist()
    assert clustcmp.compare(b, new, "ari")["ari"] == 1.0
    matches = {match: name for name, match in report.matches.items()}
    for old, name in set(zip(b, new, strict=True)):
        if name not in a:
            continue
        # The name of a is that of the match; b's own name stays if the match has the same.
        assert matches[old] == name
        shared = np.array(a) == name, np.array(b) == old
        both_have = (shared[0] & shared[1]).sum()
        is_good = any(both_have > share * one.sum() for one in shared)
        assert is_good or old == name
