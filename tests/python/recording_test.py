"""How programs are recorded for `jackdaw predict`: again where others took their processor, and the time of main()."""

import json
import unittest
import unittest.mock

import planted
from predicting import PredictTest

from jackdaw import recording

TRACE = """jackdaw-trace 1
program mine
workers 12
compute_rate {rate}
site nested
root r
s - 0
f
c {first}
e
f
{second}e
j
c 2000
e
end 3 1 0 1
"""
WARNING = ("jackdaw: {}: it had no processor for {}% of the time (lost 712 times, to other programs), so its times are "
           "too long")


def trace(first=1000, second="c 1000\n", rate=1):
    return TRACE.format(first=first, second=second, rate=rate)


class RecordingTest(PredictTest):
    def setUp(self):
        super().setUp()
        for name in ("can_repeat",):  # whatever the standard input of the tests is
            patch = unittest.mock.patch.object(recording, name, lambda: True)
            patch.start()
            self.addCleanup(patch.stop)

    def program(self, *recordings, outside=None):
        """A program that records these (trace, % without a processor) one after another, the last one from then on.
        `outside`: seconds for which it sleeps, of those that it runs; then its statistics have 50 ms with a root."""
        for number, (text, _) in enumerate(recordings):
            (self.folder / f"{number}.trace").write_text(text, encoding="utf-8")
        stats = "exit 1"
        if outside is not None:
            planted.Planted(seconds=0.05).save(self.folder / "planted.db")
            stats = f"sleep {outside}; cp {self.folder}/planted.db $JACKDAW_STATS; exit 0"
        said = "\n".join(f"{number}) echo '{WARNING.format('x', share)}' >&2;;" for number, (_, share) in
                         enumerate(recordings) if share)
        script = self.folder / "mine"
        script.write_text(f"""#!/bin/sh
[ -n "$JACKDAW_STATS" ] && {{ {stats}; }}
echo >> {self.folder}/runs
number=$(($(wc -l < {self.folder}/runs) - 1))
[ $number -lt {len(recordings)} ] || number={len(recordings) - 1}
cp {self.folder}/$number.trace $JACKDAW_RECORD
case $number in x) ;;
{said}
esac
""", encoding="utf-8")
        script.chmod(0o755)
        return script

    def runs(self):
        return len((self.folder / "runs").read_text().splitlines())

    def ask(self, script, *more):
        return json.loads(self.succeed(script, "--machine", "xeon-e5-2620", "--seeds", 1, "--json", *more))

    def test_a_program_that_was_not_disturbed_is_recorded_once(self):
        found = self.ask(self.program((trace(), 0)))
        self.assertEqual((self.runs(), found["disturbed"]), (1, None))
        self.assertIn("critical path", found["verdict"])

    def test_the_fastest_of_each_step_is_kept(self):
        """Each recording is disturbed somewhere else. One was not."""
        found = self.ask(self.program((trace(first=9_000_000), 79), (trace(second="c 5000000\n"), 60), (trace(), 0)))
        self.assertEqual((self.runs(), found["disturbed"]), (3, None))
        self.assertEqual(self.ask(self.program((trace(), 0)))["runs"], found["runs"])

    def test_where_all_recordings_were_disturbed_nothing_is_concluded(self):
        script = self.program((trace(first=9_000_000), 79))
        found = self.ask(script)
        self.assertEqual(self.runs(), 5)
        self.assertIn("it had no processor for 79% of the time (lost 712 times", found["disturbed"])
        self.assertNotIn("critical path", found["verdict"])
        text = self.succeed(script, "--machine", "xeon-e5-2620", "--seeds", 1)
        self.assertIn("What bounds the time is not judged: when the program was recorded, it had no processor for 79%",
                      text)
        self.assertNotIn("more cores would not help", text)

    def test_a_trace_of_a_busy_computer_is_not_judged(self):
        path = self.folder / "busy.trace"
        path.write_text(trace().replace("jackdaw-trace 1", "jackdaw-trace 5").replace("site ", "lost 0.43\nsite ", 1),
                        encoding="utf-8")
        found = self.ask(path)
        self.assertEqual(found["disturbed"], "it had no processor for 43% of the time")
        self.assertIn("What bounds the time is not judged", found["verdict"])

    def test_a_disturbed_recording_is_mended_by_another(self):
        one, other = self.folder / "one", self.folder / "other"
        one.write_text(trace(first=9000).replace("jackdaw-trace 1", "jackdaw-trace 5").replace(
            "site ", "lost 0.43\nsite ", 1), encoding="utf-8")
        other.write_text(trace(first=1000), encoding="utf-8")
        self.assertTrue(recording.keep_fastest(one, other))
        self.assertNotIn("lost", one.read_text(encoding="utf-8"))
        self.assertIn("c 1000\n", one.read_text(encoding="utf-8"))

    def test_recordings_of_other_trees_are_not_mixed(self):
        one, other = self.folder / "one", self.folder / "other"
        one.write_text(trace(first=5000, rate=1))
        other.write_text(trace(first=4000, second="", rate=1.5))
        self.assertTrue(recording.keep_fastest(str(one), str(other)))
        self.assertEqual(one.read_text(), trace(first=4000, second="", rate=1.5))
        for change in (("s - 0", "s - 0\nf\ne"), ("end 3", "end 4"), ("root r", "root q"), ("c 4000", "c x")):
            other.write_text(trace(first=10).replace("c 10\n", "c 4000\n").replace(*change))
            self.assertFalse(recording.keep_fastest(str(one), str(other)), change)
        self.assertEqual(one.read_text(), trace(first=4000, second="", rate=1.5))

    def test_time_in_main_bounds_the_speedup(self):
        """Tasks of some us, and half a second in main()."""
        script = self.program((trace(), 0), outside=0.5)
        found = self.ask(script)
        self.assertGreaterEqual(found["outside_ns"], 0.4e9)
        self.assertLess(found["most_speedup"], 1.01)
        self.assertLess(found["runs"][0]["whole_speedup"], 1.01)
        self.assertIn("% of the whole run is outside of its tasks, where more cores do not help", found["verdict"])
        text = self.succeed(script, "--machine", "xeon-e5-2620", "--seeds", 1)
        self.assertRegex(text, r"Outside of its tasks, in main\(\), it takes .* with any number of cores at most 1.00 "
                         "times")

    def test_time_in_main_that_is_not_known_is_said_so(self):
        script = self.program((trace(), 0))
        self.assertIsNone(self.ask(script)["outside_ns"])
        said = "What the program does outside of its tasks, in main(), is not in these figures"
        self.assertIn(said, self.succeed(script, "--machine", "xeon-e5-2620", "--seeds", 1))
        file = self.folder / "given.trace"
        file.write_text(trace(), encoding="utf-8")
        self.assertIn(said, self.succeed(file, "--machine", "xeon-e5-2620", "--seeds", 1))
        self.assertNotIn(said, self.succeed("fib", "--size", "tiny", "--machine", "xeon-e5-2620", "--seeds", 1))

    def test_a_program_that_reads_a_pipe_is_run_once(self):
        with unittest.mock.patch.object(recording, "can_repeat", lambda: False):
            found = self.ask(self.program((trace(first=9_000_000), 79), outside=0.5))
        self.assertEqual((self.runs(), found["outside_ns"]), (1, None))
        self.assertIn("it had no processor", found["disturbed"])


if __name__ == "__main__":
    unittest.main()
