#!/usr/bin/env python3
"""Compares schedulers, `auto` beside the others, on every kernel and described machine, in simulation.

    scripts/compare-schedulers.py KEPT [--markdown FILE] [--machines A,B] [--programs A,B] [--budget-seconds N]

Each program is recorded once, as a trace in the folder KEPT, and simulated on every machine. KEPT has a file of results
for each program and machine; what is there already is not simulated again, so a run that was stopped goes on. A trace
or a machine that changes makes its results stale: they are simulated anew. `--again auto` also simulates anew what
another build of jackdaw simulated under `auto`. --markdown writes a page of what is kept. Keep the computer quiet while
programs are recorded; simulated times do not depend on it. Exit status: 0 success, 2 bad input or a failed command.
"""

import argparse
import hashlib
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
RIVALS = ("random", "hierarchical", "adws", "adws:hints=both", "constrained", "cab", "cats", "laws", "laws:nc", "bats")
WORKERS = 112  # loops make their leaves for so many: the cores of the largest machine
DISTURBED = 0.05  # jackdaw warns from here on of the part of a recording's time that other programs had
BEHIND = 0.03  # auto is to be at most this much slower than the best of the others
CLEAR = 0.01  # a lead as small as this counts, but is told apart


class Program(NamedTuple):
    name: str
    kernel: str = ""  # what `jackdaw record` is given,
    example: str = ""  # or the example that records itself,
    given: str = ""  # or the recording of another program
    unhinted: bool = False  # simulated without the work hints that the program gives

    def stem(self):
        return self.name.replace(",", "").replace(" ", "-")

    def trace(self):
        """Its file, in the folder of what is kept if it is not given."""
        return self.given or (self.example or self.kernel.replace("--", "").replace(" ", "-")) + ".trace"

    def says(self):
        text = f"`{self.kernel}`" if self.kernel else f"`examples/{self.example}.cpp`" if self.example else "given"
        return text + (", `--rehint none`" if self.unhinted else "")


PROGRAMS = (
    Program("fib invoke", "fib --size 25"),
    Program("knapsack", "knapsack --size 40"),
    Program("cholesky", "cholesky --size 512"),
    Program("cholesky unhinted", "cholesky --size 512", unhinted=True),
    Program("example 02-grid-loop", example="02-grid-loop"),
)


class Mistake(Exception):
    pass


def run(*command, **environment):
    """What a command prints."""
    command = tuple(map(str, command))
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    except OSError as mistake:
        raise Mistake(f"{command[0]}: {mistake.strerror}, expected a program") from mistake
    if ended.returncode != 0:
        said = ended.stderr.strip().splitlines() or [f"exit status {ended.returncode}"]
        raise Mistake(f"{shlex.join(command)}: {said[-1]}")
    return ended.stdout


def replace(path, text):
    """Writes a file whole or not at all."""
    partial = path.with_name(path.name + ".part")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as mistake:
        raise Mistake(f"{path}: {mistake.strerror}, expected a file to write to") from mistake


# Recording


def work(trace):
    """Nanoseconds of work in a trace."""
    return sum(float(line[2:]) for line in trace.read_text(encoding="utf-8").splitlines() if line[:2] in ("c ", "v "))


def record(program, given):
    """Records a program, unless it is recorded, several times, and keeps the least times: other programs delay it."""
    path = given.kept / program.trace()
    if path.exists():
        return path
    partial = path.with_name(path.name + ".part")
    if program.kernel:
        run(given.program, "record", *program.kernel.split(), "--workers", WORKERS, "--recordings", given.recordings,
            "-o", partial)
    else:
        for number in range(given.recordings):
            each = path.with_name(f"{path.name}.{number}.part")
            run(given.examples / f"example_{program.example}", JACKDAW_RECORD=str(each), JACKDAW_WORKERS=str(WORKERS))
            if not each.exists():
                raise Mistake(f"{given.examples}/example_{program.example}: it recorded nothing, expected an example")
            if not number or work(each) < work(partial):
                each.replace(partial)
            each.unlink(missing_ok=True)
    partial.replace(path)
    return path


def lost(trace):
    """The part of the recording's time in which it had no processor."""
    with trace.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("lost "):
                return float(line.split()[1])
            if line.startswith("root "):
                break
    return 0.0


# Simulating


