#pragma once

#include <cstdint>
#include <string>

#include "cli/bench_run.hpp"

namespace jackdaw::cli {

/// The SQLite file that holds the runs of every bench, one transaction each. Such a file says in its header that it is
/// jackdaw's, and which version of the tables it has; no other file is ever written to.
class result_store {
 public:
  static constexpr std::int32_t application_id = 0x4A444157;  ///< "JDAW"
  static constexpr int schema_version = 1;

  /// Looks whether results can be stored in this file, without creating or changing anything. Throws jackdaw::error
  /// when it is no database, another program's, from a newer jackdaw, locked, or cannot be written.
  explicit result_store(std::string path);

  /// Adds a bench and all its runs, or nothing; creates the file when it is not there. Returns the bench's id. Throws
  /// jackdaw::error.
  std::int64_t store(const bench_plan& plan, const bench_result& result);

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace jackdaw::cli
