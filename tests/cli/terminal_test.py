"""What a terminal gets: 80 columns, colours, progress, and nothing that it would obey."""

import re
import time
import unittest

from program import ProgramTest

COLOUR = re.compile(r"\x1b\[[\d;]*m")
MACHINE = ("--machine", "opteron-8380", "--seeds", "1", "--no-store")


class Terminal(ProgramTest):
    def shown(self, *arguments, columns=80, **environment):
        """The lines on a terminal without their colours, each of which must fit."""
        status, said = self.on_terminal(*arguments, columns=columns, **environment)
        self.assertEqual(status, 0, said)
        lines = COLOUR.sub("", re.sub(r"\r\x1b\[K[^\r\n]*(?=\r\x1b\[K)|\r\x1b\[K", "", said)).split("\n")
        for line in lines:
            self.assertLessEqual(len(line), columns, line)
        return lines

    def test_every_help_text_fits(self):
        commands = [[name] for name in ("doctor", "list", "bench", "record", "simulate", "analyze", "reproduce", "top",
                                        "machine", "measure", "help", "completion", "man")]
        for command in [[], *commands, ["machine", "check"], ["machine", "here"], ["measure", "numa"]]:
            for columns in (80, 100):
                lines = self.shown(*command, "--help", columns=columns)
                wide = self.succeed(*command, "--help").stdout
                # The same words, though folded, and commands go on behind backslashes.
                self.assertEqual([word for word in " ".join(lines).split() if word != "\\"], wide.split())
        self.assertEqual("\n".join(self.shown("bench", "--help", columns=300)), self.succeed("bench", "--help").stdout)

    def test_tables_fit(self):
        self.succeed("record", "heat2d", "--size", "tiny", "--iterations", "2", "-o", "a.trace", "--recordings", "1")
        for command in (("doctor",), ("list",), ("machine", "list"), ("machine", "check", "epyc-nps4", "xeon-max-9480"),
                        ("measure", "numa", "--machine", "epyc-nps4"),
                        ("record", "heat2d", "--size", "tiny", "--recordings", "1", "--force"),
                        ("simulate", "a.trace", *MACHINE, "--counters", "--workers", "16", "--scheduler",
                         "random,constrained:relws=2,adws:hints=learned"),
                        ("analyze", "a.trace", "--machine", "opteron-8380"),
                        ("bench", "heat2d", "--size", "tiny", "--repeat", "1", "--no-store", "--counters",
                         "--scheduler", "random,adws:no-steal,auto", "--pause", "0", "--against", "serial")):
            self.shown(*command)

    def test_folded_tables_have_all_columns(self):
        lines = self.shown("bench", "fib", "--size", "tiny", "--repeat", "1", "--no-store", "--scheduler", "random")
        heads = [line.split()[0] for line in lines if line.startswith(("side", "jackdaw/random"))]
        self.assertEqual(heads, ["side", "jackdaw/random"] * 2)
        self.assertEqual(sum("steals remote" in line for line in lines), 1)

    def test_colours_unless_they_are_not_wanted(self):
        status, said = self.on_terminal("bench", "--help")
        self.assertIn("\x1b[1mExamples:\x1b[0m\n", said)
        for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
            self.assertNotIn("\x1b", self.on_terminal("bench", "--help", **{name: value})[1])
        self.assertIn("\x1b[", self.on_terminal("bench", "--help", NO_COLOR="")[1])
        status, said = self.on_terminal("bunch")
        self.assertEqual(status, 2)
        self.assertRegex(said, "^\x1b\\[[0-9;m\x1b\\[]*jackdaw:\x1b\\[0m unknown command 'bunch'")

    def test_progress_after_two_seconds_on_a_terminal_alone(self):
        long = ("record", "heat2d", "--size", "512", "--iterations", "300", "--workers", "1", "--recordings", "1000",
                "--force")
        status, said = self.on_terminal(*long, when=r"heat2d: recording \d+ of 1000")
        self.assertNotEqual(status, 0)  # it was interrupted
        self.assertRegex(said, "^\r\x1b\\[Kheat2d: recording [1-9]")
        self.assertEqual(self.contents(), {})
        short = ("record", "fib", "--size", "tiny", "--recordings", "1", "-o", "/dev/null")
        began = time.monotonic()
        said = self.on_terminal(*short)[1]
        if time.monotonic() - began < 2:  # a busy computer may take longer, and then there is something to say
            self.assertNotIn("recording 1 of", said)
        self.assertEqual(self.succeed(*short).stderr, "")

    def test_files_and_pipes_get_neither_colours_nor_folded_lines(self):
        ended = self.succeed("bench", "fib", "--size", "tiny", "--repeat", "1", "--no-store", "--scheduler", "random",
                             COLUMNS="40", TERM="xterm")
        self.assertNotIn("\x1b", ended.stdout + ended.stderr)
        self.assertEqual(sum(line.startswith("side ") for line in ended.stdout.splitlines()), 1)

    def test_escapes_are_shown(self):
        evil = "\x1b]0;owned\x07\x1b[2J"
        shown = r"\x1b]0;owned\x07\x1b[2J"
        self.refuse("bench", evil, says=f"unknown kernel '{shown}'")
        self.refuse(evil, says=f"unknown command '{shown}'")
        self.refuse("bench", "fib", f"--{evil}", says=shown)
        self.refuse("simulate", f"{evil}.trace", *MACHINE, says=f"{shown}.trace: ")
        self.refuse("machine", "check", f"{evil}.toml", says="owned")
        (self.folder / "line.trace").write_text(f"jackdaw-trace 3\nprogram x\nworkers {evil}\n", encoding="ascii")
        self.refuse("simulate", "line.trace", *MACHINE, says="line.trace:3: ")
        said = self.succeed("record", "fib", "--size", "tiny", "--recordings", "1", "-o", f"{evil}.trace").stdout
        self.assertTrue(said.endswith(f"written to {shown}.trace\n"), said)
        lines = (self.folder / f"{evil}.trace").read_text(encoding="utf-8").splitlines()
        lines[1] = f"program {evil}"
        (self.folder / "b.trace").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for command in (("simulate", "b.trace", *MACHINE), ("analyze", "b.trace", "--machine", "opteron-8380")):
            ended = self.succeed(*command)
            self.assertIn(shown, ended.stdout)
            self.assertNotIn("\x1b", ended.stdout + ended.stderr)
        for kept in ("bench", "simulate"):
            given = ("fib", "--size", "tiny", "--db", f"{evil}.db")
            more = ("--repeat", "1") if kept == "bench" else (*MACHINE[:-1], "--recordings", "1")
            self.assertIn(f"stored in {shown}.db", self.succeed(kept, *given, *more).stdout)

    def test_a_terminal_that_does_not_tell_its_size_has_80_columns(self):
        self.assertTrue(all(len(COLOUR.sub("", line)) <= 80
                            for line in self.on_terminal("simulate", "--help", columns=0)[1].split("\n")))


if __name__ == "__main__":
    unittest.main()
