"""Other programs as clusterers: what they get, what they may write, and how they end."""

from __future__ import annotations

import csv
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from clustcmp.clusterers.base import Sample
from clustcmp.clusterers.make import make
from clustcmp.clusterers.programs import Program, fill_in
from clustcmp.errors import ClustererFailed, UsageError
from clustcmp.model.membership import NOISE, Soft

POINTS = Sample(
    np.array([[0.1, 1.0], [0.2, 1e-17], [9.0, 1 / 3], [8.0, -2.0]]),
    ["b", "a,1", "01", "é"],
    ("x", "y y"),
)

Script = Callable[..., str]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """The command that runs these lines of Python with the arguments k, seed, source, target."""

    def build(lines: str, words: str = "{k} {seed} {input} {output}") -> str:
        path = tmp_path / "a script.py"
        start = "import csv, os, sys, time\nk, seed, source, target = sys.argv[1:5]\n"
        rows = "rows = list(csv.reader(open(source, encoding='utf-8')))\n"
        path.write_text(start + rows + lines, encoding="utf-8")
        return f"{sys.executable} {shlex.quote(str(path))} {words}"

    return build


@pytest.fixture(autouse=True)
def temporary(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A folder for temporary files, which is empty at the end but for failures that are kept."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert [one.name for one in folder.iterdir() if "failed" not in one.name] == []


GOOD = """
print("noise " * 10000)
print("more", file=sys.stderr)
with open(target, "w", newline="", encoding="utf-8") as file:
    writer = csv.writer(file)
    writer.writerow(["id", "label"])
    writer.writerows([row[0], "high" if float(row[1]) > 5 else "low"] for row in rows[:0:-1])
"""


def test_labels_are_joined_by_id_in_any_order(script: Script) -> None:
    found = Program(script(GOOD)).cluster(POINTS, 2, 1).membership
    assert np.bincount(found.array).tolist() == [2, 2]
    assert found.array[0] == found.array[1] != found.array[2] == found.array[3]


def test_the_input_is_a_csv_like_the_data_with_all_digits(script: Script, tmp_path: Path) -> None:
    copy = tmp_path / "seen.csv"
    lines = f"import shutil; shutil.copy(source, {str(copy)!r})\n{GOOD}"
    Program(script(lines)).cluster(POINTS, 2, 1)
    with copy.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["id", "x", "y y"]
    assert [row[0] for row in rows] == ["b", "a,1", "01", "é"]
    assert [[float(one) for one in row[1:]] for row in rows] == POINTS.coordinates.tolist()


def test_points_without_ids_and_columns_are_numbered(script: Script) -> None:
    lines = "assert [row[0] for row in rows] == ['id', '0', '1', '2', '3']\n" + GOOD
    found = Program(script(lines)).cluster(Sample(POINTS.coordinates), 2, 1)
    assert found.membership.n_clusters == 2


def test_a_column_called_id_keeps_its_name(script: Script) -> None:
    lines = "assert rows[0] == ['id_', 'id', 'y']\n" + GOOD
    sample = POINTS._replace(columns=("id", "y"))
    assert Program(script(lines)).cluster(sample, 2, 1).membership.n_clusters == 2


def test_k_and_seed_are_filled_in(script: Script) -> None:
    lines = "assert (k, seed) == ('3', '17'), (k, seed)\n" + GOOD
    Program(script(lines)).cluster(POINTS, 3, 17)


def test_another_parameter_takes_the_place_of_k(script: Script) -> None:
    lines = "assert k == '--eps=0.25', k\n" + GOOD
    command = script(lines, "--eps={eps} {seed} {input} {output}")
    Program(command, varied="eps").cluster(POINTS, 0.25, 1)


def test_what_is_filled_in_is_never_split_again() -> None:
    words, output = fill_in(
        ["prog", "a{k}b", "{{x}}", "{input}", "{output}.tsv"], Path("/a b;c"), "k", "1 2", 7
    )
    assert words == ["prog", "a1 2b", "{x}", "/a b;c/input.csv", "/a b;c/output.tsv"]
    assert output == Path("/a b;c/output.tsv")


def test_soft_memberships_are_read(script: Script) -> None:
    lines = """
with open(target, "w", encoding="utf-8") as file:
    file.write("id,p,q\\n")
    for row in rows[1:]:
        file.write('"%s",0.25,0.75\\n' % row[0])
"""
    found = Program(script(lines)).cluster(POINTS, 2, 1).membership
    assert isinstance(found, Soft)
    assert found.degrees.tolist() == [[0.25, 0.75]] * 4


def test_labels_without_ids_are_in_the_order_of_the_points(script: Script) -> None:
    lines = "open(target, 'w').write('x\\ny\\ny\\nx\\n')"
    command = script(lines, "{k} {seed} {input} {output}.txt")
    assert Program(command).cluster(POINTS, 2, 1).membership.array.tolist() == [0, 1, 1, 0]
    short = script("open(target, 'w').write('x\\ny\\n')", "{k} {seed} {input} {output}.txt")
    with pytest.raises(ClustererFailed, match="no ids, and 2 rows for 4 points"):
        Program(short).cluster(POINTS, 2, 1)


def test_noise_is_read_as_it_is_called(script: Script) -> None:
    program = Program(script(GOOD), reading={"noise": ("low",)})
    assert program.cluster(POINTS, 2, 1).membership.array.tolist() == [NOISE, NOISE, 0, 0]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            "sys.exit('no luck\\nat all')",
            "it ended with status 1; its last lines: no luck | at all",
        ),
        ("print('only here'); sys.exit(4)", "it ended with status 4; its last lines: only here"),
        ("os.kill(os.getpid(), 11)", r"it was ended by signal 11 \(SIGSEGV\)"),
        ("pass", r"it ended well, but did not write \{output\}, output.csv"),
        (GOOD.replace("rows[:0:-1]", "rows[2:]"), "misses 1 point, such as 'b'"),
        (
            GOOD + "\nopen(target, 'a').write('new,low\\n')",
            "1 point that it was not given, such as 'new'",
        ),
        (GOOD + "\nopen(target, 'a').write('b,low\\n')", "its output: output.csv"),
        ("open(target, 'w').write('id,label\\n')", "its output: output.csv"),
        ("open(target, 'w')", "its output: output.csv"),
    ],
)
def test_a_failure_says_what_which_call_and_how_to_repeat_it(
    script: Script, lines: str, said: str
) -> None:
    with pytest.raises(ClustererFailed, match=said) as caught:
        Program(script(lines)).cluster(POINTS, 3, 17)
    error = caught.value
    assert error.exit_status == 3
    assert re.match(r"python[\d.]*, k = 3, seed 17: ", error.message)
    words = shlex.split(error.hint.removeprefix("repeat it: "))
    assert Path(words[-2]).read_text(encoding="utf-8").startswith("id,x,y y\nb,0.1,1.0\n")
    again = subprocess.run(words, capture_output=True, check=False)
    assert (again.returncode != 0) == ("ended with" in said or "signal" in said)


