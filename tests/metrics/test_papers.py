"""The table of `make papers`: verdicts follow from numbers, and the expected ones come out."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from examples.papers import __main__ as command
from examples.papers import coen, lecture, zhou
from examples.papers.plot import HEIGHT, WIDTH, Curve, draw
from examples.papers.points import reassign
from examples.papers.rows import Evidence, Outcome, Paper, Row, Verdict, judge, value

# Rows that clustcmp computes and does not reproduce: mistakes, misprints, claims with a
# counterexample, and an order that depends on the layout.
REFUTED = {
    ("Zhou 2005", "CSS(L_ac) / CSS(L_ab)"),
    ("Zhou 2005", "VI/(log K + log J): Uni-Label"),
    ("Zhou 2005", "Rand: Uni-Label"),
    ("Zhou 2005", "CSS/100: Uni-Label, k-means"),
    ("Zhou 2005", "CSS: triangle inequality"),
    ("Bae 2006", "Rand of 1(a) v 1(b) or 1(c)"),
    ("Bae 2006", "ADCO is 0 only for equal clusterings"),
    ("Bae 2006", "ADCO: triangle inequality"),
    ("Coen 2010", "linear in the turn, K = 3, 5 arcs"),
    ("Coen 2010", "example 1, ADCO: modification 1, 2"),
    ("Zaki, Meira", "F on the first slide"),
    ("Zaki, Meira", "n on the first slide"),
}


@cache
def outcome(row: Row) -> Outcome:
    """What clustcmp finds for a row, computed once."""
    return row.find()


def name(row: Row) -> str:
    """The name of a row in the output of pytest."""
    return f"{row.paper}, {row.where}, {row.what}"


every_row = pytest.mark.parametrize("row", command.ROWS, ids=name)


def numbers_with(verdict: Verdict) -> list[tuple[Row, Outcome]]:
    """The rows with numbers that got this verdict; there must be at least one."""
    found = [(row, outcome(row)) for row in command.ROWS if row.numbers]
    chosen = [(row, ours) for row, ours in found if ours.verdict is verdict]
    assert chosen
    return chosen


@every_row
def test_exactly_the_known_mistakes_and_false_claims_are_not_reproduced(row: Row) -> None:
    found = outcome(row)
    failed = found.verdict is Verdict.failed and found.ours != "-"
    assert failed == ((row.paper, row.what) in REFUTED), found


def test_each_known_mistake_and_false_claim_is_a_row() -> None:
    assert {(row.paper, row.what) for row in command.ROWS} >= REFUTED


@every_row
def test_rows_that_are_not_reproduced_have_a_reason(row: Row) -> None:
    found = outcome(row)
    assert found.verdict is Verdict.reproduced or found.reason


def test_reproduced_is_the_printed_number_to_its_digits() -> None:
    for row, found in numbers_with(Verdict.reproduced):
        for printed, ours in zip(row.numbers, found.numbers, strict=True):
            decimals = len(printed.partition(".")[2])
            cut = math.floor(ours * 10**decimals) / 10**decimals
            expected = cut if "cut" in found.reason else round(ours, decimals)
            assert f"{expected:.{decimals}f}" == printed, name(row)
            assert decimals or ours == pytest.approx(float(printed), abs=1e-9), name(row)


def test_ordering_only_is_the_printed_order() -> None:
    for row, found in numbers_with(Verdict.ordering):
        one, other = map(float, row.numbers)
        ours, our_other = found.numbers
        if one == other:
            assert ours == pytest.approx(our_other, abs=1e-9), name(row)
        else:
            assert (one < other) == (ours < our_other), name(row)


@pytest.mark.parametrize(
    ("printed", "ours", "reason", "verdict"),
    [
        (["0.887"], [0.88667], "", Verdict.reproduced),
        (["0.887"], [0.8881], "", Verdict.failed),
        (["1.200"], [1.2009], "", Verdict.reproduced),
        (["1.200"], [1.1994], "", Verdict.failed),
        (["110"], [110.0], "", Verdict.reproduced),
        (["0"], [0.3], "", Verdict.failed),
        (["0.16", "0.47"], [0.1, 0.2], "made up", Verdict.ordering),
        (["0.16", "0.47"], [0.1, 0.2], "", Verdict.failed),
        (["0.16", "0.47"], [0.2, 0.1], "made up", Verdict.failed),
        (["0.16", "0.47"], [0.2, 0.2], "made up", Verdict.failed),
        (["0.20", "0.20"], [0.3, 0.3], "sizes", Verdict.ordering),
        (["0.20", "0.20"], [0.3, 0.4], "sizes", Verdict.failed),
        (["0.44"], [0.83], "slip", Verdict.failed),
    ],
)
def test_the_verdict_follows_from_the_numbers(
    printed: list[str], ours: list[float], reason: str, verdict: Verdict
) -> None:
    assert judge(printed, ours, reason)[0] is verdict


@pytest.mark.parametrize(("holds", "verdict"), [(True, "reproduced"), (False, "not reproducible")])
def test_a_claim_is_reproduced_only_if_it_holds(holds: bool, verdict: str) -> None:
    paper = Paper("paper")
    paper.claim("here", "a claim", "holds")(lambda: Evidence(holds, "shown"))
    assert paper.rows[0].find().verdict == verdict


@pytest.mark.parametrize(
    ("one_in", "verdict"), [(1, "not reproducible"), (3, "not reproducible"), (4, "ordering only")]
)
def test_an_order_must_come_out_in_most_layouts(one_in: int, verdict: str) -> None:
    paper = Paper("paper")
    paper.layout("here", "two numbers", "0.1 0.3")(
        lambda draw: (0.2, 0.1) if draw % one_in == 0 else (0.2, 0.9)
    )
    assert paper.rows[0].find().verdict == verdict


def test_the_order_by_cdistance_comes_out_in_all_layouts() -> None:
    rows = [row for row in coen.coen.rows if row.what.startswith("example") and row.numbers]
    reasons = [outcome(row).reason for row in rows if "CDistance" in row.what]
    assert len(reasons) == 4
    assert all("in 20 of 20" in reason for reason in reasons)


def test_figure_2_rises_from_0_to_1() -> None:
    found = coen.figure_2().y
    assert found[0] == pytest.approx(0.0, abs=1e-9)
    assert (np.diff(found) > 0.0).all()
    assert 0.99 < found[-1] < 1.0


def test_figure_5_is_linear_up_to_the_middle_between_arcs_and_back() -> None:
    curve = coen.figure_5()
    back_to_next = np.minimum(curve.x % 90.0, 90.0 - curve.x % 90.0)
    np.testing.assert_allclose(curve.y, back_to_next / 90.0, atol=1e-9)


def test_figure_6_adco_jumps_and_cdistance_does_not() -> None:
    adco, cdistance = (np.abs(np.diff(curve.y)) for curve in coen.rise(192))
    assert adco.max() > 0.02
    assert (adco == 0.0).mean() > 0.5
    assert cdistance.max() < 0.002
    assert (cdistance > 0.0).all()


def test_small_moves_stay_in_their_bins_or_leave_them() -> None:
    for number in range(5):
        within, across = coen.of_small_moves("adco", number)
        assert within == 0.0 < across
        first, second = coen.of_small_moves("cdistance", number)
        assert 0.0 < first < second < 1.5 * first


@pytest.mark.parametrize(
    ("metric", "n_moved", "printed"),
    [("variation_of_information:normalize=log_kj", 123, 0.202), ("rand", 127, 0.881)],
)
def test_zhou_moved_fewer_points_than_a_third(metric: str, n_moved: int, printed: float) -> None:
    _, codes = zhou.first_set()
    moved = reassign(codes, np.arange(n_moved), 1)
    assert round(value(metric, codes, moved), 3) == printed


def test_css_of_the_far_move_is_about_twice_that_of_the_near_one() -> None:
    near, far = zhou.of_moves("css")
    assert far / near == pytest.approx(2.0, rel=0.05)


def test_the_values_of_the_lecture_follow_from_its_formulas() -> None:
    worked_out = {row.what: float(row.numbers[0]) for row in lecture.lecture.rows if row.numbers}
    truth, found = (groups(codes) for codes in (lecture.ACTUAL, lecture.PREDICTED))
    together_in_truth, together_in_found = pairs(truth), pairs(found)
    all_pairs = set(combinations(range(9), 2))
    agreed = len(together_in_truth & together_in_found)
    agreed += len(all_pairs - together_in_truth - together_in_found)
    homogeneity = 1 - conditional(truth, found) / conditional(truth, [set(range(9))])
    completeness = 1 - conditional(found, truth) / conditional(found, [set(range(9))])
    expected = {
        "Rand": agreed / len(all_pairs),
        "mutual information": conditional(truth, [set(range(9))]) - conditional(truth, found),
        "homogeneity": homogeneity,
        "completeness": completeness,
        "V": 2 * homogeneity * completeness / (homogeneity + completeness),
        "VI, as H(G|C) + H(C|G)": conditional(truth, found) + conditional(found, truth),
    }
    assert {what: worked_out[what] for what in expected} == pytest.approx(expected, abs=1e-6)


def groups(codes: list[int]) -> list[set[int]]:
    """The sets of points that share a code."""
    return [{point for point in range(len(codes)) if codes[point] == code} for code in set(codes)]


def pairs(sets: list[set[int]]) -> set[tuple[int, int]]:
    """The pairs of points in the same set."""
    return {pair for members in sets for pair in combinations(sorted(members), 2)}


def conditional(sets: list[set[int]], given: list[set[int]]) -> float:
    """The entropy of the sets given others; given one set of all points, their entropy."""
    return -sum(
        len(one & other) / 9 * math.log(len(one & other) / len(other))
        for one in sets
        for other in given
        if one & other
    )


def test_a_plot_has_the_curve_between_its_axes() -> None:
    lines = draw(Curve("rising", np.array([0.0, 10.0]), np.array([0.0, 1.0])))
    assert lines[0] == "rising"
    assert len(lines) == HEIGHT + 3
    assert lines[1].startswith("    1 |  ")
    assert len(lines[1]) == WIDTH + 7
    assert lines[HEIGHT].startswith("    0 |")
    assert len(lines[HEIGHT]) < WIDTH / 2
    assert lines[-1].split() == ["0", "10"]


def test_the_command_prints_the_rows_the_count_and_the_curves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "ROWS", [row for row in command.ROWS if row.paper == "lecture"])
    command.main()
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].split() == [
        "paper", "where", "what", "printed", "ours", "verdict",
    ]  # fmt: skip
    assert "0.2636364" in printed
    assert "7 reproduced" in printed
    for curve in coen.curves():
        assert curve.title in printed
