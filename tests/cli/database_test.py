"""A database that is not jackdaw's, or cannot be used, is refused before anything runs, and left as it was."""

import os
import sqlite3
import subprocess
import sys
import unittest

from program import ProgramTest

HOLD_LOCK = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN " + sys.argv[2])
print("locked", flush=True)
sys.stdin.read()
"""
BENCH = ("bench", "fib", "--size", "tiny", "--repeat", "1")


class Database(ProgramTest):
    def database(self, *statements, name="jackdaw.db"):
        database = sqlite3.connect(self.folder / name)
        self.addCleanup(database.close)
        for statement in statements:
            database.execute(statement)
        database.commit()
        return database

    def test_no_database(self):
        (self.folder / "jackdaw.db").write_text("shopping list: bread, butter, rather a lot of cheese\n" * 40)
        self.refuse(*BENCH, says="jackdaw.db: not a database")

    def test_another_programs_database(self):
        self.database("CREATE TABLE bench (id INTEGER)").close()
        self.refuse(*BENCH, says="jackdaw.db: a database of another program")

    def test_another_programs_empty_database(self):
        self.database("PRAGMA application_id = 7").close()
        self.refuse(*BENCH, says="jackdaw.db: a database of another program")

    def test_a_newer_version(self):
        self.succeed(*BENCH)
        self.database("PRAGMA user_version = 6").close()
        self.refuse(*BENCH, says="jackdaw.db: a jackdaw database of version 6, expected version 1 to 5")

    def test_locked(self):
        for how in ("EXCLUSIVE", "IMMEDIATE"):
            self.succeed(*BENCH)
            # In a process of its own: reading the file here would drop the locks that this process holds.
            holder = subprocess.Popen([sys.executable, "-c", HOLD_LOCK, self.folder / "jackdaw.db", how],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            try:
                self.assertEqual(holder.stdout.readline(), b"locked\n")
                self.refuse(*BENCH, says="jackdaw.db: locked by another program")
            finally:
                holder.communicate()

    def test_paths_that_cannot_hold_a_database(self):
        (self.folder / "folder").mkdir()
        self.refuse(*BENCH, "--db", "folder", says="folder: a folder, expected a database")
        self.refuse(*BENCH, "--db", "nowhere/results.db", says="nowhere/results.db: its folder does not exist")
        self.refuse(*BENCH, JACKDAW_DB="nowhere/results.db", says="nowhere/results.db: its folder does not exist")

    def test_a_read_only_file(self):
        self.succeed(*BENCH)
        (self.folder / "jackdaw.db").chmod(0o444)
        self.folder.chmod(0o755)
        # The superuser may write anything, so the program runs as the user nobody.
        self.user = 65534 if os.geteuid() == 0 else None
        self.refuse(*BENCH, says="jackdaw.db: the file is not writable")

    def test_an_empty_file_is_used(self):
        (self.folder / "jackdaw.db").touch()
        self.succeed(*BENCH)
        self.assertEqual(self.database().execute("SELECT count(*) FROM run").fetchone(), (1,))

    def test_bad_input_creates_no_database(self):
        self.refuse("bench", "fib", "--size", "colossal", "--db", "new.db", says="colossal")
        self.assertEqual(self.contents(), {})


if __name__ == "__main__":
    unittest.main()
