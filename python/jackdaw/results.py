"""The SQLite file that keeps the results of `jackdaw bench`, `jackdaw simulate` and programs run with JACKDAW_STATS.

    from jackdaw import results
    with results.read("jackdaw.db") as kept:
        kept.table("simulated_run")        # a table as a pandas data frame, columns of later versions as NaN
        kept.runs()                        # bench runs, simulated runs and executions, one row each, the same columns

Files are opened read-only and never changed. src/cli/store/result_schema.cpp has the tables.
"""

import json
import math
import os
import sqlite3
from urllib.parse import quote

from jackdaw.mistake import Mistake

APPLICATION_ID = 0x4A444157  # "JDAW"
VERSION = 5
WAIT_S = 1.0  # for another program's lock

# Columns that older versions lack, by the table and the version that added them.
ADDED = {
    "run": {3: ("forced_steals", "sleeps", "in_place", "rescues", "turns"),
            4: ("steals_core", "steals_cache", "failed_remote", "tasks", "roots", "at_home", "away", "search_ns",
                "sleep_ns", "local_bytes", "remote_bytes", "moved_bytes")},
    "simulated_run": {3: ("rescues",), 4: ("failed",)},
    "execution": {5: ("process", "process_seconds", "process_cpu_seconds")},
    "execution_worker": {5: ("awake_ns", "cpu_ns", "ready_ns", "preemptions")},
}
# Tables, by the version that added them.
TABLES = {
    1: ("bench", "run"),
    2: ("simulation", "simulated_run", "simulated_node"),
    4: ("execution", "execution_worker", "execution_steal", "execution_node", "execution_array", "execution_traffic",
        "execution_place", "execution_share", "execution_iteration", "execution_decision", "execution_task"),
}

# What a column of a declared type has.
KINDS = {"INTEGER": (int, "an integer"), "REAL": ((int, float), "a number"), "TEXT": (str, "a text")}

# What Results.runs() has of every run. Counts and bytes that nothing observed are NaN. Times are those of one
# iteration where the run counted iterations, and so are counts.
COLUMNS = (
    "source",         # 'bench', 'simulation' or 'execution'
    "id",             # of the row in table bench, simulation or execution
    "kind",           # 'measured' or 'simulated'
    "program",        # a kernel with its options, what a trace was recorded from, or a program's file
    "machine",
    "side",           # 'jackdaw' or another runtime's name
    "scheduler",      # '' for other runtimes
    "workers",
    "placement",      # of memory; '' if none was asked for
    "sweep",          # 'link.bandwidth=50' in a sweep; else ''
    "order",          # of workers: 'scatter', 'compact' or ''
    "pinned",         # workers to processors: 'yes', 'no' or ''
    "version",        # of jackdaw
    "trace",          # the file that was simulated; '' for others
    "repeat",         # the seed of a simulation, the round of a bench, 0
    "ns",
    "remote_steals",  # between sockets
    "local_steals",   # within a socket
    "failed_steals",
    "failed_remote",
    "local_bytes",
    "remote_bytes",
    "computing_ns",   # sums over the workers: the program's own work,
    "memory_ns",      # waiting for data,
    "overhead_ns",    # the runtime's own work,
    "idle_ns",        # without work, awake or asleep
)


def read(path):
    """Opens the file for reading; returns Results. Raises Mistake where it is none of jackdaw's, or of a version that
    is newer than this package."""
    return Results(os.fspath(path))


