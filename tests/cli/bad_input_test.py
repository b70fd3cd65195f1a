"""Every mistake of a user ends in one line that says what was expected, status 2, and no file."""

import os
import re
import resource
import subprocess
import unittest

from program import PROGRAM, ProgramTest


class BadInput(ProgramTest):
    def test_commands(self):
        self.refuse(says="no command, expected one of doctor list bench record simulate analyze reproduce top "
                         "machine measure run report predict")
        self.refuse("bunch", says="unknown command 'bunch', expected one of doctor list bench record simulate analyze "
                                  "reproduce top machine measure run report predict")
        self.refuse("--jsn", says="subcommand is required")
        self.refuse("bench", says="KERNEL is required")
        self.refuse("doctor", "--jsn", says="--jsn")
        self.refuse("bench", "fib", "--size", says="--size")

    def test_output_that_cannot_be_written(self):
        for given in (("list",), ("list", "--json"), ("--help",), ("bench", "--help"), ("--version",)):
            with open("/dev/full", "w", encoding="utf-8") as full:
                ended = subprocess.run((PROGRAM, *given), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual((ended.returncode, ended.stderr.count("\n")), (1, 1), ended.stderr)

    def test_names(self):
        self.refuse("bench", "fibb", says="unknown kernel 'fibb', expected one of fib")
        self.refuse("bench", "fib", "--size", "colossal", says="--size: fib has no 'colossal', expected one of")
        self.refuse("bench", "fib", "--shape", "round", says="--shape: fib has no 'round', expected one of")
        self.refuse("bench", "fib", "--scheduler", "foo",
                    says="--scheduler: unknown scheduler 'foo', expected one of")
        self.refuse("bench", "fib", "--scheduler", "adws,foo", says="unknown scheduler 'foo'")
        self.refuse("bench", "fib", "--scheduler", "adws,", says="--scheduler: an empty name")
        self.refuse("bench", "fib", "--against", "pthreads", says="--against: fib has no side 'pthreads'")
        self.refuse("bench", "fib", "--against", "serial,,serial", says="--against: an empty name")
        self.refuse("bench", "fib", "--against", "jackdaw", says="--scheduler")
        self.refuse("bench", "fib", "--order", "spread", says="--order: 'spread', expected scatter or compact")
        self.refuse("bench", "fib", "--memory", "tape", says="--memory: 'tape', expected dram, hbm or all")
        self.refuse("bench", "fib", "--memory", "hbm", HWLOC_SYNTHETIC="package:2 numa:1 core:1 pu:1",
                    says="has no hbm node that may be used")
        self.refuse("bench", "fib", "--memory", "dram", HWLOC_SYNTHETIC="package:2 numa:1 core:1 pu:1",
                    says="the machine exists only as a description (HWLOC_SYNTHETIC), expected this computer")
        self.refuse("bench", "fib", "--input", "graph.txt", says="--input: fib takes no input file")

    def test_every_scheduler_that_the_message_lists_exists(self):
        said = self.run_program("bench", "fib", "--scheduler", "foo").stderr
        listed = said.partition("expected one of ")[2].split()
        for name in ("auto:hints", "auto:times", "auto:plain", "adws:hints=both", "laws:STEP", "cab:LEVEL"):
            self.assertIn(name, listed)
        names = [re.sub("LEVEL|STEP|COUNT", "2", name) for name in listed]
        told = self.succeed_json("simulate", "fib", "--size", "tiny", "--machine", "xeon-gold-6130", "--seeds", "1",
                                 "--recordings", "1", "--no-store", "--scheduler", ",".join(names))
        self.assertEqual([row["scheduler"] for row in told["rows"]], names)

    def test_papers(self):
        self.refuse("reproduce", says="PAPER is required")
        self.refuse("reproduce", "bible",
                    says="unknown paper 'bible', expected one of adws bats cab laws machines predict")
        self.refuse("reproduce", "adws", "--seeds", "0", says="--seeds: '0', expected a whole number from 1")
        (self.folder / "there.md").write_text("mine\n", encoding="ascii")
        self.refuse("reproduce", "adws", "--markdown", "there.md", says="there.md")
        self.assertEqual((self.folder / "there.md").read_text(encoding="ascii"), "mine\n")
        self.refuse("reproduce", "adws", "--only", "chess", says="--only: no program's name contains 'chess'")
        self.refuse("reproduce", "adws", "--traces", ".", says="--traces: '.', expected an empty folder, or a new one")
        self.refuse("reproduce", "adws", "--traces", "there.md", says="--traces: 'there.md', expected an empty folder")

    def test_a_name_cannot_break_the_line(self):
        self.refuse("bench", "fi\nb", says="unknown kernel 'fi b'")

    def test_worker_counts(self):
        for count in ("0", "-1", "4097", "two", "1.5", "2x"):
            self.refuse("bench", "fib", f"--workers={count}",
                        says=f"--workers: '{count}', expected a number of workers from 1 to 4096")
            self.refuse("bench", "fib", JACKDAW_WORKERS=count,
                        says=f"JACKDAW_WORKERS: '{count}', expected a number of workers from 1 to 4096")

    def test_numbers(self):
        self.refuse("bench", "fib", "--repeat", "0", says="--repeat: '0', expected a whole number from 1 to 1000000")
        self.refuse("bench", "fib", "--repeat", "many", says="--repeat: 'many'")
        self.refuse("bench", "fib", "--warm-up", "x", says="--warm-up: 'x', expected a whole number from 0")
        self.refuse("bench", "fib", "--pause", "1e3", says="--pause: '1e3'")
        self.refuse("bench", "heat", "--iterations", "0", says="--iterations: '0'")

    def test_environment(self):
        self.refuse("bench", "fib", JACKDAW_SCHEDULER="foo", says="JACKDAW_SCHEDULER: unknown scheduler 'foo'")
        self.refuse("doctor", JACKDAW_SCHEDULER="foo", says="JACKDAW_SCHEDULER")
        tiny = ("bench", "fib", "--size", "tiny")
        self.refuse(*tiny, JACKDAW_DATA_SIZE="much", says="JACKDAW_DATA_SIZE: 'much', expected a number of bytes")
        self.refuse(*tiny, JACKDAW_NODE_ORDER="mixed", says="JACKDAW_NODE_ORDER: 'mixed', expected adjacent or apart")
        self.refuse(*tiny, "--node-order", "mixed", says="--node-order: 'mixed', expected adjacent or apart")
        self.refuse(*tiny, JACKDAW_BRANCHING="1", says="JACKDAW_BRANCHING: '1', expected a number of children from 2")
        self.refuse(*tiny, JACKDAW_EVENTS="nowhere/events.txt", says="JACKDAW_EVENTS: 'nowhere/events.txt'")
        self.refuse(*tiny, "--data-size", "0", says="--data-size: '0', expected a number of bytes from 1 to 2^50")
        self.refuse(*tiny, "--branching", "-2", says="--branching: '-2', expected a number of children from 2 to 1024")
        self.refuse(*tiny, "--scheduler", "cab:65", says="unknown scheduler 'cab:65'")
        for wrong in ("constrained:relws=-1", "constrained:x", "constrained:relws=", "constrained:relws=1001"):
            self.refuse(*tiny, "--scheduler", wrong,
                        says=f"--scheduler: unknown scheduler '{wrong}', expected one of random ")
            self.refuse("bench", "fib", JACKDAW_SCHEDULER=wrong, says=f"JACKDAW_SCHEDULER: unknown scheduler '{wrong}'")
        for step in ("", "x", "100", "-100", "+1", "1x", "01", "-0"):
            self.refuse(*tiny, "--scheduler", f"laws:{step}", says=f"unknown scheduler 'laws:{step}'")
        self.refuse("doctor", JACKDAW_WORKERS="abc", says="JACKDAW_WORKERS: 'abc'")
        self.refuse("doctor", JACKDAW_PIN="yes", says="JACKDAW_PIN: 'yes'")
        self.refuse("bench", "fib", "--size", "tiny", JACKDAW_PIN="yes", says="JACKDAW_PIN: 'yes'")
        self.refuse("doctor", JACKDAW_STACK_SIZE="1", says="JACKDAW_STACK_SIZE: 1 bytes; expected 16384 to")
        self.refuse("doctor", JACKDAW_ORDER="near", says="JACKDAW_ORDER: 'near', expected scatter or compact")
        for command in (["doctor"], ["bench", "fib"]):
            self.refuse(*command, HWLOC_SYNTHETIC="package:two", says="HWLOC_SYNTHETIC: 'package:two'")
            self.refuse(*command, HWLOC_XMLFILE="missing.xml", says="missing.xml: no such file")

    @unittest.skipUnless(os.geteuid() == 0, "only root can become a user without other threads")
    def test_limits_of_threads(self):
        def limited():
            os.setuid(2_000_000 + os.getpid())
            resource.setrlimit(resource.RLIMIT_NPROC, (20, 20))
        ended = subprocess.run((PROGRAM, "doctor"), env=os.environ | {"JACKDAW_WORKERS": "300"}, preexec_fn=limited,
                               capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stdout), (2, ""), ended.stderr)
        self.assertRegex(ended.stderr.splitlines()[-1], "the system started [0-9]+ threads, expected 300 ")
        self.assertLessEqual(ended.stderr.count("\n"), 2, ended.stderr)  # the other one: they share processors

    def test_a_broken_machine_file(self):
        (self.folder / "broken.xml").write_text("<topology", encoding="ascii")
        self.refuse("doctor", HWLOC_XMLFILE="broken.xml", says="broken.xml: not a topology")


    def test_input_files(self):
        self.refuse("bench", "pagerank", "--input", "missing.mtx", says="missing.mtx")
        (self.folder / "bad.mtx").write_text("no matrix at all\n", encoding="ascii")
        self.refuse("bench", "pagerank", "--input", "bad.mtx", says="bad.mtx")
        self.refuse("bench", "pagerank", "--input", "bad.mtx", "--workers", "300", says="bad.mtx")

    def test_particle_files(self):
        for text, says in (
                ("1 1 0 0\n", "water.txt:1: found '1 1 0 0', expected 'spacing S' with S from"),
                ("spacing 0.1\n1 1 0 0\n1 nan 0 0\n", "water.txt:3: found '1 nan 0 0', expected 4 finite numbers"),
                ("spacing 0.1\n1 1 0\n", "water.txt:2: found '1 1 0', expected 4 finite numbers"),
                ("spacing 0.1\n1 4 0 0\n", "water.txt:2: found '1 4 0 0', expected a place in the tank"),
                ("spacing 0.1\n", "water.txt:2: found the end, expected a particle")):
            (self.folder / "water.txt").write_text(text, encoding="ascii")
            for command in (["bench"], ["record"], ["simulate", "--machine", "epyc-nps4"]):
                self.refuse(*command, "sph", "--input", "water.txt", says=says)
        (self.folder / "full").mkdir()
        (self.folder / "full" / "file").write_text("mine\n", encoding="ascii")
        (self.folder / "water.txt").write_text("spacing 0.1\n1 1 0\n", encoding="ascii")
        self.refuse("bench", "sph", "--input", "water.txt", "--snapshots", "new", says="water.txt:2: found '1 1 0'")
        for place in ("full", "full/file", "no/such", "water.txt"):
            self.refuse("bench", "sph", "--size", "tiny", "--snapshots", place,
                        says=f"--snapshots: '{place}', expected an empty folder, or a new one in an existing folder")
        self.assertEqual((self.folder / "full" / "file").read_text(encoding="ascii"), "mine\n")
        self.refuse("bench", "fib", "--snapshots", "new", says="--snapshots: fib makes no snapshots")


if __name__ == "__main__":
    unittest.main()
