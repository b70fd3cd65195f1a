"""Task trees that jackdaw recorded (docs/traces.md describes the file).

    from jackdaw import trace
    tree = trace.read("heat2d.trace")
    print(tree.work(), tree.critical_path())             # ns
    for leaf in tree.roots[1].task.leaves():
        print(leaf.compute(), leaf.bytes())
"""

import gzip
import math
import zlib
from dataclasses import dataclass, field
from typing import Dict, Iterator, List, NamedTuple, Optional, Union

VERSION = 5


class TraceError(ValueError):
    """A file is not a trace, or is damaged. The message names the file, the line and what was expected."""


class Access(NamedTuple):
    """`rows` runs of `length` bytes each, the beginnings `stride` bytes apart."""
    address: int
    length: int
    rows: int
    stride: int
    write: bool

    def bytes(self) -> int:
        return self.length * self.rows


class NamedMemory(NamedTuple):
    """Memory to which the program gave a name."""
    address: int
    length: int
    name: str


class Compute(NamedTuple):
    """A task's own work of `ns`, which touched `accesses`. `vector`: it is done in vectors."""
    ns: float
    accesses: List[Access]
    vector: bool = False


class Fork(NamedTuple):
    """`hint` is the child's work; None if the program gave none. `inter`: the child is an inter-socket task."""
    child: "Task"
    group: "Group"
    hint: Optional[float]
    help_first: bool
    inter: bool = False


class Wait(NamedTuple):
    group: "Group"


@dataclass(eq=False)
class Group:
    """Children that one wait waits for."""
    total: Optional[float]
    structured: bool
    site: str
    children: List["Task"] = field(default_factory=list)


@dataclass(eq=False)
class Task:
    """`steps` are Compute, Fork and Wait, in the order in which the task makes them."""
    steps: List[Union[Compute, Fork, Wait]] = field(default_factory=list)

    def is_leaf(self) -> bool:
        return not any(isinstance(step, Fork) for step in self.steps)

    def children(self) -> List["Task"]:
        return [step.child for step in self.steps if isinstance(step, Fork)]

    def groups(self) -> List[Group]:
        """The task's groups, in the order of their waits."""
        return [step.group for step in self.steps if isinstance(step, Wait)]

    def compute(self) -> float:
        """ns of the task alone, without its children."""
        return sum(step.ns for step in self.steps if isinstance(step, Compute))

    def accesses(self) -> Iterator[Access]:
        for step in self.steps:
            if isinstance(step, Compute):
                yield from step.accesses

    def bytes(self) -> int:
        """Bytes declared by the task alone; a repeated declaration counts again."""
        return sum(access.bytes() for access in self.accesses())

    def tasks(self) -> Iterator["Task"]:
        """The task and all below it, in serial order."""
        todo = [self]
        while todo:
            task = todo.pop()
            yield task
            todo.extend(reversed(task.children()))

    def leaves(self) -> Iterator["Task"]:
        return (task for task in self.tasks() if task.is_leaf())

    def work(self) -> float:
        """ns on one worker: T1."""
        return math.fsum(task.compute() for task in self.tasks())

    def critical_path(self) -> float:
        """ns with unlimited workers: T-infinity."""
        spans: Dict[int, float] = {}
        for task in reversed(list(self.tasks())):
            now, ends = 0.0, {}
            for step in task.steps:
                if isinstance(step, Compute):
                    now += step.ns
                elif isinstance(step, Fork):
                    end = now + spans[id(step.child)]
                    ends[id(step.group)] = max(ends.get(id(step.group), 0.0), end)
                else:
                    now = max(now, ends.pop(id(step.group)))
            spans[id(task)] = now
        return spans[id(self)]


class Root(NamedTuple):
    """A task that was started from outside."""
    label: str
    task: Task


