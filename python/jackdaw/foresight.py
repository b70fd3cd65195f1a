"""`jackdaw predict PROGRAM --machine M`: what a program would do on a machine, by simulation."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import dataclass, field
from statistics import median
from typing import Dict, List, Optional

from jackdaw import machines, preparation, program, progress, recording, simulation
from jackdaw.mistake import Mistake
from jackdaw.words import bytes_text
from jackdaw.words import exact_time_text as time_text

# A bound explains the time if it is at least this part of it.
EXPLAINS = 0.6
# The last iteration is like the mean one if its work is that much more or less at most.
ALIKE = 0.2
# A bound above this part of the time is none. Simulated and computed times are rounded differently.
NO_BOUND = 1.02
FIRST_TOUCH = ("data by first touch of the workers that use them first in the recording; a program whose main() fills "
               "its arrays has them on one node")
# Below that, starting a program and writing its statistics are a part of the time outside of its tasks.
MUCH_OUTSIDE_NS = 1e8
TRACE_MAGIC = (b"jackdaw-trace ", b"\x1f\x8b")  # plain, or compressed by gzip


@dataclass
class Question:
    program: str                 # a kernel, a trace or an executable file
    machine: str
    arguments: List[str] = field(default_factory=list)  # of an executable file
    options: List[str] = field(default_factory=list)    # of a kernel
    workers: Optional[int] = None
    schedulers: List[str] = field(default_factory=lambda: ["adws", "random"])
    seeds: int = 5
    placement: str = "first-touch"


@dataclass
class Answer:
    program: str
    source: str                  # how the tree was got
    machine: machines.Machine
    workers: int
    runs: List[simulation.Simulated]
    alone: simulation.Simulated  # the same tree with one worker
    span_ns: Optional[float]     # of an iteration, with this machine's cores; None: not known
    bounds: Dict[str, float]     # ns that an iteration takes at least, by what bounds it; those that are known
    not_known: Dict[str, str]    # why, of the other bounds
    notes: List[str] = field(default_factory=list)
    disturbed: str = ""          # why the recorded times are too long
    outside_ns: Optional[float] = None  # without a root under way, on this machine's cores; None: not known

    def speedup(self, run) -> float:
        return self.alone.time / run.time if run.time > 0 else 1.0

    def whole_speedup(self, run) -> float:
        """Of the whole run, with the time outside of tasks as far as it is known."""
        outside, whole = self.outside_ns or 0.0, median(run.whole_ns)
        return (outside + self.alone.whole_ns[0]) / (outside + whole) if outside + whole > 0 else 1.0

    def most_speedup(self) -> Optional[float]:
        """What no machine with cores like these exceeds (Amdahl), if that is known."""
        if not self.outside_ns or self.outside_ns < MUCH_OUTSIDE_NS:
            return None
        return (self.outside_ns + self.alone.whole_ns[0]) / self.outside_ns


def ask(asked: Question) -> Answer:
    """Records what is not recorded yet, and simulates it. Raises Mistake."""
    with progress.saying(f"predicting {asked.program} on {asked.machine}"):
        return _ask(asked)


def _ask(asked) -> Answer:
    machine = machines.read(asked.machine)
    workers = machine.cores if asked.workers is None else asked.workers
    if workers > machine.cores:
        raise Mistake(f"--workers: {workers}, expected at most {machine.cores}, the cores of {machine.name}")
    with tempfile.TemporaryDirectory(prefix="jackdaw-") as folder:
        source = _trace(asked, workers, folder)
        trace = source.trace
        notes = [f"It made {source.runtimes} runtimes; this is of the first one."] if source.runtimes > 1 else []
        runs = simulation.run([trace], asked.machine, workers, asked.schedulers, asked.seeds, asked.placement)
        if (asked.placement == "first-touch" and machine.sockets > 1
                and preparation.touched(trace, runs[0].region) == "not written"):
            notes.append(FIRST_TOUCH)
        alone = simulation.run([trace], asked.machine, 1, ["random"], 1, asked.placement)[0]
        with progress.saying(f"analyzing {asked.program}"):
            recorded = program.run_json("analyze", trace, "--machine", asked.machine, "--workers", workers,
                                        "--scheduler", "cab", "--placement", asked.placement, "--json")
        outside = (None if source.outside_ns is None else
                   source.outside_ns * preparation.compute_rate(trace) / machine.compute_rate)
    span = span_of(recorded["recorded"], alone)
    known, not_known = bounds(machine, workers, alone, span, runs[0])
    return Answer(program=recorded["program"] if source.kind == "trace" else " ".join([asked.program, *asked.options,
                                                                                   *asked.arguments]),
                  source=source.kind, machine=machine, workers=workers, runs=runs, alone=alone, span_ns=span,
                  bounds=known, not_known=not_known, notes=notes, disturbed=source.disturbed,
                  outside_ns=outside)


def span_of(recorded, alone) -> Optional[float]:
    """The critical path of a mean iteration, ns; None where it is not known. The recording's sums are of the last
    iteration alone, which says nothing of the others if they differ from it, as those of a factorization do."""
    last, whole = recorded["last_iteration"], recorded["whole"]
    between = alone.computing_ns - last["work_ns"]
    if abs(alone.computing_ns - whole["work_ns"]) <= ALIKE * alone.computing_ns:
        return whole["span_ns"]  # one root, and nothing else
    if abs(between) > ALIKE * alone.computing_ns:
        return None
    # What the simulator measures includes what lies between two iterations. That is taken to be serial.
    return min(whole["span_ns"], last["span_ns"] + max(0.0, between))


def bounds(machine, workers, alone, span_ns, run):
    """(what an iteration takes at least, why other bounds are not known), by name: one worker's time for it shared by
    all workers, forks included; its span; and its bytes over the bandwidth of the busiest memory node. One above the
    time is no bound: the first is not strict, for many caches hold more than one, and the second takes iterations to
    be alike."""
    node = [moved / bandwidth for moved, bandwidth in zip(run.node_bytes, machine.node_bandwidths) if bandwidth > 0]
    found = {"work": alone.time / workers, "span": span_ns, "bandwidth": max(node, default=0.0)}
    not_known = {name: "the iterations differ" for name, ns in found.items() if ns is None}
    not_known.update({name: f"{time_text(ns)} is more than the time" for name, ns in found.items()
                      if ns is not None and run.time > 0 and ns > NO_BOUND * run.time})
    return {name: ns for name, ns in found.items() if name not in not_known}, not_known


@dataclass
class Source:
    trace: str
    kind: str                # 'kernel', 'trace' or 'program'
    runtimes: int = 1
    disturbed: str = ""      # why its times are too long
    outside_ns: Optional[float] = None  # of a program on this computer, without a root under way; None: not known


def _trace(asked, workers, folder) -> Source:
    name = asked.program
    kernels = {word for kernel in program.run_json("list", "--json")["kernels"]
               for word in (kernel["name"], kernel["alias"]) if word}
    if name in kernels:
        if asked.arguments:
            raise Mistake(f"{name}: arguments {' '.join(asked.arguments)}, but it is a kernel; it has options, such as "
                          "--size")
        recorded = os.path.join(folder, "recorded.trace")
        with progress.saying(f"recording {name}"):
            said = program.run_and_warn("record", name, *asked.options, "--workers", workers, "-o", recorded)[1]
        return Source(recorded, "kernel", disturbed=recording.warning_in(said))
    if asked.options:
        raise Mistake(f"{asked.options[0]}: an option of kernels, but {name} is none of `jackdaw list`")
    if not os.path.exists(name):
        if os.path.basename(name) == name and shutil.which(name):
            return _record(shutil.which(name), asked.arguments, workers, folder)
        raise Mistake(f"{name}: no such file and no kernel, expected a trace, a program, or one of "
                      f"{' '.join(sorted(kernels))}")
    if os.path.isdir(name):
        raise Mistake(f"{name}: a folder, expected a trace, a program, or a kernel from `jackdaw list`")
    if not os.path.isfile(name):  # a pipe would be waited for
        raise Mistake(f"{name}: no regular file, expected a trace, a program, or a kernel from `jackdaw list`")
    try:
        with open(name, "rb") as file:
            begin = file.read(16)
    except OSError as failure:
        if not os.access(name, os.X_OK):
            raise Mistake(f"{name}: {failure.strerror}, expected a trace or a program") from None
        begin = b""
    if begin.startswith(TRACE_MAGIC) or not os.access(name, os.X_OK):
        if asked.arguments:
            raise Mistake(f"{name}: arguments {' '.join(asked.arguments)}, but it is a trace")
        lost = preparation.lost(name)
        return Source(name, "trace", disturbed=f"it had no processor for {lost:.0%} of the time" if lost else "")
    return _record(name, asked.arguments, workers, folder)


def _record(path, arguments, workers, folder) -> Source:
    made = recording.record(path, arguments, workers, folder)
    return Source(made.trace, "program", made.runtimes, made.disturbed, recording.outside_ns(path, arguments, folder))


def verdict(answer) -> str:
    """What bounds the first scheduler's time, in a sentence."""
    if answer.disturbed:
        return (f"What bounds the time is not judged: when the program was recorded, {answer.disturbed}, so that its "
                "times are too long. Record it while a processor is free.")
    run, names = answer.runs[0], {
        "work": f"its work over {answer.workers} workers: more cores would help",
        "span": "its critical path: more cores would not help",
        "bandwidth": "the bandwidth of memory: faster or better spread memory would help, more cores would not"}
    if answer.workers > 1 and answer.speedup(run) < 1:
        return f"One worker takes less time, {time_text(answer.alone.time)}: too little work for {answer.workers}."
    if answer.most_speedup() is not None and answer.outside_ns >= EXPLAINS * (answer.outside_ns + median(run.whole_ns)):
        return (f"{answer.outside_ns / (answer.outside_ns + median(run.whole_ns)):.0%} of the whole run is outside of "
                "its tasks, where more cores do not help.")
    bound, least = max(answer.bounds.items(), key=lambda each: each[1], default=("", 0.0))
    if bound and run.time > 0 and least >= EXPLAINS * run.time:
        said = f"{min(least / run.time, 1.0):.0%} of the time is {names[bound]}."
        forks = answer.alone.shares["overhead"]
        if bound == "work" and forks > 0.2:
            said += f" {forks:.0%} of that work is forks: coarser tasks would help too."
        return said
    rest = {name: part for name, part in run.shares.items() if name != "computing"}
    share, part = max(rest.items(), key=lambda each: each[1])
    why = {
        "memory": "what they do not compute, the workers mostly wait for data: for its latency, or for busy links",
        "overhead": "what they do not compute is mostly the runtime's own work: the tasks are too fine-grained",
        "idle": "what they do not compute, the workers mostly have nothing to do: few tasks, or joins that wait for "
                "one of them"}
    most = f" ({bound} alone would be {least / run.time:.0%})" if bound and run.time > 0 else ""
    if answer.not_known:
        labels = " and ".join({"work": "work", "span": "critical path", "bandwidth": "bandwidth"}[name]
                              for name in answer.not_known)
        most += f", but that of the {labels} is not known"
    return f"No known bound explains it{most}; {why[share]} ({part:.0%} of their time)."


