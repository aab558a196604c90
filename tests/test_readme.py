"""The README and the pages in docs/ show what works today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import clustcmp
from clustcmp.metrics import METRICS
from tests.docs import PAGES, README, ROOT, generate

TEXT = README.read_text(encoding="utf-8")
DOCUMENTS = [*sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_and_tables_are_what_the_program_prints(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "```console\n$ " in text
    assert generate(text) == text, "run make docs"


@pytest.mark.parametrize("page", ["README.md", "docs/parts.md", "docs/significance.md"])
def test_python_examples_run(page: str) -> None:
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL
    )
    assert blocks
    exec(compile("\n".join(blocks), page, "exec"), {})


def test_the_number_of_metrics_is_right() -> None:
    found = re.search(r"in more than (\d+) published metrics", " ".join(TEXT.split()))
    assert found
    assert 0 < len(METRICS) - int(found[1]) <= 40


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_linked_files_and_sections_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#: ]*)(?:#([^)]*))?\)", text)
    for file, section in links:
        target = page.parent / file if file else page
        assert target.exists(), file
        if section:
            assert section in sections_of(target.read_text(encoding="utf-8")), section


def sections_of(text: str) -> list[str]:
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return [re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings]


def test_the_readme_leads_to_every_page() -> None:
    assert [page for page in DOCUMENTS if f"]({page.relative_to(ROOT)})" not in TEXT] == [README]


def test_versions_agree() -> None:
    version = clustcmp.__version__
    assert f"version: {version}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
