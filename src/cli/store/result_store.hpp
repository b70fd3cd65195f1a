#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/store/database.hpp"

namespace jackdaw::cli {

/// The SQLite file that holds results; one command's results are one transaction. Its header marks the file as
/// jackdaw's and gives the version of its tables; no file without that mark is ever written to. A file of an older
/// version gets the missing tables when results are stored in it.
class result_store {
 public:
  static constexpr std::int32_t application_id = 0x4A444157;  ///< "JDAW"
  static const int schema_version;

  /// Writes rows and returns the id of the one that represents all of them.
  using rows = std::function<std::int64_t(const database&)>;

  /// Checks whether results can be stored in this file, without creating or changing anything. Throws jackdaw::error
  /// when the file is no database, belongs to another program or a newer jackdaw, is locked, or is not writable.
  explicit result_store(std::string path);

  /// Adds all the rows, or nothing; creates the file if necessary. Throws jackdaw::error.
  std::int64_t add(const rows& insert) const;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// The file for results: the one named on the command line, else $JACKDAW_DB, else jackdaw.db.
std::string database_name(const std::string& given);

/// Where results were stored.
struct stored_as {
  std::string file;                ///< empty: the user asked to store nothing
  std::optional<std::int64_t> id;  ///< of the row that add() returned; empty: storing failed
};

/// Stores the results, then prints them. When storing fails, prints them all the same and then throws that error.
void store_and_print(const result_store& store, const result_store::rows& insert,
                     const std::function<void(const stored_as&)>& print);

}  // namespace jackdaw::cli
