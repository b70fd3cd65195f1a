"""Executions with a known fault, for results files."""

import sqlite3
from contextlib import closing
from pathlib import Path

import databases

MIB = 1 << 20
GIB = 1 << 30


class Planted:
    """An execution on `packages` sockets, each with its own cache and memory node. Without further calls all workers
    compute all the time and nothing is known of memory."""

    def __init__(self, workers=8, packages=2, seconds=1.0, scheduler="random", program="stencil", kind="measured",
                 bandwidth=40e9, placement="", machine="two sockets", work_ns=None, span_ns=None, burdened_ns=None):
        self.seconds, self.count, self.packages = seconds, workers, packages
        self.execution = dict(
            started="2026-11-26T10:00:00Z", jackdaw_version="0.1.0", kind=kind, program=program, scheduler=scheduler,
            workers=workers, machine=machine, machine_source="this computer", placement=placement, seconds=seconds,
            work_ns=work_ns, span_ns=span_ns, burdened_span_ns=burdened_ns)
        self.workers = [dict(
            worker=worker, os_cpu=worker, core=worker, cache=self.package(worker), package=self.package(worker),
            node=self.package(worker), tasks=200, roots=0, steals_core=0, steals_cache=20, steals_package=0,
            steals_remote=5, failed_local=30, failed_remote=10, at_home=0, away=0, migrations=0, suspensions=3,
            sleeps=1, rescues=0, busy_ns=seconds * 1e9, search_ns=0.0, sleep_ns=0.0, overhead_ns=None, memory_ns=None,
            local_bytes=0, remote_bytes=0) for worker in range(workers)]
        self.workers[0]["roots"] = 1
        self.nodes = [dict(node=node, kind="DRAM", package=node, capacity=64 * GIB, bandwidth=bandwidth)
                      for node in range(packages)]
        self.arrays, self.traffic, self.places, self.shares = [], [], [], []
        self.iterations, self.decisions, self.tasks, self.steals = [], [], [], []
        self.simulated_nodes = []  # of the measured part of a simulation

    def package(self, worker):
        return worker * self.packages // self.count

    def busy(self, shares, sleeping=0.5):
        """Which share of the time each worker is busy."""
        for worker, share in zip(self.workers, shares):
            idle = (1 - share) * self.seconds * 1e9
            worker.update(busy_ns=share * self.seconds * 1e9, search_ns=(1 - sleeping) * idle, sleep_ns=sleeping * idle)
        return self

    def process(self, seconds, elsewhere=0.0, name="1@1"):
        """The process lasted that long, and threads other than the workers had processors for `elsewhere` seconds."""
        for worker in self.workers:
            if "cpu_ns" not in worker:
                self.threads(worker["worker"], worker["busy_ns"], 0.0, worker["busy_ns"])
        cpu = sum(worker["cpu_ns"] for worker in self.workers)
        self.execution.update(process=name, process_seconds=seconds, process_cpu_seconds=cpu / 1e9 + elsewhere)
        return self

    def threads(self, worker, cpu_ns, ready_ns, awake_ns):
        """What the system did with a worker's thread."""
        self.workers[worker].update(awake_ns=awake_ns, cpu_ns=cpu_ns, ready_ns=ready_ns,
                                    preemptions=int(ready_ns / 4e6))

    def each_worker(self, **values):
        for worker in self.workers:
            worker.update(values)
        return self

    def array(self, name, size, where, touched_by=None, touched=None, source="declared"):
        """`where`: which share of its pages lies on each node."""
        number = len(self.arrays)
        if touched is None and touched_by is not None:
            touched = size
        self.arrays.append(dict(array=number, name=name, source=source, bytes=size, first_touched_by=touched_by,
                                first_touched_bytes=touched))
        self.places += [dict(array=number, node=node, bytes=int(share * size)) for node, share in where.items()]
        return number

    def use(self, array, worker, node, count):
        self.traffic.append(dict(array=array, worker=worker, node=node, bytes=int(count)))
        local = self.package(worker) == node or self.nodes[node]["package"] == self.package(worker)
        self.workers[worker]["local_bytes" if local else "remote_bytes"] += int(count)

    def all_use(self, array, count, where):
        """All workers together read `count` bytes, each from the nodes as `where` says."""
        for worker in range(self.count):
            for node, share in where.items():
                self.use(array, worker, node, count * share / self.count)

    def blocks(self, array, count, parts=64, written=0.0, users=None):
        """Each part belongs to one worker, or to those that `users` names for it."""
        for part in range(parts):
            owners = users(part) if users else [part * self.count // parts]
            for worker in owners:
                share = count / parts / len(owners)
                self.shares.append(dict(array=array, part=part, parts=parts, worker=worker, bytes=int(share),
                                        written=int(written * share)))

    def iterate(self, count, duration_ns, begin_ns=0.0, gap_ns=0.0, region="sweep"):
        for number in range(1, count + 1):
            self.iterations.append(dict(number=number, region=region,
                                        begin_ns=begin_ns + (number - 1) * (duration_ns + gap_ns),
                                        duration_ns=duration_ns))

    def task(self, task, worker, begin_ns, end_ns, parent=0, depth=1, span=(None, None)):
        self.tasks.append(dict(task=task, parent=parent, worker=worker, begin_ns=begin_ns, end_ns=end_ns, depth=depth,
                               span_begin=span[0], span_end=span[1]))

    def save(self, path):
        """Adds it to the results file, which is made if it is not there."""
        if not Path(path).exists():
            databases.create(path)
        with closing(sqlite3.connect(path)) as file:
            return self.add_to(file)

    def add_to(self, file):
        if self.simulated_nodes:
            simulation = insert(file, "simulation", filled(file, "simulation", {}))
            run = insert(file, "simulated_run", filled(file, "simulated_run", dict(simulation=simulation)))
            self.execution["simulated_run"] = run
            for row in self.simulated_nodes:
                insert(file, "simulated_node", dict(run=run, **row))
        number = insert(file, "execution", self.execution)
        for table, rows in (("worker", self.workers), ("steal", self.steals), ("node", self.nodes),
                            ("array", self.arrays), ("traffic", self.traffic), ("place", self.places),
                            ("share", self.shares), ("iteration", self.iterations), ("decision", self.decisions),
                            ("task", self.tasks)):
            for row in rows:
                insert(file, f"execution_{table}", dict(execution=number, **row))
        file.commit()
        return number


def insert(file, table, row):
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    return file.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values())).lastrowid