def json_text(answer) -> str:
    """The answer as JSON; times in ns."""
    runs = [{"scheduler": run.scheduler, "ns": run.time, "min_ns": min(run.ns), "max_ns": max(run.ns),
             "seeds": len(run.ns), "speedup": answer.speedup(run), "whole_ns": median(run.whole_ns),
             "whole_speedup": answer.whole_speedup(run),
             "remote_share": run.remote_share,
             "remote_bytes": median(run.remote_bytes), "local_bytes": median(run.local_bytes),
             "remote_steals": median(run.remote_steals), "local_steals": median(run.local_steals),
             "shares": run.shares} for run in answer.runs]
    return json.dumps({"program": answer.program, "source": answer.source, "kind": "simulated",
                       "machine": answer.machine.json(), "r_numa": answer.machine.r_numa, "workers": answer.workers,
                       "iterations": answer.runs[0].iterations, "region": answer.runs[0].region, "notes": answer.notes,
                       "one_worker_ns": answer.alone.time, "runs": runs,
                       "bounds_ns": answer.bounds, "bounds_not_known": answer.not_known,
                       "outside_ns": answer.outside_ns, "most_speedup": answer.most_speedup(),
                       "disturbed": answer.disturbed or None, "verdict": verdict(answer)}, indent=2)


