"""`jackdaw predict apply`: a model of one machine asked about another.

A line that was fitted on one machine knows nothing of another one. What carries it over are assumptions, and each is
said beside the answer:

- the intercept a, the time without remote steals, is work: its computing goes with the cores' rate and number, for
  vectors or without them, its memory time with the bandwidth that the workers get, its idle time with a core's rate
  alone;
- the slope b, ns a remote steal, goes with the latency of remote memory;
- the number of remote steals is the one that runs there had, else the simulator's, else the model's mean times the
  ratio of workers and of the part of victims that are remote.

The interval is the hull of the 95% prediction intervals under the most and the least favourable of these scales.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Dict, List, Optional

from jackdaw import machines, regression, results, selection, simulation
from jackdaw import model as models
from jackdaw.mistake import Mistake
from jackdaw.words import exact_time_text as time_text


@dataclass
class Question:
    workers: Optional[int] = None
    trained_on: Optional[str] = None
    runs: Optional[str] = None
    trace: Optional[str] = None
    seeds: int = 5
    simulate: bool = True


@dataclass
class Predicted:
    """ns, with an interval that covers the assumptions' spread too."""
    ns: float
    low: float
    high: float


@dataclass
class Answer:
    model: models.Model
    machine: machines.Machine
    trained: machines.Machine
    workers: int
    scales: Dict[str, float]              # of the intercept, by assumption; 'used' is the one of the prediction
    slope_scales: Dict[str, float]        # 'latency' is used
    regressors: Dict[str, float]          # what the models are asked for
    regressors_from: str
    predicted: Dict[str, Predicted]       # 'paper', 'extended', and 'mean': the mean time by the intercept's scales
    doubts: List[str] = field(default_factory=list)
    simulated: Optional[simulation.Simulated] = None
    not_simulated: str = ""               # why
    actual: List[float] = field(default_factory=list)  # ns of the runs there
    whole: bool = False                   # times are of whole runs, not of an iteration


def intercept_scales(trained, machine, workers, there, shares) -> Dict[str, float]:
    """What the intercept is multiplied by, for `workers` on `trained` and `there` on `machine`; 'used' is the choice:
    by the shares of the workers' time, else as if all were computing. Nobody knows how much of the computing is done in
    vectors; the choice takes none, 'vector' all."""
    scales = {
        "computing": workers * trained.compute_rate / (there * machine.compute_rate),
        "vector": workers * trained.vector_rate / (there * machine.vector_rate),
        "memory": trained.streaming(workers) / machine.streaming(there),
    }
    idle = trained.compute_rate / machine.compute_rate
    if shares is None:
        scales["used"] = scales["computing"]
    else:
        scales["used"] = ((shares["computing"] + shares["overhead"]) * scales["computing"]
                          + shares["memory"] * scales["memory"] + shares["idle"] * idle)
        if shares["idle"] > 0.05:
            scales["idle"] = idle
    return scales


def apply(path: str, machine_name: str, asked: Question) -> Answer:
    """Asks the model in the file `path` about a machine. Raises Mistake."""
    model = models.read(path)
    machine = machines.read(machine_name)
    trained = machines.read(asked.trained_on) if asked.trained_on else model.machine
    if trained is None:
        raise Mistake(f"{path}: its runs are of {model.same['machine']}"
                      f"{' with ' + model.same['sweep'] if model.same['sweep'] else ''}, of which there is no "
                      "description; expected --trained-on FILE (`jackdaw machine here -o FILE` describes a computer)")
    if model.paper is None and model.extended is None:
        raise Mistake(f"{path}: a model without any slope, expected one of runs that differ in their steals")
    there = machine.cores if asked.workers is None else asked.workers
    if there > machine.cores:
        raise Mistake(f"--workers: {there}, expected at most {machine.cores}, the cores of {machine.name}")
    workers = model.same["workers"]
    answer = Answer(model=model, machine=machine, trained=trained, workers=there,
                    scales=intercept_scales(trained, machine, workers, there, model.shares),
                    slope_scales={"latency": machine.remote_latency / trained.remote_latency,
                                  "steals": machine.steal_remote / trained.steal_remote},
                    regressors={}, regressors_from="", predicted={}, whole=model.same["kind"] == "measured")
    _simulate(answer, machine_name, asked)
    _find_regressors(answer, asked)
    mean_ns = (model.paper or model.extended).mean_ns
    least, most = min(answer.scales.values()), max(answer.scales.values())
    answer.predicted["mean"] = Predicted(mean_ns * answer.scales["used"], mean_ns * least, mean_ns * most)
    for name, line in (("paper", model.paper), ("extended", model.extended)):
        if line is not None and all(math.isfinite(answer.regressors[each]) for each in line.slopes):
            answer.predicted[name] = _predict(line, answer)
    _doubt(answer)
    return answer


