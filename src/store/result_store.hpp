#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/database.hpp"

namespace jackdaw::store {

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
  /// when the file is no database, belongs to another program or a newer jackdaw, is not writable, or is locked: for a
  /// second by anyone, or for ten seconds by one that is about to write.
  enum class if_locked : std::uint8_t { refuse, wait };
  explicit result_store(std::string path, if_locked how = if_locked::refuse);

  /// Adds all the rows, or nothing; creates the file if necessary. Throws jackdaw::error.
  std::int64_t add(const rows& insert) const;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace jackdaw::store
