"""Diagnoses of planted executions, without a file."""

import sqlite3
import unittest

import databases
from jackdaw import diagnosis, execution, results


class InMemory(results.Results):
    """Executions without a file."""
    path = "memory"

    def __init__(self):  # pylint: disable=super-init-not-called
        self.file = self._file = sqlite3.connect(":memory:")
        for version in databases.statements():
            self.file.executescript(version)
        self.version = results.VERSION


def kept(*plants):
    """What a file with these executions gives, in their order."""
    memory = InMemory()
    return [execution.read(memory, plant.add_to(memory.file)) for plant in plants]


def of(plant, *others):
    one, *rest = kept(plant, *others)
    return diagnosis.diagnose(one, rest)


class DiagnosisTest(unittest.TestCase):
    def expect(self, said, rule, *words, also=()):
        """`also`: other problems that are there besides; nothing else may be called one."""
        self.assertTrue(said.findings, said.headline)
        self.assertEqual(said.findings[0].rule, rule, said.headline)
        self.assertEqual([each.rule for each in said.findings if each.is_problem()][1:], list(also), said.headline)
        for word in words:
            self.assertIn(word.lower(), said.headline.lower())
        self.assertGreaterEqual(said.findings[0].at_stake, 0.05)
        self.assertLessEqual(said.findings[0].at_stake, 1.0)
