"""Which libtbb libjackdaw_tbb.so works with, and which of its functions it takes."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

library = os.environ["JACKDAW_TBB_LIBRARY"]

# Functions of libtbb's that are no part of the scheduler (src/tbb/README.md): they work beside any scheduler.
left = re.compile(
    r"""^(TBB_runtime_(interface_)?version
    |(vtable|typeinfo)\ for\ tbb::detail::r1::\w+
    |tbb::detail::r1::(
        (try_)?acquire(_reader|_writer)?\(tbb::detail::d1::(queuing_rw|rtm|rtm_rw)_mutex.*
        |try_acquire_(reader|writer)\(tbb::detail::d1::rtm_rw_mutex.*
        |(release|upgrade|downgrade|is_writer|upgrade_to_writer|downgrade_to_reader)
            \(tbb::detail::d1::(queuing_rw|rtm|rtm_rw)_mutex.*
        |construct\(tbb::detail::d1::queuing_rw_mutex.*
        |wait_on_address.*|notify_by_address.*
        |(allocate|wait|notify|abort|deallocate)_bounded_queue_(rep|monitor|monitors)\(.*
        |(de)?allocate_memory\(.*|cache_aligned_(de)?allocate\(.*|cache_line_size\(.*|is_tbbmalloc_used\(.*
        |parallel_pipeline\(.*|set_end_of_input\(.*
        |(call_itt|create_itt|itt)_.*
        |assertion_failure\(.*|throw_exception\(.*))$""",
    re.VERBOSE,
)


def exports(of):
    listed = subprocess.run(["nm", "-D", "-C", "--defined-only", of], capture_output=True, text=True, check=True).stdout
    return {line.split(maxsplit=2)[2] for line in listed.splitlines()}


class Library(unittest.TestCase):
    def test_takes_all_of_the_scheduler(self):
        taken = exports(library)
        rest = exports(os.environ["JACKDAW_TBB_REAL"]) - taken
        self.assertEqual([], sorted(each for each in rest if not left.match(each)))
        self.assertGreater(len(taken), 40)

    def test_exports_nothing_else(self):
        real = exports(os.environ["JACKDAW_TBB_REAL"])
        self.assertEqual(exports(library) - real, {"jackdaw_tbb_tasks_run"})

    def test_readme_names_each_that_is_left(self):
        readme = (pathlib.Path(__file__).parents[2] / "src/tbb/README.md").read_text(encoding="utf-8")
        for word in "parallel_pipeline", "wait_on_address", "throw_exception", "cache_line_size", "assertion_failure":
            self.assertIn(word, readme)

    def run_with(self, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("JACKDAW_")}
        environment |= {"LD_PRELOAD": library, **variables}
        return subprocess.run(
            [os.environ["JACKDAW_TBB_PROGRAM"]], env=environment, capture_output=True, text=True, timeout=60,
            check=False,
        )

    def test_refuses_an_unknown_libtbb(self):
        # Lazily bound, so that the program gets as far as the check although that libtbb has almost nothing.
        done = self.run_with(LD_LIBRARY_PATH=os.environ["JACKDAW_TBB_FUTURE"])
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(
            done.stderr, "libjackdaw_tbb.so: the program's libtbb has interface 12990, expected 12050 to 12080\n"
        )
        self.assertEqual(done.stdout, "")

    def test_refuses_to_record(self):
        done = self.run_with(JACKDAW_RECORD="/nonexistent/trace")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_is_silent_without_libtbb(self):
        done = subprocess.run(
            ["true"], env={"LD_PRELOAD": library, "PATH": os.environ["PATH"]}, capture_output=True, text=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def open_plugin(self, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("JACKDAW_")}
        environment |= {"LD_PRELOAD": library, **variables}
        return subprocess.run(
            [os.environ["JACKDAW_TBB_OPENER"], os.environ["JACKDAW_TBB_PLUGIN"]], env=environment, capture_output=True,
            text=True, timeout=60, check=False,
        )

    def test_opened_later(self):
        done = self.open_plugin()
        self.assertEqual((done.returncode, done.stdout), (0, 3 * "counted: 10000\n"), done.stderr)
        self.assertNotIn("tasks on jackdaw: 0", done.stderr)
        refused = self.open_plugin(LD_LIBRARY_PATH=os.environ["JACKDAW_TBB_FUTURE"])
        self.assertEqual((refused.returncode, refused.stdout), (2, ""), refused.stderr)

    def test_forks(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("JACKDAW_")}
        for workers in "1", "3":
            done = subprocess.run(
                [os.environ["JACKDAW_TBB_PROGRAM"], "forks"],
                env={**environment, "LD_PRELOAD": library, "JACKDAW_WORKERS": workers},
                capture_output=True, text=True, timeout=60, check=False,
            )
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("in the child of a fork: 7\n", done.stdout)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=0))
