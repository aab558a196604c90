"""Write a text file whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from clustcmp.errors import ClustcmpError, UsageError

# Names of stdout. It carries the result of a command, so no other file may be written there.
STDOUT = frozenset({"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})


def write_text(path: str, text: str) -> None:
    """Put the text into a file, which holds either its old content or all of the new one.

    Folders on the way to the file are made. A link stays a link, an existing file keeps its
    permissions, and a device or a pipe is simply written to. Lone surrogates, which no file can
    hold, become escapes.
    """
    check_writable(path)
    data = text.encode("utf-8", "backslashreplace")
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            Path(path).write_bytes(data)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_file(target, data)
    except OSError as error:
        raise ClustcmpError(f"{path}: cannot be written: {error.strerror or error}") from error


def check_writable(path: str) -> None:
    """Refuse a path that cannot become a file, before any work is done for it."""
    if path in STDOUT:
        raise UsageError(f"{path}: stdout carries the result", hint="name a file")
    if not path or "\0" in path:
        raise UsageError(f"{path!r} is not a valid name of a file", hint="name a file")
    target = os.path.realpath(path)
    if os.path.isdir(target) or path.endswith(os.sep):
        raise UsageError(f"{path}: is a folder", hint="name a file in it")
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise UsageError(f"{path}: may not be written", hint="name another file")
    if not os.path.exists(target) or os.path.isfile(target):
        check_folder(path, os.path.dirname(target))


def check_folder(path: str, folder: str) -> None:
    """Refuse a folder in which no file can be made, and one that cannot be made itself."""
    while not os.path.lexists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise UsageError(
            f"{path}: {folder} is in the way: it is not a folder", hint="name another folder"
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(
            f"{path}: no file may be made in the folder {folder}", hint="name another folder"
        )


def check_apart(path: str, others: Iterable[str]) -> None:
    """Refuse to write over a file that the same command reads or writes."""
    for other in others:
        if is_same_file(path, other):
            raise UsageError(
                f"{path}: this command already reads or writes {other}", hint="name another file"
            )


def is_same_file(path: str, other: str) -> bool:
    """Whether two paths lead to one file, which need not exist yet."""
    if os.path.realpath(path) == os.path.realpath(other):
        # A device such as /dev/null may be read and written at the same time.
        return not os.path.exists(path) or os.path.isfile(path)
    try:
        return os.path.isfile(path) and os.path.samefile(path, other)
    except OSError:
        return False


def replace_file(target: Path, data: bytes) -> None:
    """Put the data into a new file beside the target, then rename it to the target."""
    # Importing secrets takes 2 ms, and most runs check files without writing any.
    import secrets

    fresh = target.with_name(f".clustcmp-{secrets.token_hex(8)}")
    # A new file gets the permissions that the user's mask allows.
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            # Before the data, so that a private file is never readable by others.
            keep_permissions(target, file.fileno())
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def keep_permissions(target: Path, descriptor: int) -> None:
    """Give a new file the owner and the permissions of the one that it replaces."""
    try:
        old = target.stat()
    except FileNotFoundError:
        return
    # Only root may change the owner of a file.
    with suppress(PermissionError):
        os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def sync_folder(folder: Path) -> None:
    """Make the new entry of a folder survive a loss of power, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
