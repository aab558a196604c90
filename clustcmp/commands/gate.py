"""clustcmp gate: refuse a clustering that moved too far."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, cast

import typer

from clustcmp.commands.completion import complete_gate
from clustcmp.commands.running import (
    check_output,
    choose_format,
    finish,
    listening,
    paths_of,
    tell,
)
from clustcmp.commands.takes import takes
from clustcmp.errors import ClustcmpError, UsageError
from clustcmp.output_settings import GateFormat, GateOutputSettings
from clustcmp.settings import GateSettings

if TYPE_CHECKING:
    from clustcmp.analyses.bounds.verdict import Verdicts
    from clustcmp.analyses.gate.definition import Gate
    from clustcmp.analyses.gate.update import BaselineUpdate

EXAMPLES = """
\b
Examples:
  clustcmp gate old.csv new.csv --min ari=0.90 --warn-min ari=0.95
  clustcmp gate old.csv new.csv --min ari=0.90 --confidence 0.95
  clustcmp gate old.csv new.csv --max-moved 1% --min-coverage 99%
  clustcmp gate old.csv new.csv \\
      --min-clusters 5 --max-clusters 50 --max-largest 40%
  clustcmp gate old.csv new.csv --noise=-1 --max-noise 20%
  clustcmp gate old.csv new.csv --coordinates xy.csv --max cdistance=0.05
  clustcmp gate --config gates.toml nightly --junit gate.xml
  clustcmp gate --all -f json
  clustcmp gate old.csv new.csv --baseline base.json --update-baseline
  clustcmp gate new.csv --baseline base.json --max-change ari=2%
  clustcmp gate new.csv --baseline base.json \\
      --max-drop ari=0.02 --max-rise vi=10%

