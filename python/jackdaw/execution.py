"""One execution as jackdaw's results file keeps it: who did what, and where the data were.

    with results.read("run.db") as kept:
        latest = execution.read(kept, execution.ids(kept)[-1])
        print(latest.program, latest.seconds, sum(each.busy_ns for each in latest.workers))

Tables that can be long (tasks) stay in the file; `tasks` asks it for sums. `src/cli/store/result_schema.cpp` says what
each column means; the fields here have the columns' names. None stands for NULL: not observed.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Dict, List, NamedTuple, Optional

from jackdaw.alone import alone_ns
from jackdaw.mistake import Mistake
from jackdaw.words import LONGEST_WHOLE, Name, one_line, shortened


class Worker(NamedTuple):
    worker: int
    os_cpu: Optional[int]
    core: int
    cache: int
    package: int
    node: int
    tasks: int
    roots: int
    steals_core: int
    steals_cache: int
    steals_package: int
    steals_remote: int
    failed_local: int
    failed_remote: int
    at_home: int
    away: int
    migrations: int
    suspensions: int
    sleeps: int
    rescues: int
    busy_ns: float
    search_ns: float
    sleep_ns: float
    overhead_ns: Optional[float]
    memory_ns: Optional[float]
    local_bytes: int
    remote_bytes: int
    awake_ns: Optional[float]
    cpu_ns: Optional[float]
    ready_ns: Optional[float]
    preemptions: Optional[int]

    def steals(self) -> int:
        return self.steals_core + self.steals_cache + self.steals_package + self.steals_remote


class Steal(NamedTuple):
    thief: int
    victim: int
    steals: int
    failed: int


class Node(NamedTuple):
    node: int
    kind: str
    package: Optional[int]
    capacity: Optional[int]
    bandwidth: Optional[float]


class Array(NamedTuple):
    array: int
    name: str
    source: str
    bytes: int
    first_touched_by: Optional[int]
    first_touched_bytes: Optional[int]


class Traffic(NamedTuple):
    array: int
    worker: int
    node: int
    bytes: int


class Place(NamedTuple):
    array: int
    node: int
    bytes: int


class Share(NamedTuple):
    array: int
    part: int
    parts: int
    worker: int
    bytes: int
    written: int


class Iteration(NamedTuple):
    number: int
    region: str
    begin_ns: float
    duration_ns: float


class Decision(NamedTuple):
    at_ns: float
    worker: int
    name: str
    value: int
    says: str


class Longest(NamedTuple):
    """The longest task that has no child among those recorded."""
    task: int
    worker: int
    begin_ns: float
    end_ns: float


@dataclass
class TaskSums:
    """Of the tasks that a scheduler placed or a thief took."""
    count: int = 0
    leaves: int = 0  # those without a child among them
    median_leaf_ns: Optional[float] = None
    mean_leaf_ns: Optional[float] = None
    longest: Optional[Longest] = None
    alone_ns: Dict[str, float] = field(default_factory=dict)  # by region: iterations in which one of them ran alone


@dataclass
class Execution:
    id: int
    started: str
    jackdaw_version: str
    kind: str
    program: str
    scheduler: str
    worker_count: int
    machine: str
    machine_source: str
    placement: str
    seconds: float
    work_ns: Optional[float]
    span_ns: Optional[float]
    burdened_span_ns: Optional[float]
    process: Optional[str]
    process_seconds: Optional[float]
    process_cpu_seconds: Optional[float]
    sweep: str = ""  # the value that a sweep of simulations gave the machine
    workers: List[Worker] = field(default_factory=list)
    steals: List[Steal] = field(default_factory=list)
    nodes: List[Node] = field(default_factory=list)
    arrays: List[Array] = field(default_factory=list)
    traffic: List[Traffic] = field(default_factory=list)
    places: List[Place] = field(default_factory=list)
    shares: List[Share] = field(default_factory=list)
    iterations: List[Iteration] = field(default_factory=list)
    iteration_count: int = 0
    beside: List[int] = field(default_factory=list)  # other executions of its process: of other runtimes
    beside_seconds: float = 0.0                      # their `seconds` together
    beside_cpu_ns: Optional[float] = 0.0             # the processor time of their workers; None: not known
    written_back: Dict[int, float] = field(default_factory=dict)  # to each node, for a byte read there; of simulations
    decisions: List[Decision] = field(default_factory=list)
    tasks: TaskSums = field(default_factory=TaskSums)

    def is_simulated(self) -> bool:
        return self.kind == "simulated"

    def name_of(self, array: int) -> str:
        return next((each.name for each in self.arrays if each.array == array), str(array))


def ids(kept) -> List[int]:
    """All executions of `kept` (a `results.Results`), the latest last."""
    if not kept.has("execution"):
        return []
    return [number for (number,) in kept.rows("SELECT id FROM execution ORDER BY id")]


def alike(kept, number: int) -> List[int]:
    """The executions of the same program and kind, itself among them."""
    return [each for (each,) in kept.rows(
        "SELECT a.id FROM execution a JOIN execution b ON a.program = b.program AND a.kind = b.kind WHERE b.id = ? "
        "ORDER BY a.id", (number,))]


COLUMNS = ("id", "started", "jackdaw_version", "kind", "program", "scheduler", "workers", "machine", "machine_source",
           "placement", "seconds", "work_ns", "span_ns", "burdened_span_ns", "process", "process_seconds",
           "process_cpu_seconds")


def read(kept, number: int, brief: bool = False) -> Execution:
    """`brief`: without what a comparison does not need. Raises Mistake if there is no such execution."""
    fits = abs(number) < 1 << 63  # SQLite's integers
    found = kept.select("execution", COLUMNS, "WHERE id = ?", (number,)) if fits else []
    if not found:
        raise Mistake(f"{kept.path}: no execution {number}, expected one of {text_of(ids(kept))}")
    one = Execution(*(shown(column, value) for column, value in zip(COLUMNS, found[0])))
    swept = kept.rows("SELECT sweep_value FROM simulated_run JOIN execution ON simulated_run.id = simulated_run "
                      "WHERE execution.id = ?", (number,))
    one.sweep = swept[0][0] if swept else ""
    one.workers = rows(kept, Worker, "execution_worker", number, "worker")
    one.arrays = rows(kept, Array, "execution_array", number, "array")
    ((one.iteration_count,),) = kept.rows("SELECT count(*) FROM execution_iteration WHERE execution = ?", (number,))
    if one.process:
        read_beside(kept, one)
    if brief:
        return one
    one.iterations = rows(kept, Iteration, "execution_iteration", number, "begin_ns")
    one.steals = rows(kept, Steal, "execution_steal", number, "thief, victim")
    one.nodes = rows(kept, Node, "execution_node", number, "node")
    one.traffic = rows(kept, Traffic, "execution_traffic", number, "array, worker, node")
    one.places = rows(kept, Place, "execution_place", number, "array, node")
    one.shares = rows(kept, Share, "execution_share", number, "array, part, worker")
    one.written_back = {node: written / (local + remote) for node, local, remote, written in kept.select(
        "simulated_node", ("node", "local_bytes", "remote_bytes", "written_bytes"),
        "WHERE run = (SELECT simulated_run FROM execution WHERE id = ?)", (number,)) if local + remote > 0}
    one.decisions = rows(kept, Decision, "execution_decision", number, "at_ns")
    one.tasks = task_sums(kept, number, one)
    return one


def read_beside(kept, one: Execution) -> None:
    """What the other runtimes of its process did. The process's times become those until the last of them ended."""
    where = "process = ? AND id != ?"
    others = kept.select("execution", ("id", "seconds", "process_seconds", "process_cpu_seconds"),
                         f"WHERE {where} ORDER BY id", (one.process, one.id))
    cpu = [each for each, in kept.select(
        "execution_worker", ("cpu_ns",), f"WHERE execution IN (SELECT id FROM execution WHERE {where})",
        (one.process, one.id))]
    one.beside = [each for each, *_ in others]
    one.beside_seconds = sum(seconds for _, seconds, _, _ in others)
    one.beside_cpu_ns = None if None in cpu else sum(cpu)
    for _, _, lasted, used in others:
        one.process_seconds = later(one.process_seconds, lasted)
        one.process_cpu_seconds = later(one.process_cpu_seconds, used)