def _simulate(answer, machine_name, asked):
    same = answer.model.same
    if not asked.simulate:
        answer.not_simulated = "--no-simulate"
        return
    trace = asked.trace or answer.model.trace
    if not trace and not answer.model.of_kernel:
        answer.not_simulated = "the runs are of a program, not of a kernel; --trace FILE names its recording"
        return
    try:
        what = [trace] if trace else simulation.words(same["program"])
        answer.simulated = simulation.run(what, machine_name, answer.workers, [same["scheduler"]], asked.seeds,
                                          same["placement"] or "first-touch")[0]
    except Mistake as mistake:
        if asked.trace:
            raise
        answer.not_simulated = f"{mistake}; --trace FILE names the recorded program"


def _find_regressors(answer, asked):
    if asked.runs is not None:
        same = answer.model.same
        with results.read(asked.runs) as kept:
            runs, _ = selection.select(kept, {
                "program": same["program"], "kind": same["kind"], "scheduler": same["scheduler"],
                "machine": answer.machine.name if same["kind"] == "simulated" else None,
                "workers": answer.workers}, ("remote_steals",))
        answer.regressors = {name: float(runs[name].mean()) for name in models.REGRESSORS}
        answer.actual = [float(each) for each in runs.ns]
        answer.regressors_from = f"means of {len(runs)} runs of {asked.runs}"
    elif answer.simulated is not None:
        per = answer.simulated.iterations if answer.whole else 1
        answer.regressors = {name: mean(getattr(answer.simulated, name)) * per for name in models.REGRESSORS}
        answer.regressors_from = "the simulator's means"
    else:
        trained, machine, workers = answer.trained, answer.machine, answer.model.same["workers"]
        far, far_there = trained.remote_victims(workers), machine.remote_victims(answer.workers)
        more = answer.workers / workers
        scale = {"remote_steals": more * far_there / far if far > 0 else math.nan,
                 "local_steals": more * (1 - far_there) / (1 - far) if far < 1 else math.nan,
                 "remote_bytes": far_there / far if far > 0 else math.nan}
        if far_there == 0:
            scale["remote_steals"] = scale["remote_bytes"] = 0.0
        answer.regressors = {name: answer.model.means[name] * scale[name] for name in models.REGRESSORS}
        answer.regressors_from = "the model's means, by workers and the part of victims that are remote"


def _predict(line, answer) -> Predicted:
    def at(scale, far):
        near = answer.machine.steal_local / answer.trained.steal_local
        return line.at(answer.regressors, scale, {"remote_steals": far, "remote_bytes": far, "local_steals": near})

    predicted = at(answer.scales["used"], answer.slope_scales["latency"])[0]
    all_of = [at(scale, far) for scale in answer.scales.values() for far in answer.slope_scales.values()]
    low, high = min(each[1] for each in all_of), max(each[2] for each in all_of)
    return Predicted(predicted, max(0.0, low), high)


def _doubt(answer):
    model = answer.model
    answer.doubts += model.doubts
    for name, line in (("the regression", model.paper), ("the second model", model.extended)):
        if line is not None and line.doubts and (line is model.paper or "extended" in answer.predicted):
            answer.doubts += [f"{name}: {doubt}" for doubt in line.doubts]
    for name, title in (("paper", "the regression"), ("extended", "the second model")):
        if name in answer.predicted and answer.predicted[name].ns <= 0:
            answer.doubts.append(f"{title} predicts less than no time: it does not hold there.")
    if "paper" not in answer.predicted and model.paper is not None:
        answer.doubts.append("Nothing says how many remote steals there would be: --runs or --trace would.")
    line = model.paper
    if line is not None and "remote_steals" in line.ranges:
        least, _, most = line.ranges["remote_steals"]
        asked = answer.regressors["remote_steals"]
        if math.isfinite(asked) and not least <= asked <= most:
            answer.doubts.append(f"{asked:.4g} remote steals are outside of the {least:.4g} to {most:.4g} that the "
                                 "line was fitted on.")
        cost = answer.trained.steal_remote
        if cost > 0 and line.slopes["remote_steals"].low > 10 * cost:
            answer.doubts.append(
                f"The slope, {time_text(line.slopes['remote_steals'].value)} a steal, is more than a steal between "
                f"sockets costs there ({time_text(cost)}): steals go with something else, which need not carry over.")
    if answer.machine.sockets == 1 and answer.trained.sockets > 1:
        answer.doubts.append(f"{answer.machine.name} has one socket, so no remote steals: only the intercept is left.")


