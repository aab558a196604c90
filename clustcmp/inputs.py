"""Two files or objects side by side: loaded and aligned."""

from __future__ import annotations

from typing import Any

from clustcmp.align import align
from clustcmp.backends import count_jobs
from clustcmp.model import Comparison
from clustcmp.progress import begin
from clustcmp.read import Loader, Wanted, two
from clustcmp.settings import CompareSettings


def prepare(a: Any, b: Any, settings: CompareSettings) -> Comparison:
    """Two files or objects side by side."""
    wanted = two(a, b, settings)
    return prepare_with(Loader(wanted), wanted)


def prepare_with(loader: Loader, wanted: Wanted) -> Comparison:
    """Two files or objects side by side, by a loader that may have read their files before."""
    begin("read")
    loaded = loader.load(wanted)
    begin("compared")
    jobs = count_jobs(wanted.settings["jobs"])
    a, b = loaded.clusterings
    return align(a, b, wanted.settings, loaded.tables, loaded.distances, jobs)
