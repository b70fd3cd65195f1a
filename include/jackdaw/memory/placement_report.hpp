#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The source of the nodes' bandwidths.
enum class bandwidth_source : std::uint8_t {
  not_needed,  ///< The policy uses no bandwidths.
  user,        ///< The program gave them.
  firmware,    ///< The firmware declares them.
  measured,    ///< `jackdaw machine bandwidths` has measured them.
  not_known,   ///< They are unknown: all nodes count alike, or their kinds decide.
};

/// How a piece of memory gets to its nodes.
enum class placed_how : std::uint8_t {
  first_touch,   ///< The workers that run its parts touch its pages.
  bound,         ///< The kernel puts its pages there, whichever thread touches them (mbind).
  interleaved,   ///< The kernel puts its pages on the nodes in turn.
  weighted,      ///< The kernel puts its pages on the nodes in turn, by the kernel's weights.
  pinned_touch,  ///< mbind is refused. Threads pinned to the nodes' CPUs have touched its pages already.
  out_of_reach,  ///< mbind is refused, and no usable CPU is on the node. The pages are on a node nearby.
  not_placed,    ///< The machine exists only as a description, or no node can be reached.
};

/// Consecutive bytes of an object that are placed in one way.
struct placed_piece {
  std::size_t offset = 0;  ///< Bytes from the beginning of the object.
  std::size_t bytes = 0;   ///< Whole pages. The last piece ends at the end of the object's last page.
  /// The nodes that were requested, by the operating system's numbers; empty for first_touch.
  std::vector<unsigned> nodes = {};
  placed_how how = placed_how::first_touch;  ///< How the piece gets to the nodes.

  /// Compares all members.
  bool operator==(const placed_piece&) const = default;
};

/// The result of a placement: what was requested from the kernel for which bytes. where() tells where the pages are.
struct placement_report {
  std::size_t page = 0;                   ///< The size in bytes of the pages that boundaries between nodes fall on.
  std::vector<placed_piece> pieces = {};  ///< The pieces of the object, in order.
  bandwidth_source bandwidth = bandwidth_source::not_needed;  ///< The source of the bandwidths that were used.
  std::vector<std::string> notes = {};                        ///< One line for each deviation from the request.

  /// Returns whether the whole object is placed as requested.
  bool as_asked() const noexcept;
  /// Returns the report as lines of text, each with a newline.
  std::string text() const;
};

/// Returns the source in a few words, for reports: "the firmware says".
std::string_view name_of(bandwidth_source source) noexcept;
/// Returns the way in a few words, for reports: "by first touch".
std::string_view name_of(placed_how how) noexcept;

}  // namespace jackdaw

JACKDAW_EXPORT_END
