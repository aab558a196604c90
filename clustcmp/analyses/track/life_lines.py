"""Life lines: which cluster of a window continues as which cluster of a later one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clustcmp.analyses.track.links import Links
from clustcmp.analyses.track.report import Begin, Cluster, End, LifeLine
from clustcmp.analyses.track.stream import Stream, name_window

# A cluster of a window: the window's position, and the cluster's code in the canonical window.
Node = tuple[int, int]


def trace_life_lines(stream: Stream, links: Sequence[Links]) -> tuple[LifeLine, ...]:
    """All life lines, the one with the most mass first."""
    lag = stream.lag
    continued = {
        (t + lag, code) for t, link in enumerate(links) for code in link.successors.values()
    }
    lines = [
        trace((t, code), stream, links)
        for t in range(stream.n_windows)
        for code in range(stream.collection.canonical(t).clustering.n_clusters)
        if (t, code) not in continued
    ]
    # The sort keeps the order of windows and of clusters, which depends on the points alone.
    return tuple(sorted(lines, key=lambda line: -line.mass))


def trace(first: Node, stream: Stream, links: Sequence[Links]) -> LifeLine:
    """The life line that begins with this cluster."""
    lag, n_windows = stream.lag, stream.n_windows
    nodes = [first, *followers(first, lag, links)]
    (born, code), (end, last) = nodes[0], nodes[-1]
    begins, origin = Begin.first, None
    if born >= lag:
        origin = links[born - lag].origins.get(code)
        begins = Begin.born if origin is None else Begin.split_off
    ends, heir = End.alive, None
    if end + lag < n_windows:
        heir = links[end].heirs.get(last)
        ends = End.died if heir is None else End.merged
    return LifeLine(
        tuple(describe(stream, node) for node in nodes),
        begins,
        ends,
        None if origin is None else describe(stream, (born - lag, origin)),
        None if heir is None else describe(stream, (end + lag, heir)),
    )


def followers(node: Node, lag: int, links: Sequence[Links]) -> Iterator[Node]:
    """The clusters that continue this one, window by window."""
    t, code = node
    while t < len(links) and code in links[t].successors:
        code = links[t].successors[code]
        t += lag
        yield t, code


def describe(stream: Stream, node: Node) -> Cluster:
    """A cluster with its name and its mass, a whole number if the window is hard."""
    t, code = node
    window = stream.collection.canonical(t).clustering
    return Cluster(name_window(t), window.label(code), window.masses[code].item())
