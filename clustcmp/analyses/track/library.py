"""Follow a stream in one call: what the command does, for Python objects too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Unpack

from clustcmp.align import Alignment, note_positions
from clustcmp.analyses.bounds.thresholds import Threshold, check_thresholds, read_thresholds
from clustcmp.analyses.bounds.verdict import Verdict, check, remarks, worst_of
from clustcmp.analyses.track.life_lines import trace_life_lines
from clustcmp.analyses.track.links import Links, find_links
from clustcmp.analyses.track.regions import find_region, find_stable
from clustcmp.analyses.track.report import Jump, Step, Track
from clustcmp.analyses.track.stream import AlignedStep, Stream, load_stream, name_window
from clustcmp.arrays import Floats
from clustcmp.errors import InputError, LimitExceeded, SolverFailed, UsageError
from clustcmp.evaluate import evaluate
from clustcmp.keywords import takes_settings
from clustcmp.machines import uses_machines
from clustcmp.metrics import METRICS
from clustcmp.metrics.density import find_span
from clustcmp.model import Clustering, Comparison
from clustcmp.notes import Note, condense
from clustcmp.progress import announce
from clustcmp.registry import Request
from clustcmp.requests import find_requests, find_unlocated
from clustcmp.results import Report, Result
from clustcmp.settings import TrackSettings
from clustcmp.wording import say

# The default metric if there are coordinates, for windows of any points, and if there are none.
IN_SPACE = "adco"
BY_MEMBERSHIP = "adjusted_rand"

# The default metrics from one cut of a tree to the next finer one: whether pairs stay together, and
# how finely the points are divided.
TO_FINER = ["adjusted_wallace_ab", "simpson_b"]

ONE_GRID = Note(
    "adco: the bins cover all windows, so that values of different steps can be compared; "
    "'clustcmp compare' has bins over two windows only"
)


@takes_settings
@uses_machines
def track(
    windows: Sequence[Any],
    metrics: Iterable[str] | str | None = None,
    **settings: Unpack[TrackSettings],
) -> Track:
    """Follow a stream of clusterings: how far each is from the one `lag` windows later.

    Each window is what `compare` takes for a and b. `coordinates` say where the points of all
    windows are, `coordinates_each` has one table for each window. `metrics` are those to follow, by
    default adco if there are coordinates, else adjusted_rand. `min` and `max` are bounds on metrics
    at every step; the track's `verdict` says whether they are kept.

    `by="clusters"` orders windows by their number of clusters, as for the cuts of a tree, and then
    follows how many pairs of each stay together in the next finer one. With `stable=0.99` the
    track's `stable` regions are runs of at least `length` steps at which a metric keeps this value.

        >>> clustcmp.track([[1, 1, 2, 2], [1, 1, 2, 2], [1, 2, 2, 2]], "rand")["rand"]
        (1.0, 0.5)
    """
    if isinstance(windows, str):
        raise UsageError(f"windows={windows!r} is one window", hint="give a list of windows")
    windows = list(windows)
    thresholds = read_thresholds(settings)
    tables = choose_tables(settings["coordinates"], settings["coordinates_each"])
    requests = find_followed(
        metrics,
        thresholds,
        usual_metrics(settings["by"], bool(tables) or all(map(has_coordinates, windows))),
    )
    unlocated = find_unlocated(requests)
    region = find_region(settings)
    stream = load_stream(windows, tables, settings, unlocated)
    track = follow(stream, requests, thresholds, settings["life_lines"])
    return track if region is None else replace(track, stable=find_stable(track, *region))


def choose_tables(for_all: Any, for_each: Sequence[Any]) -> list[Any]:
    """The tables of coordinates: none, one for all windows, or one for each."""
    if for_all is None:
        return list(for_each)
    if len(for_each):
        raise UsageError(
            "coordinates are for all windows, but coordinates_each are given as well",
            hint="leave one of them out",
        )
    return [for_all]


def has_coordinates(window: Any) -> bool:
    """Whether a window comes with coordinates."""
    return isinstance(window, Clustering) and window.points.coordinates is not None


def usual_metrics(by: str, is_located: bool) -> list[str]:
    """The metrics that are followed unless others are named."""
    if by == "clusters":
        return TO_FINER
    return [IN_SPACE if is_located else BY_MEMBERSHIP]


def find_followed(
    specs: Iterable[str] | str | None, thresholds: Sequence[Threshold], usual: Sequence[str]
) -> tuple[Request, ...]:
    """The metrics to follow: those asked for and those with bounds, else the usual ones."""
    check_thresholds(thresholds)
    named = [specs] if isinstance(specs, str) else specs or ()
    bounded = [threshold.request for threshold in thresholds if threshold.request]
    asked: list[str | Request] = [*named, *bounded]
    if specs is None and not asked:
        asked = list(usual)
    requests = find_requests(asked, has_distances=False)
    of_one = [request for request in requests if request.metric.arity == 1]
    if any(request.named for request in of_one) or len(of_one) == len(requests):
        raise UsageError(
            f"{of_one[0].spec}: is a metric of one clustering, but a track compares two windows",
            hint="choose a metric of two clusterings; 'clustcmp metrics NAME' describes a metric",
        )
    return tuple(request for request in requests if request.metric.arity == 2)


def follow(
    stream: Stream,
    requests: Sequence[Request],
    thresholds: Sequence[Threshold] = (),
    with_life_lines: bool = True,
) -> Track:
    """The track of a stream: one pass over its steps."""
    steps: list[Step] = []
    links: list[Links] | None = [] if with_life_lines else None
    notes: list[Note] = []
    for compared in announce(compare_steps(stream, requests), "windows", stream.n_steps):
        steps.append(take_step(compared, requests))
        notes += find_step_notes(steps[-1], compared)
        try:
            if links is not None:
                links.append(link_windows(stream, compared, find_ground(requests)))
        except (LimitExceeded, SolverFailed) as failure:
            # Life lines are an extra and must not stop the values.
            links = None
            notes.append(Note(f"no life lines: {steps[-1].title}: {failure.message}"))
    if thresholds:
        notes += map(Note, remarks(steps[0].report, thresholds))
    return Track(
        stream.windows,
        tuple(steps),
        tuple(find_jumps(steps)),
        None if links is None else trace_life_lines(stream, links),
        judge_steps(steps, thresholds),
        group_notes([*find_stream_notes(stream, compared), *notes], steps),
        stream.lag,
    )


class ComparedStep(NamedTuple):
    """The comparison of two windows, which are given by their positions."""

    source: int
    target: int
    alignment: Alignment
    comparison: Comparison


def compare_steps(stream: Stream, requests: Sequence[Request]) -> Iterator[ComparedStep]:
    """The comparison of each step, with the span of the whole stream if a metric has bins."""
    alignments: Iterable[AlignedStep] = stream.align_steps()
    span = None
    if any(request.options.get("ranges") == "" for request in requests):
        # The bins of all steps cover all windows, so all are aligned before the first is compared.
        alignments = list(alignments)
        span = find_stream_span(stream, alignments)
    for (source, target), alignment in alignments:
        comparison = stream.collection.comparison(source, target, alignment)
        check_points(comparison, stream, requests)
        yield ComparedStep(source, target, alignment, replace(comparison, span=span))


def link_windows(stream: Stream, compared: ComparedStep, ground: str) -> Links:
    """How the clusters of the two windows of a step are linked."""
    source = stream.collection.canonical(compared.source)
    target = stream.collection.canonical(compared.target)
    return find_links(compared.comparison, source, target, ground)


def find_ground(requests: Iterable[Request]) -> str:
    """The ground distance of the first metric that has one; life lines use the same distance."""
    grounds = [
        str(request.options["ground"]) for request in requests if "ground" in request.options
    ]
    return grounds[0] if grounds else "euclidean"


def find_stream_span(stream: Stream, alignments: Iterable[AlignedStep]) -> Floats | None:
    """The lowest and the highest coordinates (2, d) of all points that are compared."""
    spans = [
        find_span([coordinates])
        for (source, target), alignment in alignments
        for coordinates in stream.collection.coordinates(source, target, alignment)
        if coordinates is not None
    ]
    return find_span(spans) if spans else None


def check_points(comparison: Comparison, stream: Stream, requests: Iterable[Request]) -> None:
    """Refuse windows of different points if nothing says where the points are."""
    fits = any(request.metric.accepts_different_points for request in requests)
    if comparison.same_points or stream.collection.tables or fits:
        return
    remedy = f"say where the points are with {say('coordinates')}"
    if comparison.coverage.shared:
        intersect = say("points", "intersect")
        remedy += f", or compare the points that two windows share with {intersect}"
    raise InputError(comparison.difference, hint=remedy)


def take_step(compared: ComparedStep, requests: Iterable[Request]) -> Step:
    """The results of one comparison."""
    source, target, _, comparison = compared
    results, found = evaluate(comparison, requests)
    report = Report(comparison.sides, comparison.coverage, results, found)
    return Step(name_window(source), name_window(target), report)


def find_stream_notes(stream: Stream, compared: ComparedStep) -> Iterator[Note]:
    """What there is to note about all windows together, and about single windows."""
    if compared.comparison.span is not None and stream.n_steps > 1:
        yield ONE_GRID
    for index in range(stream.n_windows):
        yield from stream.collection.notes(index)
    yield from stream.collection.note_labels()


def find_step_notes(step: Step, compared: ComparedStep) -> Iterator[Note]:
    """What there is to note about one step, and about its windows if they have no ids."""
    if compared.alignment.is_by_position:
        for window in compared.comparison.given:
            yield from note_positions(window)
    for note in (*compared.alignment.notes, *step.report.notes):
        yield Note(note.text, step.title)


def group_notes(notes: Iterable[Note], steps: Sequence[Step]) -> tuple[Note, ...]:
    """Each note once; the steps that a note is about are named unless these are all of several."""
    titles = tuple(step.title for step in steps)
    return tuple(
        Note(note.text) if note.about == titles and len(titles) > 1 else note
        for note in condense(notes)
    )


def find_jumps(steps: Sequence[Step]) -> Iterator[Jump]:
    """For each metric with a direction the step with the worst value, unless that is the best one.

    A single step has nothing to be compared with, so it is not a jump.
    """
    if len(steps) == 1:
        return
    for metric in (result.metric for result in steps[0].report):
        found = [(step, step.report.result(metric)) for step in steps]
        known = [(step, result) for step, result in found if result.value is not None]
        better = METRICS[found[0][1].name].higher_is_better
        if better is None or not known:
            continue
        worst = min if better else max
        step, result = worst(known, key=lambda pair: value_of(pair[1]))
        if result.value != result.best:
            yield Jump(step.source, step.target, metric, value_of(result), result.proven)


def value_of(result: Result) -> float:
    """The value of a result that has one."""
    if result.value is None:
        raise ValueError(f"{result.metric} has no value")
    return result.value


def judge_steps(steps: Sequence[Step], thresholds: Iterable[Threshold]) -> Verdict | None:
    """The verdict on all steps, bound by bound, if there are bounds to keep."""
    checks = [
        replace(check(step.report, threshold), step=(step.source, step.target))
        for threshold in thresholds
        for step in steps
    ]
    return Verdict(worst_of(checks), tuple(checks)) if checks else None
