#include "store/result_schema.hpp"

namespace jackdaw::store {
namespace {

constexpr const char* measured = R"(
CREATE TABLE bench (
  id INTEGER PRIMARY KEY,
  started TEXT NOT NULL,              -- UTC, ISO 8601
  jackdaw_version TEXT NOT NULL,
  kernel TEXT NOT NULL,
  size TEXT NOT NULL,
  shape TEXT NOT NULL,                -- '' for kernels that have one shape
  input TEXT NOT NULL,                -- '' or the file given
  iterations INTEGER NOT NULL,        -- 0: the kernel's default
  workers INTEGER NOT NULL,
  placement_order TEXT NOT NULL,      -- 'scatter' or 'compact'
  pinned INTEGER NOT NULL,            -- 0 or 1
  repeats INTEGER NOT NULL,
  warm_ups INTEGER NOT NULL,
  pause_ms INTEGER NOT NULL,          -- between two sides
  machine TEXT NOT NULL,
  machine_source TEXT NOT NULL
);
CREATE TABLE run (
  bench INTEGER NOT NULL REFERENCES bench (id),
  position INTEGER NOT NULL,          -- of the side within a round, from 0
  round INTEGER NOT NULL,             -- from 1
  side TEXT NOT NULL,                 -- 'jackdaw', 'tbb', ...
  scheduler TEXT,                     -- of jackdaw's sides
  workers INTEGER NOT NULL,
  seconds REAL NOT NULL,              -- measured wall time
  items REAL NOT NULL,                -- how many items_unit the run handled; 0: there is no such number
  items_unit TEXT NOT NULL,
  steals_local INTEGER,               -- these are NULL for other runtimes
  steals_remote INTEGER,
  failed_steals INTEGER,
  migrations INTEGER,
  suspensions INTEGER,
  PRIMARY KEY (bench, position, round)
);
)";

constexpr const char* simulated = R"(
CREATE TABLE simulation (
  id INTEGER PRIMARY KEY,
  started TEXT NOT NULL,              -- UTC, ISO 8601
  jackdaw_version TEXT NOT NULL,
  program TEXT NOT NULL,              -- what was recorded, with its options
  trace TEXT NOT NULL,                -- the file; '' for a kernel that was recorded here and now
  recordings INTEGER NOT NULL,        -- of which the fastest steps were kept; 0 for a trace
  machine TEXT NOT NULL,
  machine_file TEXT NOT NULL,
  sweep_key TEXT NOT NULL,            -- '' without a sweep
  placement_order TEXT NOT NULL,      -- of workers: 'scatter' or 'compact'
  first_seed INTEGER NOT NULL,
  seeds INTEGER NOT NULL
);
CREATE TABLE simulated_run (
  id INTEGER PRIMARY KEY,
  simulation INTEGER NOT NULL REFERENCES simulation (id),
  position INTEGER NOT NULL,          -- of the row in the table that was printed, from 0
  sweep_value TEXT NOT NULL,          -- '' without a sweep
  placement TEXT NOT NULL,            -- of memory
  scheduler TEXT NOT NULL,
  workers INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  whole_ns REAL NOT NULL,             -- simulated time of everything, preparing included
  iterations INTEGER NOT NULL,        -- measured: what follows is of all of these together
  ns_per_iteration REAL NOT NULL,
  private_misses INTEGER NOT NULL,    -- lines of 64 bytes
  shared_misses INTEGER NOT NULL,
  local_bytes INTEGER NOT NULL,       -- from memory of the reader's own socket
  remote_bytes INTEGER NOT NULL,      -- from memory or caches of other sockets
  cache_bytes INTEGER NOT NULL,       -- of these: from caches
  steals TEXT NOT NULL,               -- JSON: how many, by distance, the nearest first
  failed_steals INTEGER NOT NULL,
  migrations INTEGER NOT NULL,
  suspensions INTEGER NOT NULL,
  sleeps INTEGER NOT NULL,
  computing_ns REAL NOT NULL,         -- sums over the workers
  memory_ns REAL NOT NULL,            -- waiting for data
  overhead_ns REAL NOT NULL,          -- the runtime's own work
  idle_ns REAL NOT NULL,
  UNIQUE (simulation, position, seed)
);
CREATE TABLE simulated_node (
  run INTEGER NOT NULL REFERENCES simulated_run (id),
  node INTEGER NOT NULL,
  local_bytes INTEGER NOT NULL,       -- read from it by cores of its own socket
  remote_bytes INTEGER NOT NULL,      -- by others
  written_bytes INTEGER NOT NULL,     -- written back to it
  PRIMARY KEY (run, node)
);
)";

