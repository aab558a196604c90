"""A report in a few lines: at Python's prompt, and in notebooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import clustcmp
from clustcmp.metrics import METRICS
from clustcmp.notes import Note
from clustcmp.results import Reported
from tests.conftest import variants
from tests.files import write
from tests.test_reports import REPORTS

A, B, C = [1, 1, 2, 2], [1, 1, 2, 3], [1, 2, 2, 2]

LONG = "x\x1b[31m<script>alert(1)</script>\n" + 300 * "y"


def random_labels(n_clusterings: int, n_points: int = 60) -> list[list[int]]:
    """Labels without any order."""
    random = np.random.default_rng(7)
    labels: list[list[int]] = random.integers(0, 9, (n_clusterings, n_points)).tolist()
    return labels


def many_clusters(n_clusters: int) -> tuple[list[str], list[str]]:
    """Clusters of two points with long names, each of which gives one point to the next cluster."""
    names = [f"{LONG}{position}" for position in range(n_clusters)]
    ends = zip(names, [*names[1:], names[0]], strict=True)
    return [name for name in names for _ in "ab"], [name for both in ends for name in both]


def many_bounds() -> clustcmp.Verdict:
    """A verdict with a bound on all metrics in all variants, some of which warn."""
    specs = [spec for name in METRICS for spec in variants(METRICS[name]) if "nmi" in spec]
    specs += [metric.name for metric in METRICS.families["pair_counting"].metrics.values()]
    return clustcmp.gate(A, B, warn_min=dict.fromkeys(specs, 0.9))


LARGE: dict[str, Callable[[], Reported]] = {
    "compare": lambda: clustcmp.compare(
        A, B, [spec for metric in METRICS for spec in variants(METRICS[metric])][:60]
    ),
    "changes": lambda: clustcmp.changes(*many_clusters(2_000)),
    "changes in space": lambda: clustcmp.changes(
        *many_clusters(50), coordinates=np.arange(100.0)[:, None]
    ),
    "matrix": lambda: clustcmp.matrix(random_labels(200), "ari"),
    "matrix of many metrics": lambda: clustcmp.matrix(random_labels(9), "pair_counting"),
    "long names": lambda: clustcmp.matrix({LONG: A, LONG + "2": B}, ["ari", "nmi"]),
    "ranking": lambda: clustcmp.matrix(
        {f"{LONG}{i}": labels for i, labels in enumerate(random_labels(50))},
        "pair_counting",
        reference=random_labels(1)[0],
    ),
    "track": lambda: clustcmp.track(random_labels(90), "pair_counting", min={"ari": 0.9}),
    "gate": many_bounds,
    "notes": lambda: clustcmp.matrix([[-1, *labels] for labels in random_labels(40)], "all"),
}


@pytest.fixture(params=[*LARGE, *(f"small {name}" for name in REPORTS)])
def report(request: pytest.FixtureRequest) -> Reported:
    """Reports that are large in one way or another, and small ones."""
    name = request.param
    return LARGE[name]() if name in LARGE else REPORTS[name.removeprefix("small ")]()


def test_a_report_has_at_most_twelve_short_lines(report: Reported) -> None:
    lines = repr(report).split("\n")
    assert 2 <= len(lines) <= 12
    assert max(map(len, lines)) <= 100
    assert all(line.isprintable() and line.strip() for line in lines)


class Elements(HTMLParser):
    """The elements of some HTML, which must be closed in the right order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.rows: list[list[tuple[str, str]]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.seen.append(tag)
        if tag != "br":
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append((str(dict(attributes)["style"]), ""))

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text within an element."""
        if self._open[-1] in ("td", "th"):
            self.rows[-1][-1] = (self.rows[-1][-1][0], data)


def test_a_notebook_shows_a_small_table_without_scripts(report: Reported) -> None:
    shown = report._repr_html_()
    found = Elements(shown)
    assert len(shown) < 16_000
    allowed = {"div", "p", "strong", "br", "table", "thead", "tbody", "tr", "th", "td"}
    assert set(found.seen) <= allowed
    assert found.seen.count("table") == 1
    assert len(found.rows) <= 24
    assert len({len(row) for row in found.rows}) == 1


def test_a_notebook_has_numbers_on_the_right_and_names_on_the_left() -> None:
    found = Elements(clustcmp.matrix({"old": A, "new": B}, "ari")._repr_html_())
    styles = [[style for style, _ in row] for row in found.rows]
    assert styles == [["text-align: left", "text-align: right", "text-align: right"]] * 3
    # The Rand index counts 5 of 6 pairs; 1 + 4 pairs agree where chance gives 11/3.
    assert [[text for _, text in row] for row in found.rows] == [
        ["adjusted_rand", "old", "new"],
        ["old", "1.000000", "0.571429"],
        ["new", "0.571429", "1.000000"],
    ]


def test_a_comparison_is_its_inputs_and_its_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write("old.txt", "1\n1\n2\n2\n")
    assert repr(clustcmp.compare("old.txt", B, ["ari", "pair_recall"])) == (
        "compare: old.txt and b, 4 points, 2 and 3 clusters\n"
        "  adjusted_rand  0.571429\n"
        "  pair_recall    0.500000\n"
        "note: old.txt: no id column, so rows are compared by position"
    )


def test_soft_clusterings_are_called_soft() -> None:
    degrees = np.array([[1.0, 0.0], [0.75, 0.25], [0.0, 1.0]])
    heads = [repr(clustcmp.compare(a, degrees, "cc")).splitlines()[0] for a in ([1, 1, 2], degrees)]
    assert heads == [
        "compare: a and b, 3 points, 2 clusters, hard and soft",
        "compare: a and b, 3 points, 2 clusters, soft",
    ]


def test_what_is_left_out_is_counted() -> None:
    lines = repr(clustcmp.compare(A, B, "all")).splitlines()
    n_metrics = len(clustcmp.compare(A, B, "all"))
    assert len(lines) == 12
    assert lines[-1] == f"  and {n_metrics - 10} more metrics: to_text() shows all"


def test_the_first_note_is_shown_and_the_others_are_counted() -> None:
    one = clustcmp.compare([1, 1, -1], [1, 2, 3])
    assert repr(one).splitlines()[-1] == f"note: {one.notes[0]}"
    two = replace(one, notes=(Note("no id column", "a"), Note("rounded", "b")))
    assert repr(two).splitlines()[-1] == "2 notes, the first: a: no id column"
    assert two._repr_html_().count("note: ") == 2


def test_changes_are_the_sums_and_what_changed_most() -> None:
    assert repr(clustcmp.changes(list("aabb"), list("xxxz"))) == (
        "changes: a → b, 4 points, 2 clusters\n"
        "1 of 4 points moved (25 %)\n"
        "clusters of a: 2 changed\n"
        "  cluster  match  kind     points  left  joined\n"
        "  a        x      changed       2     0       1\n"
        "  b        z      changed       2     1       0"
    )
    assert repr(clustcmp.changes(A, A)).splitlines()[1:] == [
        "0 of 4 points moved (0 %)",
        "clusters of a: 2 same",
    ]


def test_a_matrix_of_many_clusterings_is_a_line_for_each_metric() -> None:
    # Nine times A and B, which agree in 5 of 6 pairs: 81 of 153 comparisons are of A with B.
    report = clustcmp.matrix([A, B] * 9, "rand")
    (row,) = repr(report).splitlines()[2:]
    assert row.split()[:4] == ["rand", "0.833333", "0.833333", "1.000000"]


def test_a_matrix_with_a_reference_lists_the_closest_first() -> None:
    lines = repr(clustcmp.matrix({"c": C, "b": B}, ["rand", "ari"], reference=A)).splitlines()
    assert lines[0] == "matrix: 2 clusterings of 4 points, compared with reference"
    assert lines[1].split() == ["rand", "adjusted_rand"]
    # B splits one of six pairs. C breaks one pair of A and puts two others together.
    assert [line.split()[:2] for line in lines[2:]] == [["b", "0.833333"], ["c", "0.500000"]]


def test_a_track_has_its_steps_or_the_ends_of_its_values() -> None:
    steps = repr(clustcmp.track([A, B, A], "rand", max={"rand": 0.9})).splitlines()
    assert steps[0] == "track: 3 windows of 4 points"
    assert "verdict: pass" in steps
    assert "  W1 → W2  0.833333" in steps
    *_, head, row = repr(clustcmp.track([A] * 20 + [B], "rand", life_lines=False)).splitlines()
    assert head.split() == ["first", "lowest", "highest", "last"]
    assert row.split() == ["rand", "1.000000", "0.833333", "1.000000", "0.833333"]


def test_a_verdict_is_its_outcome_and_its_bounds() -> None:
    assert repr(clustcmp.gate(A, B, min={"rand": 0.8})) == (
        "gate: pass, 1 bound kept\n"
        "a and b, 4 points, 2 and 3 clusters\n"
        "  pass  rand ≥ 0.8  0.833333  0.033333 to spare"
    )
