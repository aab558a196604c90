"""Verdicts as other programs read them, with hostile names in them; and the recipes for CI."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from rich.cells import cell_len

import clustcmp
from clustcmp.analyses.bounds.thresholds import Kind, Level, Threshold
from clustcmp.analyses.bounds.verdict import Check, Outcome, Verdict
from clustcmp.errors import InputError
from clustcmp.output_settings import GateFormat
from clustcmp.render import document_of
from clustcmp.render.github import write_commands
from tests.analyses.test_gate import A, B
from tests.files import Outcome as Run
from tests.files import run_clustcmp, write

ROOT = Path(__file__).parent.parent.parent
CI_PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")

# A name that would be a command, a tag, a cell, an attribute or an escape sequence.
HOSTILE = "##[error]![x](y) @z::error::x\n%0A|<b>\"'&`]]>\x1b[31m\x07\u2028é::.csv"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference and a candidate in an empty folder, outside of GitHub."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    write("a.csv", A)
    write("b.csv", B)


def gate(capsys: pytest.CaptureFixture[str], *arguments: str) -> Run:
    """Run a gate on the two files."""
    return run_clustcmp(capsys, "gate", "a.csv", "b.csv", *arguments)


def hostile_verdict(error: bool = False) -> Verdict:
    """A verdict in which every text comes from outside."""
    if error:
        return Verdict.of_error(InputError(f"{HOSTILE}: there is no such file"), HOSTILE)
    check = Check(Threshold("moved", Kind.max, 0.0), Outcome.no_verdict, None, reason=HOSTILE)
    return Verdict(Outcome.no_verdict, (check,), HOSTILE, notes=(HOSTILE,))


def test_junit_has_a_case_for_each_bound(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--min", "ari=0.6", "--max-moved", "25%", "--warn-min", "ami=0.9")
    assert gate(capsys, *arguments, "--junit", "gate.xml").status == 1
    (suite,) = ElementTree.parse("gate.xml").getroot()
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3", "failures": "1", "errors": "0", "skipped": "0",
    }  # fmt: skip
    kinds = {case.get("name"): [element.tag for element in case] for case in suite}
    assert kinds == {
        "adjusted_rand ≥ 0.6": ["failure"],
        "ami ≥ 0.9": ["system-out"],
        "moved ≤ 25 %": ["system-out"],
    }
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert "found 0.571429, 0.028571 too low" in (failure.get("message") or "")


def test_junit_tells_about_an_error_instead_of_keeping_an_old_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert gate(capsys, "--min", "ari=0.5", "--junit", "gate.xml").status == 0
    write("b.csv", "id,label\n1,p\n")
    status, stdout, stderr = gate(capsys, "--min", "ari=0.5", "--junit", "gate.xml")
    assert (status, stdout) == (2, "")
    assert "do not have the same points" in stderr
    (suite,) = ElementTree.parse("gate.xml").getroot()
    assert suite.get("errors") == "1"


@pytest.mark.parametrize("wrong", [("--min", "aro=0.5"), ("--config", "no.toml")], ids=" ".join)
def test_junit_tells_about_wrong_usage_as_well(
    wrong: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate(capsys, *wrong, "--junit", "gate.xml").status == 2
    (suite,) = ElementTree.parse("gate.xml").getroot()
    assert suite.get("errors") == "1"


def test_junit_does_not_replace_another_file(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.csv", "b.csv"):
        for bound in ("ari=0.5", "aro=0.5"):
            assert gate(capsys, "--min", bound, "--junit", name).status == 2
    assert Path("a.csv").read_text(encoding="utf-8") == A
    assert Path("b.csv").read_text(encoding="utf-8") == B


def test_a_crash_replaces_the_old_junit_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gate(capsys, "--min", "ari=0.5", "--junit", "gate.xml").status == 0

    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("clustcmp.analyses.gate.run.judge", fail)
    assert gate(capsys, "--min", "ari=0.5", "--junit", "gate.xml").status == 3
    (suite,) = ElementTree.parse("gate.xml").getroot()
    assert suite.get("errors") == "1"


@pytest.mark.parametrize("error", [False, True])
def test_hostile_texts_stay_texts_in_junit(error: bool) -> None:
    (suite,) = ElementTree.fromstring(hostile_verdict(error).to_text("junit"))
    (case,) = suite
    (element,) = case
    assert element.tag == "error"
    assert "<b>\"'&`]]>" in (element.get("message") or "")
    assert "\x1b" not in (element.text or "")


@pytest.mark.parametrize("error", [False, True])
def test_hostile_texts_cannot_give_commands_to_github(error: bool) -> None:
    (line,) = write_commands(document_of(hostile_verdict(error))).splitlines()
    ((title, message),) = re.findall(r"^::error title=([^:,]*)::(.*)$", line)
    assert "%3A%3Aerror%3A%3Ax" in title
    assert "%250A" in message
    assert "\x1b" not in line


@pytest.mark.parametrize("error", [False, True])
def test_hostile_texts_stay_in_their_cell_in_markdown(error: bool) -> None:
    text = hostile_verdict(error).to_text("markdown")
    assert "\x1b" not in text
    # Code is shown as it is, and everything hostile is in code.
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    assert not re.search(r"<b>|!\[|@z", outside)
    assert "##[" not in text
    assert not any(line.startswith("::") for line in text.splitlines())
    for row in text.splitlines():
        if row.startswith("| "):
            assert len(re.findall(r"(?<!\\)\|", row)) == 5


def test_hostile_file_names_and_gates_break_no_format(capsys: pytest.CaptureFixture[str]) -> None:
    name = HOSTILE.replace("/", "")
    write(name, B)
    write(
        "clustcmp.toml",
        f"[gate.{json.dumps(HOSTILE)}]\nreference = 'a.csv'\ncandidate = {json.dumps(name)}\n"
        "ari = { min = 0.9 }\n",
    )
    # CSV is data, and keeps names as they are.
    for chosen in set(get_args(GateFormat)) - {"csv"}:
        status, stdout, stderr = run_clustcmp(capsys, "gate", "--all", "-f", chosen)
        assert status == 1, stderr
        assert "\x1b" not in stdout
        lines = [line for line in stdout.splitlines() if line.startswith("::")]
        assert len(lines) == (1 if chosen == "github" else 0)


def test_github_gets_at_most_ten_lines_and_the_failures_first() -> None:
    def check(level: Level, outcome: Outcome) -> Check:
        return Check(Threshold("adjusted_rand", Kind.min, 0.9, level), outcome, 0.5)

    checks = [check(Level.warn, Outcome.warn)] * 8 + [check(Level.fail, Outcome.fail)] * 8
    lines = write_commands(document_of(Verdict(Outcome.fail, tuple(checks)))).splitlines()
    kinds = [line.split()[0] for line in lines]
    assert kinds == ["::error"] * 8 + ["::warning"] * 2


def test_a_join_by_position_is_a_warning_in_github(capsys: pytest.CaptureFixture[str]) -> None:
    by_id = gate(capsys, "--min", "ari=0.5", "-f", "github").stdout
    assert "::warning" not in by_id
    by_position = gate(capsys, "--min", "ari=0.5", "-f", "github", "--by-position").stdout
    first, *_ = by_position.splitlines()
    assert first.startswith("::warning title=clustcmp gate::rows were joined by position")
    failed = gate(capsys, "--min", "ari=0.6", "-f", "github", "--by-position").stdout
    assert [line.split()[0] for line in failed.splitlines()[:2]] == ["::error", "::warning"]


def test_in_github_the_verdict_goes_to_the_step_summary(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write("summary.md", "# before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    told = gate(capsys, "--min", "ari=0.6")
    assert told.status == 1
    assert told.stdout.startswith(
        "::error title=clustcmp gate::adjusted_rand ≥ 0.6: found 0.571429"
    )
    summary = Path("summary.md").read_text(encoding="utf-8")
    assert summary.startswith("# before\n### gate: FAIL")
    assert "| **FAIL** | `adjusted_rand ≥ 0.6` | 0.571429 | 0.028571 too low |" in summary
    assert json.loads(gate(capsys, "--min", "ari=0.6", "-f", "json").stdout)["exit_status"] == 1
    assert Path("summary.md").read_text(encoding="utf-8").count("### gate: FAIL") == 2


def test_a_step_summary_that_cannot_be_written_does_not_change_the_verdict(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "no/summary.md")
    status, _, stderr = gate(capsys, "--min", "ari=0.5")
    assert status == 0
    assert "the step summary cannot be written" in stderr


def test_errors_are_github_commands_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    write("b.csv", "id,label\n1,p\n")
    status, stdout, stderr = gate(capsys, "--min", "ari=0.5", "-f", "github")
    assert (status, stdout) == (2, "")
    assert stderr.startswith("::error title=clustcmp gate::a.csv and b.csv do not have the same")


def test_one_broken_gate_of_all_is_printed_like_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("clustcmp.toml", "[gate.lost]\na = 'no.csv'\nb = 'b.csv'\nari = { min = 0.5 }\n")
    told = run_clustcmp(capsys, "gate", "--all", "-f", "json")
    assert told.status == 2
    (lost,) = json.loads(told.stdout)["gates"]
    assert lost["outcome"] == "error"
    assert "no such file" in lost["error"]
    assert "check the path" in lost["hint"]


def test_columns_stay_aligned_with_wide_names(capsys: pytest.CaptureFixture[str]) -> None:
    write("日本語日本語.csv", B)
    told = run_clustcmp(capsys, "gate", "a.csv", "日本語日本語.csv", "--min", "ari=0.5").stdout
    first, second = told.splitlines()[1:3]
    assert cell_len(first.partition("4 points")[0]) == cell_len(second.partition("4 points")[0])


def test_the_summary_tells_about_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    write("b.csv", "id,label\n1,p\n")
    assert gate(capsys, "--min", "ari=0.5").status == 2
    assert "### gate: ERROR, " in Path("summary.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The examples of the page about CI in one language."""
    return re.findall(rf"```{language}\n(.*?)```", CI_PAGE, re.DOTALL)