@dataclass(eq=False)
class Tree:
    program: str
    workers: int
    compute_rate: float
    sites: List[str]
    roots: List[Root]
    vector_rate: Optional[float] = None  # None: as compute_rate
    instructions: Optional[float] = None  # in a ns of work of a core whose rates are 1; None: none were counted
    named: List[NamedMemory] = field(default_factory=list)
    lost: float = 0.0  # part of the time in which the recording had no processor

    def tasks(self) -> Iterator[Task]:
        for root in self.roots:
            yield from root.task.tasks()

    def leaves(self) -> Iterator[Task]:
        return (task for task in self.tasks() if task.is_leaf())

    def groups(self) -> Iterator[Group]:
        for task in self.tasks():
            yield from task.groups()

    def work(self) -> float:
        """ns of all roots."""
        return math.fsum(root.task.work() for root in self.roots)

    def critical_path(self) -> float:
        """ns; roots run one after another."""
        return sum(root.task.critical_path() for root in self.roots)


class _Wrong(Exception):
    """A wrong line; the message says what was expected instead."""


def read(path) -> Tree:
    """Reads a trace, plain or compressed by gzip. Raises TraceError, or OSError for a file that cannot be read."""
    with open(path, "rb") as file:
        compressed = file.read(2) == b"\x1f\x8b"
    reader = _Reader()
    with (gzip.open if compressed else open)(path, "rt", encoding="utf-8", errors="replace", newline="\n") as file:
        try:
            return reader.read(file)
        except _Wrong as wrong:
            raise TraceError(f"{path}:{max(1, reader.number)}: {wrong}") from None
        except (EOFError, zlib.error, gzip.BadGzipFile) as damage:
            raise TraceError(f"{path}:{max(1, reader.number)}: expected undamaged gzip data ({damage})") from None


class _Running(NamedTuple):
    task: Task
    groups: List[Group]  # opened and not waited for


