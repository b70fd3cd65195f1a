"""Which execution of a file a report is of, where nobody says it.

    with results.read("run.db") as kept:
        print(choice.latest(kept))

The latest one. But a process may have several runtimes, each an execution of its own, and the default runtime ends
last, however little it did. So it is the busiest one of the latest process.
"""

from jackdaw.execution import ids


def latest(kept) -> int:
    """`kept`: results with at least one execution."""
    last = ids(kept)[-1]
    ((process,),) = kept.select("execution", ("process",), "WHERE id = ?", (last,))
    if process is None:
        return last
    ((busiest,),) = kept.rows(
        "SELECT e.id FROM execution e LEFT JOIN execution_worker ON execution = e.id WHERE process = ? GROUP BY e.id "
        "ORDER BY coalesce(sum(busy_ns), 0) DESC, e.id DESC LIMIT 1", (process,))
    return busiest
