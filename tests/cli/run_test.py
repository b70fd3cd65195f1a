"""`jackdaw run`: what it loads before other programs, what it tells them, and which programs it refuses."""

import os
import re
import shutil
import subprocess
import sys
import unittest

from program import ProgramTest

ALLOCATOR = os.environ.get("JACKDAW_ALLOCATOR", "")
SHOW = "import os; print(os.environ.get('JACKDAW_WORKERS'), os.environ.get('JACKDAW_SCHEDULER'), " \
       "os.environ.get('LD_PRELOAD'), os.environ.get('JACKDAW_PLACEMENT'))"


class Run(ProgramTest):
    def test_it_becomes_the_program(self):
        script = "import sys; print(sys.argv[1:]); sys.exit(7)"
        ended = self.run_program("run", "--", sys.executable, "-c", script, "-h", "--", "--report")
        self.assertEqual((ended.returncode, ended.stdout), (7, "['-h', '--', '--report']\n"), ended.stderr)
        self.assertEqual(self.succeed("run", sys.executable, "-c", "print(1)").stdout, "1\n")
        self.assertEqual(self.succeed("run", "cat", "/dev/null").stdout, "")

    def test_a_script_may_be_the_shells(self):
        (self.folder / "script").write_text("echo $1\n")
        (self.folder / "script").chmod(0o755)
        self.assertEqual(self.succeed("run", "./script", "word").stdout, "word\n")

    def test_options_become_variables(self):
        said = self.succeed("run", "--workers", 3, "--scheduler=adws", "--", sys.executable, "-c", SHOW).stdout
        self.assertEqual(said, "3 adws None None\n")

    def test_what_cannot_be_used_is_refused(self):
        self.refuse("run", says="there is no program, expected jackdaw run [OPTIONS] -- PROGRAM")
        self.refuse("run", "--", says="there is no program")
        self.refuse("run", "--", "no-such-program", says="no-such-program: there is no such program on PATH")
        self.refuse("run", "--", "./nothing", says="./nothing: there is no such file, expected a program")
        (self.folder / "text").write_text("no program")
        self.refuse("run", "--", "./text", says="./text: it cannot be run, expected a program")
        self.refuse("run", "--workers", "many", "--", "true", says="--workers: 'many', expected a whole number")
        self.refuse("run", "--scheduler", "fair", "--", "true", says="fair")
        self.refuse("run", "--as", "rayon", "--", "true", says="--as: 'rayon', expected openmp or tbb")
        self.refuse("run", "--placement", "near", "--", "true",
                    says="--placement: 'near', expected first-touch, interleave, by-bandwidth, fastest, scheduler")
        self.refuse("run", "--reprot", "--", "true", says="there is no option --reprot, expected one of --as")
        self.refuse("run", "--reprot", "--", "true", says="; did you mean --report?\n")


@unittest.skipUnless(ALLOCATOR, "built without libjackdaw-malloc.so")
class Placed(ProgramTest):
    def test_the_allocator_is_loaded_first(self):
        said = self.succeed("run", "--placement", "interleave", "--", sys.executable, "-c", SHOW).stdout
        self.assertEqual(said, f"None None {ALLOCATOR}: interleave\n")

    def test_the_report_is_of_that_program_alone(self):
        script = ("import os, subprocess, sys; block = bytearray(64 << 20)\n"
                  "subprocess.run(['cat', '/dev/null'], check=True)\n"
                  "if os.fork() == 0: sys.exit(0)\n"
                  "os.wait()")
        ended = self.run_program("run", "--report", "--", sys.executable, "-c", script)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(len(re.findall("^jackdaw: where the memory of ", ended.stderr, re.MULTILINE)), 1, ended.stderr)
        large = sum(float(line.split()[1]) for line in re.findall(r"^ +\d+ .*$", ended.stderr, re.MULTILINE))
        self.assertGreaterEqual(large, 64)
        self.assertLess(large, 128)

    def test_programs_that_load_nothing_are_refused(self):
        (self.folder / "static.c").write_text("int main(void) { return 0; }\n")
        built = subprocess.run(["cc", "-static", "static.c", "-o", "static"], cwd=self.folder, capture_output=True,
                               check=False)
        if built.returncode != 0:
            self.skipTest("no static C library")
        self.refuse("run", "--report", "--", "./static", says="it is linked statically, so no library can be loaded")
        self.succeed("run", "--", "./static")

    @unittest.skipUnless(os.geteuid() == 0, "needs a program of another user")
    def test_programs_with_the_rights_of_others_are_refused(self):
        self.folder.chmod(0o755)
        other = self.folder / "other"
        shutil.copy("/bin/cat", other)
        other.chmod(0o4755)
        self.user = "nobody"
        self.refuse("run", "--report", "--", "./other", "/dev/null", says="it changes its user (setuid)")

    def test_a_program_with_another_allocator_keeps_its_own_operators(self):
        other = "/usr/lib/x86_64-linux-gnu/libtbbmalloc_proxy.so.2"
        if not os.path.exists(other):
            self.skipTest("no other allocator here")
        for _ in range(5):
            ended = self.run_program("run", "--", "cat", "/dev/null", LD_PRELOAD=f"{ALLOCATOR}:{other}")
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_a_wrong_variable_is_ignored_with_a_line(self):
        ended = self.run_program("run", "--", "cat", "/dev/null", JACKDAW_PLACEMENT="anywhere", LD_PRELOAD=ALLOCATOR)
        self.assertEqual(ended.returncode, 0)
        self.assertIn("jackdaw: JACKDAW_PLACEMENT: 'anywhere', expected first-touch, interleave, by-bandwidth, "
                      "fastest or scheduler; the variable is ignored\n", ended.stderr)


if __name__ == "__main__":
    unittest.main()
