"""`jackdaw help COMMAND`, and what the program suggests in place of a word that it does not know."""

import unittest

from program import ProgramTest


class Help(ProgramTest):
    def test_it_is_the_help_of_the_command(self):
        self.assertEqual(self.succeed("help").stdout, self.succeed("--help").stdout)
        for command in (["bench"], ["machine"], ["machine", "check"], ["measure", "numa"], ["help"]):
            self.assertEqual(self.succeed("help", *command).stdout, self.succeed(*command, "--help").stdout)
        self.assertTrue(self.succeed("help", "bench").stdout.startswith("Measure a kernel"))
        self.refuse("help", "bunch", says="unknown command 'bunch', expected one of doctor ")

    def test_suggestions(self):
        self.refuse("bunch", says="; did you mean bench?\n")
        self.refuse("help", "simulat", says="; did you mean simulate?\n")
        self.refuse("man", "recrod", says="; did you mean record?\n")
        self.refuse("bench", "hat2d", says="; did you mean heat2d?\n")
        self.refuse("bench", "fib", "--size", "tinny", says="; did you mean tiny?\n")
        self.refuse("bench", "fib", "--scheduler", "adsw", says="; did you mean adws?\n")
        self.refuse("bench", "fib", "--scheduler", "auto:hint", says="; did you mean auto:hints?\n")
        self.refuse("bench", "fib", "--shcedule", "adws", says="; did you mean --scheduler?\n")
        self.refuse("bench", "fib", "--repat=3", says="; did you mean --repeat?\n")
        self.refuse("machine", "lsit", says="; did you mean list?\n")
        self.refuse("reproduce", "lawss", says="; did you mean laws?\n")
        ended = self.run_program("bench", "fib", "--colour")
        self.assertEqual(ended.returncode, 2)
        self.assertNotIn("did you mean", ended.stderr)


if __name__ == "__main__":
    unittest.main()
