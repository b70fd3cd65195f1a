#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jackdaw::profile {

/// What tasks have declared to read and write, in bounded memory: when there is much of it, what is told of
/// neighbouring addresses becomes one. No lines get lost by that.
class access_log {
 public:
  struct entry {
    std::uintptr_t begin = 0, end = 0;
    double lines = 0;  ///< accesses to lines of 64 bytes, evenly spread over [begin, end)
    bool write = false;
  };

  explicit access_log(std::size_t most = std::size_t{1} << 14) : most_(most) {}

  void add(const entry& more);
  const std::vector<entry>& entries() const noexcept { return entries_; }
  void clear() noexcept { entries_.clear(); }

 private:
  void compact();

  std::size_t most_;
  std::vector<entry> entries_;
};

}  // namespace jackdaw::profile
