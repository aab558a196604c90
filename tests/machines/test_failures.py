"""What goes wrong with other machines: quick and clear errors, retries, nothing left behind."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from distributed import Client

import clustcmp
from clustcmp.backends import map_tasks
from clustcmp.errors import MachinesFailed, UsageError
from clustcmp.machines import joined, joining, sending
from clustcmp.machines.trial import Trial
from clustcmp.machines.working import run_batch
from clustcmp.progress import told_to
from tests.conftest import Ear
from tests.files import run_clustcmp, write
from tests.machines.farm import PATIENCE, AtStep, Farm, send_everything, wait_until
from tests.machines.test_same_bytes import IN_SPACE, A, B, spiral
from tests.worker_tasks import complain, sleep

COMPARE = ("compare", A, B, *IN_SPACE, "-m", "cdistance")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (
            "tcp://127.0.0.1:9",
            "no scheduler can be reached at tcp://127.0.0.1:9: Connection refused",
        ),
        ("127.0.0.1:9", "at tcp://127.0.0.1:9"),
        ("tls://127.0.0.1:9", "docs/machines.md"),
        ("tcp://no.such.host.invalid:8786", "no scheduler can be reached at tcp://no.such.host"),
    ],
)
def test_a_scheduler_that_cannot_be_reached_is_a_quick_error(
    address: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    done = run_clustcmp(capsys, *COMPARE, "--scheduler", address)
    assert time.monotonic() - began < joining.ANSWER
    assert (done.status, done.stdout) == (3, "")
    assert words in done.stderr


@pytest.mark.parametrize("address", ["host", "8786", "tcp://host", "http//host:1", "", "a b:3"])
def test_what_is_not_an_address_is_wrong_usage(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run_clustcmp(capsys, *COMPARE, f"--scheduler={address}")
    assert (done.status, done.stdout) == (2, "")
    assert "hint: write scheme, host and port: --scheduler tcp://host:8786" in done.stderr


def test_an_object_that_is_not_a_client_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="neither an address nor a Client"):
        clustcmp.compare([1, 2], [1, 2], scheduler=3)


def without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the extra be missing."""
    monkeypatch.setattr(joining, "find_spec", lambda name: None)


def test_without_dask_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_dask(monkeypatch)
    done = run_clustcmp(capsys, *COMPARE, "--scheduler", "tcp://127.0.0.1:9")
    assert (done.status, done.stdout) == (2, "")
    assert "hint: pip install 'clustcmp[dask]'" in done.stderr


def test_without_dask_a_scheduler_of_the_environment_is_a_note(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_dask(monkeypatch)
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "tcp://127.0.0.1:9")
    done = run_clustcmp(capsys, *COMPARE)
    assert done.status == 0
    assert "note: DASK_SCHEDULER_ADDRESS is set, but dask is not installed" in done.stderr
    assert run_clustcmp(capsys, *COMPARE, "-q").stderr == ""
    ear = Ear()
    with told_to(ear):
        clustcmp.compare([1, 2], [1, 2])
    assert len(ear.remarks) == 1


def test_a_scheduler_of_the_environment_is_not_reached_before_it_is_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "tcp://127.0.0.1:9")
    assert run_clustcmp(capsys, "compare", A, B, "-m", "ari").status == 0
    send_everything(monkeypatch)
    assert run_clustcmp(capsys, *COMPARE).status == 3