def test_the_input_of_a_failure_is_not_kept_where_failures_are_skipped(
    script: Script, temporary: Path
) -> None:
    with pytest.raises(ClustererFailed) as caught:
        Program(script("sys.exit(1)"), keeps_failures=False).cluster(POINTS, 3, 17)
    assert caught.value.hint == ""
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("word", ["|", ">", "<", "&&", ";", "&", ">>", "2>&1"])
def test_words_for_a_shell_are_refused(word: str) -> None:
    with pytest.raises(UsageError, match=f"the word '{re.escape(word)}', but .* without a shell"):
        Program(f"cat {{k}} {{input}} {word} {{output}}")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("cat {K} {input} {output}", r"\{K\} in the command is not known.*did you mean 'k'"),
        ("cat {k} {inptu} {output}", r"did you mean 'input'\?.*\{k\}, \{seed\}, \{input\}"),
        ("cat {} {k} {input} {output}", r"\{\} in the command"),
        ("cat {input} {output}", r"k varies, but the command has no \{k\}"),
        ("cat {k} {output}", r"no \{input\}"),
        ("cat {k} {input}", r"no \{output\}"),
        ("cat '{k} {input} {output}", "closing quotation"),
        ("  ", "empty"),
        ("no-such-program {k} {input} {output}", "no program 'no-such-program'"),
    ],
)
def test_a_command_that_cannot_work_is_refused_before_it_is_called(command: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.compile(said, re.IGNORECASE)):
        make(None, command=command)


