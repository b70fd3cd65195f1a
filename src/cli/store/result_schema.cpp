#include "cli/store/result_schema.hpp"

namespace jackdaw::cli {
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

}  // namespace

const std::array<const char*, 3> result_schema = {measured, simulated, counted};

}  // namespace jackdaw::cli
