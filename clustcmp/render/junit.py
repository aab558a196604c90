"""Verdicts as JUnit's XML: a suite for each gate, a case for each bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from clustcmp.render.blocks import Block, CheckLine, Judgement, Tone

# The element within a case; only a failure and an error make the case fail.
TAGS = {Tone.failed: "failure", Tone.good: "system-out", Tone.caution: "system-out"}


def write(blocks: Iterable[Block]) -> str:
    """The verdicts of a document."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="clustcmp gate">']
    for block in blocks:
        if isinstance(block, Judgement):
            lines += suite(block)
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def suite(block: Judgement) -> Iterator[str]:
    """One gate."""
    tags = [TAGS.get(check.tone, "error") for check in block.checks]
    tests = len(tags) + block.error
    failures, errors = tags.count("failure"), tags.count("error") + block.error
    yield (
        f'  <testsuite name={quoteattr(block.title)} tests="{tests}" '
        f'failures="{failures}" errors="{errors}" skipped="0">'
    )
    if block.error:
        yield from case(block.title, "run", "error", f"{block.word}: run: {block.reason}")
    for check, tag in zip(block.checks, tags, strict=True):
        yield from case(block.title, check.bound, tag, say(check))
    yield "  </testsuite>"


def say(check: CheckLine) -> str:
    """What became of a bound, in one line."""
    margin = f", {check.margin}" if check.margin else ""
    return f"{check.word}: {check.bound}: found {check.found}{margin}"


def case(suite: str, name: str, tag: str, text: str) -> Iterator[str]:
    """One bound, with an element inside that says what was found."""
    attribute = "" if tag == "system-out" else f" message={quoteattr(text)}"
    yield f"    <testcase classname={quoteattr(suite)} name={quoteattr(name)}>"
    yield f"      <{tag}{attribute}>{escape(text)}</{tag}>"
    yield "    </testcase>"
