"""An initial file system for Linux: files by their path inside, written as a cpio archive (newc)."""

import pathlib
import re
import stat
import subprocess


class Image:
    def __init__(self):
        self._entries = {}  # path without a leading slash -> (mode, content)

    def add(self, path, content, executable=False):
        path = path.lstrip("/")
        for parent in reversed(pathlib.PurePosixPath(path).parents):
            if str(parent) != ".":
                self._entries.setdefault(str(parent), (stat.S_IFDIR | 0o755, b""))
        content = content.encode() if isinstance(content, str) else content
        self._entries[path] = (stat.S_IFREG | (0o755 if executable else 0o644), content)

    def add_program(self, path, source):
        """An executable and the shared libraries that it is linked with, which keep their places."""
        self.add(path, pathlib.Path(source).read_bytes(), executable=True)
        linked = subprocess.run(["ldd", source], capture_output=True, text=True, check=False).stdout
        for library in re.findall(r"(?:^|=>)\s*(/\S+) \(", linked, re.MULTILINE):
            if library.lstrip("/") not in self._entries:
                self.add(library, pathlib.Path(library).read_bytes(), executable=True)

    def write(self, path):
        entries = dict(self._entries)
        # The kernel opens it for process 1.
        entries.setdefault("dev", (stat.S_IFDIR | 0o755, b""))
        with open(path, "wb") as out:
            for number, (name, (mode, content)) in enumerate(entries.items(), 1):
                self._write_entry(out, number, name, mode, content)
            self._write_entry(out, 0, "dev/console", stat.S_IFCHR | 0o600, b"", device=(5, 1))
            self._write_entry(out, 0, "TRAILER!!!", 0, b"")

    @staticmethod
    def _write_entry(out, number, name, mode, content, device=(0, 0)):
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(name) + 1, 0)
        header = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        out.write(header + b"\0" * (-len(header) % 4))
        out.write(content + b"\0" * (-len(content) % 4))
