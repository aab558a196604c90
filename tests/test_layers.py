"""Data moves to the right only: a module imports from the lines above its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from clustcmp.metrics import METRICS

PACKAGE = Path(__file__).parent.parent / "clustcmp"

# From the ground up. A room imports from lower lines only, and never from another one of its line.
LAYERS = [
    ["version", "errors", "arrays", "notes", "records", "within", "declarations", "file_formats"],
    ["significance_settings", "output_settings"],
    ["settings", "progress", "typed", "memory"],
    ["stability_settings"],
    ["wording"],
    ["keywords", "write", "model", "options", "backends", "sureness"],
    ["geometry", "known", "matching", "results", "shares", "processes", "machines"],
    ["transport", "registry", "read", "align", "matching_weight"],
    ["metrics"],
    ["requests", "inputs"],
    ["evaluate", "folders"],
    ["significance", "clusterers"],
    ["analyses.flows", "analyses.bounds", "analyses.several"],
    [
        "analyses.compare",
        "analyses.changes",
        "analyses.matrix",
        "analyses.track",
        "analyses.gate",
        "analyses.inspect",
        "analyses.metrics",
        "analyses.parts",
        "analyses.sql",
        "analyses.stability",
    ],
    ["render"],
    ["plots"],
    ["commands"],
    ["cli"],
    ["__main__"],
]
HEIGHT = {name: height for height, layer in enumerate(LAYERS) for name in layer}

# The only modules that may import a library, and those that may do so at the top.
DOORS = {
    "pandas": {"read", "results", "analyses.changes", "analyses.matrix"},
    "pyarrow": {"read"},
    "h5py": {"read"},
    "ot": {"transport"},
    "rich": {"render"},
    "typer": {"commands", "cli"},
    "concurrent": {"backends"},
    "sklearn": {"clusterers"},
    "plotly": {"plots"},
    "threadpoolctl": {"clusterers"},
    "dask": {"machines"},
    "distributed": {"machines"},
}
# Reports are below the text that shows them, and below the aliases of metrics. Only for `to_text`
# and for `report["ari"]` they call what is above.
STEPS_BACK = {
    ("results", "clustcmp.plots"),
    ("results", "clustcmp.render"),
    ("results", "clustcmp.requests"),
}

# The parts of the render room that know rich, and those that every writer may know.
KNOW_RICH = {"terminal", "widths", "bar", "prompt"}
BENEATH_ALL = {"blocks", "drawings", "words", "widths", "as_tables"}
BENEATH_WRITERS = {"github": BENEATH_ALL | {"terminal"}}
WRITERS = {"terminal", "markdown", "latex", "html", "csv", "json", "junit", "github"}

LATE = {
    "pandas",
    "pyarrow",
    "h5py",
    "ot",
    "scipy",
    "sklearn",
    "plotly",
    "threadpoolctl",
    "dask",
    "distributed",
}

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")


def room_of(path: Path) -> str:
    """The room that a file belongs to."""
    return room_named(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))


def room_named(module: str) -> str:
    """The module or package right below clustcmp, or below its analyses, that a module is in."""
    _, *parts = module.split(".")
    return ".".join(parts[:2] if parts[0] == "analyses" else parts[:1])


def imports_of(path: Path, top_level_only: bool = False) -> Iterator[str]:
    """The modules that a file imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body if top_level_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_import_from_lines_above_only(path: Path) -> None:
    own = room_of(path)
    for module in imports_of(path):
        if module.startswith("clustcmp.") and (own, module) not in STEPS_BACK:
            room = room_named(module)
            assert HEIGHT[room] < HEIGHT[own] or room == own, module


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_libraries_come_in_by_their_door_only(path: Path) -> None:
    for module in imports_of(path):
        library = module.split(".")[0]
        assert room_of(path) in DOORS.get(library, {room_of(path)}), module


def render_modules() -> Iterator[tuple[str, Path]]:
    """The modules that show reports, each with the name that it has within its room."""
    for path in (PACKAGE / "render").rglob("*.py"):
        yield path.relative_to(PACKAGE / "render").with_suffix("").parts[0], path


def test_only_the_terminal_writer_knows_rich() -> None:
    for name, path in render_modules():
        known = {module.split(".")[0] for module in imports_of(path)}
        assert name in KNOW_RICH or "rich" not in known, path


def test_writers_know_blocks_and_no_report() -> None:
    for name, path in render_modules():
        if name in WRITERS:
            for module in imports_of(path):
                _, *parts = module.split(".")
                if module.startswith("clustcmp.render."):
                    assert parts[1] in BENEATH_WRITERS.get(name, BENEATH_ALL) | {name}, (
                        path,
                        module,
                    )
                elif module.startswith("clustcmp"):
                    assert parts[0] in {"errors", "output_settings", "wording", "arrays"}, (
                        path,
                        module,
                    )


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_heavy_libraries_are_imported_late(path: Path) -> None:
    assert not {module.split(".")[0] for module in imports_of(path, top_level_only=True)} & LATE


def test_families_do_not_import_each_other() -> None:
    families = {
        next(iter(family.metrics.values())).compute.__module__
        for family in METRICS.families.values()
    }
    assert len(families) == len(METRICS.families)
    for name in families:
        path = PACKAGE.parent / (name.replace(".", "/") + ".py")
        assert not set(imports_of(path)) & (families - {name})


def test_modules_can_be_read_in_one_sitting() -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > 400} == {}
