"""The simulator's answer, by the program `jackdaw simulate`."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Dict, List

from jackdaw import program, progress
from jackdaw.mistake import Mistake


@dataclass
class Simulated:
    """One scheduler's runs, one for each seed. Times and counts are those of an iteration, lists by seed."""
    scheduler: str
    workers: int
    iterations: int                # of the program in all
    ns: List[float]
    all_iterations_ns: List[float]  # of all iterations together, those included that are not measured
    whole_ns: List[float]           # of everything that was recorded, preparing included
    region: str                     # whose iterations these are
    remote_steals: List[float]
    local_steals: List[float]
    remote_bytes: List[float]
    local_bytes: List[float]
    shares: Dict[str, float] = field(default_factory=dict)  # of the workers' time: computing, memory, overhead, idle
    computing_ns: float = 0                                 # the workers together, median over the seeds
    node_bytes: List[float] = field(default_factory=list)   # by memory node: read and written, median over the seeds

    @property
    def time(self) -> float:
        return median(self.ns)

    @property
    def remote_share(self) -> float:
        """Part of the bytes from memory and other sockets that came from another socket; 0 where there are none."""
        remote, local = median(self.remote_bytes), median(self.local_bytes)
        return remote / (remote + local) if remote + local > 0 else 0.0


def run(what: List[str], machine: str, workers: int, schedulers: List[str], seeds: int,
        placement: str = "first-touch") -> List[Simulated]:
    """Simulates a trace, or a kernel with its options; one Simulated for each scheduler. Raises Mistake."""
    with progress.saying(f"simulating {', '.join(schedulers)} on {machine}"):
        said = program.run_json("simulate", *what, "--machine", machine, "--workers", workers, "--scheduler",
                                ",".join(schedulers), "--seeds", seeds, "--placement", placement, "--no-store",
                                "--json")
    return [_of_row(row) for row in said["rows"]]


def words(program_text: str) -> List[str]:
    """A kernel with its options, as the file of results has it, as arguments. Raises Mistake."""
    try:
        return shlex.split(program_text)
    except ValueError as failure:
        raise Mistake(f"{program_text}: {str(failure).lower()}, expected a kernel with its options") from None


def _of_row(row) -> Simulated:
    runs = row["runs"]
    per = [1 / max(1, each["measured_iterations"]) for each in runs]

    def each_of(value):
        return [value(run) * scale for run, scale in zip(runs, per)]

    # Differences of rounded times may be a little below 0.
    sums = {name: max(0.0, mean(run[f"{name}_ns"] for run in runs))
            for name in ("computing", "memory", "overhead", "idle")}
    whole = sum(sums.values())
    return Simulated(
        scheduler=row["scheduler"], workers=row["workers"], iterations=max(1, len(runs[0]["iterations_ns"])),
        ns=[run["ns_per_iteration"] for run in runs],
        all_iterations_ns=[sum(run["iterations_ns"]) or run["ns_per_iteration"] for run in runs],
        whole_ns=[run["whole_ns"] for run in runs], region=runs[0]["region"],
        remote_steals=each_of(lambda run: sum(run["steals"][1:])),
        local_steals=each_of(lambda run: sum(run["steals"][:1])),
        remote_bytes=each_of(lambda run: run["remote_bytes"]), local_bytes=each_of(lambda run: run["local_bytes"]),
        shares={name: each / whole if whole > 0 else 0.0 for name, each in sums.items()},
        computing_ns=median(each_of(lambda run: run["computing_ns"])),
        node_bytes=[median(each_of(lambda run, at=at: sum(run["nodes"][at][kind] for kind in
                                                          ("local_bytes", "remote_bytes", "written_bytes"))))
                    for at in range(len(runs[0]["nodes"]))])
