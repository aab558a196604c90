"""What tests need of the machine: programs, and a user who may not do everything."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

# The user of whom systems of the Unix kind expect that no file belongs to them.
NOBODY = 65534


def needs(program: str) -> pytest.MarkDecorator:
    """Skip a test without this program, except in CI, which installs what tests need."""
    is_missing = shutil.which(program) is None and not os.environ.get("CI")
    return pytest.mark.skipif(is_missing, reason=f"{program} is not installed")


@contextmanager
def ordinary_user(folder: Path) -> Iterator[None]:
    """A block in which this process may not read and write what it likes, even if it is root's.

    The folder is opened to everybody; the folders around it can be entered.
    """
    if os.geteuid() != 0:
        yield
        return
    for parent in (folder, *folder.parents):
        parent.chmod(parent.stat().st_mode | 0o011)
    folder.chmod(0o777)
    for path in folder.rglob("*"):
        os.chown(path, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