def outside_text(answer) -> str:
    """What is said of the time outside of tasks, which no trace has. Kernels have none."""
    if answer.source == "kernel":
        return ""
    if answer.outside_ns is None:
        return ("What the program does outside of its tasks, in main(), is not in these figures: a program that does "
                "much there speeds up less.")
    if answer.most_speedup() is None:
        return f"Outside of its tasks it takes less than {time_text(MUCH_OUTSIDE_NS)}, which is not in these figures."
    first = answer.runs[0]
    return (f"Outside of its tasks, in main(), it takes {time_text(answer.outside_ns)} more (one run here, computing "
            f"as fast as the machine's cores), which the table leaves out: with that the whole run is "
            f"{answer.whole_speedup(first):.2f} times as fast as on one worker under {first.scheduler}, and with any "
            f"number of cores at most {answer.most_speedup():.2f} times.")


def text(answer) -> str:
    """What `jackdaw predict PROGRAM` prints."""
    machine, first = answer.machine, answer.runs[0]
    iteration = f"an iteration of {first.iterations}" if first.iterations > 1 else "the last root"
    out = [f"{answer.program} ({answer.source}) on {machine.name}, {answer.workers} of {machine.cores} cores, "
           "simulated",
           f"{machine.sockets} socket{'s' if machine.sockets > 1 else ''}, R_NUMA {machines.ratio_text(machine)} "
           f"(remote latency {machine.remote_latency:g} ns, local {machine.local_latency:g} ns)", *answer.notes, "",
           f"{'scheduler':<13} {'time':>10}  {'least':>10} {'most':>10}  {'speedup':>7}  {'whole run':>10}  "
           f"{'remote bytes':>14}  {'steals':>13}"]
    for run in answer.runs:
        out.append(f"{run.scheduler:<13} {time_text(run.time):>10}  {time_text(min(run.ns)):>10} "
                   f"{time_text(max(run.ns)):>10}  {answer.speedup(run):>7.2f}  {time_text(median(run.whole_ns)):>10}  "
                   f"{f'{bytes_text(median(run.remote_bytes))}, {run.remote_share:.0%}':>14}  "
                   f"{f'{median(run.local_steals):.4g}+{median(run.remote_steals):.4g}':>13}")
    out += ["", f"bounds on {iteration}:"]
    labels = {"work": f"work / {answer.workers}", "span": "critical path", "bandwidth": "busiest node"}
    for name, label in labels.items():
        if name in answer.not_known:
            out.append(f"  {label:<14} {'not known':>10}  {answer.not_known[name]}")
            continue
        ns = answer.bounds[name]
        out.append(f"  {label:<14} {time_text(ns):>10}  {ns / first.time if first.time > 0 else 0:.0%} of "
                   f"{first.scheduler}'s time")
    out += ["  workers' time  " + ", ".join(f"{name} {part:.0%}" for name, part in first.shares.items()), "",
            verdict(answer), *filter(None, [outside_text(answer)]), "",
            f"time: of {iteration}, the median, the least and the most of {len(first.ns)} seeds; speedup: over one "
            f"worker there, {time_text(answer.alone.time)};",
            "whole run: all that was recorded, with what the program prepares;",
            "remote bytes: from other sockets, and their part of all from memory and other sockets; steals: local + "
            "remote, medians."]
    return "\n".join(out)