class Row:
    """The results of a program on a machine, as `jackdaw simulate --json` prints them. Besides, `made_of` tells what
    they were made of, and each scheduler's row which `version` made it."""

    def __init__(self, program, machine, given):
        self.program, self.machine = program, machine
        self.trace = given.kept / program.trace()
        self.path = given.kept / f"{program.stem()}@{machine.name}.json"
        self.told = {}

    def load(self):
        """Reads what is kept."""
        try:
            self.told = json.loads(self.path.read_text(encoding="utf-8"))
            for row in self.told["rows"]:
                known = isinstance(row["scheduler"], str) and isinstance(row["version"], str)
                if not known or not all(map(positive, times(row))):
                    raise ValueError
            str.join("", (self.told["made_of"], self.told["machine"]["description"]))
        except FileNotFoundError:
            self.told = {}
        except OSError as mistake:
            raise Mistake(f"{self.path}: {mistake.strerror}, expected a file to read") from mistake
        except (ValueError, LookupError, TypeError, AttributeError) as mistake:
            raise Mistake(f"{self.path}: expected results that this script kept; without the file they are simulated"
                          " again") from mistake

    def forget(self, made_of, again, version):
        """Drops what is stale."""
        if self.told.get("made_of") != made_of:
            self.told = {"made_of": made_of, "rows": []}
        self.told["rows"] = [row for row in self.told["rows"]
                             if row["scheduler"] not in again or row["version"] == version]

    def lacking(self, schedulers):
        return [each for each in schedulers if each not in self.times()]

    def times(self):
        """Seconds of an iteration and of the whole run, by scheduler."""
        return {row["scheduler"]: times(row) for row in self.told.get("rows", ())}

    def simulate(self, schedulers, given, version):
        rehint = ("--rehint", "none") if self.program.unhinted else ()
        told = json.loads(run(given.program, "simulate", self.trace, *rehint, "--machine", self.machine.path,
                              "--scheduler", ",".join(schedulers), "--seeds", given.seeds, "--jobs", 1, "--no-store",
                              "--json"))
        for row in told["rows"]:
            row["version"] = version
        self.told = {**told, "made_of": self.told["made_of"], "rows": self.told["rows"] + told["rows"]}
        replace(self.path, json.dumps(self.told))


def positive(number):
    return math.isfinite(number) and number > 0


def times(row):
    return row["median"]["ns"] * 1e-9, statistics.median(run["whole_ns"] for run in row["runs"]) * 1e-9


class Machine(NamedTuple):
    name: str
    path: Path
    checked: str  # what `jackdaw machine check` says of it, but for its place


def machines(given):
    folder = ROOT / "machines"
    names = given.machines.split(",") if given.machines else sorted(path.stem for path in folder.glob("*.toml"))
    for name in names:
        path = Path(name) if name.endswith(".toml") else folder / f"{name}.toml"
        checked = run(given.program, "machine", "check", path if path.exists() else name)
        yield Machine(path.stem, path, "\n".join(line for line in checked.splitlines() if not line.startswith("file ")))


def made_of(row, given):
    what = (row.trace.read_bytes(), row.machine.checked.encode(), str(row.program.unhinted).encode(),
            str(given.seeds).encode())
    return hashlib.sha256(b"\0".join(what)).hexdigest()


def simulate(rows, schedulers, given, version, begun):
    """Simulates what is lacking while there is time. Returns how many rows are still lacking."""
    again = given.again.split(",") if given.again else []
    for row in rows:
        if row.trace.exists():
            row.forget(made_of(row, given), again, version)

    def late():
        return given.budget_seconds is not None and time.monotonic() - begun >= given.budget_seconds

    failed = []

    def one(row):
        if failed or late():
            return
        since = time.monotonic()
        try:
            row.simulate(row.lacking(schedulers), given, version)
            print(f"{time.monotonic() - since:.1f} s: {row.program.name} on {row.machine.name}", file=sys.stderr)
        except Mistake as mistake:
            failed.append(mistake)

    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(one, [row for row in rows if row.trace.exists() and row.lacking(schedulers)]))
    if failed:
        raise failed[0]


# The page


class Verdict:
    """`auto` beside the others on one row, in one measure: 0, an iteration; 1, the whole run."""

    def __init__(self, row, schedulers, measure):
        found = row.times()
        self.times = {each: found[each][measure] for each in schedulers}
        others = {each: self.times[each] for each in schedulers if each != "auto"}
        self.best = min(others, key=others.get)
        self.behind = self.times["auto"] / others[self.best] - 1
        self.cells = f"{percent(self.behind, BEHIND)} | {self.best}"

    def slowdown(self, scheduler):
        return self.times[scheduler] / min(self.times.values())


def percent(part, bold=math.inf):
    text = f"{part * 100:.{0 if abs(part) >= 0.0995 else 1}f}".replace("-0.0", "0.0")
    return f"**{text}**" if part > bold else text


