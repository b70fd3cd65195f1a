"""`jackdaw analyze`: what it prints of a recorded program, and what it refuses."""

import re
import unittest

from program import ProgramTest

MACHINE = ("--machine", "xeon-e5-2620")
SERIAL = """jackdaw-trace 1
program serial
workers 1
compute_rate 1
root run
c 5
e
end 1 0 0 1
"""


class Analyze(ProgramTest):
    def setUp(self):
        super().setUp()
        self.succeed("record", "heat", "--size", "tiny", "--iterations", "6", "--workers", "12", "-o", "heat.trace")
        # Schedulers decide by times, which must not depend on this computer's speed, counters or load here: neither of
        # work (c) nor of work in vectors (v).
        trace = self.folder / "heat.trace"
        told = trace.read_text(encoding="ascii")
        for measured, fixed in ((r"^([cv]) \d+$", r"\1 100"), (r"^(\w+_rate) .*$", r"\1 1"),
                                (r"^instructions .*\n", "")):
            told = re.sub(measured, fixed, told, flags=re.MULTILINE)
        trace.write_text(told, encoding="ascii")

    def test_the_numbers_fit_together(self):
        told = self.succeed_json("analyze", "heat.trace", *MACHINE, "--scheduler", "cab:3,random")
        self.assertEqual((told["kind"], told["workers"], told["iterations"]), ("computed and simulated", 12, 6))
        for each in told["schedulers"]:
            self.assertEqual((each["squads"], each["workers_per_squad"]), (2, 6))
        self.assertEqual((told["trace"], told["machine"]["name"]), ("heat.trace", "xeon-e5-2620"))
        for part in told["recorded"].values():
            self.assertAlmostEqual(part["parallelism"], part["work_ns"] / part["span_ns"])
            self.assertGreater(part["tasks"], part["leaves"])
        cab, plain = told["schedulers"]
        self.assertEqual((cab["scheduler"], cab["rule"], cab["decided"]), ("cab:3", "packed", 3))
        self.assertEqual((plain["scheduler"], plain["rule"], plain["decided"]), ("random", "plain", None))
        one = cab["last_iteration"]["computed"]
        self.assertEqual(one["subtrees"], 4)
        self.assertAlmostEqual(one["work_ns"], one["free_work_ns"] + one["local_work_ns"], places=3)
        self.assertAlmostEqual(one["printed_bound_ns"], one["free_work_ns"] / 2 + one["local_work_ns"] / 12 +
                               one["subtree_spans_ns"] / 2 + one["span_ns"], places=3)
        for part in (cab["last_iteration"], cab["whole"]):
            self.assertLess(part["computed"]["printed_bound_ns"], part["computed"]["bound_ns"])
            self.assertLess(part["computed"]["bound_ns"], part["computed"]["bound_with_costs_ns"])
            self.assertLessEqual(part["simulated"]["time_ns"], part["computed"]["bound_with_costs_ns"])
            self.assertLessEqual(part["simulated"]["frames"], part["computed"]["space_bound_frames"])
        self.assertEqual(one["space_bound_frames"], 12 * told["recorded"]["last_iteration"]["serial_frames"])
        one = plain["last_iteration"]["computed"]
        self.assertAlmostEqual(one["bound_ns"], one["work_ns"] / 12 + one["span_ns"], places=3)

    def test_each_scheduler_has_its_own_squads(self):
        for names in ("cab,bats", "bats,cab"):
            told = self.succeed_json("analyze", "heat.trace", "--machine", "epyc-nps1", "--workers", "64",
                                     "--scheduler", names)
            found = {each["scheduler"]: each["squads"] for each in told["schedulers"]}
            self.assertEqual(found, {"cab": 8, "bats": 2})

    def test_the_same_trace_gives_the_same_bytes(self):
        command = ("analyze", "heat.trace", *MACHINE)
        first = self.succeed(*command).stdout
        self.assertEqual(self.succeed(*command).stdout, first)
        for words in ("work T1", "critical path T-infinity", "parallelism", "subtrees, k", "Eq. 13", "Eq. 15",
                      "simulated: time", "cab: ", "laws: "):
            self.assertIn(words, first)
        self.assertEqual(list(self.contents()), ["heat.trace"])

    def test_scheduler_options_determine_the_boundary(self):
        def level(data):
            told = self.succeed_json("analyze", "heat.trace", *MACHINE, "--scheduler", "cab", "--data-size", data,
                                     "--branching", 2)
            self.assertEqual(told["told"], {"data_bytes": data, "branching": 2})
            return told["schedulers"][0]["decided"]
        self.assertEqual(level(1), 2)
        self.assertGreater(level(100 << 20), 3)

    def test_a_kernel_is_recorded(self):
        told = self.succeed_json("analyze", "fib", "--size", "tiny", *MACHINE, "--recordings", "1",
                                 "--scheduler", "random")
        self.assertEqual((told["trace"], told["iterations"]), (None, 1))

    def test_refuses_what_does_not_fit(self):
        for arguments, says in (
                (("--scheduler", "cab:-1"), "--scheduler: unknown scheduler 'cab:-1', expected one of"),
                (("--scheduler", "cab:65"), "unknown scheduler 'cab:65'"),
                (("--scheduler", "cab,"), "--scheduler: an empty name"),
                (("--data-size", "0"), "--data-size: '0', expected a number of bytes from 1 to"),
                (("--data-size=-4",), "--data-size: '-4'"),
                (("--data-size", "1e9"), "--data-size: '1e9'"),
                (("--data-size", "99999999999999999999"), "--data-size: '99999999999999999999'"),
                (("--branching", "1"), "--branching: '1', expected a number of children from 2 to"),
                (("--placement", "interleave,first-touch"), "--placement: 2 placements, expected one"),
                (("--workers", "13"), "13 workers, but xeon-e5-2620 has 12 hardware threads"),
                (("--seed", "0"), "--seed: '0'")):
            self.refuse("analyze", "heat.trace", *MACHINE, *arguments, says=says)
        self.refuse("analyze", "heat.trace", says="--machine is required")
        self.refuse("analyze", "missing.trace", *MACHINE, says="missing.trace: cannot be read")
        self.refuse("analyze", "heet", *MACHINE, says="unknown kernel 'heet'")

    def test_refuses_a_program_that_forks_nothing(self):
        (self.folder / "serial.trace").write_text(SERIAL, encoding="ascii")
        self.refuse("analyze", "serial.trace", *MACHINE, says="serial: nothing was forked")
        (self.folder / "short.trace").write_text(SERIAL.replace("c 5", "c -5"), encoding="ascii")
        self.refuse("analyze", "short.trace", *MACHINE, says="short.trace:6:")

    def test_help_shows_examples(self):
        self.assertIn("Examples:", self.succeed("analyze", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
