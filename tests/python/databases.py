"""Databases made by hand, with the tables of each version as src/cli/store/result_schema.cpp has them."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

SCHEMA = next((Path(__file__).resolve().parents[2] / "src").glob("**/store/result_schema.cpp"))
APPLICATION_ID = 0x4A444157


def statements():
    """The SQL that each version adds, the first version's first."""
    text = SCHEMA.read_text(encoding="utf-8")
    parts = dict(re.findall(r'constexpr const char\* (\w+) = R"\((.*?)\)";', text, re.DOTALL))
    order = re.search(r"result_schema = \{([^}]*)\}", text).group(1)
    return [parts[name.strip()] for name in order.split(",")]


def create(path, version=None, says=None):
    """A database without rows, of `version` (None: the newest) that says in its header to be of version `says`."""
    sql = statements()
    version = len(sql) if version is None else version
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA synchronous = OFF")
        for each in sql[:version]:
            file.executescript(f"BEGIN; {each}; COMMIT;")
        file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        file.execute(f"PRAGMA user_version = {version if says is None else says}")
        file.commit()


def insert(path, table, **values):
    """Adds a row with these values; columns that may not be NULL and are not named get 0 or ''."""
    insert_all(path, table, [values])


def insert_all(path, table, rows):
    """insert() for many rows, in one transaction."""
    with closing(sqlite3.connect(path)) as file:
        filled = {name: "" if kind == "TEXT" else 0
                  for _, name, kind, required, default, key in file.execute(f"PRAGMA table_info({table})").fetchall()
                  if required and not (key == 1 and name == "id") and default is None}
        for row in rows:
            values = {**filled, **row}
            columns, marks = ", ".join(f'"{name}"' for name in values), ", ".join("?" for _ in values)
            file.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(values.values()))
        file.commit()


def execute(path, sql, *values):
    """One statement."""
    with closing(sqlite3.connect(path)) as file:
        file.execute(sql, values)
        file.commit()
