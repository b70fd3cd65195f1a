"""A fitted model: time on steals, of runs that differ in nothing but chance, with where it comes from."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field
from typing import Dict, List, Optional

from jackdaw import machines, program, regression, results, selection
from jackdaw.mistake import Mistake

FORMAT, VERSION = "jackdaw-model", 1
REGRESSORS = ("remote_steals", "local_steals", "remote_bytes")
LATER = ("pinned", "version", "trace")  # of selection.SAME: models of older versions lack them
SHARES = ("computing", "memory", "overhead", "idle")


@dataclass
class Model:
    source: str                              # the database
    runs: int
    same: Dict                               # what all runs have in common, by selection.SAME
    notes: List[str]                         # about runs left out
    paper: Optional[regression.Line]         # on remote steals alone; None: their number is the same in all runs
    extended: Optional[regression.Line]      # on REGRESSORS
    means: Dict[str, float]                  # of REGRESSORS; NaN where they were not counted
    shares: Optional[Dict[str, float]]       # of the workers' time, by SHARES; None: not known
    machine: Optional[machines.Machine]      # the described one that the runs are of; None: not known
    trace: str = ""                          # the recorded program; "" for kernels
    of_kernel: bool = False                  # of jackdaw's own kernel, not of a program that may have the same name
    doubts: List[str] = field(default_factory=list)

    def json(self):
        return {
            "format": FORMAT, "version": VERSION, "source": self.source, "runs": self.runs, "same": self.same,
            "notes": self.notes, "doubts": self.doubts, "trace": self.trace,
            "of_kernel": self.of_kernel,
            "paper": None if self.paper is None else self.paper.json(),
            "extended": None if self.extended is None else self.extended.json(),
            "means": _finite(self.means), "shares": self.shares,
            "machine": None if self.machine is None else self.machine.json(),
        }

    def text(self) -> str:
        # Infinite limits (no degrees of freedom) are written as JSON's extension Infinity, which Python reads.
        return json.dumps(self.json(), indent=2) + "\n"


def _finite(values):
    return {name: None if math.isnan(value) else value for name, value in values.items()}


def make(path: str, chosen: Dict) -> Model:
    """Fits the runs of the database that `chosen` selects (selection.select). Raises Mistake."""
    with results.read(path) as kept:
        runs, notes = selection.select(kept, chosen, ("remote_steals",))
        described = _described(kept, runs)
    if len(runs) < 3:
        raise Mistake(f"{path}: {len(runs)} run{'s' if len(runs) > 1 else ''} to fit, expected at least 3"
                      f"{' (' + ' '.join(notes) + ')' if notes else ''}")
    columns = {name: runs[name].to_numpy(float) for name in REGRESSORS}
    # Seeds are chance; executions have no number.
    groups = runs.repeat.to_numpy() if runs.source.iloc[0] == "simulation" else None
    model = Model(
        source=path, runs=len(runs), same=selection.same_of(runs), notes=notes,
        paper=regression.fit(runs.ns, {"remote_steals": columns["remote_steals"]}, groups),
        extended=regression.fit(runs.ns, columns, groups),
        means={name: float(column.mean()) for name, column in columns.items()},
        shares=_shares(runs), machine=described[0], trace=described[1],
        of_kernel=runs.source.iloc[0] != "execution" and not described[1])
    model.doubts = _doubts(model, runs)
    return model


def _shares(runs) -> Optional[Dict[str, float]]:
    sums = [float(runs[f"{name}_ns"].sum(skipna=False)) for name in SHARES]
    if not all(math.isfinite(each) and each >= 0 for each in sums) or sum(sums) <= 0:
        return None
    return {name: each / sum(sums) for name, each in zip(SHARES, sums)}


def _described(kept, runs):
    """(machine, trace) of simulated runs. A sweep of a figure makes another machine than the file's: None."""
    if runs.source.iloc[0] != "simulation":
        return None, ""
    simulation = kept.table("simulation", "WHERE id = ?", (int(runs.id.iloc[-1]),)).iloc[0]
    if simulation.sweep_key not in ("", "workers"):
        return None, simulation.trace
    for name in (simulation.machine_file, simulation.machine):
        try:
            return machines.read(name), simulation.trace
        except (Mistake, program.Failed):
            continue
    return None, simulation.trace


def _doubts(model, runs) -> List[str]:
    said = []
    if model.paper is None:
        number = runs.remote_steals.iloc[0]
        where = " (one socket, or one worker, has none)" if number == 0 else ""
        said.append(f"All runs have the same number of remote steals, {number:g}{where}: no slope can be fitted.")
    parts = regression.clusters(runs.ns)
    if parts is not None:
        why = ("; perhaps they had two inputs: a program's arguments are not recorded"
               if runs.source.iloc[0] == "execution" else "")
        low, high = (f"{each.min() / 1e6:.4g} to {each.max() / 1e6:.4g} ms" for each in parts)
        said.append(f"The times form two clusters, {low} and {high}{why}.")
    if runs.source.iloc[0] == "bench" and len(runs) >= 8 and not regression.is_constant(runs.ns):
        drift = regression.pearson(runs["repeat"], runs.ns)
        if abs(drift.value) > 0.5 and not drift.low <= 0 <= drift.high:
            said.append(f"Time {'grows' if drift.value > 0 else 'falls'} from round to round (r {drift.value:.2f}): "
                        "the computer was not in the same state for all runs.")
    return said


def read(path: str) -> Model:
    """Reads a model that `jackdaw predict fit --out` wrote. Raises Mistake."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):  # a pipe would be waited for
        raise Mistake(f"{path}: no regular file, expected a model that `jackdaw predict fit --out` wrote")
    try:
        with open(path, encoding="utf-8") as file:
            said = json.load(file)
    except OSError as failure:
        raise Mistake(f"{path}: {failure.strerror}, expected a model that `jackdaw predict fit --out` wrote") from None
    except ValueError as damage:
        line = f":{damage.lineno}" if isinstance(damage, json.JSONDecodeError) else ""
        raise Mistake(f"{path}{line}: not JSON, expected a model that `jackdaw predict fit --out` wrote") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise Mistake(f"{path}: not a model, expected one that `jackdaw predict fit --out` wrote")
    if said.get("version") != VERSION:
        raise Mistake(f"{path}: a model of version {said.get('version')}, expected version {VERSION}")
    try:
        lines = {name: None if said[name] is None else regression.Line.of_json(said[name])
                 for name in ("paper", "extended")}
        return Model(source=said["source"], runs=said["runs"],
                     same={name: said["same"].get(name, "") if name in LATER else said["same"][name]
                           for name in selection.SAME},
                     notes=said["notes"], doubts=said["doubts"], trace=said["trace"], shares=said["shares"],
                     of_kernel=said.get("of_kernel", False),  # without it, nobody knows: not simulated by name
                     means={name: math.nan if said["means"][name] is None else said["means"][name]
                            for name in REGRESSORS},
                     machine=None if said["machine"] is None else machines.Machine(**said["machine"]), **lines)
    except (KeyError, TypeError, AttributeError) as damage:
        raise Mistake(f"{path}: a model without {damage}, expected one that `jackdaw predict fit --out` "
                      "wrote") from None
