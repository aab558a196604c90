"""clustcmp gate: refuse a clustering that moved too far."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from clustcmp.choices import Color, GateFormat, Missing, NoisePolicy, Points
from clustcmp.commands import options, tell
from clustcmp.errors import ClustcmpError, UsageError

if TYPE_CHECKING:
    from clustcmp.analyses.bounds.thresholds import Kind, Level, Threshold
    from clustcmp.analyses.bounds.verdict import Verdict
    from clustcmp.analyses.gate.settings import Settings

EXAMPLES = """
Examples:

  clustcmp gate old.csv new.csv --min ari=0.90 --warn-min ari=0.95

  clustcmp gate old.csv new.csv --max-moved 1% --min-coverage 99%

  clustcmp gate old.csv new.csv --coordinates xy.csv --max cdistance=0.05

  clustcmp gate --config gates.toml nightly --junit gate.xml

  clustcmp gate --all -f json

  clustcmp gate old.csv new.csv --baseline base.json --update-baseline

  clustcmp gate new.csv --baseline base.json --max-change ari=2%

Exit status: 0 pass (also with warnings), 1 fail, 2 wrong usage or input, 3 no verdict.
"""

Bounds = list[str] | None


class Output(NamedTuple):
    """Where and how verdicts are shown."""

    junit: str | None
    format: GateFormat
    color: Color
    quiet: bool
    verbose: bool
    many: bool


def bound(flag: str, help: str) -> typer.models.OptionInfo:
    """An option that takes METRIC=NUMBER and can be repeated."""
    option: typer.models.OptionInfo = typer.Option(
        flag, metavar="METRIC=NUMBER", help=help, autocompletion=options.complete_metric
    )
    return option


def gate(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[REFERENCE] [CANDIDATE] | [NAME]",
            help="Two files as in compare; the candidate alone, with --baseline; or the name of "
            "a gate in the configuration.",
        ),
    ] = None,
    min: Annotated[
        Bounds, bound("--min", "Fail below this value; the bound itself passes.")
    ] = None,
    max: Annotated[
        Bounds, bound("--max", "Fail above this value; the bound itself passes.")
    ] = None,
    warn_min: Annotated[
        Bounds, bound("--warn-min", "Warn below this; the bound itself does not.")
    ] = None,
    warn_max: Annotated[
        Bounds, bound("--warn-max", "Warn above this; the bound itself does not.")
    ] = None,
    max_moved: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Fail if more of the points are in a cluster that is not the match of their old "
            "one: 1% or 0.01, inclusive.",
        ),
    ] = None,
    min_coverage: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE",
            help="Fail if fewer of all points are in both files (and not dropped): 99% or 0.99, "
            "inclusive.",
        ),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="FILE", help="The values of an accepted run.")
    ] = None,
    max_change: Annotated[
        Bounds,
        bound(
            "--max-change",
            "Fail if the value is farther from that of the baseline, in either direction: "
            "ari=0.02, or ari=2% of the accepted value.",
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
    coordinates: options.Coordinates = None,
    coordinates_a: options.CoordinatesA = None,
    coordinates_b: options.CoordinatesB = None,
    distances: options.Distances = None,
    points: Annotated[
        Points | None,
        typer.Option(
            help="If the files have different points: refuse (default), or use the common ones."
        ),
    ] = None,
    noise: options.NoiseLabels = None,
    noise_policy: Annotated[
        NoisePolicy | None,
        typer.Option(help="What noise is: one cluster (default), dropped, or a cluster per point."),
    ] = None,
    missing: Annotated[
        Missing | None,
        typer.Option(help="What a point with an empty label is. Default: an error."),
    ] = None,
    normalize: options.Normalize = False,
    no_header: options.NoHeader = False,
    max_bytes: Annotated[
        int | None,
        typer.Option(min=1, help="Refuse files that are larger when unpacked. Default: 4 GiB."),
    ] = None,
    jobs: options.Jobs = None,
    junit: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the verdict as JUnit XML, too.")
    ] = None,
    format: Annotated[
        GateFormat | None,
        typer.Option(
            "--format",
            "-f",
            help="How to print the verdict. Default: table; in GitHub Actions github.",
        ),
    ] = None,
    color: options.Colors = Color.auto,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Refuse a clustering that moved too far: exit status 1 if a bound is not kept.

    All bounds are inclusive. A value that is undefined or not applicable never passes. In GitHub
    Actions the verdict also goes to the summary of the step, as Markdown.
    """
    from clustcmp.analyses.bounds.thresholds import Kind, Level, parse_share
    from clustcmp.analyses.gate.settings import Settings

    usual = GateFormat.github if os.environ.get("GITHUB_STEP_SUMMARY") else GateFormat.table
    output = Output(junit, format or usual, color, quiet, verbose, many=all)
    prepare_junit(junit)
    with publishing_errors(output):
        given = Settings(
            coordinates=coordinates,
            coordinates_a=coordinates_a,
            coordinates_b=coordinates_b,
            distances=distances,
            baseline=baseline,
            points=points,
            noise=tuple(noise) if noise else None,
            noise_policy=noise_policy,
            missing=missing,
            normalize=normalize or None,
            no_header=no_header or None,
            max_bytes=max_bytes,
            jobs=jobs,
            max_moved=parse_share(max_moved, "--max-moved"),
            min_coverage=parse_share(min_coverage, "--min-coverage"),
            thresholds=(
                *parse_bounds(Kind.min, Level.fail, min),
                *parse_bounds(Kind.max, Level.fail, max),
                *parse_bounds(Kind.min, Level.warn, warn_min),
                *parse_bounds(Kind.max, Level.warn, warn_max),
                *parse_bounds(Kind.max_change, Level.fail, max_change),
            ),
        )
        gates = choose_gates(files or [], config, all, given, quiet)
    if update_baseline:
        update(gates, output)
    else:
        raise typer.Exit(decide(gates, output))


