"""A file is written as a whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from clustcmp.errors import ClustcmpError, UsageError
from clustcmp.write import check_apart, write_text
from tests.machine import ordinary_user


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def mode_of(path: str) -> int:
    """The permissions of a file."""
    return stat.S_IMODE(Path(path).stat().st_mode)


def test_the_text_is_written_byte_by_byte() -> None:
    write_text("new", 'a,"b\r\n"\ncafé 漢\n')
    assert Path("new").read_bytes() == 'a,"b\r\n"\ncafé 漢\n'.encode()
    assert os.listdir() == ["new"]


def test_a_new_file_gets_the_permissions_that_the_mask_allows() -> None:
    old = os.umask(0o027)
    try:
        write_text("new", "x")
    finally:
        os.umask(old)
    assert mode_of("new") == 0o640


def test_an_existing_file_keeps_its_permissions() -> None:
    Path("old").write_text("before")
    Path("old").chmod(0o604)
    write_text("old", "after")
    assert (Path("old").read_text(), mode_of("old")) == ("after", 0o604)


def test_a_link_stays_a_link() -> None:
    Path("folder").mkdir()
    Path("link").symlink_to("folder/target")
    write_text("link", "one")
    write_text("link", "two")
    assert Path("link").is_symlink()
    assert Path("folder/target").read_text() == "two"


def test_a_failure_leaves_the_old_content_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("old").write_text("before")

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ClustcmpError, match="old: cannot be written: No space left") as caught:
        write_text("old", "after")
    assert caught.value.exit_status == 3
    assert os.listdir() == ["old"]
    assert Path("old").read_text() == "before"


def test_a_device_is_written_to_and_stays_a_device() -> None:
    write_text("/dev/null", "x")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("path", ["-", "/dev/stdout", "", "a\0b", ".", "new/", "f/x", "f/x/y"])
def test_a_path_that_cannot_become_a_file_is_refused(path: str) -> None:
    Path("f").write_text("a file, not a folder")
    with pytest.raises(UsageError) as caught:
        write_text(path, "x")
    assert caught.value.exit_status == 2
    assert caught.value.hint
    assert os.listdir() == ["f"]


def test_folders_on_the_way_to_a_file_are_made() -> None:
    write_text("new/folder/file", "one")
    write_text("new/folder/file", "two")
    assert Path("new/folder/file").read_text() == "two"
    assert os.listdir("new/folder") == ["file"]


def test_a_file_in_the_way_of_a_folder_is_named() -> None:
    Path("f").write_text("a file, not a folder")
    with pytest.raises(UsageError, match=r"f/x/y: .*/f is in the way: it is not a folder"):
        write_text("f/x/y", "x")


def test_folders_and_files_without_permission_are_refused(tmp_path: Path) -> None:
    Path("locked").mkdir()
    Path("locked/file").write_text("x")
    Path("locked/file").chmod(0o400)
    with ordinary_user(tmp_path):
        with pytest.raises(UsageError, match="may not be written"):
            write_text("locked/file", "y")
        Path("locked").chmod(0o500)
        with pytest.raises(UsageError, match="no file may be made"):
            write_text("locked/new", "x")
        with pytest.raises(UsageError, match="no file may be made"):
            write_text("locked/new/file", "x")


@pytest.mark.parametrize("other", ["old", "./old", "link", "hard", "new", "sub/../new"])
def test_a_file_in_use_is_found_by_any_of_its_names(other: str) -> None:
    Path("sub").mkdir()
    Path("old").write_text("x")
    Path("link").symlink_to("old")
    os.link("old", "hard")
    with pytest.raises(UsageError, match="already reads or writes"):
        check_apart("new" if "new" in other else "old", ["another", other])
    check_apart("third", ["another", other])
    check_apart("/dev/null", ["/dev/null"])
