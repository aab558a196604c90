"""How many clusters samples agree on and the data supports, and which clusters hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

import clustcmp
from clustcmp.analyses.stability.choice import Candidate, choose_best
from clustcmp.analyses.stability.fits import Setup, fit_all, runs_of
from clustcmp.analyses.stability.pairs import compare_pairs
from clustcmp.analyses.stability.samples import Drawing, seed_of
from clustcmp.clusterers.algorithms import Algorithm
from clustcmp.clusterers.base import Sample
from clustcmp.metrics import METRICS
from tests.files import run_clustcmp

IRIS = str(Path(__file__).parents[3] / "examples" / "iris.csv")
QUICK: dict[str, Any] = {"set": {"n_init": 1}, "jobs": 1}


def blobs(*centres: tuple[float, float], n: int = 25, width: float = 0.3) -> Any:
    """Points around some centres."""
    generator = np.random.default_rng(7)
    return np.concatenate(
        [centre + width * generator.standard_normal((n, 2)) for centre in centres]
    )


def test_the_curve_is_the_mean_of_a_plain_loop_over_the_same_samples() -> None:
    points = pd.read_csv(IRIS, index_col="id").to_numpy()
    report = clustcmp.stability(points, "kmeans", k=[3], samples=5, seed=4, gaussians=0, **QUICK)
    labels = np.full((5, len(points)), -1)
    for sample in range(5):
        rows = Drawing(len(points), 4).draw(sample)
        model = KMeans(3, n_init=1, random_state=seed_of(4, sample, 3))
        labels[sample, rows] = model.fit_predict(points[rows])
    values = []
    for i in range(5):
        for j in range(i + 1, 5):
            both = (labels[i] >= 0) & (labels[j] >= 0)
            values.append(adjusted_rand_score(labels[i][both], labels[j][both]))
    assert report.curve[0].value == pytest.approx(np.mean(values), abs=1e-12)
    assert report.curve[0].pairs == 10
    assert report.to_frame("pairs")["value"].tolist() == pytest.approx(values, abs=1e-12)
    assert report.curve[0].low == pytest.approx(np.quantile(values, 0.05))


@pytest.mark.parametrize("bootstrap", [False, True])
@pytest.mark.parametrize("metric", ["vi", "fowlkes_mallows", "ari"])
def test_two_clusters_of_iris_are_the_most_stable(metric: str, bootstrap: bool) -> None:
    report = clustcmp.stability(
        IRIS,
        "kmeans",
        metric,
        k=range(2, 6),
        samples=20,
        seed=1,
        bootstrap=bootstrap,
        gaussians=0,
        set={"n_init": 3},
        jobs=1,
    )
    assert report.best is not None
    assert report.best.k == 2


@pytest.mark.parametrize("bootstrap", [False, True])
def test_two_clusters_of_iris_are_the_most_stable_for_any_seed(bootstrap: bool) -> None:
    # The same fits serve three metrics, and nothing is halved, so that many seeds take seconds.
    points = np.ascontiguousarray(pd.read_csv(IRIS, index_col="id").to_numpy())
    numbers, n_samples = (2, 3, 4, 5), 20
    kmeans = Algorithm("kmeans", {"n_init": 3})
    for seed in range(2, 7):
        drawing = Drawing(len(points), seed, bootstrap=bootstrap)
        fits = fit_all(Setup(Sample(points), kmeans, drawing), numbers, n_samples)
        distinct = [np.unique(drawing.draw(sample)) for sample in range(n_samples)]
        runs = [runs_of(fits, k, len(points), distinct, "cluster").runs for k in numbers]
        for request in METRICS.requests(["vi", "fowlkes_mallows", "ari"]):
            pairs = {at: compare_pairs(one, request) for at, one in enumerate(runs)}
            tried = [
                Candidate(at, k, float(pairs[at].values.mean())) for at, k in enumerate(numbers)
            ]
            higher = bool(request.metric.higher_is_better)
            best = choose_best(tried, pairs, n_samples, higher)
            assert best is not None
            assert numbers[best.best] == 2, (seed, request.spec)


def supported(points: Any, estimator: str = "kmeans", **settings: Any) -> Any:
    """The report on a few samples."""
    few: dict[str, Any] = {"samples": 4, "seed": 1, "gaussians": 0, "jobs": 1}
    return clustcmp.stability(points, estimator, **(few | settings))


def test_five_blobs_support_five_clusters_beyond_one_cloud() -> None:
    centres = (0.0, 0.0), (5.0, 0.0), (0.0, 5.0), (5.0, 5.0), (10.0, 2.0)
    report = supported(blobs(*centres), k=range(2, 8), gaussians=19)
    assert report.supported.k == 5
    assert report.supported.p == pytest.approx(0.05)
    assert report.supported.clear


def test_of_nested_numbers_that_are_perfectly_stable_the_largest_is_best_and_supported() -> None:
    points = blobs((0.0, 0.0), (3.0, 0.0), (40.0, 0.0), (44.0, 0.0), width=0.1)
    report = supported(points, k=range(2, 5))
    assert [row.value for row in report.curve] == [1.0, 1.0, 1.0]
    assert (report.best.k, report.supported.k) == (4, 4)
    assert report.best.margin == 0.0
    distance = supported(points, metric="vi", k=range(2, 5))
    assert (distance.best.k, str(distance.best.margin)) == (4, "0.0")
    assert not report.best.clear


@pytest.mark.parametrize("seed", [1, 2])
def test_noise_supports_no_number_of_clusters_although_one_is_the_most_stable(seed: int) -> None:
    generator = np.random.default_rng(seed)
    for points in (generator.random((200, 2)), generator.standard_normal((200, 10))):
        report = supported(points, k=range(2, 6), seed=seed)
        assert report.best.k in range(2, 6)
        assert report.supported.k is None
        assert "no k is supported: one cluster" in report.to_text()


def test_two_moons_are_supported_by_single_linkage() -> None:
    points, _ = make_moons(200, noise=0.05, random_state=1)
    report = supported(points, "agglomerative", k=range(2, 5), set={"linkage": "single"})
    assert report.supported.k == 2


def run(capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    """The command on iris with few samples."""
    usual = ("--samples", "4", "--seed", "1", "--gaussians", "0", "--jobs", "1")
    return run_clustcmp(capsys, "stability", IRIS, *usual, *more)


KMEANS = ("--algorithm", "kmeans", "--set", "n_init=1")

WRONG = {
    "backwards": ((*KMEANS, "--k", "10:2"), "10 is above 2"),
    "none": ((*KMEANS, "--k", "0:2"), "1 or more"),
    "too many": ((*KMEANS, "--k", "130"), "a sample has only 120 points"),
    "words": ((*KMEANS, "--k", "few"), "is not possible"),
    "both": ((*KMEANS, "--k", "2", "--vary", "n_init=1,2"), "are both given"),
    "two ways": ((*KMEANS, "--fraction", "0.5", "--bootstrap"), "two ways to draw"),
    "share": ((*KMEANS, "--fraction", "1.5"), "at most 1"),
    "unknown": (("--algorithm", "kmean"), "did you mean 'kmeans'"),
    "parameter": (("--algorithm", "kmeans", "--set", "n_inti=1"), "no parameter 'n_inti'"),
    "nothing": ((), "--algorithm"),
    "two": ((*KMEANS, "--command", "prog {k} {input} {output}"), "two ways to cluster"),
    "no k": (("--command", "prog {input} {output}"), "{k}"),
    "shell": (("--command", "prog {k} {input} | sort > {output}"), "shell"),
    "no time": (("--command", "ls {k} {input} {output}", "--timeout", "0"), "a time above 0"),
    "endless": (("--command", "ls {k} {input} {output}", "--timeout", "inf"), "a finite number"),
    "timeout": ((*KMEANS, "--timeout", "5"), "--timeout has no effect without --command"),
    "at": ((*KMEANS, "--k", "2:3", "--at", "5"), "is not tried"),
    "one clustering": ((*KMEANS, "-m", "beta_cv"), "is about one clustering"),
    "soft": ((*KMEANS, "--soft"), "no soft memberships"),
    "whole": ((*KMEANS, "--all-points", "-m", "ari"), "needs the same points"),
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG)
def test_bad_input_ends_with_2_and_says_what_is_allowed(
    given: tuple[tuple[str, ...], str], capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, *given[0])
    assert (done.status, done.stdout) == (2, "")
    assert given[1] in " ".join(done.stderr.split())


BAD_DATA = {
    "constant": ("x,y\n1,5\n2,5\n3,5\n4,5\n", "column 'y' is constant"),
    "text": ("x,y\n1,5\n2,a\n3,5\n4,6\n", "'y'"),
    "nan": ("x,y\n1,5\n2,nan\n3,5\n4,6\n", "'y'"),
    "wide": ("x,y\n1,5\n2,1e200\n3,5\n4,6\n", "column 'y' has values of 1e+200"),
    "narrow": ("x,y\n1,0\n2,1e-200\n3,0\n4,0\n", "column 'y' spans 1e-200 only"),
    "few": ("x,y\n1,5\n2,6\n", "at least 4 points"),
}


@pytest.mark.parametrize("given", BAD_DATA.values(), ids=BAD_DATA)
def test_data_that_cannot_be_clustered_ends_with_2(
    given: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "data.csv"
    path.write_text(given[0])
    done = run_clustcmp(capsys, "stability", str(path), *KMEANS)
    assert (done.status, done.stdout) == (2, "")
    assert given[1] in " ".join(done.stderr.split())


def test_a_command_that_fails_ends_with_3_or_is_skipped_and_counted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script = tmp_path / "halves.py"
    script.write_text(
        "import sys\nk, seed, source, target = sys.argv[1:]\n"
        "if k == '3' and int(seed) % 2: sys.exit('no luck')\n"
        "rows = open(source).read().split()[1:]\n"
        "print('id,label', file=(out := open(target, 'w')))\n"
        "for row in rows:\n"
        "    name, *xs = row.split(',')\n"
        "    print(name, float(xs[2]) > 2.5, sep=',', file=out)\n"
    )
    words = ("--command", f"python3 {script} {{k}} {{seed}} {{input}} {{output}}")
    done = run(capsys, *words, "--k", "2:3")
    assert (done.status, done.stdout) == (3, "")
    assert "no luck" in done.stderr
    done = run(capsys, *words, "--k", "2:3", "--skip-failures", "-f", "json")
    assert done.status == 0, done.stderr
    assert json.loads(done.stdout)["settings"]["command"] == words[1]
    two, three = json.loads(done.stdout)["curve"]
    assert (two["value"], two["failed"]) == (1.0, 0)
    assert three["failed"] > 0


def test_the_same_bytes_come_out_for_every_number_of_jobs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = (*KMEANS, "--k", "2:3", "--gaussians", "2", "-f", "json")
    one, two = (run(capsys, *words, "--jobs", jobs).stdout for jobs in ("1", "2"))
    assert one == two
    assert json.loads(one)["settings"]["seed"] == 1


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html", "csv", "json"])
def test_every_format_tells_a_seed_that_gives_the_same_again(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("stability", IRIS, *KMEANS, "--k", "3", "--samples", "3", "--gaussians", "0")
    text = run_clustcmp(capsys, *words, "-f", form).stdout
    seed = re.findall(r'seed"?:? ([0-9]+)|,([0-9]+)$', text.strip())[0]
    assert run_clustcmp(capsys, *words, "-f", form, "--seed", "".join(seed)).stdout == text


@pytest.mark.parametrize("k", [1, 40])
def test_a_number_that_cannot_be_supported_is_not_called_too_weak(k: int) -> None:
    # Half of the 50 points are too few for 40 clusters, and one cluster is always there.
    report = supported(blobs((0.0, 0.0), (5.0, 0.0)), k=k, fraction=0.8)
    text = report.to_text()
    assert report.supported.k is None
    assert "no k is the best: none can be compared with others" in text
    assert "none was tried that has several clusters and fits into half of the points" in text
    assert "below 0.8" not in text


def test_out_writes_five_files_whose_labels_have_a_column_for_each_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "out"
    assert run(capsys, *KMEANS, "--k", "2:3", "--at", "3", "--out", str(folder)).status == 0
    names = {"curve.csv", "pairs.csv", "clusters.csv", "points.csv", "labels.csv"}
    assert {path.name for path in folder.iterdir()} == names
    labels = pd.read_csv(folder / "labels.csv")
    assert labels.columns[:3].tolist() == ["id", "k2_all", "k2_1"]
    assert labels["k2_1"].notna().sum() == 120
    assert len(pd.read_csv(folder / "pairs.csv")) == 12
    assert set(pd.read_csv(folder / "points.csv")["k"]) == {2, 3}


def test_whole_samples_are_compared_less_the_floor_of_sampling() -> None:
    points = blobs((0.0, 0.0), (5.0, 0.0), n=15)
    report = supported(points, k=[2, 5], all_points=True)
    two = report.curve[0]
    assert two.floor is not None
    assert two.floor > 0.01
    assert two.value == pytest.approx(0.0, abs=1e-12)
    assert report.best.k == 2


def test_a_fraction_of_1_varies_the_seed_alone() -> None:
    report = supported(blobs((0.0, 0.0), (5.0, 0.0)), k=2, fraction=1.0)
    assert set(report.to_frame("pairs")["common"]) == {50}


def test_columns_of_uneven_spread_are_noted_and_can_be_scaled() -> None:
    points = blobs((0.0, 0.0), (5.0, 0.0)) * [1.0, 1000.0]
    notes = supported(points, k=2).notes
    assert any('scale="standard"' in note for note in notes)
    assert not any("varies" in note for note in supported(points, k=2, scale="standard").notes)


def test_one_cluster_is_noted_and_is_never_the_best_number() -> None:
    report = supported(blobs((0.0, 0.0), (5.0, 0.0)), k=[1, 2])
    assert report.best.k == 2
    assert any("one cluster is always stable" in note for note in report.notes)


def test_a_parameter_can_be_varied_instead_of_k() -> None:
    points = blobs((0.0, 0.0), (5.0, 0.0), (0.0, 5.0))
    report = supported(points, "dbscan", vary={"eps": [0.5, 20.0]}, bootstrap=True)
    assert [row["setting"] for row in report.to_dict()["curve"]] == [0.5, 20.0]
    assert "k" not in report.to_dict()["curve"][0]
    assert report.supported.setting == 0.5
    assert any("look dense" in note for note in report.notes)


def test_soft_memberships_are_compared_by_cc() -> None:
    report = supported(blobs((0.0, 0.0), (5.0, 0.0)), "gmm", k=2, soft=True)
    assert report.settings.metric == "cc"
    assert report.curve[0].value == pytest.approx(0.0, abs=1e-3)
