"""JACKDAW_RECORD records a program without code for it, and the Python reader agrees with the library's."""

import gzip
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from jackdaw import trace

PROGRAM = os.environ["RECORDED_PROGRAM"]
SUMMARISE = os.environ["SUMMARISE_TRACE"]
JACKDAW = os.environ["JACKDAW_PROGRAM"]


class RecordTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, *command, **environment):
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("JACKDAW_", "HWLOC_"))}
        return subprocess.run(command, cwd=self.folder, env=inherited | environment, capture_output=True, text=True,
                              check=False)

    def succeed(self, *command, **environment):
        ended = self.start(*command, **environment)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(ended.stderr, "")
        return ended.stdout

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())


class Environment(RecordTest):
    def test_the_default_runtime_is_written_at_exit(self):
        said = self.succeed(PROGRAM, "default", JACKDAW_RECORD="a.trace", JACKDAW_WORKERS="12")
        self.assertEqual(said, "21 5 12\n")
        self.assertEqual(self.names(), ["a.trace"])
        tree = trace.read(self.folder / "a.trace")
        self.assertEqual(tree.workers, 12)
        self.assertEqual(tree.program, Path(PROGRAM).name)
        # fib(8) forks once outside and fib(5) is one child of an outside group: a root each.
        self.assertEqual([root.label for root in tree.roots], ["root", "root"])
        self.assertEqual([len(list(root.task.tasks())) for root in tree.roots], [67, 15])

    def test_each_runtime_has_a_file(self):
        self.assertEqual(self.succeed(PROGRAM, "two", JACKDAW_RECORD="a.trace"), "2\n3\n")
        self.assertEqual(self.names(), ["a.trace", "a.trace.2"])
        self.assertEqual(len(list(trace.read(self.folder / "a.trace").tasks())), 5)
        self.assertEqual(len(list(trace.read(self.folder / "a.trace.2").tasks())), 9)

    def test_the_option_goes_first(self):
        self.succeed(PROGRAM, "option", JACKDAW_RECORD="a.trace")
        self.assertEqual(self.names(), ["by_option.trace"])
        self.assertEqual(trace.read(self.folder / "by_option.trace").workers, 5)

    def test_nothing_is_recorded_by_default(self):
        self.assertEqual(self.succeed(PROGRAM, "default", JACKDAW_WORKERS="2"), "21 5 2\n")
        self.assertEqual(self.names(), [])

    def test_a_bad_path_is_ignored_with_a_line_at_the_start(self):
        (self.folder / "folder").mkdir()
        (self.folder / "file").write_text("", encoding="ascii")
        for path, why in (("missing/a.trace", "No such file or directory"), ("folder", "Is a directory"),
                          ("file/a.trace", "Not a directory")):
            ended = self.start(PROGRAM, "default", JACKDAW_RECORD=path)
            self.assertEqual(ended.returncode, 0)
            self.assertRegex(ended.stdout, "^21 5 ")
            self.assertEqual(
                ended.stderr,
                f"jackdaw: JACKDAW_RECORD: '{path}' cannot be written: {why}; the variable is ignored\n")
        self.succeed(PROGRAM, "default", JACKDAW_RECORD="")
        self.assertEqual(self.names(), ["file", "folder"])

    def test_an_end_inside_a_task_is_reported_and_writes_nothing(self):
        ended = self.start(PROGRAM, "inside", JACKDAW_RECORD="a.trace")
        self.assertEqual(ended.returncode, 0)
        self.assertIn("a.trace: not written: the program ended inside a task", ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 1)
        self.assertEqual(self.names(), [])


