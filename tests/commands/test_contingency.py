"""--contingency: a file of counted points stands for two clusterings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clustcmp import cli

LISTED = "a,b,count\nx,1,40\nx,2,10\ny,2,50\n"
MATRIX = ",1,2\nx,40,10\ny,0,50\n"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit status, stdout and stderr of a command line."""
    # Not main(), which ends the process, and with it all tests.
    status = cli.run(list(words))
    return status, *capsys.readouterr()


@pytest.mark.parametrize("text", [LISTED, MATRIX])
def test_a_file_of_counts_gives_the_value_of_its_points(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.csv"
    path.write_text(text)
    status, out, _ = run(capsys, "compare", "--contingency", str(path), "-m", "ari", "-f", "json")
    # By hand: 780+45+1225 = 2050 pairs together in both, 2450 in a, 780+1770 = 2550 in b, of 4950.
    expected = 2450 * 2550 / 4950
    ari = (2050 - expected) / (2500 - expected)
    assert status == 0
    assert json.loads(out)["results"][0]["value"] == pytest.approx(ari)
    assert json.loads(out)["joined_by"] is None


def test_changes_and_gate_look_at_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.csv"
    path.write_text(LISTED)
    status, out, _ = run(capsys, "changes", "--contingency", str(path), "-f", "json")
    assert (status, json.loads(out)["moved"]["share"]) == (0, 0.1)
    words = ["gate", "--contingency", str(path), "--max-moved"]
    assert run(capsys, *words, "10%")[0] == 0
    assert run(capsys, *words, "9%")[0] == 1


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("a,b,count\nx,1,-4\n", [], "c.csv:2: -4 is not a count"),
        ("a,b,count\nx,1,4\nx,2,1.5\n", [], "c.csv:3: 1.5 is not a count"),
        (",1,2\nx,4,5\nx,1,1\n", [], "cluster 'x' has a row before"),
        ("a,b,count\nx,1,4\n,1,2\n", [], "--points intersect"),
        (LISTED, ["--noise=-1"], "--noise has no effect"),
        (LISTED, ["other.csv"], "instead of clusterings"),
    ],
)
def test_wrong_counts_are_refused(
    text: str, words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.csv"
    path.write_text(text)
    status, out, err = run(capsys, "compare", "--contingency", str(path), *words)
    assert (status, out) == (2, "")
    assert message in err


def test_counts_beyond_53_bits_are_exact(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Two odd numbers of points that floats round.
    large, path = 2**53 + 1, tmp_path / "c.csv"
    path.write_text(f"a,b,count\nx,1,{large}\nx,2,3\ny,2,5\n")
    words = ["compare", "--contingency", str(path), "-m", "van_dongen", "-m", "ari", "-f", "json"]
    status, out, _ = run(capsys, *words)
    van_dongen, ari = json.loads(out)["results"]
    # By hand: 3 points are outside of the best counterparts, seen from a and from b.
    assert (status, van_dongen["value"]) == (0, 6.0)
    assert ari["details"]["tp"] == large * (large - 1) // 2 + 3 + 10
    status, out, _ = run(capsys, "changes", "--contingency", str(path))
    assert f"3 of {large + 8:,} points moved" in out


def test_too_many_points_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.csv"
    path.write_text(f"a,b,count\nx,1,{2**63}\n")
    status, out, err = run(capsys, "compare", "--contingency", str(path))
    assert (status, out) == (2, "")
    assert "c.csv:2: 9223372036854775808 is not a count" in err
    assert "less than 4,611,686,018,427,387,904 in all" in err