def shell(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script with bash as CI systems do, where clustcmp is this one."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def use_iris() -> None:
    """The files that the page about CI speaks of."""
    examples = ROOT / "examples"
    write("reference.csv", (examples / "iris_species.csv").read_bytes())
    write("candidate.csv", (examples / "iris_kmeans_good.csv").read_bytes())


def test_shell_examples_of_the_page_run() -> None:
    use_iris()
    scripts = blocks("sh")
    assert len(scripts) == 3
    for script in scripts:
        done = shell(script)
        assert done.returncode == 0, done.stderr
    bad = scripts[0].replace("0.70", "0.90")
    assert shell(bad).returncode == 1
    assert "good enough" not in shell(bad).stdout


def test_the_configuration_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    use_iris()
    (text,) = blocks("toml")
    write("clustcmp.toml", text)
    status, stdout, _ = run_clustcmp(capsys, "gate", "--all")
    assert status == 0, stdout
    assert "gate nightly: pass with warnings" in stdout
    assert "gate release: pass" in stdout


def test_the_configuration_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    use_iris()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)
    write("pyproject.toml", text)
    told = run_clustcmp(capsys, "gate", "nightly")
    assert told.status == 1
    assert "gate nightly: FAIL, 2 of 4 bounds not kept (1 warning)" in told.stdout


