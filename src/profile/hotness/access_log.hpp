#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace jackdaw::profile {

/// The reads and writes that tasks declared, in bounded memory. When there are many, declarations of neighbouring
/// addresses are merged, which loses no lines.
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
  /// How often add() has been called since the log was empty.
  std::size_t added() const noexcept { return added_; }
  /// Forgets all entries and returns them.
  std::vector<entry> take() noexcept {
    added_ = 0;
    return std::exchange(entries_, {});
  }

 private:
  void compact();

  std::size_t most_;
  std::size_t added_ = 0;
  std::vector<entry> entries_;
};

}  // namespace jackdaw::profile