def later(one: Optional[float], other: Optional[float]) -> Optional[float]:
    return None if one is None or other is None else max(one, other)


def text_of(numbers: List[int]) -> str:
    if len(numbers) <= 8:
        return ", ".join(map(str, numbers))
    return f"{', '.join(map(str, numbers[:4]))}, ... {numbers[-1]}"


def rows(kept, kind, table, number, order):
    return [kind(*map(shown, kind._fields, row))
            for row in kept.select(table, kind._fields, f"WHERE execution = ? ORDER BY {order}", (number,))]


def shown(column: str, value):
    """A text as a page and a sentence can have it."""
    if not isinstance(value, str):
        return value
    return name(value) if column in ("name", "program", "region") else shortened(one_line(value), LONGEST_WHOLE)


@lru_cache(maxsize=1024)
def name(text: str) -> Name:
    """Many iterations are of few regions."""
    return Name(text)


def task_sums(kept, number: int, of: Execution) -> TaskSums:
    sums = TaskSums()
    ((sums.count,),) = kept.rows("SELECT count(*) FROM execution_task WHERE execution = ?", (number,))
    if sums.count == 0:
        return sums
    kept.check("execution_task", "WHERE execution = ?", (number,))
    kept.rows("DROP TABLE IF EXISTS temp.leaf")
    kept.rows(
        "CREATE TEMP TABLE leaf AS SELECT task, worker, begin_ns, end_ns, end_ns - begin_ns AS ns FROM execution_task "
        "WHERE execution = ?1 AND task NOT IN (SELECT parent FROM execution_task WHERE execution = ?1)", (number,))
    ((sums.leaves, sums.mean_leaf_ns),) = kept.rows("SELECT count(*), avg(ns) FROM temp.leaf")
    if sums.leaves:
        ((sums.median_leaf_ns,),) = kept.rows("SELECT ns FROM temp.leaf ORDER BY ns LIMIT 1 OFFSET ?",
                                              (sums.leaves // 2,))
        sums.longest = Longest(*kept.rows(
            "SELECT task, worker, begin_ns, end_ns FROM temp.leaf ORDER BY ns DESC, task LIMIT 1")[0])
        sums.alone_ns = alone_ns(of.iterations, kept.rows("SELECT begin_ns, end_ns FROM temp.leaf ORDER BY begin_ns"),
                                 len(of.workers))
    kept.rows("DROP TABLE temp.leaf")
    return sums
