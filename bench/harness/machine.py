"""Where the numbers come from: the processor, the compilers, the libraries. Contains no host names or folders."""

import os
import platform
import re
import subprocess
from pathlib import Path


def said_by(*command):
    """The first line that a command prints, or "" if the command does not exist."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except OSError:
        return ""
    lines = done.stdout.strip().splitlines()
    return lines[0].strip() if lines else ""


def cpu_model():
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.machine()
    found = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    return found.group(1) if found else platform.machine()


def one_cpu_per_core():
    """The usable CPUs, the first of every physical core before any second one."""
    usable = sorted(os.sched_getaffinity(0))
    seen, first, later = set(), [], []
    for cpu in usable:
        path = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            core = path.read_text(encoding="ascii").strip()
        except OSError:
            core = str(cpu)
        (later if core in seen else first).append(cpu)
        seen.add(core)
    return first + later


def package_version(name):
    return said_by("dpkg-query", "-W", "-f", "${Version}", name)


def locked_version(crate, lock):
    """The version of a crate in a Cargo.lock."""
    try:
        text = Path(lock).read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.search(rf'^name = "{re.escape(crate)}"\nversion = "([^"]*)"', text, re.MULTILINE)
    return found.group(1) if found else ""


def compiler_of(build):
    """The C++ compiler and the build type that a CMake build folder was made with."""
    try:
        cache = (Path(build) / "CMakeCache.txt").read_text(encoding="utf-8")
    except OSError:
        return "", ""
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.MULTILINE)
    kind = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", cache, re.MULTILINE)
    return said_by(compiler.group(1), "--version") if compiler else "", kind.group(1) if kind else ""


def facts(build, source):
    """Everything that a reader needs to judge the numbers, as one dict."""
    compiler, kind = compiler_of(build)
    return {
        "cpu": cpu_model(),
        "cpus": len(os.sched_getaffinity(0)),
        "kernel": re.match(r"[0-9.]*[0-9]|", platform.release()).group(),
        "compiler": compiler,
        "build_type": kind,
        "versions": {
            "jackdaw": said_by("git", "-C", str(source), "describe", "--always", "--dirty", "--tags"),
            "tbb": package_version("libtbb-dev"),
            "libgomp": package_version("libgomp1"),
            "libomp": package_version("libomp-19-dev"),
            "clang": said_by("clang++-19", "--version"),
            "rustc": said_by("rustc", "--version"),
            "rayon": locked_version("rayon", Path(source) / "bench/rayon/Cargo.lock"),
            "rayon-core": locked_version("rayon-core", Path(source) / "bench/rayon/Cargo.lock"),
        },
    }
