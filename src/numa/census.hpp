#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/own_mapping.hpp"
#include "numa/memory_names.hpp"
#include "numa/numa_kernel.hpp"

namespace jackdaw::numa {

/// Anonymous memory of this process that can be written to, as /proc/self/maps lists it.
struct mapping {
  std::uintptr_t begin = 0, end = 0;

  bool operator==(const mapping&) const = default;
};

/// The anonymous mappings in a text of the form of /proc/self/maps, the heap among them, thread stacks' guards not.
std::vector<mapping> anonymous_mappings(const std::string& maps);
/// Those of this process; none if the file cannot be read.
std::vector<mapping> anonymous_mappings();

/// What is left of some mappings without what jackdaw has mapped for itself. Both lists ascend.
std::vector<mapping> without(const std::vector<mapping>& all, const std::vector<detail::own_range>& own);

/// Which parts of the program's anonymous memory exist, on which nodes, and between which two looks each appeared. It
/// asks for the node of one page in each piece of memory.
class census {
 public:
  explicit census(numa_kernel& kernel) : kernel_(&kernel) {}

  struct piece {
    std::uintptr_t begin = 0;
    std::uint64_t bytes = 0;
    int node = -1;            ///< the operating system's number
    std::uint32_t since = 0;  ///< the look that saw it first, as a number that look() was given
  };

  /// Looks at all memory, and gives `number` to what was not there the last time. Throws std::bad_alloc.
  void look(std::uint32_t number);
  /// Whether memory was there under this name at the last look.
  bool saw(const timed_name& what) const noexcept {
    const std::uint64_t ended = what.ended.load(std::memory_order_relaxed);
    return what.given <= names_ && (ended == 0 || ended > names_);
  }
  /// What the last look saw of this memory, ascending by address; all of a piece of which some is in it.
  std::span<const piece> pieces(std::uintptr_t begin, std::uintptr_t end) const noexcept;
  /// What the last look saw, ascending by address.
  const std::vector<piece>& pieces() const noexcept { return pieces_; }

 private:
  numa_kernel* kernel_;
  std::vector<piece> pieces_;
  std::uint64_t names_ = 0;  // name_changes() before the last look
};

}  // namespace jackdaw::numa