def test_a_command_stands_alone() -> None:
    with pytest.raises(UsageError, match="beside a command"):
        make("kmeans", command="cat {k} {input} {output}")
    with pytest.raises(UsageError, match="beside a command"):
        make(None, parameters={"a": 1}, command="cat {k} {input} {output}")


# Starts a child that starts a child, writes their numbers, and sleeps.
SLEEPING = """
import subprocess
deep = '''
import subprocess, sys, time
p = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(p.pid, flush=True)
time.sleep(60)
'''
child = subprocess.Popen([sys.executable, "-c", deep], stdout=subprocess.PIPE, text=True)
grandchild = child.stdout.readline().strip()
with open(os.environ["PIDS"] + ".part", "w") as file:
    file.write(f"{os.getpid()} {child.pid} {grandchild}")
os.rename(os.environ["PIDS"] + ".part", os.environ["PIDS"])
"""


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for counts as ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def wait_for(condition: Callable[[], bool], seconds: float = 15.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


@pytest.fixture
def pids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "pids"
    monkeypatch.setenv("PIDS", str(path))
    return path


def all_gone(pids: Path) -> bool:
    numbers = [int(one) for one in pids.read_text().split()]
    assert len(numbers) == 3
    return wait_for(lambda: all(map(is_gone, numbers)))


def test_the_whole_group_ends_when_the_time_is_over(script: Script, pids: Path) -> None:
    began = time.monotonic()
    with pytest.raises(ClustererFailed, match="it was not done after 3 seconds"):
        Program(script(SLEEPING + "time.sleep(60)"), timeout=3).cluster(POINTS, 2, 1)
    assert time.monotonic() - began < 20
    assert all_gone(pids)


def test_what_a_program_leaves_running_ends_with_it(script: Script, pids: Path) -> None:
    found = Program(script(SLEEPING + GOOD), timeout=50).cluster(POINTS, 2, 1)
    assert found.membership.n_clusters == 2
    assert all_gone(pids)


def test_the_end_of_the_block_ends_programs_of_other_threads(script: Script, pids: Path) -> None:
    program = Program(script(SLEEPING + "time.sleep(60)"), keeps_failures=False)
    failures: list[Exception] = []

    def call() -> None:
        try:
            program.cluster(POINTS, 2, 1)
        except ClustererFailed as error:
            failures.append(error)

    with program.opened():
        thread = Thread(target=call)
        thread.start()
        assert wait_for(pids.exists)
    thread.join(15)
    assert len(failures) == 1
    assert all_gone(pids)


RUN = """
import sys, signal, numpy as np
if sys.argv[2] == "at once":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
from clustcmp.clusterers.base import Sample
from clustcmp.clusterers.programs import Program
program = Program(sys.argv[1])
with program.opened():
    program.cluster(Sample(np.eye(3)), 2, 1)
"""


@pytest.mark.parametrize(
    ("number", "how"),
    [(signal.SIGINT, "at once"), (signal.SIGINT, "raises"), (signal.SIGKILL, "at once")],
    ids=["Ctrl-C of the command", "Ctrl-C in Python", "killed"],
)
def test_programs_and_files_are_gone_after_the_end_of_clustcmp(
    script: Script, pids: Path, temporary: Path, number: int, how: str
) -> None:
    command = script(SLEEPING + "time.sleep(60)")
    environment = {**os.environ, "TMPDIR": str(temporary)}
    runner = subprocess.Popen(
        [sys.executable, "-c", RUN, command, how], env=environment, stderr=subprocess.DEVNULL
    )
    assert wait_for(pids.exists)
    runner.send_signal(number)
    assert runner.wait(15) == -number
    assert all_gone(pids)
    assert wait_for(lambda: not list(temporary.iterdir()))