class _Reader:
    def __init__(self):
        self.number = 0
        self.counts = {"tasks": 0, "groups": 0, "accesses": 0, "roots": 0}
        self.running: List[_Running] = []
        self.touched: List[Access] = []

    def read(self, file) -> Tree:
        lines = self.lines(file)
        self.format = self.version(next(lines, ""))
        program = self.after(next(lines, ""), "program")
        workers = self.count(self.after(next(lines, ""), "workers"), 1)
        rate = self.amount(self.after(next(lines, ""), "compute_rate"))
        self.tree = Tree(program, workers, rate, [], [])
        for line in lines:
            if self.format >= 3 and line.startswith("vector_rate ") and self.tree.instructions is None:
                self.tree.vector_rate = self.amount(self.after(line, "vector_rate"))
            elif self.format >= 3 and line.startswith("instructions ") and not self.tree.sites:
                self.tree.instructions = self.amount(self.after(line, "instructions"))
            elif self.format >= 5 and line.startswith("lost ") and not self.tree.sites and not self.tree.lost:
                self.tree.lost = self.amount(self.after(line, "lost"))
            elif line.startswith("site ") and not self.tree.named:
                self.tree.sites.append(line[5:])
            elif self.format >= 4 and line.startswith("array "):
                self.tree.named.append(self.named_memory(line))
            else:
                break
        else:
            raise _Wrong("the file is truncated, expected more up to a line 'end ...'")
        while not (line.startswith("end ") and not self.running):
            self.step(line)
            line = next(lines, None)
            if line is None:
                raise _Wrong("the file is truncated, expected more up to a line 'end ...'")
        if line != "end " + " ".join(map(str, self.counts.values())):
            raise _Wrong("lines are missing, expected the counts of the lines above")
        if next(lines, None) is not None:
            raise _Wrong("expected nothing after the line 'end ...'")
        return self.tree

    def lines(self, file):
        for line in file:
            self.number += 1
            if not line.endswith("\n"):
                raise _Wrong("the file is truncated, expected more up to a line 'end ...'")
            yield line[:-1]

    def named_memory(self, line):
        words = line.split(" ", 3)
        if len(words) < 4 or not words[3]:
            raise _Wrong("expected 'array ADDRESS LENGTH NAME'")
        made = NamedMemory(self.count(words[1], base=16), self.count(words[2], 1), words[3])
        if made.length > 2 ** 48 or made.address + made.length >= 2 ** 64:
            raise _Wrong("expected an array of at most 2^48 bytes that ends below 2^64")
        if self.tree.named and made.address < self.tree.named[-1].address + self.tree.named[-1].length:
            raise _Wrong("the array begins too early, expected it to follow the end of the one before")
        return made

    def version(self, line):
        word, _, number = line.partition(" ")
        if word != "jackdaw-trace" or not number.isdecimal() or int(number) == 0:
            raise _Wrong("not a trace, expected 'jackdaw-trace 1' in the first line")
        if int(number) > VERSION:
            raise _Wrong(f"version {number} of the format, but this jackdaw reads versions up to {VERSION}")
        return int(number)

    @staticmethod
    def after(line, word):
        if line != word and not line.startswith(word + " "):
            raise _Wrong(f"expected a line that begins with '{word}'")
        return line[len(word) + 1:]

    @staticmethod
    def count(text, least=0, base=10):
        try:
            value = int(text, base)
        except ValueError:
            raise _Wrong(f"expected a whole number, not '{text}'") from None
        if value < least:
            raise _Wrong(f"expected a number of at least {least}")
        return value

    @staticmethod
    def amount(text):
        try:
            value = float(text)
        except ValueError:
            raise _Wrong(f"expected a number, not '{text}'") from None
        if not 0 <= value < math.inf:
            raise _Wrong("expected a finite number of at least 0")
        return value

    def hint(self, words, at):
        return None if len(words) <= at or words[at] == "-" else self.amount(words[at])

    def begin(self):
        self.counts["tasks"] += 1
        self.running.append(_Running(Task(), []))
        return self.running[-1].task

    def group(self, words, at) -> Group:
        back = self.count(words[at]) if len(words) > at else 0
        groups = self.running[-1].groups
        if back >= len(groups):
            raise _Wrong("expected an open group of the running task")
        return groups[-1 - back]

    def step(self, line):
        if not self.running:
            self.tree.roots.append(Root(self.after(line, "root"), self.begin()))
            self.counts["roots"] += 1
            return
        words = line.split(" ")
        kind, size = words[0], len(words)
        task, groups = self.running[-1]
        if self.touched and kind not in "rwcv":
            raise _Wrong("expected the time of the work that accesses belong to")
        if (kind == "c" or (kind == "v" and self.format >= 3)) and size == 2:
            task.steps.append(Compute(self.amount(words[1]), self.touched, kind == "v"))
            self.touched = []
        elif kind in ("r", "w") and size in (3, 5):
            rows, stride = (self.count(words[3], 1), self.count(words[4])) if size == 5 else (1, 0)
            self.touched.append(
                Access(self.count(words[1], 0, 16), self.count(words[2], 1), rows, stride, kind == "w"))
            self.counts["accesses"] += 1
        elif kind in ("s", "g") and size in (2, 3):
            site = self.count(words[2]) if size == 3 else 0
            if site != 0 and site >= len(self.tree.sites):
                raise _Wrong(f"site {site} is out of range")
            name = self.tree.sites[site] if site < len(self.tree.sites) else ""
            groups.append(Group(self.hint(words, 1), kind == "s", name))
            self.counts["groups"] += 1
        elif (kind in ("f", "h") or (kind in ("F", "H") and self.format >= 2)) and size <= 3:
            group = self.group(words, 2)
            if kind in ("F", "H") and group.structured:
                raise _Wrong("expected the group of a task_group for an inter-socket task")
            hint = self.hint(words, 1)
            child = self.begin()
            group.children.append(child)
            task.steps.append(Fork(child, group, hint, kind in ("h", "H"), kind in ("F", "H")))
        elif kind == "j" and size <= 2:
            group = self.group(words, 1)
            if not group.children:
                raise _Wrong("expected a fork into the group before the wait for it")
            groups.remove(group)
            task.steps.append(Wait(group))
        elif kind == "e" and size == 1:
            if groups:
                raise _Wrong("expected a wait for every group before its task ends")
            self.running.pop()
        else:
            forks = "f, h" if self.format < 2 else "f, h, F, H"
            work = "c" if self.format < 3 else "c, v"
            raise _Wrong(f"expected a line that begins with {work}, r, w, s, g, {forks}, j or e, and its numbers")