def filled(file, table, row):
    """With 0 or '' where a value is needed."""
    return {**{name: "" if kind == "TEXT" else 0 for _, name, kind, required, _, key in
               file.execute(f"PRAGMA table_info({table})") if required and not key}, **row}


def serial_first_touch(**options):
    """Worker 0 has filled `grid`: all of it lies on node 0, and half of the workers are elsewhere."""
    one = Planted(**options)
    grid = one.array("grid", 512 * MIB, {0: 1.0}, touched_by=0)
    one.all_use(grid, 24e9, {0: 1.0})
    one.blocks(grid, 24e9, written=0.5)
    edge = one.array("edge", 8 * MIB, {0: 0.5, 1: 0.5}, touched_by=3, touched=2 * MIB)
    for worker in range(one.count):
        one.use(edge, worker, one.package(worker), 1e8)
    one.iterate(100, 9.9e6)
    return one


def interleaved(**options):
    one = Planted(scheduler="adws", **options)
    grid = one.array("grid", 512 * MIB, {0: 0.5, 1: 0.5}, touched_by=0)
    one.all_use(grid, 40e9, {0: 0.5, 1: 0.5})
    one.blocks(grid, 40e9, written=0.5)
    return one


def hot_array(**options):
    """All read `table`, which lies on node 0. The data proper lie well."""
    one = Planted(scheduler="adws", **options)
    table = one.array("table", 48 * MIB, {0: 1.0}, touched_by=0)
    one.all_use(table, 30e9, {0: 1.0})
    one.blocks(table, 30e9, users=lambda part: range(one.count))
    cells = one.array("cells", 2 * GIB, {0: 0.5, 1: 0.5}, touched_by=2, touched=256 * MIB)
    for worker in range(one.count):
        one.use(cells, worker, one.package(worker), 5e8)
    one.blocks(cells, 4e9, written=0.5)
    return one


def imbalance(**options):
    one = Planted(scheduler="adws:no-steal", **options)
    one.busy([1.0, 0.3, 0.35, 0.3, 0.4, 0.3, 0.35, 0.3])
    one.each_worker(steals_cache=0, steals_remote=0, tasks=500)
    return one


def too_fine(**options):
    """300 ns a task that was stolen."""
    one = Planted(**options).busy([0.5] * 8, sleeping=0.1)
    one.each_worker(tasks=1_200_000, steals_cache=600_000, steals_remote=200_000, failed_local=3_000_000)
    return one


def short_leaves(shares, **options):
    """Each worker gets a piece every 60 us, of which those that were stolen take 8 us: little overhead."""
    one = Planted(**options).busy(shares)
    for worker, share in zip(one.workers, shares):
        worker.update(tasks=int(share * one.seconds / 60e-6), steals_cache=int(share * one.seconds / 60e-6),
                      steals_remote=0)
    for number in range(1, 400):
        one.task(number, number % one.count, number * 1e6, number * 1e6 + 8e3)
    return one


def too_few(**options):
    one = Planted(**options).busy([1, 1, 1, 0, 0, 0, 0, 0])
    one.each_worker(tasks=0, steals_cache=0, steals_remote=0)
    one.workers[1].update(tasks=1, steals_cache=1)
    one.workers[2].update(tasks=1, steals_cache=1)
    return one


def false_sharing(**options):
    """One counter for each worker, all within a line."""
    one = Planted(**options)
    counts = one.array("counts", 64, {0: 1.0}, touched_by=0)
    for worker in range(one.count):
        one.use(counts, worker, 0, 8 * 4_000_000)
        one.shares.append(dict(array=counts, part=worker, parts=8, worker=worker, bytes=8 * 4_000_000,
                               written=8 * 4_000_000))
    return one


def cpu_bound(**options):
    """90% of the bytes are remote, and there are few of them."""
    one = Planted(**options)
    bodies = one.array("bodies", 64 * MIB, {0: 1.0}, touched_by=0)
    one.all_use(bodies, 2e8, {0: 1.0})
    return one
