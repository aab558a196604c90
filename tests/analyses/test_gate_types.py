"""Whatever stands in a configuration or a baseline: a verdict or an error, never a traceback."""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import clustcmp
from clustcmp.analyses.bounds.thresholds import BOUNDS
from clustcmp.analyses.gate.config import KEYS
from clustcmp.cli import run
from tests.analyses.test_gate import A, B
from tests.files import Outcome, write

# Stand for numbers of more digits than Python writes, which hypothesis could not show. Python reads
# the first one, in hexadecimal digits in TOML, but not the second one, in decimal digits.
HUGE, LONG = "a huge number", "a long number"
DIGITS = "1" * 5000

# Words that mean something in a configuration or a baseline, each in a place where it may not.
WORDS = [
    *KEYS, *BOUNDS, "ari", "nmi:average=geometric", "cdistance", "information", "moved", "nightly",
    "metric", "options", "value", "values", "bounds", "files", "policies", "n", "k", "points",
    "a.csv", "b.csv", "-", "-1", "1%", "0.5", "error", "drop", "intersect", "base.json", "", "\0",
]  # fmt: skip

words = st.sampled_from(WORDS)
names = words | st.text(max_size=5)
numbers = st.one_of(
    st.sampled_from(
        [0, 1, -1, 2**63, -(2**63), 10**400, HUGE, LONG, 0.5, 1e308, math.inf, math.nan]
    ),
    st.integers(-3, 3),
    st.floats(),
)
plain = st.none() | st.booleans() | numbers | words | st.text(st.characters(), max_size=5)
json_values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
moments = st.dates() | st.times() | st.datetimes()
toml_values = st.recursive(
    st.booleans() | numbers | words | st.text(max_size=5) | moments,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A reference, a candidate and a good baseline in a folder of their own, outside of GitHub."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("gates"))
        patch.delenv("GITHUB_STEP_SUMMARY", raising=False)
        patch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"")))
        write("a.csv", A)
        write("b.csv", B)
        clustcmp.accept_baseline("a.csv", "b.csv", baseline="good.json", min={"ari": 0, "vi": 0})
        yield


def run_gate(*arguments: str) -> Outcome:
    """Run a gate; there is a verdict, or an error with a message and an empty stdout."""
    stdout, stderr = StringIO(), StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        status = run(["gate", *arguments])
    told = Outcome(status, stdout.getvalue(), stderr.getvalue())
    assert "Traceback" not in told.stderr, told.stderr
    if told.stdout:
        # With --all an error is the verdict of its gate.
        assert told.status in (0, 1, 3) or "--all" in arguments
        assert told.stdout.startswith(("gate", "baseline"))
    else:
        assert told.status in (2, 3)
        assert told.stderr.startswith("clustcmp: error: "), told.stderr
    return told


def as_toml(value: Any) -> str:
    """A value in the notation of TOML."""
    if value == HUGE:
        return "0x" + "f" * 5000
    if value == LONG:
        return "9_9" * 2500
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, Mapping):
        entries = (f"{as_toml(key)} = {as_toml(entry)}" for key, entry in value.items())
        return f"{{ {', '.join(entries)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    return json.dumps(value) if isinstance(value, str) else repr(value)


@settings(max_examples=400)
@given(st.dictionaries(names, toml_values, max_size=3), st.booleans())
@example({"max_bytes": HUGE}, True)
@example({"noise": HUGE}, True)
@example({"ari": {"min": HUGE}}, True)
@example({"ari": HUGE}, True)
@example({"max_moved": HUGE}, True)
@example({"min": {"ari": HUGE}}, True)
@example({"reference": HUGE}, True)
@example({"points": HUGE}, True)
@example({"x": HUGE}, True)
@example({"reference": "\0"}, False)
@example({"id": 3}, True)
@example({"ari": {"min": LONG}}, True)
@example({"x": LONG, "noise": [LONG, "#"]}, False)
def test_any_configuration_gives_a_verdict_or_an_error(
    entries: dict[str, Any], with_files: bool
) -> None:
    files = {"reference": "a.csv", "candidate": "b.csv", "ari": {"min": 0.5}} if with_files else {}
    write("gates.toml", f"gate = {as_toml(files | entries)}\n")
    run_gate("--config", "gates.toml")
    run_gate("--config", "gates.toml", "--all")


