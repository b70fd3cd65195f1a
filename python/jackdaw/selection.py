"""Which runs of a database go into one fit: those that differ in nothing but chance."""

from __future__ import annotations

import fnmatch

from jackdaw.mistake import Mistake

# A fit mixes no two values of these. With the option that chooses one.
SAME = {
    "program": "--program", "kind": "--kind", "machine": "--machine", "workers": "--workers",
    "scheduler": "--scheduler", "placement": "--placement", "order": "--order", "sweep": "--sweep",
    "pinned": "--pinned", "version": "--jackdaw-version", "trace": "--trace",
}
PLURAL = {"kind": "kinds", "program": "programs", "machine": "machines", "workers": "numbers of workers",
          "scheduler": "schedulers", "placement": "placements of memory", "order": "orders of workers",
          "sweep": "values of a sweep", "pinned": "ways to bind workers (pinned or not)",
          "version": "versions of jackdaw", "trace": "traces"}


def _shown(values):
    words = [str(each) if str(each) else "none" for each in values]
    return ", ".join(words[:6]) + (f" and {len(words) - 6} more" if len(words) > 6 else "")


def _of_kernel(program: str, kernel: str) -> bool:
    return program.split(" ")[0] == kernel


def select(kept, chosen, columns):
    """The runs of jackdaw in the file `kept` that have the values `chosen` (by SAME, or "kernel", "id"; None: any).
    Patterns with * count for the text ones. Returns (frame, notes); notes are sentences about runs left out.
    Raises Mistake where no run is left, or where runs differ in something of SAME. `columns`: what must be counted."""
    runs = kept.runs()
    if not len(runs):
        raise Mistake(f"{kept.path}: no runs, expected those of `jackdaw bench`, `jackdaw simulate` or JACKDAW_STATS")
    runs = runs[runs.side == "jackdaw"]
    for name, value in chosen.items():
        if value is None:
            continue
        if name == "kernel":
            kept_rows = runs.program.map(lambda program, kernel=value: _of_kernel(program, kernel))
        elif name == "workers" or name == "id":
            kept_rows = runs[name] == value
        else:
            kept_rows = runs[name].map(lambda each, like=value: each == like or fnmatch.fnmatchcase(each, like))
        if not kept_rows.any():
            there = runs[name if name != "kernel" else "program"].unique()
            raise Mistake(f"{kept.path}: no runs with {SAME.get(name, '--' + name)} {value}, expected one of "
                          f"{_shown(there) if len(there) else 'those of jackdaw'}")
        runs = runs[kept_rows]
    for name, option in SAME.items():
        there = list(runs[name].unique())
        if len(there) > 1:
            raise Mistake(f"{kept.path}: runs of {len(there)} {PLURAL[name]} ({_shown(there)}), expected runs that "
                          f"differ in nothing but chance; choose one with {option}")
    if not len(runs):
        raise Mistake(f"{kept.path}: no runs of jackdaw, expected some with counts of steals")
    return _clean(kept, runs, columns)


def _clean(kept, runs, columns):
    notes = []
    counted = runs[list(columns)].notna().all(axis=1)
    if not counted.any():
        raise Mistake(f"{kept.path}: no run has {', '.join(columns)}, expected runs of jackdaw that were counted")
    if not counted.all():
        notes.append(f"{(~counted).sum()} of {len(runs)} runs are left out: nothing counted their steals.")
    runs = runs[counted]
    timed = runs.ns > 0
    if not timed.all():
        notes.append(f"{(~timed).sum()} runs are left out: they took no time.")
        runs = runs[timed]
    # A simulation repeats exactly. The same seed once more is no second observation.
    simulated = runs.source == "simulation"
    again = runs.drop(columns=["id"]).duplicated() & simulated
    if again.any():
        notes.append(f"{again.sum()} simulated runs are left out: they repeat others exactly.")
    return runs[~again].reset_index(drop=True), notes


def same_of(runs) -> dict:
    """What the selected runs have in common, by SAME."""
    first = runs.iloc[0]
    return {name: int(first[name]) if name == "workers" else str(first[name]) for name in SAME}
