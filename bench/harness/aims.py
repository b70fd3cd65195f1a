"""What jackdaw aims for against its peers, and whether a measurement shows it."""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Aim:
    """`value` takes jackdaw's row, a dict of all rows by side and the names of the peers; None: cannot be judged."""

    text: str
    kernel: str
    shape: str  # empty: every shape
    most: float
    value: Callable


def to_sides(wanted):
    """The ratio of jackdaw's median to the smallest median of these sides."""

    def value(row, rows, _):
        others = [rows[side]["median"] for side in wanted if side in rows and rows[side]["median"]]
        return row["median"] / min(others) if others and row["median"] else None

    return value


def to_best_peer(row, rows, peers):
    return to_sides(peers)(row, rows, peers)


def fork_ns(row, _rows, _peers):
    return row["fork_ns"]


def adws_to_random(row, rows, peers):
    return to_sides(["jackdaw:random"])(row, rows, peers) if row["side"] == "jackdaw:adws" else None


AIMS = (
    Aim("invoke at most 8 ns a fork", "fib", "invoke", 8, fork_ns),
    Aim("task_group at most 20 ns a fork", "fib", "group", 20, fork_ns),
    Aim("invoke at most 0.12 of rayon's join", "fib", "invoke", 0.12, to_sides(["rayon"])),
    Aim("task_group at most 0.5 of rayon's join", "fib", "group", 0.5, to_sides(["rayon"])),
    Aim("adws within 1.05 of random", "fib", "", 1.05, adws_to_random),
    Aim("no slower than the best peer", "nqueens", "", 1, to_best_peer),
    Aim("no slower than the best peer", "uts", "", 1, to_best_peer),
    Aim("no slower than the best peer", "matmul", "", 1, to_best_peer),
    Aim("no slower than rayon's par_sort_unstable", "sort", "u64", 1, to_sides(["rayon"])),
    Aim("no slower than OpenMP's static loop over rows", "heat2d", "rows", 1, to_sides(["gomp", "llvm_omp"])),
    Aim("no slower than the best peer", "heat2d", "blocks", 1, to_best_peer),
)


def judge(tables, peers):
    """All aims that report.summarize's tables can judge: (aim, case, workers, scheduler, value, met) each."""
    result = []
    for aim in AIMS:
        for (kernel, size, shape, workers), rows in tables.items():
            if aim.kernel != kernel or aim.shape not in ("", shape):
                continue
            by_side = {row["side"]: row for row in rows}
            for row in rows:
                name, _, scheduler = row["side"].partition(":")
                value = aim.value(row, by_side, peers) if name == "jackdaw" else None
                if value is not None:
                    case = " ".join(part for part in (kernel, size, shape) if part)
                    result.append((aim, case, workers, scheduler or "default", value, value <= aim.most))
    return result
