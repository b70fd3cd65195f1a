#include "cli/result_store.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>
#include <jackdaw/error.hpp>

#include <filesystem>
#include <memory>

namespace jackdaw::cli {
namespace {

constexpr const char* schema = R"(
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

struct close_database {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct finish_statement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

// An open database; every failure is an error that names the file.
class database {
 public:
  database(const std::string& path, int flags, int wait_ms) : path_(path) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
    handle_.reset(opened);
    if (code != SQLITE_OK) fail();
    sqlite3_busy_timeout(opened, wait_ms);
  }

  void execute(const char* sql) const {
    if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  std::int64_t number(const char* sql) const {
    const auto statement = prepare(sql);
    if (sqlite3_step(statement.get()) != SQLITE_ROW) fail();
    return sqlite3_column_int64(statement.get(), 0);
  }

  template <class... Values>
  void insert(const char* sql, const Values&... values) const {
    const auto statement = prepare(sql);
    int position = 0;
    (bind(statement.get(), ++position, values), ...);
    if (sqlite3_step(statement.get()) != SQLITE_DONE) fail();
  }

  std::int64_t last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }

  // Throws unless the file is jackdaw's or holds nothing at all; true in the latter case.
  bool is_fresh() const {
    const std::int64_t owner = number("PRAGMA application_id"), version = number("PRAGMA user_version");
    if (owner == 0 && version == 0 && number("SELECT count(*) FROM sqlite_master") == 0) return true;
    if (owner != result_store::application_id) {
      throw error(fmt::format("{}: a database of another program, expected one of jackdaw's", path_));
    }
    if (version != result_store::schema_version) {
      throw error(fmt::format("{}: a jackdaw database of version {}, expected version {}", path_, version,
                              result_store::schema_version));
    }
    return false;
  }

  [[noreturn]] void fail() const {
    const int code = sqlite3_errcode(handle_.get()) & 0xff;
    std::string reason = sqlite3_errmsg(handle_.get());
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) reason = "locked by another program";
    if (code == SQLITE_NOTADB) reason = "not a database, expected one of jackdaw's";
    throw error(fmt::format("{}: {}", path_, reason));
  }

 private:
  std::unique_ptr<sqlite3_stmt, finish_statement> prepare(const char* sql) const {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_.get(), sql, -1, &statement, nullptr) != SQLITE_OK) fail();
    return std::unique_ptr<sqlite3_stmt, finish_statement>(statement);
  }

  static void bind(sqlite3_stmt* to, int position, std::string_view text) {
    sqlite3_bind_text(to, position, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  static void bind(sqlite3_stmt* to, int position, double value) { sqlite3_bind_double(to, position, value); }
  static void bind(sqlite3_stmt* to, int position, std::int64_t value) { sqlite3_bind_int64(to, position, value); }
  template <class T>
  static void bind(sqlite3_stmt* to, int position, const std::optional<T>& value) {
    value ? bind(to, position, *value) : static_cast<void>(sqlite3_bind_null(to, position));
  }

  std::string path_;
  std::unique_ptr<sqlite3, close_database> handle_;
};

using count = std::optional<std::int64_t>;

count counter(const bench_sample& sample, std::uint64_t statistics::* member) {
  if (!sample.counters) return std::nullopt;
  return static_cast<std::int64_t>((*sample.counters).*member);
}

void insert_runs(const database& into, std::int64_t bench, const bench_result& result) {
  for (std::size_t position = 0; position < result.sides.size(); ++position) {
    const side_result& side = result.sides[position];
    for (std::size_t round = 0; round < side.samples.size(); ++round) {
      const bench_sample& sample = side.samples[round];
      into.insert("INSERT INTO run VALUES (?, ?, ?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?)", bench,
                  static_cast<std::int64_t>(position), static_cast<std::int64_t>(round + 1),
                  std::string_view(side.side), std::string_view(side.scheduler), std::int64_t{side.workers},
                  sample.seconds, side.items, std::string_view(side.unit), counter(sample, &statistics::steals_local),
                  counter(sample, &statistics::steals_remote), counter(sample, &statistics::failed_steals),
                  counter(sample, &statistics::migrations), counter(sample, &statistics::suspensions));
    }
  }
}

}  // namespace

result_store::result_store(std::string path) : path_(std::move(path)) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path_, ignored))) {
    const fs::path folder = fs::path(path_).has_parent_path() ? fs::path(path_).parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored)) throw error(fmt::format("{}: there is no such folder", path_));
    if (access(folder.c_str(), W_OK) != 0) throw error(fmt::format("{}: the folder cannot be written", path_));
    return;
  }
  if (fs::is_directory(path_, ignored)) throw error(fmt::format("{}: a folder, expected a database", path_));
  constexpr int wait_ms = 1000;
  const database there(path_, SQLITE_OPEN_READWRITE, wait_ms);
  there.is_fresh();
  there.execute("BEGIN IMMEDIATE");
  there.execute("ROLLBACK");
}

std::int64_t result_store::store(const bench_plan& plan, const bench_result& result) {
  constexpr int wait_ms = 10000;  // longer than at first: by now there is something to lose
  const database into(path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, wait_ms);
  into.execute("BEGIN IMMEDIATE");
  if (into.is_fresh()) {
    into.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
    into.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
    into.execute(schema);
  }
  into.insert("INSERT INTO bench VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
              std::string_view(result.started), std::string_view(JACKDAW_VERSION), plan.kernel->name,
              std::string_view(plan.request.size), std::string_view(plan.request.shape),
              std::string_view(plan.request.input.native()), std::int64_t{plan.request.iterations},
              std::int64_t{plan.request.workers}, name_of(plan.runtime_options.order), std::int64_t{result.pinned},
              std::int64_t{plan.repeat}, std::int64_t{plan.warm_up}, std::int64_t{plan.pause_ms},
              std::string_view(result.machine_name), std::string_view(result.machine_source));
  const std::int64_t bench = into.last_id();
  insert_runs(into, bench, result);
  into.execute("COMMIT");
  return bench;
}

}  // namespace jackdaw::cli
