"""Packaged programs that are linked with libtbb, run plainly and with libjackdaw_tbb.so before it: the same output.

Called with the argument `times` it prints a table of wall times instead: medians of five runs each, in turn.
"""

import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

from vdb_file import Sphere

library = os.environ["JACKDAW_TBB_LIBRARY"]


def run(*command, preload=False, workers="2", cwd=None):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JACKDAW_")}
    environment["JACKDAW_WORKERS"] = workers
    if preload:
        environment["LD_PRELOAD"] = library
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, timeout=200, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def runs_here(program):
    """Whether the program is here and linked with libtbb."""
    path = shutil.which(program)
    if path is None:
        return False
    return "libtbb.so.12" in subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout


def without_uuid(path):
    content = pathlib.Path(path).read_bytes()
    return content[:21] + content[57:]


def make_reads(folder, transcripts, reads):
    """Random transcripts, and reads of 75 letters from them: of each one as many as its number says."""
    source = random.Random(7)
    letters = "ACGT"
    made = ["".join(source.choice(letters) for _ in range(source.randrange(800, 2500))) for _ in range(transcripts)]
    with open(folder / "transcripts.fa", "w", encoding="ascii") as file:
        for number, one in enumerate(made):
            file.write(f">t{number}\n{one}\n")
    with open(folder / "reads.fq", "w", encoding="ascii") as file:
        for number in range(reads):
            one = made[min(source.randrange(transcripts), source.randrange(transcripts))]
            begin = source.randrange(len(one) - 75)
            file.write(f"@r{number}\n{one[begin:begin + 75]}\n+\n{'I' * 75}\n")


def read_counts(path):
    lines = pathlib.Path(path).read_text(encoding="ascii").splitlines()[1:]
    return {line.split("\t")[0]: float(line.split("\t")[4]) for line in lines}


class Packaged(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def need(self, program):
        if not runs_here(program):
            self.skipTest(f"{program} is not installed, or not linked with libtbb.so.12")

    def sphere(self, radius=40):
        path = self.folder / "sphere.vdb"
        Sphere(radius).write(path)
        return str(path)

    def test_vdb_print(self):
        self.need("vdb_print")
        volume = self.sphere()
        plain = run("vdb_print", "-l", volume)
        self.assertIn("Number of active voxels", plain)
        for workers in "1", "2", "5":
            self.assertEqual(run("vdb_print", "-l", volume, preload=True, workers=workers), plain)

    def test_vdb_render(self):
        self.need("vdb_render")
        volume = self.sphere()
        pictures = []
        for preload, workers in (False, "2"), (True, "1"), (True, "2"), (True, "5"):
            picture = self.folder / f"{preload}{workers}.ppm"
            run("vdb_render", volume, str(picture), "-res", "320x180", preload=preload, workers=workers)
            pictures.append(picture.read_bytes())
        self.assertGreater(len(set(pictures[0])), 20)  # it shows something
        for one in pictures[1:]:
            self.assertEqual(one, pictures[0])

    def test_vdb_lod(self):
        self.need("vdb_lod")
        volume = self.sphere()
        made = []
        for preload, workers in (False, "2"), (True, "1"), (True, "2"), (True, "5"):
            out = self.folder / f"{preload}{workers}.vdb"
            run("vdb_lod", volume, str(out), "-range", "0-3", preload=preload, workers=workers)
            made.append(without_uuid(out))
        for one in made[1:]:
            self.assertEqual(one, made[0])

    def test_salmon(self):
        self.need("salmon")
        make_reads(self.folder, 60, 4000)
        counts = []
        for number, preload in enumerate((False, True)):
            index, out = f"index{number}", f"out{number}"
            run("salmon", "--no-version-check", "index", "-t", "transcripts.fa", "-i", index, "-p", "2",
                preload=preload, cwd=self.folder)
            run("salmon", "--no-version-check", "quant", "-i", index, "-l", "A", "-r", "reads.fq", "-p", "2", "-o", out,
                preload=preload, cwd=self.folder)
            counts.append(read_counts(self.folder / out / "quant.sf"))
        self.assertEqual(counts[0].keys(), counts[1].keys())
        self.assertGreater(sum(counts[0].values()), 3500)
        for name, count in counts[0].items():
            self.assertAlmostEqual(counts[1][name], count, delta=0.01 * count + 1)  # threads add up in another order


def times():
    folder = pathlib.Path(tempfile.mkdtemp())
    Sphere(150).write(folder / "sphere.vdb")
    make_reads(folder, 2000, 200000)
    salmon = ("salmon", "--no-version-check")
    commands = {
        "vdb_print -l": ("vdb_print", "-l", "sphere.vdb"),
        "vdb_render 1280x720": ("vdb_render", "sphere.vdb", "out.ppm", "-res", "1280x720"),
        "vdb_lod 0-4": ("vdb_lod", "sphere.vdb", "out.vdb", "-range", "0-4"),
        "salmon index": (*salmon, "index", "-t", "transcripts.fa", "-i", "index", "-p", "2"),
        "salmon quant": (*salmon, "quant", "-i", "index", "-l", "A", "-r", "reads.fq", "-p", "2", "-o", "out"),
    }
    print("| program | libtbb, s | jackdaw, s | ratio |\n|---|---|---|---|")
    for name, command in commands.items():
        if not runs_here(command[0]):
            continue
        taken = {False: [], True: []}
        for _ in range(5):
            for preload, into in taken.items():
                before = time.monotonic()
                run(*command, preload=preload, cwd=folder)
                into.append(time.monotonic() - before)
        plain, here = statistics.median(taken[False]), statistics.median(taken[True])
        both = (plain, taken[False]), (here, taken[True])
        shown = [f"{median:.2f} ({min(of):.2f} to {max(of):.2f})" for median, of in both]
        print(f"| {name} | {shown[0]} | {shown[1]} | {here / plain:.2f} |", flush=True)
    shutil.rmtree(folder)


if __name__ == "__main__":
    if sys.argv[1:] == ["times"]:
        times()
    else:
        sys.exit(unittest.main(verbosity=0))
