"""The command that shows what changed, for a gate that failed."""

from __future__ import annotations

from collections.abc import Iterator

from clustcmp.analyses.gate.definition import Gate
from clustcmp.keywords import declared
from clustcmp.read import Address
from clustcmp.read.address import is_path
from clustcmp.settings import ChangesSettings
from clustcmp.wording import as_command, as_flag


def changes_command(gate: Gate) -> str | None:
    """`clustcmp changes` on the files of a gate, as it is typed in a shell.

    None if a clustering or its coordinates are objects, or come from stdin, which was read.
    """
    given = (gate.said["contingency"],) if gate.is_counted else (gate.a, gate.b)
    sources = (*given, *gate.space.values())
    if not all(is_path(one) and not Address.of_file(str(one)).is_stdin for one in sources):
        return None
    return as_command(
        "changes", [] if gate.is_counted else [str(gate.a), str(gate.b)], flags_of(gate)
    )


def flags_of(gate: Gate) -> Iterator[str]:
    """The settings of a gate that decide about what changed, as flags."""
    for key, one in declared(ChangesSettings).items():
        value = gate.said.get(key, one.setting.default)
        if key not in ("jobs", "scheduler") and value != one.setting.default:
            yield as_flag(key, one.setting, value)
    grounds = {request.options.get("ground", "euclidean") for request in gate.requests}
    if gate.space and "distances" not in gate.space:
        # Metrics may have several distances between points, but one explanation has one.
        for ground in sorted(map(str, grounds - {"euclidean"}))[:1]:
            yield as_flag("ground", declared(ChangesSettings)["ground"].setting, ground)
