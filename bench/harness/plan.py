"""What is measured: the cases (kernel, size, shape) and the sides (a program and, for jackdaw, a scheduler)."""

from dataclasses import dataclass


class BadUsage(Exception):
    """A request that cannot be carried out; the text is the one-line message."""


@dataclass(frozen=True)
class Case:
    kernel: str
    size: str
    shape: str = ""
    iterations: int = 0  # 0: the kernel's default

    def title(self):
        return " ".join(part for part in (self.kernel, self.size, self.shape) if part)


@dataclass(frozen=True)
class Side:
    """One runtime; `program` is its file name under the build folder's bench/."""

    name: str
    program: str
    scheduler: str = ""
    only_kernels: tuple = ()  # empty: every kernel
    only_workers: tuple = ()  # empty: every number of workers
    peer: bool = True  # whether jackdaw is compared with it

    def takes(self, case, workers):
        return (not self.only_kernels or case.kernel in self.only_kernels) and (
            not self.only_workers or workers in self.only_workers
        )


PEERS = (
    Side("tbb", "bench_tbb"),
    Side("gomp", "bench_gomp"),
    Side("llvm_omp", "bench_llvm_omp"),
    Side("rayon", "bench_rayon"),
    Side("stl", "bench_stl", only_kernels=("sort",)),
)
SERIAL = Side("serial", "bench_serial", only_workers=(1,), peer=False)

FULL = (
    Case("fib", "35", "invoke"),
    Case("fib", "35", "group"),
    Case("nqueens", "12", "invoke"),
    Case("nqueens", "12", "group"),
    Case("uts", "T1", "invoke"),
    Case("uts", "T1", "group"),
    Case("matmul", "2048", "invoke"),
    Case("matmul", "2048", "group"),
    Case("heat2d", "512", "blocks", 1000),
    Case("heat2d", "512", "rows", 1000),
    Case("heat2d", "2048", "blocks", 60),
    Case("heat2d", "2048", "rows", 60),
    Case("heat2d", "4096", "blocks", 15),
    Case("heat2d", "4096", "rows", 15),
    Case("sort", "10m", "u64"),
    Case("pagerank", "medium", "pull", 10),
    Case("components", "medium", "hook"),
)
QUICK = (
    Case("fib", "30", "invoke"),
    Case("fib", "30", "group"),
    Case("nqueens", "12", "invoke"),
    Case("uts", "T1", "invoke"),
    Case("matmul", "1024", "invoke"),
    Case("heat2d", "512", "blocks", 200),
    Case("heat2d", "2048", "rows", 20),
    Case("sort", "1m", "u64"),
    Case("pagerank", "small", "pull", 10),
    Case("components", "small", "hook"),
)


def jackdaw_sides(schedulers):
    """One side for each scheduler; an empty name is the default scheduler."""
    return [
        Side("jackdaw" + (":" + name if name else ""), "bench_jackdaw", scheduler=name, peer=False)
        for name in schedulers
    ]


def sides(schedulers, names):
    """Every side, or those whose names are given ("jackdaw" means all of its schedulers)."""
    every = jackdaw_sides(schedulers) + list(PEERS) + [SERIAL]
    if not names:
        return every
    known = {side.name.split(":")[0] for side in every}
    for name in names:
        if name not in known:
            raise BadUsage(f"unknown runtime '{name}', expected one of {', '.join(sorted(known))}")
    return [side for side in every if side.name.split(":")[0] in names]


def cases(everything, kernels):
    """The cases of those kernels, or all of them."""
    if not kernels:
        return list(everything)
    known = {case.kernel for case in everything}
    for name in kernels:
        if name not in known:
            raise BadUsage(f"unknown kernel '{name}', expected one of {', '.join(sorted(known))}")
    return [case for case in everything if case.kernel in kernels]


def fib_forks(n):
    """How many spawn sites fib(n) executes: one for each call with n >= 2, which is fib(n + 1) - 1 in all."""
    below, here = 0, 1
    for _ in range(n):
        below, here = here, below + here
    return here - 1
