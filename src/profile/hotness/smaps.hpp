#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jackdaw::profile {

/// Goes through the text of /proc/self/smaps, mapping by mapping, ascending. Ignores unknown lines.
class smaps_reader {
 public:
  explicit smaps_reader(std::string_view text) noexcept : left_(text) {}

  struct mapping {
    std::uintptr_t begin = 0, end = 0;
    std::size_t referenced = 0;  ///< bytes of pages whose accessed bit is set
  };
  /// Advances to the next mapping; false if there are no more.
  bool next(mapping& into) noexcept;

 private:
  std::string_view take_line() noexcept;

  std::string_view left_;
};

}  // namespace jackdaw::profile
