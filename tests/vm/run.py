#!/usr/bin/env python3
"""run.py MACHINE.toml: boots the machine and runs test programs in it. README.md tells the rest.

Exit status: 0 all passed, 1 a test failed or the guest died twice, 2 bad input, 77 something needed is not here.
"""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True

from guest import Boot, KERNEL_LINE, Missing, Tools, qemu_command
from image import Image
from machine import Machine
from report import gist

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
ATTEMPTS = 2
# A test may take 180 s inside.
SILENCE_LIMIT = 300


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("machine", type=pathlib.Path, help="a description, such as machines/eight-nodes.toml")
    parser.add_argument("--tools", type=pathlib.Path, default=HERE.parents[1] / "build/vm/root",
                        help="what scripts/setup.sh vm downloaded (default: %(default)s)")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="where the image and the logs go")
    parser.add_argument("--test", action="append", default=[], metavar="PROGRAM",
                        help="a GoogleTest program whose tests run inside")
    parser.add_argument("--program", action="append", default=[], metavar="PROGRAM", help="what else goes into /bin")
    parser.add_argument("--machines", type=pathlib.Path, help="a folder of machine files for $JACKDAW_MACHINES")
    parser.add_argument("--filter", default="*", help="GoogleTest filter for the tests to run")
    parser.add_argument("--environment", action="append", default=[], metavar="NAME=VALUE", help="for the tests inside")
    parser.add_argument("--shell", action="store_true", help="a shell inside instead of the tests")
    parser.add_argument("--qemu", help=argparse.SUPPRESS)
    parser.add_argument("--silence-limit", type=float, default=SILENCE_LIMIT, help=argparse.SUPPRESS)
    return parser.parse_args()


def tests_of(program, only):
    """Names of a GoogleTest program's tests."""
    listed = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={only}"], capture_output=True, text=True,
                            check=True).stdout
    suite, names = "", []
    for line in listed.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return [name for name in names if ".DISABLED_" not in name and not name.startswith("DISABLED_")]


def make_plan(how):
    """Lines for init.sh."""
    return [f"{pathlib.Path(program).name} {test}" for program in how.test for test in tests_of(program, how.filter)]


def make_image(how, machine, tools, plan):
    image = Image()
    image.add_program("bin/busybox", tools.busybox)
    image.add("init", (HERE / "init.sh").read_bytes(), executable=True)
    for program in how.test:
        image.add_program("tests/" + pathlib.Path(program).name, program)
    for program in how.program:
        image.add_program("bin/" + pathlib.Path(program).name, program)
    environment = {"JACKDAW_VM_MACHINE": "/tests/machine", "JACKDAW_TEST_TIMEOUT": "150"}
    environment.update(assignment.split("=", 1) for assignment in how.environment)
    if how.machines is not None:
        environment["JACKDAW_MACHINES"] = "/machines"
        for file in sorted(how.machines.glob("*.toml")):
            image.add("machines/" + file.name, file.read_bytes())
    image.add("tests/environment",
              "".join(f"export {name}={shlex.quote(value)}\n" for name, value in environment.items()))
    image.add("tests/machine", machine.expected())
    image.add("tests/plan", "".join(f"{line}\n" for line in plan))
    if how.shell:
        image.add("tests/shell", "")
    file = how.folder / "image.cpio"
    image.write(file)
    return file


def run_tests(how, machine, tools, planned, command):
    """Prints what came out, and returns whether all was well."""
    for attempt in range(1, ATTEMPTS + 1):
        boot = Boot(command, tools, how.folder, how.silence_limit)
        ready = "never ready" if boot.seconds_to_ready is None else f"ready after {boot.seconds_to_ready:.0f} s"
        print(f"{machine.name}: attempt {attempt}, {ready}, ended after {boot.seconds:.0f} s")
        boot.report.print()
        passed, failed, skipped = (boot.report.count(outcome) for outcome in ("pass", "fail", "skip"))
        died = boot.died(planned)
        if died is not None:
            print(f"{machine.name}: {died} after {len(boot.report.results)} of {planned} tests; "
                  f"the end of its console ({how.folder}/console.log):")
            print("\n".join("  | " + line for line in (boot.qemu_said + boot.console).splitlines()[-40:]))
            # A failed test counts: another boot could only hide the failure.
            if failed == 0:
                continue
        # Printed again at the end of the log, where readers look first.
        for result in boot.report.results:
            if result.outcome == "fail":
                print("\n  ".join([f"{machine.name}: failed: {result.name}", *gist(result.output)]))
        print(f"{machine.name}: {passed} passed, {failed} failed, {skipped} skipped of {planned}")
        return died is None and failed == 0 and boot.status == 1
    print(f"{machine.name}: the guest died {ATTEMPTS} times")
    return False


def main():
    how = arguments()
    try:
        machine = Machine(how.machine)
    except (OSError, ValueError, KeyError) as error:
        print(f"{how.machine}: {error!r}, expected a machine as in {HERE}/machines", file=sys.stderr)
        return 2
    try:
        tools = Tools(how.tools, how.qemu)
    except Missing as missing:
        required = os.environ.get("JACKDAW_REQUIRE_VM") == "1"
        print(f"{machine.name}: {'FAILED' if required else 'SKIPPED'}, {missing}")
        return 1 if required else SKIPPED

    plan = make_plan(how)
    if not plan and not how.shell:
        print(f"{machine.name}: no tests, expected at least one (--test, --filter)", file=sys.stderr)
        return 2
    how.folder.mkdir(parents=True, exist_ok=True)
    image = make_image(how, machine, tools, plan)
    if how.shell:
        command = qemu_command(tools, machine, image, KERNEL_LINE.replace("quiet", ""))
        return subprocess.run([*command, "-serial", "mon:stdio"], env=tools.environment, check=False).returncode
    return 0 if run_tests(how, machine, tools, len(plan), qemu_command(tools, machine, image)) else 1


if __name__ == "__main__":
    sys.exit(main())
