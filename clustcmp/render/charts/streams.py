"""A stream of windows: how metrics go along, and the lives of clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clustcmp.analyses.bounds.verdict import Outcome
from clustcmp.analyses.track.report import Begin, Cluster, End, LifeLine, Track
from clustcmp.errors import plural
from clustcmp.render.blocks import Chart
from clustcmp.render.bounds import show_bound
from clustcmp.render.charts.styles import MOST_STYLES
from clustcmp.render.drawings import OTHERS, Curve, Life, Lives, Series
from clustcmp.render.widths import short
from clustcmp.render.words import show_direction, show_value

# Curves one below the other, and bands.
MOST_CURVES = 8
MOST_LIVES = 60


def series_chart(track: Track, metrics: Sequence[str]) -> Chart | None:
    """A curve for each metric along the stream."""
    shown = list(metrics)[:MOST_CURVES]
    if not shown:
        return None
    curves = [curve_of(track, metric) for metric in shown]
    more = len(metrics) - len(shown)
    rest = f" The first {len(shown)} of {len(metrics)} metrics are shown." if more else ""
    jumps = [
        f"{curve.metric} at {track.steps[curve.jump].title}"
        for curve in curves
        if curve.jump is not None
    ]
    failed = sum(len(curve.failed) for curve in curves)
    return Chart(
        "From window to window",
        "Each curve is a metric, and each dot compares two windows; a dashed line is a bound, a "
        f"cross a value that does not keep it, and a ring the largest jump.{rest}",
        f"{plural(len(track.steps), 'step')}, {plural(len(curves), 'curve')}. Largest jumps: "
        f"{', '.join(jumps) or 'none'}. {plural(failed, 'value')} outside of bounds.",
        Series([step.title for step in track.steps], curves),
    )


def curve_of(track: Track, metric: str) -> Curve:
    """One metric along the steps."""
    results = track.series(metric)
    thresholds = {
        check.threshold: None for step in track.steps for check in track.checks(step, metric)
    }
    failed = [
        at
        for at, step in enumerate(track.steps)
        if any(check.outcome is Outcome.fail for check in track.checks(step, metric))
    ]
    jumps = [at for at, step in enumerate(track.steps) if track.is_jump(step, metric)]
    return Curve(
        metric,
        show_direction(results[0].higher_is_better, results[0].best),
        [result.value for result in results],
        [(show_bound(one), one.bound) for one in thresholds],
        failed,
        jumps[0] if jumps else None,
    )


def lives_chart(track: Track) -> Chart | None:
    """A band for each life line."""
    lines = list(track.life_lines or ())[:MOST_LIVES]
    if not lines:
        return None
    names = [window.name for window in track.windows]
    home = {key(cluster): at for at, line in enumerate(lines) for cluster in line.clusters}
    lives = [life_of(line, at, names, home) for at, line in enumerate(lines)]
    more = len(track.life_lines or ()) - len(lines)
    rest = f" The largest {len(lines)} are shown; {more:,} more are not." if more else ""
    longest = lines[0]
    return Chart(
        "Lives of clusters",
        "Each band is a cluster from window to window, as high as it has points; a band that "
        "begins or ends within the stream was born or died there, and a thin line leads from the "
        f"cluster that it split from, or into the one that it merged with.{rest}",
        f"{plural(len(lines), 'life line')} over {plural(len(names), 'window')}. The largest is "
        f"{short(longest.clusters[0].name)}. {describe_events(lines)}",
        Lives(names, lives, track.lag),
    )


def describe_events(lines: Sequence[LifeLine]) -> str:
    """How many life lines begin and end within the stream."""
    born = sum(line.begins is not Begin.first for line in lines)
    ended = sum(line.ends is not End.alive for line in lines)
    return f"{born} begin and {ended} end within the stream."


def key(cluster: Cluster) -> tuple[str, str]:
    """What tells a cluster of a stream from all others."""
    return cluster.window, str(cluster.name)


def life_of(
    line: LifeLine, at: int, windows: Sequence[str], home: dict[tuple[str, str], int]
) -> Life:
    """One life line."""
    mass_in = {cluster.window: cluster.mass for cluster in line.clusters}
    return Life(
        line.clusters[0].name,
        [mass_in.get(name) for name in windows],
        ", ".join(say_ends(line)),
        at if at < MOST_STYLES else OTHERS,
        None if line.origin is None else home.get(key(line.origin)),
        None if line.heir is None else home.get(key(line.heir)),
    )


def say_ends(line: LifeLine) -> Iterator[str]:
    """How a life line begins and ends."""
    if line.begins is Begin.split_off and line.origin:
        yield f"split from {short(line.origin.name)}"
    elif line.begins is Begin.born:
        yield f"born in {line.clusters[0].window}"
    if line.ends is End.merged and line.heir:
        yield f"merged into {short(line.heir.name)}"
    elif line.ends is End.died:
        yield f"died after {line.clusters[-1].window}"


def track_headline(track: Track, metrics: Sequence[str]) -> list[str]:
    """What a stream comes down to."""
    lines = [f"{plural(len(track.windows), 'window')}, compared in {plural(len(track), 'step')}."]
    for metric in metrics[:1]:
        jump = track.jump(metric)
        lines.append(
            f"The largest change by {metric} is from {jump.source} to {jump.target}: "
            f"{show_value(jump.value)}."
            if jump
            else f"By {metric} nothing changed at any step."
        )
    return lines
