"""A track in words, numbers and blocks, as people read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from clustcmp.analyses.bounds.thresholds import Kind
from clustcmp.analyses.bounds.verdict import Check, Outcome
from clustcmp.analyses.track.report import (
    Begin,
    BoundCheck,
    Cluster,
    End,
    LifeLine,
    Step,
    Track,
    Window,
)
from clustcmp.errors import printable
from clustcmp.options import show_option
from clustcmp.render.words import count, show_value
from clustcmp.results import Result, Status

LEVELS = "▁▂▃▄▅▆▇█"

# So many life lines are shown unless all are asked for, and so many names and steps in one line.
MOST_LINES = 20
MOST_NAMES = 2
MOST_STEPS = 5

# More windows than this share their places in a strip.
LONGEST_STRIP = 40


def is_jump(track: Track, step: Step, result: Result) -> bool:
    """Whether this is the largest jump of its metric."""
    jump = track.jump(result.metric)
    return jump is not None and (jump.source, jump.target) == (step.source, step.target)


def checks_of(track: Track, step: Step, result: Result) -> Iterator[tuple[BoundCheck, Check]]:
    """The bounds on a metric, and what became of them at one step."""
    for bound in track.verdict.bounds if track.verdict else ():
        if bound.threshold.metric == result.metric:
            yield from ((bound, check) for at, check in bound.steps if at is step)


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


def choose_lines(lines: Sequence[LifeLine], show_all: bool) -> Sequence[LifeLine]:
    """All life lines, or the largest ones and the largest of those that begin or end."""
    if show_all or len(lines) <= MOST_LINES:
        return lines
    eventful = [line for line in lines[MOST_LINES // 2 :] if line.is_eventful]
    chosen = eventful[: MOST_LINES // 2]
    return [*lines[: MOST_LINES - len(chosen)], *chosen]


def show_stream(track: Track) -> Iterator[tuple[str, ...]]:
    """Each window in a few words, with the points it shares where these are not all."""
    coverages = [step.report.coverage for step in track.steps]
    differ = any(coverage.only_a or coverage.only_b for coverage in coverages)
    step_to = {step.target: step for step in track.steps}
    for window in track.windows:
        words = show_window(window)
        if differ and (step := step_to.get(window.name)):
            words += (f"{step.report.coverage.shared:,} also in {step.source}",)
        yield words


def show_window(window: Window) -> tuple[str, ...]:
    """One window in a few words."""
    words = [
        window.name,
        printable(window.file) if window.file else "(object)",
        count(window.points, "point"),
        count(window.clusters, "cluster"),
        window.kind,
    ]
    return (*words, f"{window.noise:,} noise") if window.noise else tuple(words)


def show_result(result: Result) -> str:
    """A value, or why there is none."""
    return (
        result.status.value.replace("_", " ") if result.value is None else show_value(result.value)
    )


def show_remarks(track: Track, step: Step, result: Result) -> Iterator[str]:
    """What is remarkable about one value."""
    if result.status is not Status.ok:
        yield result.reason or ""
    for bound, check in checks_of(track, step, result):
        if check.outcome is Outcome.fail:
            side = "above" if bound.threshold.kind is Kind.max else "below"
            yield f"✗ {side} {show_option(bound.threshold.bound)}"
    if is_jump(track, step, result):
        yield "largest jump"


def show_verdict(track: Track) -> list[str]:
    """The outcome, then a line for each bound."""
    if track.verdict is None:
        return []
    words = {Outcome.passed: "pass", Outcome.fail: "fail", Outcome.no_verdict: "no verdict"}
    lines = [f"verdict: {words[track.verdict.outcome]}"]
    for bound in track.verdict.bounds:
        sign = "≤" if bound.threshold.kind is Kind.max else "≥"
        what = f"{bound.threshold.metric} {sign} {show_option(bound.threshold.bound)}"
        lines.append(f"{words[bound.outcome]}: {what} {show_bound(bound)}")
    return lines


def show_bound(bound: BoundCheck) -> str:
    """At which steps a bound is not kept."""
    n_steps = len(bound.steps)
    if bound.outcome is Outcome.passed:
        return f"at {'the only step' if n_steps == 1 else f'all {n_steps} steps'}"
    broken = bound.having(bound.outcome)
    steps = [
        f"{step.title} ({check.reason if check.found is None else show_value(check.found)})"
        for step, check in broken[:MOST_STEPS]
    ]
    more = f" and {len(broken) - MOST_STEPS} more" if len(broken) > MOST_STEPS else ""
    known = "is not kept" if bound.outcome is Outcome.fail else "is not known to be kept"
    return f"{known} at {len(broken)} of {count(n_steps, 'step')}: {', '.join(steps)}{more}"


def show_lives(track: Track) -> str:
    """How many life lines there are, and how they begin and end."""
    lines = track.life_lines or ()
    words = {
        "throughout": sum(not line.is_eventful for line in lines),
        "born": sum(line.begins is Begin.born for line in lines),
        "split off": sum(line.begins is Begin.split_off for line in lines),
        "merged": sum(line.ends is End.merged for line in lines),
        "died": sum(line.ends is End.died for line in lines),
    }
    parts = [f"{number:,} {word}" for word, number in words.items() if number]
    return f"{count(len(lines), 'life line')}: {', '.join(parts)}"


def show_windows(line: LifeLine) -> str:
    """From which window to which a cluster lives."""
    first, last = line.clusters[0].window, line.clusters[-1].window
    return first if first == last else f"{first}-{last}"


def show_masses(line: LifeLine) -> str:
    """The mass at the beginning and at the end, or from the least to the most if these agree."""
    masses = [cluster.mass for cluster in line.clusters]
    first, last, least, most = map(show_mass, (masses[0], masses[-1], min(masses), max(masses)))
    if first != last:
        return f"{first} → {last}"
    return first if least == most else f"{least} to {most}"


def show_mass(mass: float) -> str:
    """A number of points, or a sum of degrees."""
    return f"{mass:,}" if isinstance(mass, int) else f"{mass:,.2f}"


def show_events(line: LifeLine, lag: int, quote: Callable[[str], str]) -> Iterator[str]:
    """What happened to a cluster, with the window in which it shows."""
    first, last = line.clusters[0], line.clusters[-1]
    if line.begins is Begin.split_off and line.origin:
        yield f"{first.window}: split from {quote(line.origin.name)}"
    elif line.begins is Begin.born:
        yield f"{first.window}: born"
    yield from show_names(line, quote)
    if line.ends is End.merged and line.heir:
        yield f"{line.heir.window}: merged into {quote(line.heir.name)}"
    elif line.ends is End.died:
        yield f"W{int(last.window[1:]) + lag}: died"


def show_names(line: LifeLine, quote: Callable[[str], str]) -> Iterator[str]:
    """The other names of a cluster, and since when it has them."""
    renamed = [
        cluster
        for before, cluster in zip(line.clusters, line.clusters[1:], strict=False)
        if cluster.name != before.name
    ]
    for cluster in renamed[:MOST_NAMES]:
        yield f"{cluster.window}: called {quote(cluster.name)}"
    if len(renamed) > MOST_NAMES:
        yield f"{count(len(renamed) - MOST_NAMES, 'more name')}"


def show_rest(number: int) -> str:
    """That more is there than is shown."""
    return f"and {count(number, 'more life line')}: --all shows them"


def sparkline(values: Sequence[float | None], longest: int = LONGEST_STRIP) -> str:
    """A character for each value from 0 to 1, or the largest of several; a dot for none."""
    n_places = min(len(values), longest)
    strip = []
    for place in range(n_places):
        ends = (place * len(values) // n_places, (place + 1) * len(values) // n_places)
        known = [value for value in values[slice(*ends)] if value is not None]
        strip.append(level(max(known)) if known else "·")
    return "".join(strip)


def level(value: float) -> str:
    """A block whose height shows a value from 0 to 1."""
    return LEVELS[min(int(value * len(LEVELS)), len(LEVELS) - 1)]


def heights(results: Sequence[Result]) -> list[float | None]:
    """For each result how far it is from the best value, as a share of the farthest.

    Without a best value the smallest one takes its place.
    """
    values = [result.value for result in results]
    known = [value for value in values if value is not None]
    best = results[0].best
    base = best if best is not None else min(known, default=0.0)
    farthest = max((abs(value - base) for value in known), default=0.0) or 1.0
    return [None if value is None else abs(value - base) / farthest for value in values]


def masses_by_window(
    line: LifeLine, windows: Sequence[Window], largest: float, longest: int = LONGEST_STRIP
) -> str:
    """A strip of all windows: how large the cluster is where it lives, a dot elsewhere."""
    mass_in = {cluster.window: cluster.mass for cluster in line.clusters}
    shares = [mass_in[w.name] / largest if w.name in mass_in else None for w in windows]
    return sparkline(shares, longest)


def largest_mass(lines: Sequence[LifeLine]) -> float:
    """The mass of the largest cluster of all."""
    clusters: Iterator[Cluster] = (cluster for line in lines for cluster in line.clusters)
    return max((cluster.mass for cluster in clusters), default=1.0)