class Python(RecordTest):
    def test_it_agrees_with_the_library(self):
        for arguments in (["fib"], ["fib", "--shape", "group"], ["heat2d", "--workers", "16"],
                          ["heat", "--shape", "marked"],
                          ["heat2d", "--hints", "random:1"], ["cilksort"], ["matmul"], ["pagerank"], ["sort"]):
            self.succeed(JACKDAW, "record", *arguments, "--size", "tiny", "-o", "a.trace", "--force")
            words = self.succeed(SUMMARISE, "a.trace").split()
            tree = trace.read(self.folder / "a.trace")
            tasks = list(tree.tasks())
            accesses = [access for task in tasks for access in task.accesses()]
            self.assertEqual([int(word) for word in words[:5]],
                             [len(tasks), len(list(tree.leaves())), sum(len(task.children()) for task in tasks),
                              len(accesses), sum(access.bytes() for access in accesses)])
            self.assertAlmostEqual(float(words[5]), tree.work(), delta=1e-9 * tree.work())
            self.assertAlmostEqual(float(words[6]), tree.critical_path(), delta=1e-9 * tree.work())
            self.assertEqual(sum(len(group.children) for group in tree.groups()), len(tasks) - len(tree.roots))
            marked = [step for task in tasks for step in task.steps if isinstance(step, trace.Fork) and step.inter]
            self.assertEqual(len(marked) > 0, "marked" in arguments)

    def test_compressed_files_are_read(self):
        self.succeed(JACKDAW, "record", "heat2d", "--size", "tiny", "-o", "a.trace", "--force")
        (self.folder / "a.trace.gz").write_bytes(gzip.compress((self.folder / "a.trace").read_bytes()))
        plain, compressed = (trace.read(self.folder / name) for name in ("a.trace", "a.trace.gz"))
        self.assertEqual(plain.work(), compressed.work())
        self.assertEqual(plain.program, compressed.program)

    def test_both_refuse_the_same_lines(self):
        for kernel in (["heat2d"], ["heat", "--shape", "marked"]):
            self.succeed(JACKDAW, "record", *kernel, "--size", "tiny", "--iterations", "1", "-o", "a.trace",
                         "--force")
            self.refuse_the_same_lines()

    def refused_at(self, text):
        """The lines that the library and Python name."""
        bad = self.folder / "bad.trace"
        bad.write_text(text, encoding="ascii")
        ended = self.start(SUMMARISE, "bad.trace")
        self.assertEqual(ended.returncode, 2, text[-200:])
        with self.assertRaises(trace.TraceError) as caught:
            trace.read(bad)
        return int(ended.stderr.split(":")[1]), int(str(caught.exception).split(":")[1])

    def test_named_memory(self):
        self.succeed(PROGRAM, "named", JACKDAW_RECORD="a.trace", JACKDAW_WORKERS="4")
        tree = trace.read(self.folder / "a.trace")
        self.assertEqual([(each.length, each.name) for each in tree.named], [(80000, "the grid")])
        used = [access for task in tree.tasks() for access in task.accesses()]
        self.assertEqual([each.address for each in used], [tree.named[0].address])
        lines = (self.folder / "a.trace").read_text(encoding="ascii").splitlines()
        self.assertEqual(lines[0], "jackdaw-trace 4")
        at = next(i for i, line in enumerate(lines) if line.startswith("array "))

        def with_lines(*more):
            return "\n".join([*lines[:at], *more, *lines[at + 1:], ""])
        for wrong in ("array", "array 10", "array 10 8", "array 10 8 ", "array x 8 a", "array 10 0 a", "array 10 8.5 a",
                      "array 10 281474976710657 a", "array fffffffffffffff8 8 a", "arrays 10 8 a"):
            self.assertEqual(self.refused_at(with_lines(wrong)), (at + 1, at + 1), wrong)
        for second in ("array 17 8 b", "array 8 8 b", "site late"):
            self.assertEqual(self.refused_at(with_lines("array 10 8 a", second)), (at + 2, at + 2), second)
        self.assertEqual(*self.refused_at(with_lines(lines[at]).replace("jackdaw-trace 4", "jackdaw-trace 3")))

    def refuse_the_same_lines(self):
        lines = (self.folder / "a.trace").read_text(encoding="ascii").splitlines()
        refused_at = self.refused_at
        for i in range(len(lines)):
            without = lines[:i] + lines[i + 1:]
            if lines[i].startswith(("c ", "v ", "site ", "vector_rate ", "instructions ")):
                continue  # may be missing: an access then belongs to the next stretch, a site's number to the next
            self.assertEqual(*refused_at("\n".join(without) + "\n"), lines[i])
            self.assertEqual(*refused_at("\n".join(lines[:i] + ["nonsense"] + lines[i:]) + "\n"), lines[i])
        self.assertEqual(*refused_at("jackdaw-trace 2\n"))
        self.assertEqual(*refused_at("jackdaw-trace 3\n"))
        self.assertEqual(*refused_at("jackdaw-trace 6\n"))
        self.assertEqual(lines[0], "jackdaw-trace 3")
        for earlier in ("jackdaw-trace 1", "jackdaw-trace 2"):
            self.assertEqual(*refused_at("\n".join([earlier] + lines[1:]) + "\n"))
        if any(line.startswith(("F", "H")) for line in lines):
            structured = ["s" + line[1:] if line.startswith("g") else line for line in lines]
            self.assertEqual(*refused_at("\n".join(structured) + "\n"))
        self.assertEqual(*refused_at("\n".join(lines)))


if __name__ == "__main__":
    unittest.main()
