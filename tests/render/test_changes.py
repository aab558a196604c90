"""What people see of changes: the order of rows, legends, names, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from clustcmp.analyses.flows.fates import FATES, MEANINGS, Fate
from tests.analyses.test_changes import table
from tests.commands.test_command_line import GOOD, SPECIES
from tests.files import run_clustcmp, write


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines of the output."""
    outcome = run_clustcmp(capsys, "changes", *arguments)
    assert outcome.status == 0, outcome
    return outcome.stdout.splitlines()


def test_shades_without_numbers_have_a_legend(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    legend = "· none   ░ below 25 %   ▒ from 25 %   ▓ from 50 %   █ from 75 %"
    monkeypatch.setenv("COLUMNS", "80")
    many = table("many.csv", "0123456789abcdefghij", "0123456789abcdefghij")
    few = table("few.csv", "0123456789abcdefghij", "a" * 10 + "b" * 10)
    assert shown(capsys, many, many)[-1] == legend
    assert legend not in shown(capsys, few, few)


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_births_come_before_unchanged_clusters(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Of these a and b lose one point each to X; c changes more, and d and e do not.
    a = table("a.csv", "0123456789ABCDEFGHI", "aaaabbbbccccccddeee")
    b = table("b.csv", "0123456789ABCDEFGHI", "aaaXbbbXccczzzddEEE")
    lines = [line.replace("`", "").lstrip("| ") for line in shown(capsys, a, b, "-f", format)]
    rows = [line[0] for line in lines if line[1:3] in (" →", " ←") and "%" in line]
    assert rows == ["c", "X", "a", "b", "e", "d"]


def test_births_come_before_unchanged_clusters_in_csv(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "12345", "aabbb"), table("b.csv", "12345678", "aabbbXXa")
    rows = list(csv.reader(io.StringIO("\n".join(shown(capsys, a, b, "-f", "csv")))))
    assert [row[:4] for row in rows[1:]] == [
        ["", "X", "born", "2"],
        ["a", "a", "changed", "2"],
        ["b", "b", "same", "3"],
        ["", "a", "", "1"],
    ]


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_names_with_outer_spaces_are_quoted(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("a.csv", 'id,label\n1," a"\n2," a"\n3,"b "\n4,"b "\n5,c d\n')
    write("b.csv", 'id,label\n1," a"\n2,"b "\n3,"b "\n4,"b "\n5,c d\n')
    text = "\n".join(shown(capsys, "a.csv", "b.csv", "--all", "-f", format)).replace("`", "")
    assert "' a' → =' a' (50 %), 'b ' (50 %)" in text
    assert "c d → =c d (100 %)" in text


def test_csv_has_a_line_for_each_flow(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "1234", "aabb"), table("b.csv", "2345", "axbx")
    outcome = run_clustcmp(capsys, "changes", a, b, "-f", "csv")
    rows = list(csv.reader(io.StringIO(outcome.stdout)))
    assert rows[0] == ["from", "to", "kind", "mass", "share_of_from", "share_of_to", "matched"]
    found = {(row[0], row[1]): row[3:] for row in rows[1:]}
    assert found[("a", "a")] == ["1", "0.5", "1.0", "true"]
    assert found[("a", "")] == ["1", "0.5", "", "false"]
    assert found[("", "x")] == ["1", "", "0.5", "false"]


def lines_of(stdout: str) -> list[str]:
    """The lines of the list of clusters."""
    lines = stdout.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("a → b"))
    return lines[start + 1 : lines.index("", start)]


def test_a_row_shows_the_shares_of_a_cluster_in_clusters_of_b(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ids = "".join(chr(200 + i) for i in range(102))
    a = table("a.csv", ids, "7" * 100 + "88")
    b = table("b.csv", ids, "7" * 91 + "x" * 9 + "88")
    outcome = run_clustcmp(capsys, "changes", a, b)
    assert "9 of 102 points moved (9 %)" in outcome.stdout
    first, second = lines_of(outcome.stdout)
    assert first.startswith("7 → =7 (91 %), x (9 %)  ")
    assert first.split()[-4:] == ["split", "100", "9", "0"]
    assert second.startswith("8 → =8 (100 %)")


def test_clusters_beyond_top_are_counted_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [(f"p{i}", str(i // 4)) for i in range(4000)]
    write("a.csv", "id,label\n" + "".join(f"{i},{k}\n" for i, k in rows))
    rows[::100] = [(i, str((int(k) + 1) % 1000)) for i, k in rows[::100]]
    write("b.csv", "id,label\n" + "".join(f"{i},{k}\n" for i, k in rows))
    outcome = run_clustcmp(capsys, "changes", "a.csv", "b.csv", "--top", "5")
    # Forty points moved, each from a cluster of its own into the next one.
    *shown, rest = lines_of(outcome.stdout)
    assert len(shown) == 5
    assert rest == ("not shown: 75 more clusters changed, 920 clusters unchanged; --all shows all")
    outcome = run_clustcmp(capsys, "changes", "a.csv", "b.csv", "--all")
    assert len(lines_of(outcome.stdout)) == 1000
    assert "not shown" not in outcome.stdout


HOSTILE = ["\x1b[31mred", "a|b", "new\nline", "漢字" * 60, "x" * 200, "e" + "\u0301" * 300, "`t`"]


@pytest.mark.parametrize("format", ["table", "markdown"])
@pytest.mark.parametrize("width", ["80", "120"])
def test_labels_with_control_characters_or_markup_do_not_break_a_table(
    format: str, width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    labels = [HOSTILE[i % 7] for i in range(70)]
    for name, shift in (("a.csv", 0), ("b.csv", 3)):
        text = io.StringIO()
        moved = [labels[(i + 1) % 70] if i < shift else labels[i] for i in range(70)]
        csv.writer(text).writerows([("id", "label"), *enumerate(moved)])
        write(name, text.getvalue())
    outcome = run_clustcmp(capsys, "changes", "a.csv", "b.csv", "-f", format)
    assert outcome.status == 0
    assert "\x1b" not in outcome.stdout
    rows = [line for line in outcome.stdout.splitlines() if "→" in line and "changed" in line]
    assert len(rows) == 4
    if format == "markdown":
        assert {line.replace("\\|", "").count("|") for line in rows} == {6}
    else:
        assert "\u0301" * 3 not in outcome.stdout
        assert max(map(len, outcome.stdout.splitlines())) < 250


def test_the_heat_map_shows_matches_on_the_diagonal(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_clustcmp(capsys, "changes", SPECIES, GOOD)
    heat = outcome.stdout.splitlines()[-4:]
    assert heat[0].split() == ["C2", "C1", "C3"]
    assert heat[1].split() == ["Iris-setosa", "100██", "·", "·"]
    assert heat[2].split() == ["Iris-versicolor", "·", "94██", "6░░"]
    assert heat[3].split() == ["Iris-virginica", "·", "28▒▒", "72▓▓"]


def test_a_heat_map_of_many_clusters_is_narrow_and_has_a_legend(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    write("a.csv", "label\n" + "".join(f"cluster {i % 40}\n" for i in range(400)))
    outcome = run_clustcmp(capsys, "changes", "a.csv", "a.csv")
    heat = outcome.stdout.partition("share of each cluster")[2].splitlines()
    assert "20 of 40 and 20 of 40 clusters" in heat[0]
    assert max(map(len, heat[1:])) <= 80
    assert heat[2].split("  ")[0] == "cluster 0"
    assert heat[22].startswith("columns: 1 cluster 0, 2 cluster 1,")


def test_points_that_are_gone_or_new_have_columns(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = table("a.csv", "1234567", "aaaaaab"), table("b.csv", "4567890", "aaabXbX")
    for shape, cut in (("table", None), ("markdown", "|")):
        lines = run_clustcmp(capsys, "changes", a, b, "-f", shape).stdout.splitlines()
        row = next(line for line in lines if "a (50 %)" in line.replace("`", ""))
        numbers = [cell.strip() for cell in row.split(cut) if cell.strip()][-5:]
        assert numbers == ["6", "0", "0", "3", "0"]
        assert "gone 50 %" in row


def test_the_match_is_marked_also_if_it_is_a_small_part(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # x and p share 9 points, y and q share 1; x has no points in q.
    a = table("a.csv", "123456789abc", "x" * 9 + "yyy")
    b = table("b.csv", "123456789abc", "p" * 11 + "q")
    first, second = lines_of(run_clustcmp(capsys, "changes", a, b).stdout)
    assert first.startswith("x → =p (100 %), with y  ")
    assert second.startswith("y → p (67 %), =q (33 %), with x  ")


def test_the_match_is_shown_among_many_parts(capsys: pytest.CaptureFixture[str]) -> None:
    # x is spread over seven clusters. Six of them have a better match, so the smallest is left.
    parts = {"p": 7, "q": 6, "r": 5, "s": 4, "t": 3, "u": 2, "v": 1}
    rows = [("x", name) for name, size in parts.items() for _ in range(size)]
    rows += [(name.upper(), name) for name in "pqrstu" for _ in range(30)]
    for name, column in (("a.csv", 0), ("b.csv", 1)):
        labels = "".join(f"{i},{row[column]}\n" for i, row in enumerate(rows))
        write(name, f"id,label\n{labels}")
    text = run_clustcmp(capsys, "changes", "a.csv", "b.csv").stdout
    # 28 points: 7, 6, 5 and 1 are 25, 21, 18 and 4 %; 4, 3 and 2 are 32 % together.
    assert "x → p (25 %), q (21 %), r (18 %), =v (4 %), 3 more (32 %)" in text


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_lines_below_the_table_explain_what_is_in_it(
    format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table("a.csv", "12345678", "aaabbbcc")
    table("b.csv", "12345678", "xxxyyzcc")
    lines = shown(capsys, "a.csv", "b.csv", "-f", format)
    text = "\n".join(lines)
    assert (
        "= match   left: in other clusters of b   joined: in the match from other clusters of a"
        in (text)
    )
    # a is x under another name, b became y and z, and c is as it was.
    assert "split: more than half of a cluster of b other than its match comes from it" in lines
    assert "renamed: its match has the same points and another name" in lines
    assert "same: its match has the same points and the same name" in lines
    for kind in ("merged:", "regrouped:", "changed:", "died:", "born:", "gone:", "mass"):
        assert kind not in text


def test_points_that_are_gone_or_new_and_births_are_explained(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table("a.csv", "1234", "aabb")
    table("b.csv", "123789", "aabnnn")
    text = "\n".join(shown(capsys, "a.csv", "b.csv"))
    assert "gone: not in b   new: in the match, not in a" in text
    assert "born: a cluster of b without a match, to which no cluster of a gives" in text


def test_mass_is_explained_where_points_are_not_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.csv", "id,p,q\n1,0.9,0.1\n2,0.2,0.8\n")
    write("b.csv", "id,p,q\n1,0.8,0.2\n2,0.2,0.8\n")
    assert "the mass of a soft cluster is their sum" in "\n".join(shown(capsys, "a.csv", "b.csv"))
    table("a.csv", "12", "pq")
    table("b.csv", "34", "pq")
    write("x.csv", "id,x\n1,0\n2,1\n3,0\n4,1\n")
    text = "\n".join(shown(capsys, "a.csv", "b.csv", "--coordinates", "x.csv"))
    assert "points are the mass that the transport plan carries between clusters" in text


@pytest.mark.parametrize("fate", FATES)
def test_the_help_names_every_kind(fate: Fate, capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(run_clustcmp(capsys, "changes", "--help").stdout.split())
    assert f"{fate.value} (" in text or f"the {fate.value} (" in text
    assert fate in MEANINGS
