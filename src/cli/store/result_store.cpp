#include "cli/store/result_store.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>
#include <jackdaw/error.hpp>

#include <filesystem>

#include "cli/store/result_schema.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

// Throws unless the file is jackdaw's or empty; returns 0 for an empty one.
int version_of(const database& file) {
  const std::int64_t owner = file.number("PRAGMA application_id"), version = file.number("PRAGMA user_version");
  if (owner == 0 && version == 0 && file.number("SELECT count(*) FROM sqlite_master") == 0) return 0;
  if (owner != result_store::application_id) {
    throw error(fmt::format("{}: a database of another program, expected one of jackdaw's", file.path()));
  }
  if (version < 1 || version > result_store::schema_version) {
    throw error(fmt::format("{}: a jackdaw database of version {}, expected version 1 to {}", file.path(), version,
                            result_store::schema_version));
  }
  return static_cast<int>(version);
}

void add_missing_tables(const database& to) {
  const int version = version_of(to);
  if (version == result_store::schema_version) return;
  for (auto next = static_cast<std::size_t>(version); next < result_schema.size(); ++next) {
    to.execute(result_schema[next]);
  }
  to.execute(fmt::format("PRAGMA application_id = {}", result_store::application_id));
  to.execute(fmt::format("PRAGMA user_version = {}", result_store::schema_version));
}

}  // namespace

const int result_store::schema_version = static_cast<int>(result_schema.size());

result_store::result_store(std::string path) : path_(std::move(path)) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path_, ignored))) {
    const fs::path folder = fs::path(path_).has_parent_path() ? fs::path(path_).parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored))
      throw error(fmt::format("{}: its folder does not exist, expected a file in an existing folder", path_));
    if (access(folder.c_str(), W_OK) != 0)
      throw error(fmt::format("{}: its folder is not writable, expected one that is", path_));
    return;
  }
  if (fs::is_directory(path_, ignored)) throw error(fmt::format("{}: a folder, expected a database", path_));
  // Otherwise SQLite would open the file read-only and report that only after the benchmark.
  if (access(path_.c_str(), W_OK) != 0)
    throw error(fmt::format("{}: the file is not writable, expected one that is", path_));
  constexpr int wait_ms = 1000;
  const database there(path_, SQLITE_OPEN_READWRITE, wait_ms);
  version_of(there);
  there.execute("BEGIN IMMEDIATE");
  there.execute("ROLLBACK");
}

std::int64_t result_store::add(const rows& insert) const {
  constexpr int wait_ms = 10000;  // longer than in the constructor, because results could be lost
  const database into(path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, wait_ms);
  into.execute("BEGIN IMMEDIATE");
  add_missing_tables(into);
  const std::int64_t id = insert(into);
  into.execute("COMMIT");
  return id;
}

std::string database_name(const std::string& given) {
  if (!given.empty()) return given;
  const std::string named = environment("JACKDAW_DB").value_or("");
  return named.empty() ? "jackdaw.db" : named;
}

void store_and_print(const result_store& store, const result_store::rows& insert,
                     const std::function<void(const stored_as&)>& print) {
  stored_as stored{store.path(), std::nullopt};
  try {
    stored.id = store.add(insert);
  } catch (const error&) {
    print(stored);
    throw;
  }
  print(stored);
}

}  // namespace jackdaw::cli