def simulated_ns(answer) -> List[float]:
    """The simulator's times, of what the model's times are of."""
    return answer.simulated.all_iterations_ns if answer.whole else answer.simulated.ns


def json_text(answer) -> str:
    """The answer as JSON; times in ns."""
    simulated = None
    if answer.simulated is not None:
        ns = simulated_ns(answer)
        simulated = {"ns": median(ns), "min_ns": min(ns), "max_ns": max(ns), "seeds": len(ns)}
    return json.dumps({
        "program": answer.model.same["program"], "machine": answer.machine.json(), "trained_on": answer.trained.json(),
        "workers": answer.workers, "r_numa": answer.machine.r_numa, "trained_r_numa": answer.trained.r_numa,
        "predicted": {name: vars(each) for name, each in answer.predicted.items()},
        "intercept_scales": answer.scales, "slope_scales": answer.slope_scales,
        "regressors": {name: value if math.isfinite(value) else None for name, value in answer.regressors.items()},
        "regressors_from": answer.regressors_from, "simulated": simulated, "not_simulated": answer.not_simulated,
        "measured_ns": median(answer.actual) if answer.actual else None, "doubts": answer.doubts}, indent=2)


def text(answer) -> str:
    """What `jackdaw predict apply` prints."""
    model, machine, trained = answer.model, answer.machine, answer.trained
    same = model.same
    out = [f"{same['program']}, {same['scheduler']}, on {machine.name} with {answer.workers} workers "
           f"({'a whole run' if answer.whole else 'one iteration'})",
           f"model: {model.runs} {same['kind']} runs on {trained.name} with {same['workers']} workers, "
           f"{time_text(model.paper.mean_ns if model.paper is not None else model.extended.mean_ns)} on average"]
    titles = {"paper": "regression", "extended": "with local steals and bytes", "mean": "the mean, without steals"}
    for name in ("paper", "extended", "mean"):
        if name not in answer.predicted:
            continue
        each = answer.predicted[name]
        out.append(f"  {titles[name]:<28} {time_text(each.ns)} [{time_text(each.low)}, {time_text(each.high)}]")
    if answer.simulated is not None:
        ns = simulated_ns(answer)
        out.append(f"  {'simulator':<28} {time_text(median(ns))} [{time_text(min(ns))}, {time_text(max(ns))}] of "
                   f"{len(ns)} seeds")
    else:
        out.append(f"  {'simulator':<28} not asked: {answer.not_simulated}")
    if answer.actual:
        out.append(f"  {'runs there':<28} {time_text(median(answer.actual))} [{time_text(min(answer.actual))}, "
                   f"{time_text(max(answer.actual))}] of {len(answer.actual)}")
    out += ["", "assumed:"]
    scales = answer.scales
    how = ("as if all of it were computing" if model.shares is None else
           "computing {computing:.0%}, waiting for data {memory:.0%}, the runtime {overhead:.0%}, idle {idle:.0%}"
           .format(**model.shares))
    out.append(f"  intercept x {scales['used']:.4g}: {how}. Computing alone would be x {scales['computing']:.4g} "
               f"({same['workers']} x {trained.compute_rate:g} to {answer.workers} x {machine.compute_rate:g} of the "
               f"reference core), all in vectors x {scales['vector']:.4g} ({trained.vector_rate:g} to "
               f"{machine.vector_rate:g}), memory alone x {scales['memory']:.4g}"
               + (f", idling alone x {scales['idle']:.4g}" if "idle" in scales else ""))
    out.append(f"  slope x {answer.slope_scales['latency']:.4g}: remote latency of {trained.remote_latency:g} to "
               f"{machine.remote_latency:g} ns (R_NUMA {machines.ratio_text(trained)} to "
               f"{machines.ratio_text(machine)}); by the cost of a remote steal x {answer.slope_scales['steals']:.4g}")
    out.append("  regressors: " + ", ".join(f"{value:.4g} {regression.NAMES[name]}"
                                            for name, value in answer.regressors.items() if math.isfinite(value))
               + f" ({answer.regressors_from})")
    out += [f"doubt: {doubt}" for doubt in answer.doubts]
    out += ["", "[low, high]: of a regression, the hull of its 95% prediction intervals under each of these scales;",
            "how wrong the scales themselves are is not in it. Of the simulator and of runs, the least and the most."]
    return "\n".join(out)
