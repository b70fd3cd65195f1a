"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Sequence

from jackdaw.mistake import Mistake

DATABASE = b"SQLite format 3"


def is_stream(path) -> bool:
    """Whether it cannot be replaced: a device, a pipe, or what standard output goes to."""
    try:
        there = os.stat(path)
    except OSError:
        return False
    return not os.path.isfile(path) or _is_output(there)


def _is_output(there) -> bool:
    try:
        return os.path.samestat(there, os.fstat(1))
    except OSError:
        return False


def check(path, force: bool, option: str, inputs: Sequence = ()) -> None:
    """Raises Mistake, before anything is computed, where `path` cannot be written, is one of the files `inputs`, or is
    a database: `force` does not replace these."""
    if os.path.isdir(path):
        raise Mistake(f"{option}: {path} is a folder, expected a file")
    if any(_is_same(path, each) for each in inputs):
        raise Mistake(f"{option}: {path} is the file that is read, expected another one")
    if is_stream(path):
        # What standard output goes to may belong to another user, who has opened it.
        if not _is_output(os.stat(path)) and not os.access(path, os.W_OK):
            raise Mistake(f"{option}: {path} is not writable, expected a file that is")
        return
    if _is_database(path):
        raise Mistake(f"{option}: {path} is an SQLite database, expected another file: it would be lost")
    if os.path.exists(path) and not force:
        raise Mistake(f"{option}: {path} exists, expected a new file or --force")
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise Mistake(f"{option}: {path} is not writable, expected a file that is")
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise Mistake(f"{option}: the folder of {path} does not exist, expected a file in an existing folder")
    if not os.access(folder, os.W_OK):
        raise Mistake(f"{option}: the folder of {path} is not writable, expected one that is")


def _is_same(path, other) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def _is_database(path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(DATABASE)) == DATABASE
    except OSError:
        return False


def write(path, text: str, option: str) -> None:
    """Replaces the file by one with this text; a stream gets the text."""
    part = None
    try:
        if is_stream(path):
            if _is_output(os.stat(path)):
                sys.stdout.write(text)
                sys.stdout.flush()
                return
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return
        target = os.path.realpath(path)
        descriptor, part = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".jackdaw-")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(part, 0o666 & ~mask)
        os.replace(part, target)
        part = None
    except OSError as failure:
        raise Mistake(f"{option}: {path} cannot be written: {failure.strerror}") from None
    finally:
        if part and os.path.exists(part):
            os.unlink(part)