Exit status: 0 pass (also with warnings), 1 fail, 2 wrong usage or input, 3 no verdict.
"""


@takes
def gate(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[REFERENCE] [CANDIDATE] | [NAME]",
            help="Two files as in compare; the candidate alone, with --baseline; or the name of "
            "a gate in the configuration.",
            autocompletion=complete_gate,
        ),
    ] = None,
    update_baseline: Annotated[
        bool,
        typer.Option(
            "--update-baseline", help="Accept the values of this run; there is no verdict then."
        ),
    ] = False,
    config: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Where gates are described. Default: [gate] in ./clustcmp.toml, or "
            "[tool.clustcmp.gate] in ./pyproject.toml. Options beat the file.",
        ),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Run all gates of the configuration.")] = False,
    *,
    settings: GateSettings,
    output: GateOutputSettings,
) -> None:
    """Refuse a clustering that moved too far.

    The exit status is 1 if a bound is not kept. All bounds are inclusive. A value that is undefined
    or not applicable never passes. In GitHub Actions the verdict also goes to the summary of the
    step, as Markdown.

    With --confidence a bound on a metric is kept only if the whole interval of the value keeps it,
    and a value without an interval never passes.
    """
    from clustcmp.analyses.gate.definition import Gate

    usual = "github" if os.environ.get("GITHUB_STEP_SUMMARY") else "table"
    output["format"] = cast(GateFormat, choose_format(GateFormat, output, usual))
    prepare_junit(output.get("junit"))
    with publishing_errors(output, many=all):
        given = Gate.of(settings)
        gates = choose_gates(files or [], config, all, given, output.get("quiet", False))
        used = [file for one in gates for file in (*one.files, one.baseline)]
        check_output(output, [*used, config, output.get("junit")])
    if update_baseline:
        update(gates, output)
    else:
        raise typer.Exit(decide(gates, output, many=all))


def prepare_junit(path: str | None) -> None:
    """Write an error to the JUnit file first: if this run is killed, no old verdict stays."""
    from clustcmp.analyses.bounds.verdict import Verdict
    from clustcmp.render import show
    from clustcmp.write import check_writable, write_text

    if path is None:
        return
    check_writable(path)
    with open(path, "rb") if os.path.isfile(path) else open(os.devnull, "rb") as file:
        start = file.read(5)
    if start not in (b"", b"<?xml"):
        raise UsageError(
            f"{path}: would be overwritten, but is not JUnit XML",
            hint="name another file with --junit",
        )
    unfinished = Verdict.of_error(ClustcmpError("the gate did not come to an end"))
    write_text(path, show(unfinished, "junit"))


@contextmanager
def publishing_errors(
    output: GateOutputSettings, many: bool, name: str | None = None
) -> Iterator[None]:
    """Write the error of a gate to the JUnit file and the summary: no old verdict remains."""
    from clustcmp.analyses.bounds.verdict import Verdict, Verdicts

    try:
        yield
    except ClustcmpError as error:
        publish(Verdicts((Verdict.of_error(error, name),)), output, many)
        raise


def choose_gates(
    files: list[str], path: str | None, run_all: bool, given: Gate, quiet: bool
) -> list[Gate]:
    """The gates to run: those of the configuration or one of these files, with what is given."""
    from clustcmp.analyses.bounds.thresholds import check_thresholds
    from clustcmp.analyses.gate.config import NO_CONFIG, find_config
    from clustcmp.analyses.gate.definition import Gate

    check_thresholds(given.all_thresholds)
    config = find_config(path) or NO_CONFIG
    if run_all and files:
        raise UsageError("--all runs the gates of the configuration", hint="leave out the files")
    chosen = config.all() if run_all else [config.choose(files, given)]
    if path is None and any(one != Gate(one.a, one.b) for one in chosen):
        tell([f"gate settings from {config.path}"], quiet)
    check_stdin(chosen)
    return [one.overridden_by(given) for one in chosen]


def check_stdin(gates: Sequence[Gate]) -> None:
    """Refuse gates that want the same from stdin; several columns of it are read together."""
    from clustcmp.read.address import Address

    addresses = [Address.of_file(file) for one in gates for file in dict.fromkeys(one.files)]
    columns = [address.typed_columns for address in addresses if address.is_stdin]
    if len(set(columns)) < len(columns):
        raise UsageError(
            "two gates read stdin, which can be read only once", hint="name a file instead of -"
        )


def decide(gates: Sequence[Gate], output: GateOutputSettings, many: bool) -> int:
    """Run gates, publish their verdicts, and return the exit status of the whole."""
    from clustcmp.analyses.bounds.verdict import Verdicts
    from clustcmp.analyses.gate.run import run_gate, run_gates

    with publishing_errors(output, many, gates[0].name), listening(output) as stopwatch:
        # An error in one of many gates does not stop the others; that of a single gate is raised.
        report = run_gates(gates) if many else Verdicts((run_gate(gates[0]),))
    publish(report, output, many)
    form = output["format"] or "table"
    finish(output, report, form, stopwatch.seconds)
    return report.exit_status


def publish(report: Verdicts, output: GateOutputSettings, many: bool) -> None:
    """Write the verdicts where other programs look for them."""
    from clustcmp.render import document_of, show
    from clustcmp.render.github import write_commands
    from clustcmp.write import write_text

    junit = output.get("junit")
    if junit is not None:
        write_text(junit, show(report, "junit"))
    has_error = report.verdicts[0].error is not None
    if output["format"] == "github" and has_error and not many:
        # With an error stdout stays empty, and GitHub reads stderr as well.
        sys.stderr.write(write_commands(document_of(report)))
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if not summary:
        return
    try:
        # Other steps write there as well, so that nothing may be replaced.
        with open(summary, "ab") as file:
            text = show(report, "markdown", digits=output.get("digits"))
            file.write(text.encode("utf-8", "backslashreplace") + b"\n")
    except OSError as error:
        reason = error.strerror or error
        tell([f"the step summary cannot be written: {reason}"], output.get("quiet", False))


def update(gates: Sequence[Gate], output: GateOutputSettings) -> None:
    """Accept the values of one gate's run, and show what changes."""
    from clustcmp.analyses.gate.update import accept
    from clustcmp.write import check_apart, check_writable

    if output.get("junit") is not None or len(gates) != 1:
        raise UsageError(
            "--update-baseline accepts the values of one gate and gives no verdict",
            hint="leave out --junit and --all",
        )
    (one,) = gates
    if one.baseline is not None:
        check_writable(one.baseline)
        check_apart(one.baseline, paths_of(one.files))
    with listening(output) as stopwatch:
        report = accept(one)
    form = output["format"] or "table"
    finish(output, report, form, stopwatch.seconds, lambda: save(report))


def save(report: BaselineUpdate) -> list[str]:
    """Write the new baseline, and return a note about the file."""
    from clustcmp.analyses.gate.update import save_baseline

    save_baseline(report)
    return ["the baseline was written; there is no verdict"]
