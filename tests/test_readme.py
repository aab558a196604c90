"""The README shows what works today."""

from __future__ import annotations

import re

import clustcmp
from clustcmp.metrics import METRICS
from tests.docs import README, ROOT, generate

TEXT = README.read_text(encoding="utf-8")


def test_examples_and_tables_are_what_the_program_prints() -> None:
    assert generate(TEXT) == TEXT, "run make docs"


def test_python_examples_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_the_number_of_metrics_is_right() -> None:
    assert f"in {len(METRICS)} published metrics" in " ".join(TEXT.split())


def test_linked_files_exist() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_versions_agree() -> None:
    version = clustcmp.__version__
    assert f"version: {version}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
