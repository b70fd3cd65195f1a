"""Ctrl-C keeps what is complete: rounds of `bench`, seeds of `simulate`, programs of `reproduce`."""

import json
import signal
import subprocess
import unittest

from program import ProgramTest

FOREVER = ("--repeat", "1000000")


class Interrupt(ProgramTest):
    def interrupt(self, after, *arguments, sent=signal.SIGINT):
        """(status, stdout, stderr) of the program, interrupted when a line of stderr begins with `after`."""
        started = self.start_program(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = []
        for line in started.stderr:
            lines.append(line)
            if line.startswith(after):
                started.send_signal(sent)
                break
        said, more = started.communicate()
        return started.returncode, said, "".join(lines) + more

    def test_complete_rounds_are_kept(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            status, said, noted = self.interrupt("round 3 of 1000000:", "bench", "fib", "--size", "tiny", *FOREVER,
                                                 "--scheduler", "random,adws", "--pause", "0", "--json", sent=sent)
            self.assertEqual(status, 128 + sent)
            told = json.loads(said)
            rounds = told["repeat"]
            self.assertGreaterEqual(rounds, 3)
            self.assertEqual([len(side["runs"]) for side in told["sides"]], [rounds, rounds])
            self.assertTrue(noted.endswith(f"jackdaw: interrupted: {rounds} of 1000000 rounds complete and kept\n"))
            kept = f"SELECT repeats FROM bench WHERE id = {told['database']['bench']}"
            self.assertEqual(self.rows(kept), [(rounds,)])
            self.assertEqual(self.rows(f"SELECT count(*) FROM run WHERE bench = {told['database']['bench']}"),
                             [(2 * rounds,)])

    def test_nothing_is_kept_of_the_first_round(self):
        status, said, noted = self.interrupt("warm-up 2 of", "bench", "fib", "--size", "tiny", "--warm-up", "1000000",
                                             "--pause", "0")
        self.assertEqual((status, said), (130, ""))
        self.assertIn("jackdaw: interrupted: 0 of 5 rounds complete; nothing was kept\n", noted)
        self.assertEqual(self.contents(), {})

    def test_ignored_signals_stay_ignored(self):
        started = self.start_program("bench", "fib", "--size", "tiny", "--repeat", "3", "--no-store", "--pause", "0",
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        next(started.stderr)
        started.send_signal(signal.SIGINT)
        started.communicate()
        self.assertEqual(started.returncode, 0)

    def test_complete_seeds_are_kept(self):
        status, said = self.on_terminal("simulate", "fib", "--size", "tiny", "--machine", "xeon-gold-6130", "--seeds",
                                        "10000", "--scheduler", "random,adws", "--recordings", "1",
                                        when=r"simulating: [1-9]\d+ of 20000")
        self.assertEqual(status, 130, said)
        ((stored, rows),) = self.rows("SELECT seeds, count(*) FROM simulation")
        self.assertEqual(rows, 1)
        self.assertGreaterEqual(stored, 1)
        self.assertIn(f" interrupted: {stored} of 10000 seeds complete and kept\n", said)
        self.assertIn(f"medians of {stored} seed", " ".join(said.split()))
        self.assertEqual(self.rows("SELECT scheduler, count(*), count(DISTINCT seed), max(seed) FROM simulated_run"
                                   " GROUP BY scheduler ORDER BY scheduler"),
                         [(name, stored, stored, stored) for name in ("adws", "random")])

    def test_complete_programs_are_reported(self):
        status, page, noted = self.interrupt("2 of ", "reproduce", "laws", "--seeds", "1", "--only", "ga")
        self.assertEqual(status, 130, noted)
        self.assertRegex(noted, r"jackdaw: interrupted: [1-9]\d* of \d+ programs complete and kept\n$")
        first = noted.split("1 of ")[1].split(": ")[1].split(",")[0]
        self.assertIn(f"| {first}", page)
        self.assertIn("claims reproduced", page)


if __name__ == "__main__":
    unittest.main()
