"""Runs of the three kinds that a file of results keeps, as data frames with the same columns (results.COLUMNS)."""

import math

from jackdaw import results
from jackdaw.mistake import Mistake

NANOSECONDS = 1e9


def _frame(rows):
    import pandas
    return pandas.DataFrame(rows, columns=list(results.COLUMNS))


def _known(value):
    """A number; NaN for NULL, which pandas gives as None or NaN."""
    return math.nan if value is None else float(value)


def _text(value) -> str:
    """A text; '' for NULL, which pandas gives as None or, from version 3 on, as NaN."""
    return value if isinstance(value, str) else ""


def _of(parents, number, kept, table):
    """The row that another row belongs to. Raises Mistake where it is missing."""
    if number not in parents:
        raise Mistake(f"{kept.path}: {table} {number} is missing, but it has runs; expected an undamaged database")
    return parents[number]


def bench_program(bench) -> str:
    """A kernel with its options as `jackdaw simulate` writes it."""
    words = [bench.kernel, "--size", bench.size]
    for option, value in (("--shape", bench.shape), ("--input", bench.input)):
        words += [option, value] if value else []
    words += ["--iterations", str(bench.iterations)] if bench.iterations else []
    return " ".join(words)


def of_bench(kept):
    """Rows of the table `run`. Their times and counts are those of the whole run."""
    if not kept.has("bench"):
        return _frame([])
    benches = {bench.id: bench for bench in kept.table("bench").itertuples()}
    rows = []
    for run in kept.table("run").itertuples():
        bench = _of(benches, run.bench, kept, "bench")
        rows.append(("bench", run.bench, "measured", bench_program(bench), bench.machine, run.side,
                     _text(run.scheduler), run.workers, "", "", bench.placement_order,
                     "yes" if bench.pinned else "no", bench.jackdaw_version, "", run.round,
                     run.seconds * NANOSECONDS, _known(run.steals_remote), _known(run.steals_local),
                     _known(run.failed_steals), _known(run.failed_remote), _known(run.local_bytes),
                     _known(run.remote_bytes), math.nan, math.nan, math.nan,
                     _known(run.search_ns) + _known(run.sleep_ns)))
    return _frame(rows)


def of_simulation(kept):
    """Rows of the table `simulated_run`. Their times and counts are means over the measured iterations."""
    if not kept.has("simulated_run"):
        return _frame([])
    simulations = {simulation.id: simulation for simulation in kept.table("simulation").itertuples()}
    rows = []
    for run in kept.table("simulated_run").itertuples():
        simulation = _of(simulations, run.simulation, kept, "simulation")
        where = f"{kept.path}: simulated_run {run.id}"
        steals = results.counts(run.steals, where + ", steals") or []
        failed = results.counts(run.failed, where + ", failed")
        per = 1 / max(1, run.iterations)
        sweep = f"{simulation.sweep_key}={run.sweep_value}" if simulation.sweep_key else ""
        # The first distance is the thief's own socket.
        rows.append(("simulation", run.simulation, "simulated", simulation.program, simulation.machine, "jackdaw",
                     run.scheduler, run.workers, run.placement, sweep, simulation.placement_order, "",
                     simulation.jackdaw_version, simulation.trace, run.seed,
                     run.ns_per_iteration, sum(steals[1:]) * per, sum(steals[:1]) * per, run.failed_steals * per,
                     math.nan if failed is None else sum(failed[1:]) * per, run.local_bytes * per,
                     run.remote_bytes * per, run.computing_ns * per, run.memory_ns * per, run.overhead_ns * per,
                     run.idle_ns * per))
    return _frame(rows)


def of_execution(kept):
    """Rows of the table `execution`, but for those that a bench or a simulation has as well."""
    if not kept.has("execution"):
        return _frame([])
    workers = kept.table("execution_worker")
    unpinned = set(workers[workers.os_cpu.isna()].execution) if len(workers) else set()
    if len(workers):
        own = workers.busy_ns - workers.memory_ns.astype(float) - workers.overhead_ns.astype(float)
        workers = workers.assign(steals_near=workers.steals_core + workers.steals_cache + workers.steals_package,
                                 own_ns=own, idle_ns=workers.search_ns + workers.sleep_ns)
        summed = ["steals_near", "steals_remote", "failed_local", "failed_remote", "local_bytes", "remote_bytes",
                  "own_ns", "memory_ns", "overhead_ns", "idle_ns"]
        # One worker's unknown time makes the sum unknown.
        workers = workers.astype({name: float for name in summed}).groupby("execution")[summed].sum(min_count=1)
    rows = []
    for run in kept.table("execution", "WHERE bench IS NULL AND simulated_run IS NULL").itertuples():
        did = workers.loc[run.id] if len(workers) and run.id in workers.index else None
        counted = [math.nan] * 10 if did is None else [
            did.steals_remote, did.steals_near, did.failed_local + did.failed_remote, did.failed_remote,
            did.local_bytes, did.remote_bytes, did.own_ns, did.memory_ns, did.overhead_ns, did.idle_ns]
        pinned = "" if did is None or run.kind != "measured" else "no" if run.id in unpinned else "yes"
        rows.append(("execution", run.id, run.kind, run.program, run.machine, "jackdaw", run.scheduler, run.workers,
                     run.placement, "", "", pinned, run.jackdaw_version, "", 0, run.seconds * NANOSECONDS,
                     *map(float, counted)))
    return _frame(rows)
