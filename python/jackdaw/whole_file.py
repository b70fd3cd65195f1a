"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile

from jackdaw.mistake import Mistake


def check(path: str, force: bool, option: str) -> None:
    """Raises Mistake, before anything is computed, where `path` cannot be written."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise Mistake(f"{option}: {path} is a folder, expected a file")
    if os.path.exists(path) and not force:
        raise Mistake(f"{option}: {path} exists, expected a new file or --force")
    if not os.path.isdir(folder):
        raise Mistake(f"{option}: the folder of {path} does not exist, expected a file in an existing folder")
    if not os.access(folder, os.W_OK):
        raise Mistake(f"{option}: the folder of {path} is not writable, expected one that is")


def write(path: str, text: str, option: str) -> None:
    """Replaces the file by one with this text."""
    part = None
    try:
        descriptor, part = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".jackdaw-")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(part, 0o666 & ~mask)
        os.replace(part, path)
    except OSError as failure:
        if part and os.path.exists(part):
            os.unlink(part)
        raise Mistake(f"{option}: {path} cannot be written: {failure.strerror}") from None
