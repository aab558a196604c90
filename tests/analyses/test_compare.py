"""clustcmp.compare takes what Python has, and gives what the command gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clustcmp

A = ["x", "x", "y", "y", "z"]
B = [1, 1, 1, 2, 2]
EXPECTED = 1 / 11  # by hand: TP 1, FN 1, FP 3, TN 5, so 2 (5 - 3) / (2 * 6 + 4 * 8)


def ari(a: Any, b: Any, **options: Any) -> Any:
    """The adjusted Rand index."""
    return clustcmp.compare(a, b, metrics=["ari"], **options)["ari"]


@pytest.mark.parametrize(
    "a",
    [
        A,
        tuple(A),
        iter(A),
        np.array(A),
        np.array(A, dtype=object),
        np.array([7, 7, -3, -3, 10**12]),
        np.array([0, 0, 1, 1, 2], dtype=np.uint8),
        np.array([0.5, 0.5, 1.5, 1.5, 2.5]),
        pd.Series(A),
        pd.Series(A, dtype="category"),
        pd.Series(A, dtype="string"),
        np.eye(3)[[0, 0, 1, 1, 2]],
        pd.DataFrame(np.eye(3)[[0, 0, 1, 1, 2]]),
        [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]],
        [True, True, None, None, "z"],
    ],
    ids=lambda a: type(a).__name__,
)
def test_every_kind_of_object_gives_the_same_value(a: Any) -> None:
    assert ari(a, B, missing="noise") == pytest.approx(EXPECTED)


def test_pandas_objects_are_joined_by_their_index() -> None:
    a = pd.Series(A, index=list("pqrst"))
    b = pd.Series(B, index=list("pqrst"))
    assert ari(a, b.sample(frac=1.0, random_state=1)) == pytest.approx(EXPECTED)


def test_a_default_index_is_an_index_too() -> None:
    a, b = pd.Series(A), pd.Series(B)
    assert ari(a, b.sample(frac=1.0, random_state=3)) == pytest.approx(EXPECTED)


def test_equal_indexes_with_repeated_entries_go_by_position() -> None:
    index = ["same"] * 5
    assert ari(pd.Series(A, index=index), pd.Series(B, index=index)) == pytest.approx(EXPECTED)


def test_repeated_entries_in_different_indexes_are_an_error() -> None:
    with pytest.raises(clustcmp.InputError, match="'p' is listed twice"):
        ari(pd.Series(A, index=list("ppqrs")), pd.Series(B, index=list("pqrst")))


def test_different_indexes_need_a_decision() -> None:
    a, b = pd.Series(A, index=list("pqrst")), pd.Series(B, index=list("qrstu"))
    with pytest.raises(clustcmp.InputError, match="do not have the same points"):
        ari(a, b)
    report = clustcmp.compare(a, b, points="intersect")
    assert (report.coverage.shared, report.coverage.only_a, report.coverage.only_b) == (4, 1, 1)


def test_noise_labels_may_be_given_as_they_are() -> None:
    report = clustcmp.compare([-1, 0, 0, 1], [0, 0, 1, 1], noise=[-1], noise_policy="drop")
    assert [side.points for side in report.inputs] == [3, 3]


def test_missing_labels_are_named_by_their_position() -> None:
    with pytest.raises(clustcmp.InputError, match="a: position 2: the label is empty"):
        ari(["x", None, "y"], [1, 2, 3])


def test_lengths_must_agree() -> None:
    with pytest.raises(clustcmp.InputError, match="a has 3 rows and b has 2"):
        ari([1, 2, 3], [1, 2])


@pytest.mark.parametrize("empty", [[], np.array([]), pd.Series([], dtype=object)], ids=str)
def test_an_empty_clustering_is_an_error(empty: Any) -> None:
    with pytest.raises(clustcmp.InputError, match="no points"):
        ari(empty, empty)


@pytest.mark.parametrize(
    ("degrees", "words"),
    [
        ([[0.5, 0.6], [0.5, 0.5]], "sum to 1.1"),
        ([[-0.5, 1.5], [0.5, 0.5]], "negative"),
        ([[float("nan"), 1.0], [0.5, 0.5]], "not a finite number"),
        ([[0.5, 0.5], [0.5]], "equally long"),
        (np.zeros((2, 2, 2)), "is not a clustering"),
    ],
)
def test_wrong_degrees_are_errors(degrees: Any, words: str) -> None:
    with pytest.raises(clustcmp.InputError, match=words):
        ari(degrees, [0, 1])


def test_normalize_divides_rows_by_their_sum() -> None:
    assert ari([[2, 0], [0, 5]], [0, 1], normalize=True) == 1.0


@pytest.mark.parametrize("option", ["points", "missing", "noise_policy"])
def test_wrong_words_are_errors(option: str) -> None:
    with pytest.raises(clustcmp.UsageError, match=f"{option}='wrong'"):
        ari(A, B, **{option: "wrong"})


def test_wrong_metrics_are_found_before_any_work() -> None:
    with pytest.raises(clustcmp.UsageError, match="did you mean 'ari'"):
        clustcmp.compare(A, B, metrics=["arii"])


def test_a_report_is_a_sequence_of_results() -> None:
    report = clustcmp.compare(A, B, metrics=["ari", "nmi:average=min"])
    assert len(report) == 2
    assert report[0] is report.results[0]
    assert [result.name for result in report] == ["adjusted_rand", "nmi"]
    assert report["nmi:average=min"] == report[1].value
    with pytest.raises(KeyError):
        report["vi"]


def test_a_report_becomes_a_data_frame() -> None:
    frame = clustcmp.compare(A, B, metrics=["ari", "mirkin"]).to_frame()
    assert frame.loc["adjusted_rand", "value"] == pytest.approx(EXPECTED)
    assert list(frame["status"]) == ["ok", "ok"]


def test_files_and_objects_may_be_mixed(tmp_path: Path) -> None:
    path = tmp_path / "labels.txt"
    path.write_text("\n".join(A), encoding="utf-8")
    clustering = clustcmp.read_clustering(str(path))
    assert ari(path, B) == ari(clustering, B) == pytest.approx(EXPECTED)


def test_one_metric_may_be_given_without_a_list() -> None:
    assert clustcmp.compare(A, B, metrics="ari")["ari"] == pytest.approx(EXPECTED)


def test_everything_public_is_there() -> None:
    assert all(getattr(clustcmp, name) is not None for name in clustcmp.__all__)
    with pytest.raises(AttributeError):
        clustcmp.nothing  # noqa: B018


@pytest.mark.parametrize("noise", ["-1", -1, [-1], ["-1"]])
def test_noise_may_be_one_label_or_several(noise: Any) -> None:
    a = pd.Series([-1.0, 0.0, None, 1.0])
    report = clustcmp.compare(
        a, [0, 0, 1, 1], noise=noise, noise_policy="drop", missing="drop", metrics="ari"
    )
    assert report.inputs[0].points == 2


def test_noise_that_is_not_there_gets_a_note() -> None:
    notes = clustcmp.compare(A, B, noise="typo").notes
    assert any("'typo'" in note for note in notes)


def test_a_label_minus_one_gets_a_note() -> None:
    assert any("noise=-1" in note for note in clustcmp.compare([-1, 0, 1], [0, 0, 1]).notes)


def test_a_mapping_goes_from_ids_to_labels() -> None:
    a = dict(zip("pqrst", A, strict=True))
    b = dict(zip("tsrqp", reversed(B), strict=True))
    assert ari(a, b) == pytest.approx(EXPECTED)


def test_masked_labels_are_missing() -> None:
    masked = np.ma.array([1, 1, 2], mask=[False, True, False])
    with pytest.raises(clustcmp.InputError, match="position 2"):
        ari(masked, [1, 2, 3])


@pytest.mark.parametrize(
    "wrong", [{1, 2}, b"ab", 5, None, np.array(3), [{}, {}], np.ones((2, 2)) * 1j], ids=str
)
def test_an_object_that_is_not_a_clustering_is_refused(wrong: Any) -> None:
    with pytest.raises(clustcmp.InputError, match="is not a clustering"):
        ari(wrong, [0, 1])


@pytest.mark.parametrize(
    "degrees",
    [
        pd.get_dummies(pd.Series(["x", "y"])),
        pd.DataFrame({"x": [1.0, 0.0], "y": [0.0, 1.0]}).astype("Float64"),
        np.array([[True, False], [False, True]]),
    ],
    ids=["dummies", "nullable", "bool"],
)
def test_degrees_come_in_many_forms(degrees: Any) -> None:
    assert ari(degrees, [0, 1]) == 1.0


def test_large_unsigned_labels_are_labels() -> None:
    assert ari(np.array([2**64 - 1, 2**64 - 1, 2**63], dtype=np.uint64), [0, 0, 1]) == 1.0


def test_no_metric_at_all_is_an_error() -> None:
    with pytest.raises(clustcmp.UsageError, match="no metric"):
        clustcmp.compare(A, B, metrics=[])


def test_a_report_says_whether_it_contains_a_metric() -> None:
    report: Any = clustcmp.compare(A, B, metrics="pair_counting")
    assert "ari" in report
    assert "vi" not in report
    assert report[0] in report
    for word in ("pair_counting", "all", "nonsense"):
        with pytest.raises(KeyError):
            report[word]


def test_rounding_errors_of_soft_masses_do_not_count_as_pairs() -> None:
    names = ["rand", "jaccard", "adjusted_rand", "hubert_gamma"]
    former = [f"{name}:soft=expected" for name in names]
    report = clustcmp.compare([(0.1, 0.1, 0.8)], [(0.3, 0.3, 0.4)], metrics=[*names, *former])
    # A single point has no pairs, on which a and b could differ.
    assert [report[name] for name in names] == [1.0] * 4
    assert report["rand:soft=expected"] == 1.0
    counts = {"tp": 0, "fn": 0, "fp": 0, "tn": 0}
    assert report.result("rand:soft=expected").details == counts
    assert report.result("jaccard:soft=expected").status == "undefined"


def test_no_metric_returns_minus_zero() -> None:
    report = clustcmp.compare(list("abbb"), list("abcc"), metrics="all")
    assert not [r.metric for r in report if r.value == 0.0 and str(r.value) == "-0.0"]


def test_values_within_rounding_of_an_end_are_the_end() -> None:
    specs = [f"vi:normalize={scale}" for scale in ("log_n", "log_kj", "joint")]
    for n in range(2, 40):
        for result in clustcmp.compare([0] * n, list(range(n)), metrics=specs):
            assert result.value is not None
            assert 0.0 <= result.value <= 1.0
