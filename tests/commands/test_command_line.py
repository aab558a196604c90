"""The program as a citizen of the shell."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

import clustcmp
from clustcmp.cli import COMMANDS, build_app, run
from clustcmp.metrics import METRICS
from clustcmp.progress import announce, told_to
from clustcmp.render import bar
from tests.files import run_clustcmp

ROOT = Path(__file__).parent.parent.parent
SPECIES = str(ROOT / "examples/iris_species.csv")
GOOD = str(ROOT / "examples/iris_kmeans_good.csv")
SOFT = str(ROOT / "examples/iris_soft.csv")
PROGRAM = [sys.executable, "-m", "clustcmp"]


def start(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the program as a process of its own."""
    return subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=60, **options
    )


def compare_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON of a comparison."""
    assert run(["compare", *arguments, "-f", "json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def schema(name: str) -> Any:
    """A schema as it is shipped."""
    return json.loads((files("clustcmp.schemas") / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "arguments",
    [(SPECIES, GOOD), (SOFT, GOOD, "-m", "all"), (SPECIES, GOOD, "-m", "ari:null=sampled,draws=9")],
    ids=["default", "soft", "options"],
)
def test_json_fits_the_shipped_schema(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    document = compare_json(capsys, *arguments)
    jsonschema.Draft202012Validator(schema("compare-1")).validate(document)


def test_metrics_json_fits_the_shipped_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["metrics", "-f", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema("metrics-1")).validate(document)
    assert [metric["metric"] for metric in document["metrics"]] == list(METRICS)


@pytest.mark.parametrize("name", ["compare-1", "metrics-1"])
def test_schemas_are_valid_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))


def test_the_command_and_the_library_give_the_same_results(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = compare_json(capsys, SPECIES, GOOD, "-m", "all")
    report = clustcmp.compare(SPECIES, GOOD, metrics="all")
    assert [(r["metric"], r["value"]) for r in document["results"]] == [
        (result.metric, result.value) for result in report
    ]


def test_results_come_in_the_order_asked_and_once(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["-m", "vi", "-m", "ari", "-m", "Adjusted-Rand", "-m", "nmi:average=max", "-m", "nmi"]
    document = compare_json(capsys, SPECIES, GOOD, *asked)
    assert [result["metric"] for result in document["results"]] == [
        "variation_of_information",
        "adjusted_rand",
        "nmi:average=max",
        "nmi",
    ]


def test_options_are_shown_with_their_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    result = compare_json(capsys, SPECIES, GOOD, "-m", "vi:normalize=joint,base=2")["results"][0]
    assert result["metric"] == "variation_of_information:base=2,normalize=joint"
    assert result["options"] == {"base": 2.0, "normalize": "joint"}
    assert (result["worst"], result["best"]) == (1.0, 0.0)


def test_metrics_that_do_not_fit_are_left_out_of_the_default_set(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = [result["name"] for result in compare_json(capsys, SOFT, GOOD)["results"]]
    assert "adjusted_rand" in names
    assert "ami" not in names


def test_a_family_lists_its_metrics_that_do_not_fit_as_not_applicable(
    capsys: pytest.CaptureFixture[str],
) -> None:
    results = compare_json(capsys, SOFT, GOOD, "-m", "information")["results"]
    ami = next(result for result in results if result["name"] == "ami")
    assert (ami["status"], ami["reason"]) == ("not_applicable", "needs hard clusterings")


def test_a_named_metric_that_does_not_fit_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", SOFT, GOOD, "-m", "ami"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "ami: needs hard clusterings" in captured.err


def test_csv_can_be_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", SPECIES, GOOD, "-f", "csv", "-m", "ari", "-m", "mirkin"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    report = clustcmp.compare(SPECIES, GOOD, metrics=["ari", "mirkin"])
    assert [float(row["value"]) for row in rows] == [report["ari"], report["mirkin"]]
    assert rows[1]["worst"] == ""


def test_markdown_cannot_be_broken_by_a_file_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = tmp_path / "a|b`<b>\x1b[31m.csv"
    hostile.write_text(Path(SPECIES).read_text(encoding="utf-8"), encoding="utf-8")
    assert run(["compare", str(hostile), GOOD, "-f", "markdown"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    fitting = [asked for asked in METRICS.featured() if not asked.metric.needs_coordinates]
    assert out.count("\n| ") == 2 + len(fitting)


def test_the_table_groups_by_family_and_shows_direction(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["compare", SPECIES, GOOD]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["a", SPECIES, "150", "points", "3", "clusters", "hard"]
    assert "Pair counting" in lines
    assert any(line.split()[:4] == ["adjusted_rand", "0.716342", "↑", "1"] for line in lines)
    assert any(
        line.split() == ["variation_of_information", "0.562880", "↓", "0", "nats"] for line in lines
    )


def test_metrics_that_do_not_apply_share_one_line_per_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["compare", SOFT, GOOD, "-m", "all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    folded = [line for line in lines if "ami" in line]
    assert len(folded) == 1
    assert folded[0].startswith("not applicable (needs hard clusterings):")


def test_the_page_of_a_metric_shows_formula_ends_options_and_citation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["metrics", "vi"]) == 0
    page = " ".join(capsys.readouterr().out.split())
    for fact in ("doi:10.1016/j.jmva.2006.11.013", "base = e", "log_kj", "lower is better"):
        assert fact in page


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_a_summary_a_brief_a_formula_and_a_citation(name: str) -> None:
    metric = METRICS[name]
    assert "doi:10." in metric.citation or "no DOI" in metric.citation
    assert metric.summary.endswith(".")
    assert 0 < len(metric.brief) <= 37
    assert all(option.help.endswith(".") for option in metric.options.values())


def test_no_word_names_two_metrics_or_families() -> None:
    assert len(METRICS.words) == len(set(METRICS.words))


def test_output_is_the_same_for_every_hash_seed_and_number_of_threads() -> None:
    environments = [
        {"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
        for seed, threads in (("1", "1"), ("2", "2"))
    ]
    outputs = {
        start("compare", SOFT, GOOD, "-m", "all", "-f", "json", env={**os.environ, **env}).stdout
        for env in environments
    }
    assert len(outputs) == 1


# What NO_COLOR and FORCE_COLOR hold, what --color says, and whether a pipe gets colours.
COLORS = [
    ("", "", "auto", False),
    ("", "1", "auto", True),
    ("", "0", "auto", True),
    ("1", "1", "auto", False),
    ("1", "", "always", True),
    ("", "1", "never", False),
]


@pytest.mark.parametrize(("no_color", "force_color", "color", "colored"), COLORS)
def test_a_pipe_has_colours_as_the_flag_no_color_and_force_color_say(
    no_color: str,
    force_color: str,
    color: str,
    colored: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("FORCE_COLOR", force_color)
    outcome = run_clustcmp(capsys, "compare", SPECIES, GOOD, "--color", color)
    assert ("\x1b[" in outcome.stdout) == colored


def test_force_color_colours_neither_files_nor_what_programs_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for form in ("json", "csv", "markdown"):
        outcome = run_clustcmp(capsys, "compare", SPECIES, GOOD, "-f", form)
        assert "\x1b[" not in outcome.stdout
    run_clustcmp(capsys, "compare", SPECIES, GOOD, "-o", str(tmp_path / "result.txt"))
    assert "\x1b[" not in (tmp_path / "result.txt").read_text()


def test_coloured_lines_have_no_spaces_at_their_ends(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(capsys, "compare", SPECIES, GOOD, "--color", "always")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", outcome.stdout)
    assert [line for line in plain.splitlines() if line.endswith(" ")] == []
    assert plain == run_clustcmp(capsys, "compare", SPECIES, GOOD).stdout


def test_notes_go_to_stderr_and_quiet_silences_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = tmp_path / "labels.txt"
    labels.write_text("1\n1\n2\n", encoding="utf-8")
    assert run(["compare", str(labels), str(labels), "-f", "csv"]) == 0
    loud = capsys.readouterr()
    assert run(["compare", str(labels), str(labels), "-f", "csv", "-q"]) == 0
    quiet = capsys.readouterr()
    assert "note: " in loud.err
    assert "by position" in loud.err
    assert quiet.err == ""
    assert quiet.out == loud.out


def test_a_column_of_stdin_can_be_named() -> None:
    done = start(
        "compare", SPECIES, "-::label=label", "-m", "ari", "-f", "csv", input=Path(GOOD).read_text()
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1].startswith("adjusted_rand,0.716342")


def test_verbose_says_how_long_reading_and_comparing_took(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["compare", SPECIES, GOOD, "-v"]) == 0
    assert "read in" in capsys.readouterr().err


def test_the_app_runs_in_process_through_typers_runner() -> None:
    result = CliRunner().invoke(build_app(), ["compare", SPECIES, GOOD, "-f", "json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["schema"] == "clustcmp/compare/1"


@pytest.mark.parametrize("arguments", [["--version"], ["compare", "--help"], ["--help"], ["-h"]])
def test_version_and_help_succeed(arguments: list[str]) -> None:
    done = start(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_version_is_the_same_in_every_way() -> None:
    assert start("--version").stdout == f"clustcmp {clustcmp.__version__}\n"
    result = CliRunner().invoke(build_app(), ["--version"])
    assert result.stdout == f"clustcmp {clustcmp.__version__}\n"


def modules_loaded_by(*arguments: str) -> set[str]:
    """The modules that a run of the program imports, in a process of its own."""
    code = (
        "import sys; from clustcmp.cli import run;"
        f"status = run({list(arguments)!r});"
        "sys.stderr.write(' '.join(sys.modules)); sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [("--help",), ("compare", "--help"), ("matrix", "--help")])
def test_help_imports_nothing_heavy(words: tuple[str, ...]) -> None:
    heavy = {"numpy", "scipy", "pandas", "pyarrow", "ot", "rich", "sklearn", "json", "asyncio"}
    assert not heavy & modules_loaded_by(*words)


def test_comparing_files_imports_neither_pandas_nor_pot() -> None:
    assert not {"pandas", "ot", "sklearn"} & modules_loaded_by("compare", SPECIES, GOOD, "-q")


def test_a_metric_of_tables_imports_nothing_for_other_metrics_and_formats() -> None:
    unneeded = {
        *("scipy", "pandas", "ot", "sklearn"),
        *("json", "tomllib", "html", "statistics", "tempfile"),
        *("clustcmp.transport", "clustcmp.matching", "clustcmp.metrics.expected_information"),
        *("clustcmp.metrics.pair_distances", "clustcmp.metrics.extreme_distances"),
        *("clustcmp.read.objects", "clustcmp.read.distances", "clustcmp.read.typed_table"),
        *("clustcmp.read.parquet", "clustcmp.read.json_files", "clustcmp.read.numpy_files"),
        *("clustcmp.write", "clustcmp.render.terminal.square", "clustcmp.render.terminal.shares"),
    }
    assert not unneeded & modules_loaded_by("compare", SPECIES, GOOD, "-m", "ari", "-q")


def test_changes_import_no_masked_arrays() -> None:
    # numpy imports them, which takes 5 ms, for np.unique without counts and for np.setdiff1d.
    assert "numpy.ma" not in modules_loaded_by("changes", SPECIES, GOOD, "-q")


OWN_ROOMS = {
    "compare": {"compare"},
    "changes": {"changes", "flows"},
    "matrix": {"matrix", "several"},
    "track": {"track", "flows", "bounds"},
    "gate": {"gate", "flows", "bounds"},
    "metrics": {"metrics"},
}


@pytest.mark.parametrize("command", OWN_ROOMS)
def test_a_command_loads_no_module_of_another_command(command: str) -> None:
    files = [] if command == "metrics" else [SPECIES, GOOD]
    bounds = ["--min", "ari=0"] if command == "gate" else []
    loaded = modules_loaded_by(command, *files, *bounds, "-q")
    rooms = {name.split(".")[2] for name in loaded if name.startswith("clustcmp.analyses.")}
    assert rooms == OWN_ROOMS[command]
    commands = {f"clustcmp.commands.{name}" for name in COMMANDS}
    assert commands & loaded == {f"clustcmp.commands.{command}"}


def test_completion_offers_metrics_from_the_registry() -> None:
    environment = {
        **os.environ,
        "_CLUSTCMP_COMPLETE": "complete_bash",
        "COMP_WORDS": "clustcmp compare a b -m adjusted_r",
        "COMP_CWORD": "5",
    }
    done = start(env=environment)
    assert done.stdout.split() == ["adjusted_rand"]


def test_a_bug_shows_its_traceback_and_gives_no_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("an accident")

    monkeypatch.setattr("clustcmp.evaluate.evaluate", fail)
    assert run(["compare", SPECIES, GOOD]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" in captured.err
    assert "bug in clustcmp" in captured.err


def test_a_bad_first_file_is_an_error_and_never_an_abort() -> None:
    for _ in range(15):
        done = start("compare", "missing.csv", GOOD)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("clustcmp: error: missing.csv")


def test_an_error_in_one_file_does_not_wait_for_the_other() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "compare", "missing.csv", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.wait(timeout=20) == 2
    assert process.stderr is not None
    assert "missing.csv" in process.stderr.read()
    process.communicate()


@pytest.mark.parametrize(
    ("other", "redirection", "status", "words"),
    [
        ("-", "<&-", 2, "stdin is closed"),
        (GOOD, ">&-", 3, "stdout is closed"),
        (GOOD, "> /dev/full", 3, "No space left"),
    ],
)
def test_broken_streams_are_explained(
    other: str, redirection: str, status: int, words: str
) -> None:
    script = f"{' '.join(PROGRAM)} compare {SPECIES} {other} {redirection}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_table_named_txt_gets_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "table.txt"
    table.write_text(Path(SPECIES).read_text(encoding="utf-8"), encoding="utf-8")
    assert run(["compare", str(table), str(table)]) == 0
    assert "name it .csv" in capsys.readouterr().err


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "shown"), [(Terminal(), True), (io.StringIO(), False)])
def test_progress_is_shown_on_a_terminal_only(
    stream: io.StringIO, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(bar, "PATIENCE", 0.0)
    with bar.ProgressBar() as listener, told_to(listener):
        assert list(announce(range(3), "counting", 3)) == [0, 1, 2]
    assert ("counting" in stream.getvalue()) == shown


def test_progress_is_not_shown_for_quick_work(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with bar.ProgressBar() as listener, told_to(listener):
        list(announce(range(3), "counting", 3))
    assert terminal.getvalue() == ""


def test_csv_quotes_whatever_ends_a_line() -> None:
    from clustcmp.render.csv import to_csv

    rows: list[list[Any]] = [
        ["a\rb", 1.5],
        ["c\nd", None],
        ['e"f', True],
        ["g,h", 2],
        ["i\r\nj", 0.1],
    ]
    text = to_csv(["x", "y"], rows)
    assert text.startswith("x,y\n")
    assert [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:] == [r[0] for r in rows]


@pytest.mark.parametrize("command", ["compare", "matrix"])
def test_the_hint_for_missing_coordinates_names_the_flag(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run_clustcmp(capsys, command, SPECIES, GOOD, "-m", "cdistance")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "cdistance: needs coordinates" in outcome.stderr
    assert "--coordinates FILE" in outcome.stderr
