"""Boots an image under QEMU's software emulation and waits for its end."""

import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from report import Report

KERNEL_LINE = "console=ttyS0 quiet panic=-1 oops=panic numa_balancing=disable mitigations=off"
OLDEST_QEMU = (10, 0)


class Missing(Exception):
    """Something that a virtual machine needs is missing; one line."""


class Tools:
    """QEMU, busybox and the kernel: what scripts/setup-vm.sh left in a folder, QEMU also from $PATH."""

    def __init__(self, root, qemu=None):
        root = pathlib.Path(root)
        hint = "run: scripts/setup.sh vm"
        kernels = sorted(root.glob("boot/vmlinuz-*"))
        if not kernels:
            raise Missing(f"no Linux kernel in {root}/boot; {hint}")
        self.kernel = kernels[-1]
        self.busybox = root / "bin/busybox"
        if not self.busybox.exists():
            raise Missing(f"no {self.busybox}; {hint}")
        self.environment = dict(os.environ)
        self.data = []
        if qemu is not None:
            self.qemu = qemu
            return
        own = root / "usr/bin/qemu-system-x86_64"
        if own.exists():
            self.qemu = str(own)
            libraries = [root / "usr/lib/x86_64-linux-gnu", root / "lib/x86_64-linux-gnu"]
            before = self.environment.get("LD_LIBRARY_PATH")
            self.environment["LD_LIBRARY_PATH"] = ":".join([*map(str, libraries), *([before] if before else [])])
            self.data = ["-L", str(root / "usr/share/qemu"), "-L", str(root / "usr/share/seabios")]
        else:
            self.qemu = shutil.which("qemu-system-x86_64")
            if self.qemu is None:
                raise Missing(f"no qemu-system-x86_64; {hint}")
        self._check_version(hint)

    def _check_version(self, hint):
        said = subprocess.run([self.qemu, "--version"], env=self.environment, capture_output=True, text=True,
                              check=False)
        words = said.stdout.split()
        version = words[words.index("version") + 1] if "version" in words else ""
        numbers = tuple(int(n) for n in version.split(".")[:2] if n.isdigit())
        if numbers < OLDEST_QEMU:
            raise Missing(f"{self.qemu} is {version or 'broken'}, expected 10.0 or later; {hint}")


def end_with_parent():
    """In the child: no machine outlives a test that ctest kills."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def qemu_command(tools, machine, image, kernel_line=KERNEL_LINE):
    return [tools.qemu, *tools.data, "-accel", "tcg,thread=multi", "-cpu", "max", "-nodefaults", "-no-user-config",
            "-nographic", "-no-reboot", "-device", "isa-debug-exit,iobase=0xf4,iosize=0x04",
            *machine.qemu_arguments(), "-kernel", str(tools.kernel), "-initrd", str(image), "-append", kernel_line]


class Boot:
    """One run of a machine, from its start to its end."""

    def __init__(self, command, tools, folder, silence_limit):
        console, report = folder / "console.log", folder / "report.log"
        for file in (console, report):
            file.write_bytes(b"")
        command = [*command, "-serial", f"file:{console}", "-serial", f"file:{report}"]
        start = time.monotonic()
        with open(folder / "qemu.log", "wb") as log:
            process = subprocess.Popen(command, env=tools.environment, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log, preexec_fn=end_with_parent)
        self.seconds_to_ready = None
        size, last_change, self.silent = 0, start, False
        try:
            while process.poll() is None:
                time.sleep(0.1)
                now = time.monotonic()
                new_size = report.stat().st_size
                if new_size != size:
                    size, last_change = new_size, now
                    self.seconds_to_ready = self.seconds_to_ready or now - start
                if now - last_change > silence_limit:
                    self.silent = True
                    break
        finally:
            process.kill()
            self.status = process.wait()
        self.seconds = time.monotonic() - start
        self.report = Report(report.read_text(errors="replace"))
        # Without what the firmware sends to clear a terminal.
        self.console = re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|c)", "", console.read_text(errors="replace"))
        self.qemu_said = (folder / "qemu.log").read_text(errors="replace")

    def died(self, planned):
        """Why this run says nothing about tests that it did not reach, or None if it completed."""
        if self.silent:
            return "the guest said nothing for too long"
        if not self.report.done or len(self.report.results) != planned:
            return f"the guest died (QEMU's status {self.status})"
        if self.status not in (1, 3):
            return f"the guest did not end as it should (QEMU's status {self.status})"
        return None
