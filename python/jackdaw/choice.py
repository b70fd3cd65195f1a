"""Which execution of a file a report is of, where nobody says it.

    with results.read("run.db") as kept:
        found = choice.latest(kept)
        print(found.number, found.beside)

The latest one. But a process may have several runtimes, each an execution of its own, and the default runtime ends
last, however little it did. The file does not say which process an execution is of; those of one program that ran at
the same time, as far as their times tell, are taken for one process.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import List, Optional

from jackdaw.execution import ids

MUCH_MORE = 2.0  # times the busy time: two runs of a program in quick succession are as busy as each other
RECENT = 100     # executions that are looked at


@dataclass
class Choice:
    number: int
    beside: List[int] = field(default_factory=list)  # others that are taken for the same process


@dataclass
class _Ran:
    number: int
    program: str
    started: Optional[datetime]
    lasted: timedelta
    busy_ns: float


def latest(kept) -> Choice:
    """Of the newest process the execution with most busy time. `kept`: results with at least one execution."""
    ran = [_read(row) for row in kept.rows(
        "SELECT e.id, program, started, max(seconds * 1e9, (SELECT coalesce(max(begin_ns + duration_ns), 0) FROM "
        "execution_iteration i WHERE i.execution = e.id)), (SELECT coalesce(sum(busy_ns), 0) FROM execution_worker w "
        "WHERE w.execution = e.id) FROM execution e WHERE kind = 'measured' AND bench IS NULL ORDER BY e.id DESC LIMIT "
        "?", (RECENT,))]
    last = ids(kept)[-1]
    if not ran or ran[0].number != last or ran[0].started is None:
        return Choice(last)
    newest = ran[0]
    # Times of beginnings are of whole seconds: one that ended in the second in which the newest began may have been
    # beside it.
    beside = [each for each in ran[1:] if each.program == newest.program and each.started is not None
              and each.started + each.lasted + timedelta(seconds=1) > newest.started
              and newest.started + newest.lasted + timedelta(seconds=1) > each.started]
    sure = [each for each in beside if each.started + each.lasted >= newest.started + timedelta(seconds=1)]
    most = max(beside, key=lambda each: each.busy_ns, default=newest)
    if most.busy_ns < MUCH_MORE * newest.busy_ns:
        return Choice(last, sorted(each.number for each in sure))
    return Choice(most.number, sorted(each.number for each in [newest, *beside] if each is not most))


def _read(row) -> _Ran:
    number, program, started, ns, busy = row
    try:
        begun = datetime.strptime(started, "%Y-%m-%dT%H:%M:%SZ")
        return _Ran(number, program, begun, timedelta(microseconds=ns / 1e3), float(busy))
    except (TypeError, ValueError, OverflowError):
        return _Ran(number, program, None, timedelta(), 0.0)
