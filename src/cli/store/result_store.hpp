#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/store/database.hpp"

namespace jackdaw::cli {

/// The SQLite file that holds results, those of one command in one transaction. Such a file says in its header that it
/// is jackdaw's, and which version of the tables it has; no other file is ever written to. One of an older version gets
/// the tables that it lacks when something is stored in it.
class result_store {
 public:
  static constexpr std::int32_t application_id = 0x4A444157;  ///< "JDAW"
  static const int schema_version;

  /// Writes rows and returns the id of the one that stands for all of them.
  using rows = std::function<std::int64_t(const database&)>;

  /// Looks whether results can be stored in this file, without creating or changing anything. Throws jackdaw::error
  /// when it is no database, another program's, from a newer jackdaw, locked, or cannot be written.
  explicit result_store(std::string path);

  /// Adds all the rows, or nothing; creates the file when it is not there. Throws jackdaw::error.
  std::int64_t add(const rows& insert) const;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Where results are kept: in the file that was named on the command line, else in $JACKDAW_DB, else in jackdaw.db.
std::string database_name(const std::string& given);

/// Where results were stored.
struct stored_as {
  std::string file;                ///< empty: nowhere, as was wished
  std::optional<std::int64_t> id;  ///< of the row that add() returned; none: they could not be stored
};

/// Stores what was found, then prints it; prints it also when it cannot be stored, before it throws that error.
void store_and_print(const result_store& store, const result_store::rows& insert,
                     const std::function<void(const stored_as&)>& print);

}  // namespace jackdaw::cli