def counts(verdicts):
    """Cells of the summary: how often auto is ahead of all others, clearly so, within 3%, or behind; and the worst."""
    behinds = [verdict.behind for verdict in verdicts]
    ahead = sum(behind < 0 for behind in behinds)
    behind = sum(behind > BEHIND for behind in behinds)
    return (f"{ahead} | {sum(behind <= -CLEAR for behind in behinds)} | {len(behinds) - ahead - behind} | {behind}"
            f" | {percent(max(behinds), BEHIND)}")


def summary(judged, names):
    half = "ahead | by 1% | within 3% | behind | worst, % |"
    yield f"| machine | rows | {half} whole run: {half}"
    yield "|---|" + "---:|" * 11
    for name in (*names, "all"):
        some = [verdicts for row, verdicts in judged if name in ("all", row.machine.name)]
        if some:
            yield f"| {name} | {len(some)} | {counts(one for one, _ in some)} | {counts(whole for _, whole in some)} |"


def means(judged, schedulers):
    yield "| scheduler | an iteration | the whole run |"
    yield "|---|---:|---:|"
    for each in schedulers:
        logs = [[math.log(verdicts[measure].slowdown(each)) for _, verdicts in judged] for measure in (0, 1)]
        one, whole = (math.exp(statistics.fmean(some)) for some in logs)
        yield f"| {each} | {one:.3f} | {whole:.3f} |"


def losses(judged):
    lost_rows = [(row, verdicts) for row, verdicts in judged if max(each.behind for each in verdicts) > BEHIND]
    differ = sum(min(each.behind for each in verdicts) <= BEHIND for _, verdicts in lost_rows)
    yield f"In {len(lost_rows)} of {len(judged)} rows `auto` is more than 3% behind the best of the others in one of"
    yield f"the two measures, in {len(lost_rows) - differ} of them in both. Bold: by how much."
    if lost_rows:
        yield ""
        yield "| program | machine | iteration: `auto` behind, % | best | whole run: `auto` behind, % | best |"
        yield "|---|---|---:|---|---:|---|"
    for row, (one, whole) in sorted(lost_rows, key=lambda each: -max(verdict.behind for verdict in each[1])):
        yield f"| {row.program.name} | {row.machine.name} | {one.cells} | {whole.cells} |"


def table(judged, schedulers):
    """All rows of a machine."""
    yield "| program | `auto`, us | behind, % | best other | whole run: `auto`, us | behind, % | best other | " \
          + " | ".join(schedulers) + " |"
    yield "|---|---:|---:|---|---:|---:|---|" + "---:|" * len(schedulers)
    for row, (one, whole) in judged:
        slowdowns = " | ".join(percent(one.slowdown(each) - 1) for each in schedulers)
        yield (f"| {row.program.name} | {one.times['auto'] * 1e6:.1f} | {one.cells} | {whole.times['auto'] * 1e6:.0f}"
               f" | {whole.cells} | {slowdowns} |")


def recordings(programs, given):
    yield "| program | recorded | disturbed, % |"
    yield "|---|---|---:|"
    for program in programs:
        trace = given.kept / program.trace()
        disturbed = lost(trace) if trace.exists() else 0
        yield f"| {program.name} | {program.says()} | {percent(disturbed, DISTURBED) if disturbed else ''} |"


def page(rows, programs, schedulers, given):
    done = [row for row in rows if not row.lacking(schedulers)]
    judged = [(row, tuple(Verdict(row, schedulers, measure) for measure in (0, 1))) for row in done]
    names = list(dict.fromkeys(row.machine.name for row in rows))
    versions = sorted({each["version"] for row in done for each in row.told["rows"] if each["scheduler"] in schedulers})
    options = "".join(f" --{name} {vars(given)[name]}" for name in ("machines", "programs", "schedulers", "seeds")
                      if vars(given)[name] not in (None, 1))
    options += " --traces TRACES" if given.traces else ""
    yield "# Every kernel, machine and scheduler"
    yield ""
    yield f"- **Command**: `scripts/compare-schedulers.py KEPT --markdown FILE{options}`"
    yield f"- **Commit**: {', '.join(versions) or 'none'}"
    yield f"- **Date**: {datetime.now(timezone.utc):%Y-%m-%d}"
    yield "- **Kind**: simulated. The machines are described, not measured; the programs were recorded."
    yield f"- **Machine**: {len(names)} of [machines/](../machines); recorded on the computer that ran the command"
    yield ""
    yield from ("`auto` beside the other schedulers. Rows that it loses are kept. An *iteration* is the mean of the",
                "second half of a program's iterations, or the measured root of a program that does not iterate. The",
                "*whole run* also has the preparation of the data and the first iterations, in which `auto` learns.",
                "*Behind* compares `auto` with the best of the others, which is picked after the fact. *Ahead* is faster",
                f"than all others. Each program was recorded once, for {WORKERS} workers, so all machines run the same",
                f"tasks. Seeds: {given.seeds}.")
    if len(done) < len(rows):
        yield ""
        yield f"**{len(rows) - len(done)} of {len(rows)} rows are not simulated yet.**"
    if not judged:
        return
    for title, lines in (("Summary", summary(judged, names)), ("Rows that are lost", losses(judged)),
                         ("Slowdown against the best of a row, geometric means", means(judged, schedulers)),
                         ("Programs", recordings(programs, given))):
        yield from ("", f"## {title}", "", *lines)
        if title == "Programs":
            yield from ("", "Disturbed: the part of its time in which a recording had no processor. From 5% on its times"
                        " are too long.")
    for name in names:
        some = [each for each in judged if each[0].machine.name == name]
        if some:
            about = some[0][0].told["machine"]["description"]
            yield from ("", f"## {name}", "", f"{about}.", "",
                        "Under a scheduler's name: % of an iteration more than the best of the row.", "",
                        *table(some, schedulers))