def prepare_junit(path: str | None) -> None:
    """Put an error where the verdict will be: whatever happens, no old verdict stays there."""
    from clustcmp.analyses.gate.run import errored
    from clustcmp.render.gate import gate_junit
    from clustcmp.write import check_writable, write_text

    if path is None:
        return
    check_writable(path)
    with open(path, "rb") if os.path.isfile(path) else open(os.devnull, "rb") as file:
        start = file.read(5)
    if start not in (b"", b"<?xml"):
        raise UsageError(
            f"{path}: holds something else than JUnit XML, and would be lost",
            hint="name another file with --junit",
        )
    write_text(path, gate_junit([errored(None, ClustcmpError("the gate did not come to an end"))]))


@contextmanager
def publishing_errors(output: Output) -> Iterator[None]:
    """What goes wrong before a gate can run is told in files as well: an old verdict misleads."""
    from clustcmp.analyses.gate.run import errored

    try:
        yield
    except ClustcmpError as error:
        publish([errored(None, error)], output)
        raise


def parse_bounds(kind: Kind, level: Level, texts: Bounds) -> list[Threshold]:
    """The thresholds that one option gives."""
    from clustcmp.analyses.bounds.thresholds import parse_threshold

    return [parse_threshold(kind, text, level) for text in texts or ()]


def choose_gates(
    files: list[str], path: str | None, run_all: bool, given: Settings, quiet: bool
) -> list[Settings]:
    """The gates to run: those of the configuration or one of these files, with what is given."""
    from clustcmp.analyses.bounds.thresholds import check_thresholds
    from clustcmp.analyses.gate.config import Config, find_config
    from clustcmp.analyses.gate.settings import Settings

    check_thresholds(given.bounds)
    config = find_config(path) or Config("", None, {})
    if run_all and files:
        raise UsageError("--all runs the gates of the configuration", hint="leave out the files")
    chosen = config.all() if run_all else [config.choose(files, given)]
    if path is None and any(
        settings != Settings(a=settings.a, b=settings.b) for settings in chosen
    ):
        tell([f"note: gate settings from {config.path}"], quiet)
    if sum("-" in settings.files for settings in chosen) > 1:
        raise UsageError("two gates read stdin, and it can be read once only", hint="name a file")
    return [settings.overridden_by(given) for settings in chosen]


def decide(gates: Sequence[Settings], output: Output) -> int:
    """Run gates, publish their verdicts, and return the exit status of the whole."""
    from clustcmp.analyses.bounds.verdict import overall
    from clustcmp.analyses.gate.run import errored, run_gate
    from clustcmp.progress import told_to
    from clustcmp.render.bar import Bar
    from clustcmp.render.gate import render_verdicts

    verdicts = []
    with Bar(output.quiet) as bar, told_to(bar):
        for settings in gates:
            began = time.perf_counter()
            try:
                verdicts.append(run_gate(settings))
            except ClustcmpError as error:
                verdicts.append(errored(settings.name, error))
            if output.verbose:
                name = "the gate" if settings.name is None else f"gate {settings.name}"
                tell([f"{name} took {time.perf_counter() - began:.3f} s"])
    publish(verdicts, output)
    if not output.many and verdicts[0].error is not None:
        raise verdicts[0].error
    text = render_verdicts(verdicts, output.format, output.color)
    notes = dict.fromkeys(note for verdict in verdicts for note in verdict.notes)
    tell((f"note: {note}" for note in notes), output.quiet)
    sys.stdout.write(text)
    return overall(verdicts).exit_status


def publish(verdicts: Sequence[Verdict], output: Output) -> None:
    """Write the verdicts where other programs look for them."""
    from clustcmp.render.gate import gate_commands, gate_junit, gate_markdown
    from clustcmp.write import write_text

    if output.junit is not None:
        write_text(output.junit, gate_junit(verdicts))
    if output.format is GateFormat.github and not output.many and verdicts[0].error is not None:
        # With an error stdout stays empty, and GitHub reads stderr as well.
        sys.stderr.write(gate_commands(verdicts))
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if not summary:
        return
    try:
        # Other steps write there as well, so that nothing may be replaced.
        with open(summary, "ab") as file:
            file.write(gate_markdown(verdicts).encode("utf-8", "backslashreplace") + b"\n")
    except OSError as error:
        reason = error.strerror or error
        tell([f"note: the step summary cannot be written: {reason}"], output.quiet)


def update(gates: Sequence[Settings], output: Output) -> None:
    """Accept the values of one gate's run, and show what changes."""
    from clustcmp.analyses.gate.run import accept
    from clustcmp.progress import told_to
    from clustcmp.render.bar import Bar
    from clustcmp.render.baseline import render_update
    from clustcmp.render.json import write as to_json
    from clustcmp.write import check_apart, check_writable, write_text

    if output.junit is not None or len(gates) != 1:
        raise UsageError(
            "--update-baseline accepts the values of one gate and gives no verdict",
            hint="leave out --junit and --all",
        )
    settings = gates[0]
    if settings.baseline is not None:
        check_writable(settings.baseline)
        check_apart(settings.baseline, settings.files)
    with Bar(output.quiet) as bar, told_to(bar):
        old, new = accept(settings)
    text = render_update(old, new, output.format, output.color)
    write_text(new.path, to_json(new.document))
    tell(["note: the baseline was written; there is no verdict"], output.quiet)
    sys.stdout.write(text)