def test_the_first_error_in_the_order_of_the_tasks_is_raised(
    farm: Farm, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_everything(monkeypatch)
    with joined(farm.address):
        with pytest.raises(UsageError, match="not two") as caught:
            map_tasks(complain, [1, 1, 2, 3, 2], 2)
        assert caught.value.hint == "take three"
        # The cheapest task is done here.
        with pytest.raises(ZeroDivisionError, match="by three") as bug:
            map_tasks(complain, [1, 3, 2], 2, costs=[2.0, 2.0, 1.0])
        assert "worker_tasks.py" in bug.value.__notes__[0]


def test_other_versions_on_a_worker_are_an_error(
    farm: Farm, client: Client, tmp_path: Path
) -> None:
    info = tmp_path / "numpy-1.2.3.dist-info"
    info.mkdir()
    write(str(info / "METADATA"), "Metadata-Version: 2.1\nName: numpy\nVersion: 1.2.3\n")
    other = farm.add_worker(tmp_path)
    try:
        wait_until(lambda: len(client.nthreads()) == 3)
        with pytest.raises(
            MachinesFailed, match=r"the worker tcp://\S+ has numpy 1\.2\.3; here is"
        ):
            clustcmp.compare([1, 2], [1, 2], scheduler=farm.address)
    finally:
        farm.kill(other)
        wait_until(lambda: len(client.nthreads()) == 2)


def test_a_worker_that_joins_late_with_another_clustcmp_refuses_to_work() -> None:
    ((is_answer, error),) = pickle.loads(run_batch("0.0.0", "f", b"", {}, b""))
    assert not is_answer
    assert isinstance(error, MachinesFailed)
    assert "but 0.0.0 is running here" in error.message


def test_what_differs_is_named_and_what_is_optional_may_be_missing() -> None:
    here = eval(joining.WHAT_IS_THERE)
    assert {key for key, one in here.items() if one is None} == set()
    assert not joining.differs("scikit-learn", "1.9.1", None)
    assert joining.differs("scikit-learn", "1.9.1", "1.9.0")
    assert joining.differs("clustcmp", "0.1.0", None)
    assert joining.show_version("clustcmp", None) == "no clustcmp"
    assert joining.show_version("kernel", False) == "no kernel for transport"


# The program, which sends work however short it is.
PROGRAM = """
import sys
from clustcmp.machines import sending
sending.PATIENCE = 0.0
from clustcmp.__main__ import main
main()
"""


def test_ctrl_c_cancels_what_was_sent(farm: Farm, client: Client, tmp_path: Path) -> None:
    a, b, where = spiral(400)
    rows = [f"{i},{a[i]},{b[i]},{','.join(map(str, where[i]))}\n" for i in range(400)]
    path = write(str(tmp_path / "t.csv"), "".join(["id,a,b,x,y,z\n", *rows]))
    words = [f"{path}::a", f"{path}::b", "--coordinates", f"{path}::x,y,z", "-m", "cdistance"]
    words += ["-q", "--permutations", "100000", "--scheduler", farm.address]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "compare", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wait_until(lambda: any(client.processing().values()) or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    # A shell calls this end 130.
    assert process.communicate(timeout=20) == (b"", b"")
    assert process.returncode == -signal.SIGINT
    wait_until(lambda: not any(client.processing().values()))
    wait_until(lambda: not any(client.has_what().values()))


@pytest.fixture(scope="module")
def lonely(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    """A scheduler that speaks TLS alone."""
    folder = tmp_path_factory.mktemp("lonely")
    farm = Farm(folder, make_certificate(folder))
    try:
        yield farm
    finally:
        farm.stop()


def make_certificate(folder: Path) -> dict[str, str]:
    """A certificate that signs itself, as dask's settings in the environment."""
    key, certificate = str(folder / "key.pem"), str(folder / "certificate.pem")
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    words += ["-subj", "/CN=localhost", "-days", "2", "-keyout", key, "-out", certificate]
    try:
        subprocess.run(["openssl", *words], check=True, capture_output=True)
    except FileNotFoundError:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip("openssl is not installed")
    names = {"CA_FILE": certificate, "REQUIRE_ENCRYPTION": "true"}
    for role in ("CLIENT", "SCHEDULER", "WORKER"):
        names |= {f"{role}__KEY": key, f"{role}__CERT": certificate}
    prefix = "DASK_DISTRIBUTED__COMM__"
    return {
        f"{prefix}{'' if name == 'REQUIRE_ENCRYPTION' else 'TLS__'}{name}": value
        for name, value in names.items()
    }


@pytest.fixture
def with_tls(lonely: Farm) -> Iterator[Client]:
    """A connection by TLS, with dask's settings as if they were in the environment."""
    import dask

    if not lonely.workers:
        lonely.add_worker()
    dask.config.refresh(env={**os.environ, **lonely.settings})
    try:
        with Client(lonely.address, set_as_default=False) as client:
            wait_until(lambda: len(client.nthreads()) == 1)
            yield client
    finally:
        dask.config.refresh()


def test_settings_of_dask_for_tls_are_honoured(
    lonely: Farm, with_tls: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lonely.address.startswith("tls://")
    done = run_clustcmp(capsys, *COMPARE, "-f", "json", "--scheduler", lonely.address)
    assert (done.status, done.stderr) == (0, "")


def test_without_certificates_tls_is_a_clear_error(
    lonely: Farm, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run_clustcmp(capsys, *COMPARE, "--scheduler", lonely.address)
    assert (done.status, done.stdout) == (3, "")
    assert "docs/machines.md says which settings" in done.stderr


def test_data_that_were_lost_with_the_only_worker_are_sent_anew(
    lonely: Farm, with_tls: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    send_everything(monkeypatch)
    (old,) = lonely.workers

    def replace() -> None:
        lonely.kill(old)
        lonely.add_worker()

    ear = AtStep(3, replace)
    with told_to(ear), joined(lonely.address):
        found = map_tasks(partial(sleep, str(tmp_path)), [0.05] * 12, 2, what="sleeping")
    assert ear.acted
    assert found == [0.05] * 12
    assert len(list(tmp_path.iterdir())) == 3


def test_without_workers_the_run_ends(
    lonely: Farm, with_tls: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    send_everything(monkeypatch)
    monkeypatch.setattr(sending, "LONELY", 0.3)
    (only,) = lonely.workers
    slow = partial(sleep, str(tmp_path))
    with (
        told_to(AtStep(2, lambda: lonely.kill(only))),
        pytest.raises(MachinesFailed, match="has no workers") as caught,
        joined(lonely.address),
    ):
        map_tasks(slow, [0.1] * 12, 2, what="sleeping")
    assert caught.value.hint == f"start some: dask worker {lonely.address}"
    began = time.monotonic()
    with pytest.raises(MachinesFailed, match="has no workers"):
        clustcmp.compare([1, 2], [1, 2], scheduler=lonely.address)
    assert time.monotonic() - began < joining.ANSWER


def test_a_scheduler_that_is_lost_ends_the_run_with_3(
    lonely: Farm, with_tls: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    send_everything(monkeypatch)
    began = time.monotonic()
    with (
        told_to(AtStep(2, lonely.scheduler.kill)),
        pytest.raises(MachinesFailed, match="connection to the scheduler") as caught,
        joined(lonely.address),
    ):
        map_tasks(partial(sleep, str(tmp_path)), [0.1] * 12, 2, what="sleeping")
    assert time.monotonic() - began < joining.ANSWER
    assert caught.value.exit_status == 3


def test_a_trial_does_the_cheapest_tasks_first() -> None:
    done: list[int] = []
    trial = Trial(done.append, [5, 1, 3], [5.0, 1.0, 3.0])
    trial.end(PATIENCE)
    assert done == [1, 3, 5]
    assert all(map(trial.took, range(3)))