@pytest.mark.parametrize("number", [HUGE, LONG])
@pytest.mark.parametrize("key", [*KEYS, "ari"])
def test_a_number_of_too_many_digits_in_a_configuration_is_an_error_with_file_and_key(
    key: str, number: str
) -> None:
    for value in (number, [number], {"ari": number}, {"ari": {"min": number}}):
        write("gates.toml", f"[gate]\n{key} = {as_toml(value)}\n")
        told = run_gate("--config", "gates.toml")
        assert told.status == 2
        where = "gates.toml: [gate] " if number == HUGE else "gates.toml:2: gate."
        assert where in told.stderr
        assert key in told.stderr or "ari" in told.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"[gate.ari]\nmin = {DIGITS}", "2: gate.ari.min has 5,000 digits, but 4,300 are the most"),
        (f"[gate]\nari = {{ min = -{DIGITS} }}", "2: gate.ari.min has 5,000 digits"),
        (f"[gate]\nx = '{DIGITS}' # {DIGITS}\ny = [\n1,\n{DIGITS}]", "5: gate.y[1] has 5,000 di"),
        (f"[gate]\nx = {DIGITS}\ny = {DIGITS}", "2: gate.x has 5,000 digits"),
        (f'[gate]\n"a = b" = {DIGITS}', "2: gate.a = b has 5,000 digits"),
        (f"[gate]\nx = {DIGITS}\n\ny = ", "2: gate.x has 5,000 digits"),
        (f"[gate]\nx = {'[' * 5000}{']' * 5000}", "2: gate.x[0][0]"),
        (f"[gate]\nx = {'[' * 200}{DIGITS}{']' * 200}", "2: gate.x[0][0]"),
        (f"[gate]\nx = [\n{'{a = ' * 5000}1{'}' * 5000}, 1]", "3: gate.x[0].a.a.a"),
        (f"[gate]\nx = '''\n[[\n'''\ny = {'[' * 5000}", "5: a value is nested more than 100"),
        ("[gate]\nx = 1\n\ny = '''\n\n", "4: is not TOML"),
        ("[gate]\nari = { min = 2020-01-31 }", " [gate] ari.min=2020-01-31 is not a number"),
    ],
)
def test_what_tomllib_does_not_hold_is_an_error_with_line_and_key(
    text: str, complaint: str
) -> None:
    write("gates.toml", text)
    told = run_gate("--config", "gates.toml")
    assert told.status == 2
    assert f"gates.toml:{complaint}" in " ".join(told.stderr.split())


def test_a_configuration_may_begin_with_a_byte_order_mark() -> None:
    write("gates.toml", "\ufeff[gate]\nreference = 'a.csv'\ncandidate = 'a.csv'\nari = {min = 1}\n")
    assert run_gate("--config", "gates.toml").status == 0


def test_deep_nesting_in_a_configuration_is_an_error_with_file_and_key() -> None:
    write("gates.toml", f"[gate]\nmax_moved{'.a' * 20_000} = 1\n")
    told = run_gate("--config", "gates.toml")
    assert told.status == 2
    assert "gates.toml: [gate] max_moved" in told.stderr


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a document."""
    yield path
    entries: Any = ()
    if isinstance(value, dict):
        entries = value.items()
    if isinstance(value, list):
        entries = enumerate(value)
    for key, entry in entries:
        yield from places(entry, (*path, key))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The document with another value in one place."""
    if not path:
        return value
    copy = document.copy()
    copy[path[0]] = changed(document[path[0]], path[1:], value)
    return copy


