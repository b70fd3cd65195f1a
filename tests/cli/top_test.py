"""`jackdaw top`: what it shows of a running program, and what it refuses."""

import json
import os
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest

LONG = (PROGRAM, "bench", "fib", "--size", "tiny", "--scheduler", "random", "--workers", "2", "--repeat", "1000000",
        "--pause", "0")


class Top(ProgramTest):
    def start(self):
        process = subprocess.Popen(LONG, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while self.run_program("top", process.pid, "--json").returncode != 0:
            self.assertLess(time.monotonic(), deadline, "the program offers no counters")
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        return process

    def test_counts_grow_while_the_program_runs(self):
        process = self.start()

        def counted(name):
            told = self.succeed_json("top", process.pid)
            self.assertEqual(told["process"], process.pid)
            of = told["runtimes"][0]
            self.assertEqual((of["scheduler"], len(of["workers"])), ("random", 2))
            for each in of["workers"]:
                self.assertIn(each["now"], ("runs", "searches", "sleeps"))
                self.assertLessEqual(each["search_ns"] + each["sleep_ns"], of["age_ns"])
            return sum(each[name] for each in of["workers"])
        deadline = time.monotonic() + 60
        first = counted("search_ns")
        while counted("search_ns") <= first:
            self.assertLess(time.monotonic(), deadline)
        while counted("roots") == 0:  # each run of the bench begins to count anew
            self.assertLess(time.monotonic(), deadline)

    def test_shows_each_worker_and_their_sum(self):
        process = self.start()
        lines = self.succeed("top", process.pid, "--interval", 50, "--times", 2).stdout.splitlines()
        self.assertEqual(lines.count(f"process {process.pid}"), 2)
        for name in ("0", "1", "all"):
            rows = [line.split() for line in lines if line.split()[:1] == [name]]
            self.assertEqual(len(rows), 2)
            for row in rows:
                numbers = row[1:] if name == "all" else row[2:]
                self.assertAlmostEqual(sum(map(float, numbers[:3])), 100, delta=2)

    def test_says_that_the_output_cannot_be_written(self):
        process = self.start()
        for given in (("--interval", "10"), ("--interval", "10", "--times", "1"), ("--json",)):
            with open("/dev/full", "w", encoding="utf-8") as full:
                ended = subprocess.run((PROGRAM, "top", str(process.pid), *given), stdout=full, stderr=subprocess.PIPE,
                                       text=True, check=False, timeout=60)
            self.assertEqual((ended.returncode, ended.stderr.count("\n")), (1, 1), ended.stderr)
            self.assertIn("written", ended.stderr)

    def test_ends_with_the_program(self):
        process = self.start()
        with subprocess.Popen((PROGRAM, "top", str(process.pid), "--interval", "50"), stdout=subprocess.PIPE,
                              text=True) as shown:
            shown.stdout.readline()
            process.kill()
            process.wait()
            told, _ = shown.communicate(timeout=60)
        self.assertEqual(shown.returncode, 0)
        self.assertIn(f"process {process.pid} has ended", told)

    def test_refuses_what_it_cannot_show(self):
        ended = subprocess.Popen(("true",))
        ended.wait()
        for arguments, says in (((ended.pid,), "no running process has this number"),
                                ((os.getpid(),), "no runtime of jackdaw runs in this process"),
                                (("0",), "PID: '0', expected a whole number from 1 to"),
                                (("fib",), "PID: 'fib'"),
                                ((), "PID is required"),
                                ((os.getpid(), "--interval", "0"), "--interval: '0', expected"),
                                ((os.getpid(), "--times=-1"), "--times: '-1'")):
            self.refuse("top", *arguments, says=says)

    def test_json_has_the_names_of_the_database(self):
        process = self.start()
        worker = self.succeed_json("top", process.pid)["runtimes"][0]["workers"][0]
        ended = self.succeed("bench", "fib", "--size", "tiny", "--repeat", "1", "--json")
        run = json.loads(ended.stdout)["sides"][0]["runs"][0]
        self.assertEqual(set(worker) - {"worker", "now"}, set(run) - {"round", "seconds"})


if __name__ == "__main__":
    unittest.main()