def chosen(given):
    programs = list(PROGRAMS)
    if given.traces:
        traces = sorted(given.traces.glob("*.trace"))
        if not traces:
            raise Mistake(f"{given.traces}: no file *.trace, expected a folder of recordings")
        programs += [Program(f"trace {path.stem}", given=str(path.resolve())) for path in traces]
    beginnings = tuple(given.programs.split(",")) if given.programs else ("",)
    for each in beginnings:
        if not any(program.name.startswith(each) for program in programs):
            raise Mistake(f"--programs: no program's name begins with '{each}', expected some of "
                          + ", ".join(program.name for program in programs))
    return [program for program in programs if program.name.startswith(beginnings)]


def compare(given):
    begun = time.monotonic()
    schedulers = ["auto", *(each for each in (given.schedulers or ",".join(RIVALS)).split(",") if each != "auto")]
    if len(schedulers) < 2 or len(set(schedulers)) < len(schedulers):
        raise Mistake("--schedulers: expected different schedulers, at least one beside auto")
    programs, described = chosen(given), list(machines(given))
    version = run(given.program, "--version").strip()
    # A simulation that takes no time: finds unknown schedulers before the long ones begin.
    run(given.program, "simulate", "fib", "--size", "tiny", "--machine", described[0].path, "--scheduler",
        ",".join(schedulers), "--seeds", 1, "--recordings", 1, "--no-store", "--json")
    if given.markdown and (given.markdown.is_dir() or not given.markdown.parent.is_dir()):
        raise Mistake(f"{given.markdown}: expected a file to write to, in a folder that exists")
    try:
        given.kept.mkdir(exist_ok=True)
    except OSError as mistake:
        raise Mistake(f"{given.kept}: {mistake.strerror}, expected a folder for results") from mistake
    rows = [Row(program, machine, given) for program in programs for machine in described]
    for row in rows:
        row.load()
    for program in programs:
        if given.budget_seconds is None or time.monotonic() - begun < given.budget_seconds:
            record(program, given)
    simulate(rows, schedulers, given, version, begun)
    lacking = sum(bool(row.lacking(schedulers)) for row in rows)
    print(f"{len(rows) - lacking} of {len(rows)} rows are kept" + ("; run again for the others" if lacking else ""),
          file=sys.stderr)
    if given.markdown:
        replace(given.markdown, "\n".join(page(rows, programs, schedulers, given)) + "\n")


def count(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r}, expected a number above 0")
    return int(text)


def seconds(text):
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}, expected seconds")
    return number


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Mistake(message)


def main():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    build = ROOT / "build" / "release"
    parser.add_argument("kept", type=Path, help="the folder of traces and results")
    parser.add_argument("--program", default=build / "src" / "cli" / "jackdaw", type=Path)
    parser.add_argument("--examples", default=build / "examples", type=Path, help="the folder of the built examples")
    parser.add_argument("--traces", type=Path, help="a folder of other programs' recordings, *.trace, to compare too")
    parser.add_argument("--machines", help="comma-separated names or files; default: all of machines/")
    parser.add_argument("--programs", help="comma-separated beginnings of names; default: all programs")
    parser.add_argument("--schedulers", help=f"the others, comma-separated; default: {','.join(RIVALS)}")
    parser.add_argument("--again", help="schedulers whose results by other builds of jackdaw are replaced")
    parser.add_argument("--seeds", default=1, type=count)
    parser.add_argument("--recordings", default=5, type=count)
    parser.add_argument("--jobs", default=os.cpu_count(), type=count, help="simulations at once")
    parser.add_argument("--budget-seconds", type=seconds, help="begin nothing after so many seconds")
    parser.add_argument("--markdown", type=Path, help="the page to write")
    try:
        compare(parser.parse_args())
    except Mistake as mistake:
        print(f"compare-schedulers.py: {mistake}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
