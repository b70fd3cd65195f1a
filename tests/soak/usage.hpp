#pragma once

#include <cstddef>
#include <string>

namespace jackdaw::soak {

/// This process's use of system resources.
struct usage {
  std::size_t maps = 0;      ///< lines of /proc/self/maps
  std::size_t threads = 0;   ///< entries of /proc/self/task
  std::size_t files = 0;     ///< entries of /proc/self/fd
  std::size_t resident = 0;  ///< KiB

  static usage now();
  std::string text() const;
};

}  // namespace jackdaw::soak
