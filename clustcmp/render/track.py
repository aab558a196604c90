"""The document of `clustcmp track`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clustcmp.analyses.bounds.thresholds import Kind
from clustcmp.analyses.bounds.verdict import Outcome, Verdict
from clustcmp.analyses.track.report import COLUMNS, StableRegion, Step, Track
from clustcmp.errors import plural
from clustcmp.options import show_option
from clustcmp.output_settings import TrackView
from clustcmp.render.blocks import (
    Bar,
    Block,
    Cell,
    Column,
    Data,
    Group,
    Heading,
    Headline,
    Inputs,
    Legend,
    Lines,
    Notes,
    OnPage,
    Span,
    Strip,
    Table,
    Tone,
)
from clustcmp.render.bounds import show_bound, show_found
from clustcmp.render.brief import MOST_METRICS, Brief, fill, left_out
from clustcmp.render.life_lines import life_blocks, show_lives
from clustcmp.render.words import (
    LEGEND,
    describe_all,
    legend,
    show_approximate,
    show_coordinates,
    show_direction,
    show_joint,
    show_status,
    show_unfit,
    show_value,
)
from clustcmp.results import Result, Status, interval_columns

BARS = "   ".join([legend("bars: how far from the best value"), LEGEND])

WORDS = {Outcome.passed: "pass", Outcome.fail: "fail", Outcome.no_verdict: "no verdict"}
TONES = {
    Outcome.passed: Tone.passed,
    Outcome.fail: Tone.failed,
    Outcome.no_verdict: Tone.unknown,
}

# What can be chosen about the document.
VIEW = TrackView

# Steps in one line.
MOST_STEPS = 5


def document(track: Track, show_all: bool) -> list[Block]:
    """The windows, the series of each metric, the life lines, the verdict."""
    shown, unfit = sort_metrics(track)
    blocks: list[Block] = [
        OnPage(lambda: page_of(track, shown)),
        Inputs(list(show_stream(track)), facts_of(track), numbers=2),
        OnPage(lambda: [Heading("Values")]),
        series_table(track, shown),
        Legend([BARS]),
        Lines(show_unfit(unfit), Tone.faint, close=True),
    ]
    if track.life_lines is not None:
        blocks += life_blocks(track, track.life_lines, show_all)
    if track.stable is not None:
        blocks.append(Lines(list(show_stable(track.stable))))
    if track.verdict is not None:
        blocks += verdict_blocks(track.verdict)
    return [*blocks, Notes(track.notes), data_of(track)]


def page_of(track: Track, metrics: Sequence[str]) -> Iterator[Block]:
    """What the stream comes down to, and its charts."""
    from clustcmp.render.charts import streams

    yield Headline(streams.track_headline(track, metrics))
    yield from filter(None, (streams.series_chart(track, metrics), streams.lives_chart(track)))


def show_stable(regions: Sequence[StableRegion]) -> Iterator[str]:
    """The stable regions, or that there is none."""
    if not regions:
        yield "no stable region"
    for one in regions:
        yield (
            f"stable region: {one.source} to {one.target}, {plural(one.steps, 'step')} of "
            f"{one.metric}, the worst {show_value(one.worst)}"
        )


def brief(track: Track, lines: int) -> Brief:
    """The values at each step if they are few, else a line for each metric."""
    facts = list(sum_up(track))
    room = lines - len(facts) - 1
    if len(track) > room:
        return brief_series(track, facts, room)
    metrics = track.metrics[:MOST_METRICS]
    rows = [
        [step.title, *(show_approximate(one.value, None, show_status(one)) for one in results)]
        for step in track.steps
        for results in [[step.report.result(metric) for metric in metrics]]
    ]
    more = left_out(len(track.metrics) - len(metrics), "metric", "to_frame() has all")
    return Brief(facts, ["", *metrics], rows, range(1, len(metrics) + 1), more)


def brief_series(track: Track, facts: Sequence[str], room: int) -> Brief:
    """The first, the lowest, the highest and the last value of each metric."""
    shown = track.metrics[: fill(len(track.metrics), room)]
    rows = []
    for metric in shown:
        values = track[metric]
        known = [value for value in values if value is not None]
        found = (values[0], min(known, default=None), max(known, default=None), values[-1])
        rows.append([metric, *(show_approximate(value, None) for value in found)])
    head = ("", "first", "lowest", "highest", "last")
    more = left_out(len(track.metrics) - len(shown), "metric", "to_frame() has all")
    return Brief(facts, head, rows, range(1, 5), more)


def sum_up(track: Track) -> Iterator[str]:
    """How many windows there are, what became of the clusters, and the verdict."""
    sizes = sorted(window.points for window in track.windows)
    points = f"{sizes[0]:,} to {sizes[-1]:,} points"
    if sizes[0] == sizes[-1]:
        points = plural(sizes[0], "point")
    lag = f", each compared with the one {track.lag} later" if track.lag > 1 else ""
    yield f"track: {len(track.windows):,} windows of {points}{lag}"
    if track.life_lines is not None:
        yield show_lives(track.life_lines)
    if track.verdict is not None:
        yield f"verdict: {WORDS[track.verdict.outcome]}"


def sort_metrics(track: Track) -> tuple[list[str], list[Result]]:
    """The metrics to show, and a result of each one that applies at no step."""
    shown, unfit = [], []
    for metric in track.metrics:
        results = track.series(metric)
        if all(result.status is Status.not_applicable for result in results):
            unfit.append(results[0])
        else:
            shown.append(metric)
    return shown, unfit


def facts_of(track: Track) -> list[str]:
    """What points that windows share were joined by, and where the points are."""
    joint = [show_joint(step.report.coverage, track.joined_by) for step in track.steps]
    return [*next(filter(None, joint), []), *show_coordinates(track.windows)]


def show_stream(track: Track) -> Iterator[tuple[str, ...]]:
    """Each window in a few words, with the points it shares where these are not all."""
    coverages = [step.report.coverage for step in track.steps]
    differ = any(coverage.only_a or coverage.only_b for coverage in coverages)
    step_to = {step.target: step for step in track.steps}
    for window, words in zip(track.windows, describe_all(track.windows), strict=True):
        if differ and (step := step_to.get(window.name)):
            words += (f"{step.report.coverage.shared:,} also in {step.source}",)
        yield words


def series_table(track: Track, metrics: Sequence[str]) -> Table:
    """The values of each metric along the stream."""
    columns = [
        Column("step", brief=""),
        Column("metric", spare=True),
        Column("value", right=True, brief=""),
        Column("best", spare=True),
        Column("", chart=True, brief=""),
        Column("remark", wraps=True, brief=""),
    ]
    return Table(columns, [curve_of(track, metric) for metric in metrics])


def curve_of(track: Track, metric: str) -> Group:
    """The values of one metric, with their distances from the best value as bars."""
    results = track.series(metric)
    shares = heights(results)
    best = show_direction(results[0].higher_is_better, results[0].best)
    rows = [
        [
            Cell(step.title),
            Cell(Span(metric, code=True)),
            Cell(
                show_approximate(result.value, result.proven, show_status(result)),
                Tone.strong if result.status is Status.ok else Tone.caution,
            ),
            Cell(best),
            Cell(Bar(share), Tone.chart),
            remarks_on(track, step, result),
        ]
        for step, result, share in zip(track.steps, results, shares, strict=True)
    ]
    about = "  ".join(filter(None, [best, results[0].convention]))
    return Group(rows, metric, curve=Strip(shares), about=about)


def remarks_on(track: Track, step: Step, result: Result) -> Cell:
    """What is remarkable about one value."""
    remarks = [] if result.status is Status.ok else [result.reason or ""]
    broken = [
        check.threshold
        for check in track.checks(step, result.metric)
        if check.outcome is Outcome.fail
    ]
    for threshold in broken:
        side = "above" if threshold.kind is Kind.max else "below"
        remarks.append(f"✗ {side} {show_option(threshold.bound)}")
    if track.is_jump(step, result.metric):
        remarks.append("largest jump")
    tone = Tone.failed if broken else Tone.remark
    return Cell(Span(", ".join(remarks), tone), Tone.remark)


def heights(results: Sequence[Result]) -> list[float | None]:
    """For each result how far it is from the best value, as a share of the farthest.

    Without a best value the smallest one counts as best.
    """
    values = [result.value for result in results]
    known = [value for value in values if value is not None]
    best = results[0].best
    base = best if best is not None else min(known, default=0.0)
    farthest = max((abs(value - base) for value in known), default=0.0) or 1.0
    return [None if value is None else abs(value - base) / farthest for value in values]


def verdict_blocks(verdict: Verdict) -> Iterator[Block]:
    """The outcome, then a line for each bound."""
    yield Heading(f"verdict: {WORDS[verdict.outcome]}", 3, TONES[verdict.outcome])
    yield Lines([show_judged(one) for one in verdict.by_threshold], indent=2)


def show_judged(bound: Verdict) -> str:
    """One bound, and at which steps it is not kept."""
    n_steps = len(bound.checks)
    what = f"{WORDS[bound.outcome]}: {show_bound(bound.checks[0].threshold)}"
    if bound.outcome is Outcome.passed:
        return f"{what} at {'the only step' if n_steps == 1 else f'all {n_steps} steps'}"
    broken = bound.having(bound.outcome)
    steps = []
    for check in broken[:MOST_STEPS]:
        source, target = check.step or ("", "")
        steps.append(f"{source} → {target} ({show_found(check)})")
    more = f" and {len(broken) - MOST_STEPS} more" if len(broken) > MOST_STEPS else ""
    known = "is not kept" if bound.outcome is Outcome.fail else "is not known to be kept"
    return f"{what} {known} at {len(broken)} of {plural(n_steps, 'step')}: {', '.join(steps)}{more}"


def data_of(track: Track) -> Data:
    """A row for each metric at each step."""
    ends = interval_columns(result for step in track.steps for result in step.report)
    columns = COLUMNS[: len(COLUMNS) - 2 + len(ends)]

    def rows() -> Iterator[list[object]]:
        for row in track.rows():
            cells = row[: len(columns)]
            cells[COLUMNS.index("jump")] = str(cells[COLUMNS.index("jump")]).lower()
            yield cells

    return Data(columns, rows)