// NULL for other runtimes, and for runs stored before version 3.
constexpr const char* counted = R"(
ALTER TABLE run ADD COLUMN forced_steals INTEGER;
ALTER TABLE run ADD COLUMN sleeps INTEGER;
ALTER TABLE run ADD COLUMN in_place INTEGER;         -- children that ran on another task's stack
ALTER TABLE run ADD COLUMN rescues INTEGER;          -- tasks taken from where the scheduler had put them
ALTER TABLE run ADD COLUMN turns INTEGER;            -- times that a task gave way to another root
ALTER TABLE simulated_run ADD COLUMN rescues INTEGER;
)";

// What each worker did, and where the data were: of any program that ran with $JACKDAW_STATS, of jackdaw's sides of a
// bench, and of simulations. Columns that are NULL were not observed.
constexpr const char* observed = R"(
ALTER TABLE run ADD COLUMN steals_core INTEGER;      -- of steals_local: from a worker on the thief's core
ALTER TABLE run ADD COLUMN steals_cache INTEGER;     -- of steals_local: from another core that shares its last cache
ALTER TABLE run ADD COLUMN failed_remote INTEGER;    -- of failed_steals: from a worker in another package
ALTER TABLE run ADD COLUMN tasks INTEGER;            -- that began on a worker other than their parent's, or were placed
ALTER TABLE run ADD COLUMN roots INTEGER;            -- tasks from outside
ALTER TABLE run ADD COLUMN at_home INTEGER;          -- placed tasks that ran where they were placed
ALTER TABLE run ADD COLUMN away INTEGER;             -- placed tasks that ran elsewhere
ALTER TABLE run ADD COLUMN search_ns INTEGER;        -- workers together: awake without work
ALTER TABLE run ADD COLUMN sleep_ns INTEGER;
ALTER TABLE run ADD COLUMN local_bytes INTEGER;      -- declared: on memory nodes of the worker's own squad
ALTER TABLE run ADD COLUMN remote_bytes INTEGER;     -- declared: on others
ALTER TABLE run ADD COLUMN moved_bytes INTEGER;      -- of pages, by the scheduler
ALTER TABLE simulated_run ADD COLUMN failed TEXT;    -- JSON: failed steals by distance, the nearest first
CREATE TABLE execution (
  id INTEGER PRIMARY KEY,
  started TEXT NOT NULL,              -- UTC, ISO 8601
  jackdaw_version TEXT NOT NULL,
  kind TEXT NOT NULL,                 -- 'measured' or 'simulated'
  program TEXT NOT NULL,              -- the name of its file, or a kernel with its options
  scheduler TEXT NOT NULL,
  workers INTEGER NOT NULL,
  machine TEXT NOT NULL,
  machine_source TEXT NOT NULL,       -- 'this computer', 'HWLOC_SYNTHETIC', ... or the machine file
  placement TEXT NOT NULL,            -- of memory, if one was asked for; else ''
  seconds REAL NOT NULL,              -- while roots were under way; simulated: of the whole run
  work_ns REAL,                       -- T1
  span_ns REAL,                       -- T-infinity
  burdened_span_ns REAL,              -- with what forks and steals on it cost
  bench INTEGER REFERENCES bench (id),
  position INTEGER,                   -- of the side in that bench
  round INTEGER,
  simulated_run INTEGER REFERENCES simulated_run (id)
);
CREATE TABLE execution_worker (
  execution INTEGER NOT NULL REFERENCES execution (id),
  worker INTEGER NOT NULL,
  os_cpu INTEGER,                     -- NULL: not pinned
  core INTEGER NOT NULL,              -- these four are indices within the machine
  cache INTEGER NOT NULL,
  package INTEGER NOT NULL,
  node INTEGER NOT NULL,              -- its home
  tasks INTEGER NOT NULL,
  roots INTEGER NOT NULL,
  steals_core INTEGER NOT NULL,       -- by where the victim is: on the same core,
  steals_cache INTEGER NOT NULL,      -- on another core with the same last cache,
  steals_package INTEGER NOT NULL,    -- elsewhere in the package,
  steals_remote INTEGER NOT NULL,     -- in another one
  failed_local INTEGER NOT NULL,      -- attempts that found nothing
  failed_remote INTEGER NOT NULL,
  at_home INTEGER NOT NULL,
  away INTEGER NOT NULL,
  migrations INTEGER NOT NULL,
  suspensions INTEGER NOT NULL,
  sleeps INTEGER NOT NULL,
  rescues INTEGER NOT NULL,
  busy_ns REAL NOT NULL,              -- the rest of `seconds`
  search_ns REAL NOT NULL,
  sleep_ns REAL NOT NULL,
  overhead_ns REAL,                   -- of busy_ns: the runtime's own work; NULL: not known
  memory_ns REAL,                     -- of busy_ns: waiting for data; NULL: not known
  local_bytes INTEGER NOT NULL,       -- declared accesses, or in simulations from memory and other sockets' caches
  remote_bytes INTEGER NOT NULL,
  PRIMARY KEY (execution, worker)
);
CREATE TABLE execution_steal (
  execution INTEGER NOT NULL REFERENCES execution (id),
  thief INTEGER NOT NULL,
  victim INTEGER NOT NULL,
  steals INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (execution, thief, victim)
);
CREATE TABLE execution_node (
  execution INTEGER NOT NULL REFERENCES execution (id),
  node INTEGER NOT NULL,              -- index within the machine
  kind TEXT NOT NULL,                 -- 'DRAM', 'HBM', ...; '' if not known
  package INTEGER,                    -- the one that it is nearest to
  capacity INTEGER,                   -- bytes
  bandwidth REAL,                     -- bytes in a second; NULL: not known
  PRIMARY KEY (execution, node)
);
CREATE TABLE execution_array (
  execution INTEGER NOT NULL REFERENCES execution (id),
  array INTEGER NOT NULL,             -- from 0
  name TEXT NOT NULL,                 -- what the program called it, or where it was first used
  source TEXT NOT NULL,               -- 'placed', 'declared' or 'anonymous' (a large mapping that neither names)
  bytes INTEGER NOT NULL,
  first_touched_by INTEGER,           -- the worker that touched most of its pages first; -1: a thread outside
  first_touched_bytes INTEGER,        -- how much that was
  PRIMARY KEY (execution, array)
);
CREATE TABLE execution_traffic (      -- which worker used what of which array, and where that lay
  execution INTEGER NOT NULL REFERENCES execution (id),
  array INTEGER NOT NULL,
  worker INTEGER NOT NULL,
  node INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (execution, array, worker, node)
);
CREATE TABLE execution_place (        -- where its pages lay when the run ended
  execution INTEGER NOT NULL REFERENCES execution (id),
  array INTEGER NOT NULL,
  node INTEGER NOT NULL,
  bytes INTEGER NOT NULL,             -- from a sample of its pages
  PRIMARY KEY (execution, array, node)
);
CREATE TABLE execution_share (        -- who used which part of an array
  execution INTEGER NOT NULL REFERENCES execution (id),
  array INTEGER NOT NULL,
  part INTEGER NOT NULL,              -- from 0, of `parts` equal ones
  parts INTEGER NOT NULL,
  worker INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  written INTEGER NOT NULL,           -- of these
  PRIMARY KEY (execution, array, part, worker)
);
CREATE TABLE execution_iteration (
  execution INTEGER NOT NULL REFERENCES execution (id),
  number INTEGER NOT NULL,            -- from 1, over all regions
  region TEXT NOT NULL,
  begin_ns REAL NOT NULL,             -- since the execution began
  duration_ns REAL NOT NULL,
  PRIMARY KEY (execution, number)
);
CREATE TABLE execution_decision (
  execution INTEGER NOT NULL REFERENCES execution (id),
  at_ns REAL NOT NULL,
  worker INTEGER NOT NULL,
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  says TEXT NOT NULL                  -- in words
);
CREATE TABLE execution_task (         -- tasks that a scheduler placed or a thief took; at most the first 100000
  execution INTEGER NOT NULL REFERENCES execution (id),
  task INTEGER NOT NULL,
  parent INTEGER NOT NULL,            -- 0: none that is known
  worker INTEGER NOT NULL,            -- that began it
  begin_ns REAL NOT NULL,
  end_ns REAL NOT NULL,
  depth INTEGER NOT NULL,
  span_begin REAL,                    -- [0, 1); NULL: it has no span
  span_end REAL,
  PRIMARY KEY (execution, task)
);
)";

// What the process did besides, and what the system did with the workers' threads. NULL: not observed, as in
// simulations and benches.
constexpr const char* timed = R"(
ALTER TABLE execution ADD COLUMN process TEXT;             -- the same for all executions of one process
ALTER TABLE execution ADD COLUMN process_seconds REAL;     -- from loading jackdaw, or fork(), until it was written
ALTER TABLE execution ADD COLUMN process_cpu_seconds REAL; -- of process_seconds: processor time of all threads together
ALTER TABLE execution_worker ADD COLUMN awake_ns REAL;     -- its thread's life without sleep, also between roots
ALTER TABLE execution_worker ADD COLUMN cpu_ns REAL;       -- of awake_ns: on a processor
ALTER TABLE execution_worker ADD COLUMN ready_ns REAL;     -- of awake_ns: other threads had its processor
ALTER TABLE execution_worker ADD COLUMN preemptions INTEGER;
)";

}  // namespace

const std::array<const char*, 5> result_schema = {measured, simulated, counted, observed, timed};

}  // namespace jackdaw::store