def as_json(value: Any) -> str:
    """A value in the notation of JSON, with the numbers that Python does not write."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(k)}: {as_json(v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(as_json, value))}]"
    return DIGITS if value in (HUGE, LONG) else json.dumps(value)


@settings(max_examples=400)
@given(st.data(), json_values)
def test_any_baseline_gives_a_verdict_or_an_error(data: st.DataObject, value: Any) -> None:
    good = json.loads(Path("good.json").read_text(encoding="utf-8"))
    path = data.draw(st.sampled_from(list(places(good))))
    write("base.json", as_json(changed(good, path, value)))
    told = run_gate("b.csv", "--baseline", "base.json", "--max-change", "ari=0")
    if path and told.status == 2 and "base.json" not in told.stderr:
        # Files that the baseline names may not exist, or may not have such a column of ids.
        assert path[0] in ("files", "policies")


@settings(max_examples=100)
@given(st.data(), json_values)
def test_any_baseline_is_replaced_or_left_alone(data: st.DataObject, value: Any) -> None:
    good = json.loads(Path("good.json").read_text(encoding="utf-8"))
    path = data.draw(st.sampled_from(list(places(good))))
    text = as_json(changed(good, path, value))
    write("base.json", text)
    told = run_gate("a.csv", "b.csv", "--baseline", "base.json", "--update-baseline")
    written = Path("base.json").read_text(encoding="utf-8")
    if told.status:
        assert written == text
        assert "base.json" in told.stderr or path[0] in ("files", "policies")
    else:
        assert json.loads(written)["schema"] == good["schema"]


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (("files",), {}, "no reference"),
        (("files", "a"), 3, "files.a=3 is not a text"),
        (("files", "coordinate"), "x.csv", "files.coordinate is not known"),
        (("policies", "points"), "all", "points='all' is not possible"),
        (("policies", "pionts"), "error", "policies.pionts is not known"),
        (("policies",), [], "policies=[] is not a table"),
        (("n",), [4], "n=(4,) has 1 entries instead of 2"),
        (("n", 0), 0, "n[0]=0 is not possible"),
        (("k",), True, "k=True is not a whole number"),
        (("points",), "x", "points='x' is not possible"),
        (("space",), 3, "space=3 is not a text or null"),
        (("values",), {}, "values={} is not a list"),
        (("values", 0), [], "values[0]=[] is not a table"),
        (("values", 0), {}, "values[0].metric is missing"),
        (("values", 0, "value"), math.inf, "values[0].value=inf is not a finite number"),
        (("values", 0, "value"), "1", "values[0].value='1' is not a number"),
        (("values", 0, "options"), {"x": None}, "values[0].options.x=None is not"),
        (("values", 0, "bounds"), [2, 3], "values[0]: the value"),
        (("extra",), 1, "extra is not known"),
    ],
)
def test_an_error_in_a_baseline_names_file_and_key(
    path: tuple[Any, ...], value: Any, complaint: str
) -> None:
    good = json.loads(Path("good.json").read_text(encoding="utf-8"))
    inside = good
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    write("base.json", json.dumps(good))
    told = run_gate("b.csv", "--baseline", "base.json", "--max-change", "ari=0")
    assert told.status == 2
    assert complaint in " ".join(told.stderr.split())
    assert "base.json" in told.stderr or complaint == "no reference"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"k": 2', f'"k": {DIGITS}', ": k has 5,000 digits, but 4,300 are the most"),
        ('"value": ', f'"value": {DIGITS}, "x": ', ": values[0].value has 5,00"),
        ('"version": ', f'"version": {"[" * 5000}{"]" * 5000}, "x": ', ": version[0][0]"),
        ('"k": 2', '<<<<<<< HEAD\n"k": 2', ": is not JSON: Expecting property name"),
        ('"version": "', '"version": "\udcff', ": is not UTF-8"),
    ],
)
def test_what_json_does_not_hold_is_an_error_with_line_and_key(
    old: str, new: str, complaint: str
) -> None:
    before, after = Path("good.json").read_text(encoding="utf-8").split(old, 1)
    broken = before + new + after
    Path("base.json").write_text(broken, encoding="utf-8", errors="surrogateescape")
    told = run_gate("b.csv", "--baseline", "base.json", "--max-change", "ari=0")
    assert told.status == 2
    line = before.count("\n") + 1
    assert f"error: base.json:{line}{complaint}" in " ".join(told.stderr.split())
