"""How sure values are, as people and programs see it: intervals, chance, another candidate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from clustcmp.errors import plural, printable
from clustcmp.render.blocks import NO_BREAK, Cell
from clustcmp.render.words import show_confidence, show_ends, show_metric, show_percent, show_within
from clustcmp.results import ASKED, Report, Result, Status
from clustcmp.sureness import Chance, Versus


def asked_parts(report: Iterable[Result]) -> list[str]:
    """Which of interval, chance and versus some result has."""
    return [part for part in ASKED if any(getattr(one, part) is not None for one in report)]


def asked_columns(report: Report) -> list[tuple[str, str]]:
    """The parts of results that the user asked for, each with the names of its columns."""
    return [(part, name) for part in asked_parts(report) for name in ASKED[part]]


def as_word(value: Any) -> Any:
    """A cell for programs: true and false as in JSON."""
    return str(value).lower() if isinstance(value, bool) else value


def asked_cell(result: Result, part: str, alone: bool) -> Cell:
    """The cell of a part; a part that no other stands beside has more room."""
    if part == "interval":
        return Cell(show_confidence(result.interval))
    if part == "chance" and alone:
        return Cell(show_place(result.chance))
    if part == "chance":
        return Cell(show_draws(result.chance), brief=show_p(result.chance))
    show = show_difference if alone else show_closer
    return Cell(show(result.versus))


def show_p(chance: Chance | None) -> str:
    """The p of a value in a few characters; a dash where it cannot be compared with chance."""
    if chance is None or chance.p is None:
        return "—"
    sign = "≤" if is_floor(chance) else "="
    return f"p {sign} {chance.p:.2g}".replace(" ", NO_BREAK)


def is_floor(chance: Chance) -> bool:
    """Whether p is as small as so many draws can make it: no draw was as good as the value."""
    return chance.p is not None and chance.p <= (1.0 + 1e-9) / (1.0 + chance.draws)


def show_draws(chance: Chance | None) -> str:
    """The p of a value; where no draw was as good, with the number of draws that limits p."""
    if chance is None or not is_floor(chance):
        return show_p(chance)
    return f"{show_p(chance)} ({plural(chance.draws, 'draw')})".replace(" ", NO_BREAK)


def show_place(chance: Chance | None) -> str:
    """The p of a value, and how many standard deviations of chance it is away."""
    z = "" if chance is None or chance.z is None else f", z = {chance.z:.3g}"
    return f"{show_draws(chance)}{z}".replace(" ", NO_BREAK)


def show_closer(versus: Versus | None) -> str:
    """Which candidate is closer and by how much, in a few characters; a dash for no answer."""
    if versus is None or versus.difference is None or versus.low is None:
        return "—"
    size = abs(versus.difference)
    shown = f"{size:,.0f}" if 100.0 <= size < 1e6 else f"{size:.2g}"
    if versus.closer is None:
        # Neither high nor low values are better.
        return f"{'-' if versus.difference < 0.0 else '+'}{shown}"
    by = "" if versus.closer == "undecided" else f" by {shown}"
    return f"{versus.closer}{by}".replace(" ", NO_BREAK)


def show_difference(versus: Versus | None) -> str:
    """Which candidate is closer, and the difference with its interval; a dash for no answer."""
    if versus is None or versus.difference is None or versus.low is None or versus.high is None:
        return "—"
    ends = versus.low, versus.high
    shown = f"{show_within(versus.difference, *ends)} {show_ends(*ends)}"
    return (f"{versus.closer}: {shown}" if versus.closer else shown).replace(" ", NO_BREAK)


def explain_asked(report: Report) -> Iterator[str]:
    """What the columns for intervals, chance and another candidate mean, and the seed."""
    parts = asked_parts(report)
    alone = len(parts) == 1
    explain: dict[str, Callable[[Report, bool], str]] = {
        "interval": explain_interval,
        "chance": explain_chance,
        "versus": explain_versus,
    }
    yield from (explain[part](report, alone) for part in parts)
    if parts:
        yield "no seed: nothing was drawn" if report.seed is None else f"seed {report.seed}"


def explain_interval(report: Report, alone: bool) -> str:
    """What an interval holds."""
    found = next(filter(None, (one.interval for one in report)))
    side, share = report.inputs[0], show_percent(found.level)
    units = plural(side.points if side.mass is None else int(side.mass), "other such point")
    if found.unit == "cluster":
        units = plural(side.clusters, "other such cluster") + " of a"
    return f"interval: what {units} would give on average; right in {share} of cases"


def explain_chance(report: Report, alone: bool) -> str:
    """What p is, and z where it is shown."""
    known = [one.chance for one in report if one.chance and one.chance.p is not None]
    floors = dict.fromkeys(show_draws(one) for one in known if is_floor(one))
    words = "chance: p is the share of random clusterings as good as b, b itself counted"
    if floors:
        words += f"; {', '.join(floors)}: none was"
    if alone and any(one.z is not None for one in known):
        words += "; z is how many of their standard deviations the value is away"
    return words


def explain_versus(report: Report, alone: bool) -> str:
    """What is compared with another candidate."""
    found = next(filter(None, (one.versus for one in report)))
    name = f"c ({printable(found.file)})" if found.file else "c"
    if alone:
        return f"versus: whether b or {name} is closer to a; b's value minus c's, and its interval"
    return f"versus: whether b or {name} is closer to a, and by how much"


def show_unanswered(report: Report) -> list[str]:
    """Values that are not known, and questions about values without an answer, by reason."""
    reasons: dict[tuple[str, str], list[str]] = {}
    parts = asked_parts(report)
    for result in report if parts else ():
        if result.status is Status.ok:
            for reason, without in missing_parts(result, parts).items():
                reasons.setdefault((without, reason), []).append(show_metric(result))
        elif result.status is Status.undefined:
            key = "undefined", printable(result.reason or "")
            reasons.setdefault(key, []).append(show_metric(result))
    return [f"{what} ({why}): {', '.join(metrics)}" for (what, why), metrics in reasons.items()]


def missing_parts(result: Result, parts: Iterable[str]) -> dict[str, str]:
    """The parts that a result lacks, in words, by reason."""
    found: dict[str, str] = {}
    for part in parts:
        reason = getattr(getattr(result, part), "reason", None)
        if reason:
            found[reason] = f"{found[reason]}, no {part}" if reason in found else f"no {part}"
    return found
