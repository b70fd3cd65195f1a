#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace jackdaw {

/// Who said what the bandwidth of the nodes is.
enum class bandwidth_source : std::uint8_t {
  not_needed,
  user,
  firmware,
  measured,  ///< once, by `jackdaw machine bandwidths`
  nobody,    ///< so all nodes count alike, or their kinds decide
};

/// How a piece of memory gets to its nodes.
enum class placed_how : std::uint8_t {
  first_touch,   ///< by the workers that run its parts
  bound,         ///< the kernel puts its pages there whoever touches them (mbind)
  interleaved,   ///< the same, in turn over the nodes
  weighted,      ///< the same, in turn by the kernel's weights
  pinned_touch,  ///< mbind is refused, so threads pinned to the nodes' CPUs have touched its pages already
  out_of_reach,  ///< mbind is refused and no CPU that may be used is on the node: the pages are on a node nearby
  not_placed,    ///< the machine is a described one, or no node can be reached
};

/// Consecutive bytes of an object that are placed in one way.
struct placed_piece {
  std::size_t offset = 0;            ///< bytes from the object's begin
  std::size_t bytes = 0;             ///< whole pages; the last piece ends at the end of the object's last page
  std::vector<unsigned> nodes = {};  ///< that were asked for, by the operating system's numbers; empty for first_touch
  placed_how how = placed_how::first_touch;

  bool operator==(const placed_piece&) const = default;
};

/// What became of a placement: what was asked of the kernel for which bytes. Where pages are indeed, where() tells.
struct placement_report {
  std::size_t page = 0;  ///< bytes of the pages that boundaries fall on
  std::vector<placed_piece> pieces = {};
  bandwidth_source bandwidth = bandwidth_source::not_needed;
  std::vector<std::string> notes = {};  ///< a line for everything that is not as it was asked for

  /// Whether the whole object is placed as it was asked for.
  bool as_asked() const noexcept;
  /// Lines for people, each with its newline.
  std::string text() const;
};

std::string_view name_of(bandwidth_source source) noexcept;
std::string_view name_of(placed_how how) noexcept;

}  // namespace jackdaw

#pragma GCC visibility pop
