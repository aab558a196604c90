"""Names from other programs, and words that people try, lead to a metric or to a clear error."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

import clustcmp
from clustcmp.errors import UsageError
from clustcmp.known import Known, normal, run_together
from clustcmp.metrics import METRICS
from clustcmp.metrics.known_words import KNOWN_WORDS
from tests.cases import CASES, HERE
from tests.conftest import Labels, label_pairs
from tests.files import run_clustcmp, write

with open(HERE / "metrics" / "known_words.csv", encoding="utf-8", newline="") as file:
    ELSEWHERE = list(csv.DictReader(file))

SKLEARN = {
    name: getattr(sk, name)
    for name in (
        "rand_score",
        "adjusted_rand_score",
        "mutual_info_score",
        "normalized_mutual_info_score",
        "adjusted_mutual_info_score",
        "homogeneity_score",
        "completeness_score",
        "v_measure_score",
        "fowlkes_mallows_score",
    )
}
ACCEPTED = [word for entry in KNOWN_WORDS if entry.is_same for word in entry.words]


def message_of(word: str) -> str:
    """The message of the error for a word that is not accepted."""
    with pytest.raises(UsageError) as error:
        clustcmp.compare(["x", "y"], ["x", "x"], metrics=word)
    assert error.value.hint
    return error.value.message


@pytest.mark.parametrize("row", ELSEWHERE, ids=lambda row: f"{row['word']}-{row['source']}")
def test_names_of_other_programs_give_the_numbers_of_these_programs(row: dict[str, str]) -> None:
    value = clustcmp.compare(list(row["a"]), list(row["b"]), metrics=row["word"])[row["word"]]
    assert value == pytest.approx(float(row["value"]), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", SKLEARN)
@given(labels=label_pairs)
def test_names_of_scikit_learn_give_its_numbers(name: str, labels: tuple[Labels, Labels]) -> None:
    a, b = labels
    if name == "fowlkes_mallows_score" and not sk.pair_confusion_matrix(a, b)[1, 1]:
        # Without a pair that is together in both scikit-learn says 0, also for 0/0.
        return
    theirs = SKLEARN[name](a, b)
    assert clustcmp.compare(a, b, metrics=name)[name] == pytest.approx(theirs, rel=1e-9, abs=1e-9)


def stem_of(word: str) -> str:
    """A word without an ending that does not change its meaning."""
    return re.sub("(score|index|distance|similarity|dice|1)$", "", run_together(word))


def test_every_accepted_word_has_numbers_to_agree_with() -> None:
    shown = [*METRICS.words, *SKLEARN, *(row["word"] for row in ELSEWHERE)]
    known = {form for word in shown for form in (run_together(word), stem_of(word))}
    assert [word for word in ACCEPTED if not {run_together(word), stem_of(word)} & known] == []


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("f1", "f1: pair_f1, bcubed_f1 or f_measure?"),
        ("F-Score", "F-Score: pair_f1, bcubed_f1 or f_measure?"),
        ("fscore", "fscore: pair_f1, bcubed_f1 or f_measure?"),
        ("fmeasure", "fmeasure: f_measure or pair_f1?"),
        ("accuracy", "accuracy: maximum_matching, purity or rand?"),
        (
            "b_cubed_precision",
            "b_cubed_precision: bcubed_precision or bcubed_precision:weight=cluster?",
        ),
        ("cRand", "cRand: adjusted_rand?"),
        ("silhouette", "silhouette: clustcmp has no such metric"),
        ("omega", "omega: clustcmp has no such metric"),
        ("ncr", "ncr: clustcmp has no such metric"),
        ("adjusted_wallace", "adjusted_wallace: adjusted_wallace_ab or adjusted_wallace_ba?"),
        ("pair_sets_index", "pair_sets_index: pair_sets?"),
        ("mf1h", "mf1h: average_f1:mean=harmonic?"),
    ],
)
def test_words_that_are_not_accepted_name_the_candidates(word: str, message: str) -> None:
    assert message_of(word) == message


@pytest.mark.parametrize(
    ("word", "words_of_the_hint"),
    [
        ("silhouette", ["beta_cv", "c_index"]),
        ("onmi", ["nmi", "overlapping clusterings are not supported yet"]),
        ("geometric_accuracy", ["purity"]),
    ],
)
def test_the_hint_names_the_nearest_metrics(word: str, words_of_the_hint: list[str]) -> None:
    with pytest.raises(UsageError) as error:
        METRICS.find(word)
    assert all(part in error.value.hint for part in words_of_the_hint)


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "a.csv", "b.csv", "-m", "f1"),
        ("matrix", "a.csv", "b.csv", "-m", "f1"),
        ("track", "a.csv", "b.csv", "-m", "f1"),
        ("track", "a.csv", "b.csv", "--min", "f1=0.9"),
        ("gate", "a.csv", "b.csv", "--min", "f1=0.9"),
        ("gate", "--config", "gates.toml"),
        ("metrics", "f1"),
    ],
    ids=" ".join,
)
def test_every_command_explains_the_word(
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "b.csv"):
        write(name, "id,label\n1,x\n2,x\n3,y\n")
    write("gates.toml", '[gate]\na = "a.csv"\nb = "b.csv"\nf1 = { min = 0.9 }\n')
    outcome = run_clustcmp(capsys, *arguments)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "f1: pair_f1, bcubed_f1 or f_measure?" in outcome.stderr


def test_accepted_words_work_in_a_configuration_and_take_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.csv", "id,label\n1,x\n2,x\n3,y\n")
    write(
        "gates.toml",
        '[gate]\na = "a.csv"\nb = "a.csv"\nadjusted_rand_score = { min = 0.9 }\n'
        '"normalized_mutual_info_score:average=max" = { min = 0.9 }\n',
    )
    outcome = run_clustcmp(capsys, "gate", "--config", "gates.toml", "-f", "csv")
    assert outcome.status == 0
    assert "adjusted_rand," in outcome.stdout
    assert "nmi:average=max" in outcome.stdout


@given(data=st.data(), word=st.sampled_from([*METRICS, *ACCEPTED]))
def test_case_and_separators_make_no_difference(data: st.DataObject, word: str) -> None:
    letters = [
        data.draw(
            st.sampled_from("-_.") if letter == "_" else st.sampled_from([letter.upper(), letter])
        )
        for letter in word
    ]
    assert METRICS.find("".join(letters)) is METRICS.find(word)


def test_each_word_stands_in_the_table_once_and_is_not_a_name() -> None:
    words = [run_together(word) for entry in KNOWN_WORDS for word in entry.words]
    assert [word for word, count in Counter(words).items() if count > 1] == []
    assert {normal(word) for entry in KNOWN_WORDS for word in entry.words}.isdisjoint(METRICS.words)


def test_the_table_leads_to_metrics_that_exist() -> None:
    for entry in KNOWN_WORDS:
        requests = METRICS.requests(entry.metrics)
        assert [request.spec for request in requests] == list(entry.metrics)
        assert not entry.is_same or len(entry.metrics) == 1


@pytest.mark.parametrize(
    ("word", "write"),
    [
        ("dice", "pair_f1"),
        ("NID", "1 - nmi:average=max"),
        ("nvi", "variation_of_information:normalize=joint"),
        ("CEAF_m", "maximum_matching"),
        ("Theil's U", "homogeneity"),
        ("adjusted_rand_score", "adjusted_rand"),
        ("element_sim", "element_centric"),
        ("hamann", "2 rand - 1"),
        ("Larsen", "average_f1"),
        ("adjusted_rnad", "adjusted_rand"),
    ],
)
def test_a_search_says_what_to_write(
    word: str, write: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_clustcmp(capsys, "metrics", "--like", word, "-f", "json")
    document = json.loads(outcome.stdout)
    assert write in document["like"][0]["write"]
    assert document["like"][0]["metrics"][0] in [one["metric"] for one in document["metrics"]]
    assert write in run_clustcmp(capsys, "metrics", "--like", word).stdout


def test_a_search_without_any_result_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    for word, message in (("xyzzy", "nothing here is like"), ("modularity", "graphs")):
        outcome = run_clustcmp(capsys, "metrics", "--like", word)
        assert (outcome.status, outcome.stdout) == (2, "")
        assert message in outcome.stderr


@pytest.mark.parametrize("word", ["silhouette", "kappa"])
def test_a_search_says_what_is_not_here(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "not here; nearest:" in run_clustcmp(capsys, "metrics", "--like", word).stdout


@pytest.mark.parametrize(
    ("fits", "has", "lacks"),
    [
        ("soft", "adjusted_rand", "ami"),
        ("space", "cdistance", "adjusted_rand"),
        ("different-points", "cdistance", "css"),
    ],
)
def test_the_list_has_what_fits(
    fits: str, has: str, lacks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stdout = run_clustcmp(capsys, "metrics", "--for", fits, "-f", "json").stdout
    names = [one["metric"] for one in json.loads(stdout)["metrics"]]
    assert has in names
    assert lacks not in names


def test_a_list_of_nothing_and_a_search_among_names_are_errors(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = run_clustcmp(capsys, "metrics", "ami", "--for", "soft")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "--for soft: none of these metrics fits" in outcome.stderr
    outcome = run_clustcmp(capsys, "metrics", "ami", "--like", "dice")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "--like dice searches all metrics" in outcome.stderr


@pytest.mark.parametrize(
    "entry", [one for one in KNOWN_WORDS if one.formula], ids=lambda e: e[0][0]
)
def test_formulas_stand_on_the_page_of_their_metric(entry: Known) -> None:
    metric = METRICS[entry.metrics[0].partition(":")[0]]
    assert f"{entry.words[0]} = {entry.formula}" in METRICS.formulas_of(metric)
    with pytest.raises(UsageError, match=f"a formula of .*{metric.name}") as error:
        METRICS.find(entry.words[0])
    assert entry.formula in (error.value.hint or "")


def test_formulas_give_the_numbers_of_their_names() -> None:
    # By hand for the lecture's example: TP 3, FN 2, FP 7, TN 24 of 36 pairs of 9 points.
    a, b = CASES["lecture"]
    found = clustcmp.compare(
        a, b, metrics=["rand", "jaccard", "nmi:average=max", "purity", "cramers_v"]
    )
    rand, jaccard, nmi, purity, cramer = (result.value or 0.0 for result in found)
    assert rand / (2 - rand) == pytest.approx(27 / (27 + 2 * 9))
    assert 2 * rand - 1 == pytest.approx((27 - 9) / 36)
    assert jaccard / (1 - jaccard) == pytest.approx(3 / 9)
    assert 1 - nmi == pytest.approx(1 - 0.848686 / 1.522955, abs=1e-6)
    assert (9 * purity - 3) / (9 - 3) == pytest.approx((2 + 2 + 2 - 3) / (9 - 3))
    assert 9 * cramer**2 * 2 == pytest.approx(
        9 * (4 / 6 + 1 / 9 + 4 / 6 + 1 / 4 + 4 / 8 + 1 / 4 - 1)
    )
