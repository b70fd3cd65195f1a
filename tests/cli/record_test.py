"""`jackdaw record` writes a kernel's task tree and prints a summary."""

import os
import subprocess
import sys
import unittest

from program import ProgramTest


class Record(ProgramTest):
    def lines(self, name):
        return (self.folder / name).read_text(encoding="ascii").splitlines()

    def test_a_kernel(self):
        said = self.succeed("record", "heat2d", "--size", "tiny", "--iterations", "3", "--workers", "64").stdout
        self.assertEqual(list(self.contents()), ["heat2d.trace"])
        lines = self.lines("heat2d.trace")
        self.assertEqual(lines[:3], ["jackdaw-trace 3", "program heat2d --size tiny --shape blocks --iterations 3",
                                     "workers 64"])
        self.assertEqual([line for line in lines if line.startswith("root")], ["root prepare", "root run"])
        self.assertEqual(lines[-1], f"end 18 4 {sum(line[:2] in ('r ', 'w ') for line in lines)} 2")
        rows = {line.split()[0]: line.split() for line in said.splitlines() if line.startswith(("prepare", "run"))}
        self.assertEqual(rows["prepare"][1:4], ["5", "4", "4"])
        self.assertEqual(rows["run"][1:4], ["13", "12", "12"])
        self.assertIn("heat2d --size tiny --shape blocks --iterations 3, for 64 workers", said)
        self.assertIn("written to heat2d.trace", said)

    def test_the_speed_is_measured_and_addresses_do_not_depend_on_the_run(self):
        traces = []
        for name in ("a.trace", 60 * "b" + ".trace"):  # so that the second run's heap has other holes
            self.succeed("record", "pagerank", "--size", "tiny", "--workers", "2", "-o", name)
            traces.append((self.folder / name).read_text(encoding="utf-8").splitlines())
        accesses, again = ([line for line in lines if line.startswith(("r ", "w "))] for lines in traces)
        self.assertGreater(len(accesses), 10)
        self.assertEqual(accesses, again)
        rates = [float(line.split()[1]) for lines in traces for line in lines if line.startswith("compute_rate ")]
        self.assertEqual(len(rates), 2)
        self.assertNotEqual(rates, [1, 1])

    def test_a_busy_computer_is_noted(self):
        processors = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, processors)
        os.sched_setaffinity(0, {min(processors)})
        for _ in range(3):
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            self.addCleanup(busy.wait)
            self.addCleanup(busy.kill)
        size = ("--size", "512", "--iterations", "200", "--workers", "1", "--recordings", "2")
        noted = r"it had no processor for [1-9]\d% of the time \(lost [1-9]\d* times, to other programs or to a limit\)"
        self.assertRegex(self.succeed("record", "heat2d", *size).stderr,
                         "^jackdaw: heat2d [^:]*: " + noted + " even in the best of 2 recordings")

    def test_the_file_and_the_workers_can_be_given(self):
        self.succeed("record", "fib", "--size", "tiny", "-o", "a b.trace", JACKDAW_WORKERS="7")
        self.assertEqual(list(self.contents()), ["a b.trace"])
        self.assertEqual(self.lines("a b.trace")[2], "workers 7")

    def test_a_file_is_replaced_only_by_force(self):
        (self.folder / "fib.trace").write_text("old", encoding="ascii")
        (self.folder / "link.trace").symlink_to("fib.trace")
        for given in ((), ("-o", "fib.trace"), ("-o", "link.trace")):
            self.refuse("record", "fib", "--size", "tiny", *given,
                        says="trace: exists, expected a new file (or --force)")
        self.assertEqual((self.folder / "fib.trace").read_text(encoding="ascii"), "old")
        self.succeed("record", "fib", "--size", "tiny", "--recordings", "1", "--force")
        self.assertEqual(self.lines("fib.trace")[1], "program fib --size tiny --shape invoke")
        self.assertTrue((self.folder / "link.trace").is_symlink())
        self.succeed("record", "fib", "--size", "tiny", "--recordings", "1", "-o", "/dev/null")

    def test_iterations_only_where_there_are_some(self):
        for kernel in self.succeed_json("list")["kernels"]:
            given = ("record", kernel["name"], "--size", "tiny", "--recordings", "1", "--force", "--iterations")
            if not kernel["iterates"]:
                self.refuse(*given, "2", says=f"--iterations: {kernel['name']} does not iterate")
                continue
            shape = ("--shape", "rounds") if kernel["name"] == "components" else ()
            forks = []
            for count in ("1", "3"):
                self.succeed(*given, count, *shape, "--workers", "4", "-o", "a.trace")
                forks.append(sum(line[0] in "fFhH" for line in self.lines("a.trace")))
            # Those of the Mandelbrot set are steps of a leaf.
            (self.assertEqual if kernel["name"] == "mandelbrot" else self.assertNotEqual)(*forks, kernel["name"])
        self.refuse("record", "components", "--iterations", "2",
                    says="components: iterations are for shape 'rounds', expected none with another one")

    def test_the_variable_is_for_other_programs(self):
        self.succeed("record", "fib", "--size", "tiny", JACKDAW_RECORD="other.trace")
        self.assertEqual(list(self.contents()), ["fib.trace"])
        self.refuse("bench", "fib", "--size", "tiny", JACKDAW_RECORD="other.trace",
                    says="JACKDAW_RECORD: set, but a recorded run cannot be measured")

    def test_wrong_hints(self):
        self.succeed("record", "heat2d", "--size", "tiny", "--iterations", "1", "--hints", "fixed:0.5")
        forks = [line for line in self.lines("heat2d.trace") if line.startswith("f ")]
        self.assertEqual(forks, ["f 0.5", "f 0.75", "f 1.25", "f 1.5"] * 2)
        self.succeed("bench", "heat2d", "--size", "tiny", "--hints", "random:1", "--repeat", "1", "--warm-up", "0")

    def test_bad_input(self):
        (self.folder / "folder").mkdir()
        (self.folder / "fib.trace").write_text("old", encoding="ascii")
        self.refuse("record", "fibb", says="unknown kernel 'fibb', expected one of fib")
        self.refuse("record", "fib", "--size", "colossal", says="--size: fib has no 'colossal'")
        self.refuse("record", "fib", "--recordings", "0", says="--recordings: '0', expected a whole number from 1")
        self.refuse("record", "fib", "--workers", "0", says="--workers: '0', expected a number of workers")
        self.refuse("record", "fib", "--size", "tiny", "-o", "folder", says="-o: 'folder' cannot be written")
        self.refuse("record", "fib", "--size", "tiny", "-o", "missing/a", says="-o: 'missing/a' cannot be written")
        for command in ("record", "bench"):
            self.refuse(command, "fib", "--hints", "fixed:1", says="--hints: fib takes no work hints")
            self.refuse(command, "heat2d", "--size", "tiny", "--hints", "fixed:2",
                        says="heat2d: unknown hints 'fixed:2', expected fixed:ALPHA or random:ALPHA")
            self.refuse(command, "heat2d", "--size", "tiny", "--shape", "rows", "--hints", "fixed:0.1",
                        says="heat2d: work hints are for shape 'blocks'")


if __name__ == "__main__":
    unittest.main()