def test_the_gates_of_the_examples_pass(capsys: pytest.CaptureFixture[str]) -> None:
    told = run_clustcmp(capsys, "gate", "--config", str(ROOT / "examples/gates.toml"), "--all")
    assert told.status == 0, told.stdout
    assert "gate labels: pass with warnings, 1 of 5 bounds not kept" in told.stdout
    assert "gate space: pass, 3 bounds kept" in told.stdout


def test_workflow_examples_of_the_page_run() -> None:
    use_iris()
    documents = [yaml.safe_load(block) for block in blocks("yaml")]
    (workflow,) = [one for one in documents if isinstance(one, dict) and "jobs" in one]
    (pipeline,) = [one for one in documents if isinstance(one, dict) and "gate" in one]
    steps = [step["run"] for step in workflow["jobs"]["gate"]["steps"] if "run" in step]
    for lines in (steps, pipeline["gate"]["script"]):
        install, run = lines
        assert install == "python -m pip install tools/clustcmp"
        Path("gate.xml").unlink(missing_ok=True)
        assert shell(run).returncode == 0
        assert ElementTree.parse("gate.xml").getroot().tag == "testsuites"
    assert pipeline["gate"]["artifacts"]["reports"]["junit"] == "gate.xml"


def run_action(inputs: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Run the last step of the action as GitHub would with these inputs."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    assert set(inputs) <= set(action["inputs"])
    values = {name: str(known["default"]) for name, known in action["inputs"].items()}
    values |= {name: str(value) for name, value in inputs.items()}
    step = action["runs"]["steps"][-1]
    used = re.findall(r"^\${{ inputs\.(.*) }}$", "\n".join(step["env"].values()), re.MULTILINE)
    assert sorted(used) == sorted(action["inputs"])
    environment = {
        name: values[text.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, text in step["env"].items()
    }
    assert "${{" not in step["run"]
    return shell(step["run"], **environment)


def test_the_action_runs_the_example_of_the_page() -> None:
    use_iris()
    documents = [yaml.safe_load(block) for block in blocks("yaml")]
    ((step,),) = [one for one in documents if isinstance(one, list)]
    done = run_action(step["with"])
    assert done.returncode == 0, done.stderr
    assert "3 bounds kept" in done.stdout
    assert Path("gate.xml").exists()
    assert run_action({**step["with"], "min": "ari=0.9\n"}).returncode == 1


def test_the_action_runs_gates_of_a_configuration() -> None:
    use_iris()
    write("gates.toml", blocks("toml")[0])
    assert "gate nightly" in run_action({"config": "gates.toml", "gate": "nightly"}).stdout
    assert "gate release" in run_action({"config": "gates.toml", "all": "true"}).stdout
    done = run_action({"config": "gates.toml", "all": "true", "arguments": "--min=ari=0.99"})
    assert done.returncode == 1


def test_every_bound_on_the_candidate_is_an_input_of_the_action() -> None:
    use_iris()
    files = {"reference": "reference.csv", "candidate": "candidate.csv", "arguments": "--noise=C3"}
    # The candidate has clusters of 61 and 50 points, and 39 points of noise.
    for name, (good, bad) in {
        "min-clusters": ("2", "3"),
        "max-clusters": ("2", "1"),
        "max-largest": ("41%", "40%"),
        "max-noise": ("26%", "25%"),
    }.items():
        assert run_action({**files, name: good}).returncode == 0, name
        assert run_action({**files, name: bad}).returncode == 1, name


def test_inputs_of_the_action_cannot_give_commands() -> None:
    use_iris()
    name = "$(touch owned); `touch owned` -x & | .csv"
    write(name, Path("candidate.csv").read_bytes())
    done = run_action(
        {"reference": "reference.csv", "candidate": name, "min": "ari=0.7; touch owned"}
    )
    assert done.returncode == 2
    done = run_action({"reference": "reference.csv", "candidate": name, "min": "ari=0.7"})
    assert done.returncode == 0, done.stderr
    assert not Path("owned").exists()


def test_the_hook_for_pre_commit_runs_all_gates() -> None:
    use_iris()
    write("clustcmp.toml", blocks("toml")[0])
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (used,) = [
        one["repos"][0]["hooks"][0]
        for one in map(yaml.safe_load, blocks("yaml"))
        if isinstance(one, dict) and "repos" in one
    ]
    assert used["id"] == hook["id"]
    assert hook["pass_filenames"] is False
    assert re.search(hook["files"], "data/candidate.csv.gz")
    assert shell(f"{hook['entry']} {' '.join(hook['args'])}").returncode == 0


def test_the_recipe_for_pytest_passes_and_fails() -> None:
    use_iris()
    (recipe,) = blocks("python")
    write("test_recipe.py", recipe)
    command = f"{sys.executable} -m pytest -q -p no:cacheprovider test_recipe.py"
    assert shell(command).returncode == 0
    write("test_recipe.py", recipe.replace("0.7}", "0.9}"))
    done = shell(command)
    assert done.returncode == 1
    assert "gate: FAIL, 1 of 2 bounds not kept" in done.stdout


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json", "github", "junit"])
def test_an_approximate_value_is_shown_with_its_interval(form: str) -> None:
    threshold = Threshold("adjusted_rand", Kind.min, 0.9)
    check = Check(threshold, Outcome.fail, 0.25, interval=(0.25, 0.75))
    text = Verdict(Outcome.fail, (check,)).to_text(form)
    if form == "json":
        assert json.loads(text)["gates"][0]["checks"][0]["interval"] == [0.25, 0.75]
    elif form == "csv":
        (row,) = csv.DictReader(io.StringIO(text))
        assert (row["found"], row["low"], row["high"]) == ("0.25", "0.25", "0.75")
    else:
        assert "0.250000 (the worse end of 0.250000 to 0.750000)" in text


@pytest.mark.parametrize("form", ["table", "markdown", "json", "github", "junit"])
def test_a_change_from_an_approximate_value_is_shown_with_both_intervals(form: str) -> None:
    threshold = Threshold("adjusted_rand", Kind.max_change, 0.1)
    check = Check(threshold, Outcome.fail, 0.25, 0.625, None, None, (0.25, 0.75), (0.5, 0.625))
    text = Verdict(Outcome.fail, (check,)).to_text(form)
    if form == "json":
        (found,) = json.loads(text)["gates"][0]["checks"]
        assert (found["accepted"], found["accepted_interval"]) == (0.625, [0.5, 0.625])
    else:
        now = "0.250000 (the worse end of 0.250000 to 0.750000)"
        assert f"{now} after 0.625000 (the worst case of 0.500000 to 0.625000)" in text


def test_csv_of_exact_values_has_no_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    header = gate(capsys, "--min", "ari=0.5", "-f", "csv").stdout.splitlines()[0]
    assert header == "gate,outcome,metric,kind,bound,found,margin,reason"


def test_a_verdict_shows_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = clustcmp.gate("a.csv", "b.csv", min={"ari": 0.5}, warn_min={"ari": 0.9})
    bounds = ("--min", "ari=0.5", "--warn-min", "ari=0.9")
    for form in ("table", "markdown", "json", "github"):
        assert verdict.to_text(form) == gate(capsys, *bounds, "-f", form).stdout
    with pytest.raises(clustcmp.GateFailed) as raised:
        clustcmp.gate("a.csv", "b.csv", min={"ari": 0.9})
    assert str(raised.value) == gate(capsys, "--min", "ari=0.9").stdout


def test_checks_can_be_a_data_frame() -> None:
    verdict = clustcmp.gate("a.csv", "b.csv", min={"ari": 0.5}, max_moved="50%")
    frame = verdict.to_frame()
    assert frame["outcome"].to_dict() == {"adjusted_rand": "pass", "moved": "pass"}
    assert Verdict.of_error(InputError("lost"), "nightly").to_frame().empty
