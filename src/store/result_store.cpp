#include "store/result_store.hpp"

#include <sqlite3.h>
#include <unistd.h>
#include <jackdaw/error.hpp>

#include <filesystem>

#include "store/result_schema.hpp"

namespace jackdaw::store {
namespace {

// Throws unless the file is jackdaw's or empty; returns 0 for an empty one.
int version_of(const database& file) {
  const std::int64_t owner = file.number("PRAGMA application_id"), version = file.number("PRAGMA user_version");
  if (owner == 0 && version == 0 && file.number("SELECT count(*) FROM sqlite_master") == 0) return 0;
  if (owner != result_store::application_id) {
    throw error(file.path() + ": a database of another program, expected one of jackdaw's");
  }
  if (version < 1 || version > result_store::schema_version) {
    throw error(file.path() + ": a jackdaw database of version " + std::to_string(version) +
                ", expected version 1 to " + std::to_string(result_store::schema_version));
  }
  return static_cast<int>(version);
}

void add_missing_tables(const database& to) {
  const int version = version_of(to);
  if (version == result_store::schema_version) return;
  for (auto next = static_cast<std::size_t>(version); next < result_schema.size(); ++next) {
    to.execute(result_schema[next]);
  }
  to.execute("PRAGMA application_id = " + std::to_string(result_store::application_id));
  to.execute("PRAGMA user_version = " + std::to_string(result_store::schema_version));
}

}  // namespace

const int result_store::schema_version = static_cast<int>(result_schema.size());

result_store::result_store(std::string path, if_locked how) : path_(std::move(path)) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path_, ignored))) {
    const fs::path folder = fs::path(path_).has_parent_path() ? fs::path(path_).parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored))
      throw error(path_ + ": its folder does not exist, expected a file in an existing folder");
    if (access(folder.c_str(), W_OK) != 0) throw error(path_ + ": its folder is not writable, expected one that is");
    return;
  }
  if (fs::is_directory(path_, ignored)) throw error(path_ + ": a folder, expected a database");
  // Otherwise SQLite would open the file read-only and report that only after the benchmark.
  if (access(path_.c_str(), W_OK) != 0) throw error(path_ + ": the file is not writable, expected one that is");
  const database there(path_, SQLITE_OPEN_READWRITE, how == if_locked::refuse ? 1000 : 10000);
  version_of(there);
  if (how == if_locked::wait) return;
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

}  // namespace jackdaw::store