class Results:
    """An open file of results. A context manager; its methods import pandas."""

    def __init__(self, path: str):
        self.path = path
        if not os.path.exists(path):
            raise Mistake(f"{path}: no such file, expected a database of jackdaw's results")
        if os.path.isdir(path):
            raise Mistake(f"{path}: a folder, expected a database of jackdaw's results")
        if not os.path.isfile(path):  # a pipe would be waited for
            raise Mistake(f"{path}: no regular file, expected a database of jackdaw's results")
        if os.path.getsize(path) == 0:
            raise Mistake(f"{path}: an empty file, expected a database of jackdaw's results")
        try:
            # as_uri() of pathlib would resolve symbolic links. SQLite wants an absolute path or none.
            self._file = sqlite3.connect("file:" + quote(os.path.abspath(path)) + "?mode=ro", uri=True, timeout=WAIT_S,
                                         isolation_level=None)
            # The names that a program gives are any bytes.
            self._file.text_factory = lambda raw: raw.decode(errors="replace")
            self._file.execute("BEGIN")  # all queries see the file as it is at the first one
        except sqlite3.Error as failure:
            raise Mistake(f"{path}: {failure}") from None
        try:
            self.version = self._version()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def close(self):
        self._file.close()

    def _version(self):
        owner, version = self._number("PRAGMA application_id"), self._number("PRAGMA user_version")
        if owner == 0 and version == 0 and self._number("SELECT count(*) FROM sqlite_master") == 0:
            raise Mistake(f"{self.path}: an empty database, expected one of jackdaw's results")
        if owner != APPLICATION_ID:
            raise Mistake(f"{self.path}: a database of another program, expected one of jackdaw's")
        if not 1 <= version <= VERSION:
            raise Mistake(f"{self.path}: a jackdaw database of version {version}, expected version 1 to {VERSION}")
        return version

    def _number(self, sql):
        return self.rows(sql)[0][0]

    def rows(self, sql, values=()):
        """The rows that a query gives, as tuples."""
        try:
            return self._file.execute(sql, values).fetchall()
        except sqlite3.Error as failure:
            reason = str(failure)
            if "readonly" in reason and os.path.exists(self.path + "-journal"):
                reason = (f"a program ended while it wrote to it, and left {self.path}-journal; expected a whole "
                          "database: whatever next writes to it (JACKDAW_STATS, `jackdaw bench`, `sqlite3`) mends it")
            if "locked" in reason:
                reason = "locked by another program"
            if "not a database" in reason:
                reason = "not a database, expected one of jackdaw's"
            raise Mistake(f"{self.path}: {reason}") from None

    def has(self, table: str) -> bool:
        """Whether the file's version has this table."""
        return any(table in names for version, names in TABLES.items() if version <= self.version)

    def select(self, table: str, columns, rest: str, values=()):
        """These columns of a table, as tuples whose values are of the columns' types. Raises Mistake for others. Those
        that the file's version lacks are None."""
        later = {name for version, names in ADDED.get(table, {}).items() if version > self.version for name in names}
        taken = ", ".join("NULL" if name in later else name for name in columns)
        found = self.rows(f"SELECT {taken} FROM {table} {rest}", values)
        self._check(table, columns, found, later)
        return found

    def _check(self, table, columns, found, later=()) -> None:
        declared = {row[1]: (row[2], bool(row[3])) for row in self.rows(f"PRAGMA table_info({table})")}
        for at, column in enumerate(columns):
            if column in later:
                continue
            kind, required = declared[column]
            right, says = KINDS.get(kind, (object, "a value"))
            for row in found:
                value = row[at]
                if value is None and not required:
                    continue
                if not isinstance(value, right) or isinstance(value, float) and not math.isfinite(value):
                    shown = str(value) if isinstance(value, float) else repr(value)
                    raise Mistake(f"{self.path}: {table}, column {column}: {shown[:40]}, expected {says}")

    def check(self, table: str, where: str, values=()) -> None:
        """As select(), of a table that is too long to be read: raises Mistake for a value of another type."""
        names = [row[1] for row in self.rows(f"PRAGMA table_info({table})")]
        odd = {"INTEGER": "'integer'", "REAL": "'integer', 'real'", "TEXT": "'text'"}
        tests = [f"({row[1]} IS NOT NULL AND typeof({row[1]}) NOT IN ({odd[row[2]]}))"
                 for row in self.rows(f"PRAGMA table_info({table})") if row[2] in odd]
        self.select(table, names, f"{where} AND ({' OR '.join(tests)}) LIMIT 1", values)

    def table(self, name: str, where: str = "", values=()):
        """A table's rows as a data frame, with the columns of VERSION; an empty one for tables that the file's
        version lacks. `where`: SQL that follows the table's name."""
        import pandas
        if not any(name in names for names in TABLES.values()):
            raise KeyError(name)
        if not self.has(name):
            return pandas.DataFrame()
        columns = [row[1] for row in self.rows(f"PRAGMA table_info({name})")]
        if not columns:
            raise Mistake(f"{self.path}: the table {name} is missing, expected it in version {self.version}")
        frame = pandas.DataFrame(self.select(name, columns, where, values), columns=columns)
        for added in ADDED.get(name, {}).values():
            for column in added:
                if column not in frame:
                    frame[column] = None if column in ("failed", "process") else math.nan
        return frame

    def runs(self):
        """All runs of all tables as one data frame with COLUMNS."""
        import pandas

        from jackdaw import runs
        parts = [part for part in (runs.of_bench(self), runs.of_simulation(self), runs.of_execution(self)) if len(part)]
        return pandas.concat(parts, ignore_index=True) if parts else pandas.DataFrame(columns=list(COLUMNS))


def counts(text, where: str):
    """The numbers of a JSON list, such as steals by distance; None for NULL. Raises Mistake, which names `where`."""
    if text is None or (isinstance(text, float) and math.isnan(text)):
        return None
    try:
        found = json.loads(text)
    except (TypeError, ValueError):
        found = None
    if not isinstance(found, list) or not all(isinstance(each, (int, float)) for each in found):
        raise Mistake(f"{where}: {text!r}, expected a JSON list of numbers")
    return found
