#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <jackdaw/invoke.hpp>
#include <jackdaw/task_group.hpp>

#include "kernels/common/choice.hpp"
#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {

/// How a range of rows is divided. `regular`: always into halves. `irregular`: into two, three or four equal parts, so
/// that the inner nodes of the tree differ in their branching degrees (the programs named -ir of LAWS, section 6.1).
/// `marked`: as regular, and the program marks the tasks that may run on any socket (CAB, section III-D): the halves
/// down to those that contain only a few leaves. `changing`: as irregular, and differently in each sweep (LAWS, section
/// 6.6).
enum class row_shape : std::uint8_t { regular, irregular, marked, changing };

inline constexpr auto row_shapes = std::to_array<choice<row_shape>>({{"regular", row_shape::regular},
                                                                     {"irregular", row_shape::irregular},
                                                                     {"marked", row_shape::marked},
                                                                     {"changing", row_shape::changing}});

/// Divides a range of rows until at most `cutoff` are left (LAWS, section 6.4), the same way for the same sweep.
struct row_tree {
  /// The size, in leaves, of a leaf inter-socket task, which is not divided into further marked tasks.
  static constexpr std::size_t most_leaves_of_marked = 4;

  std::size_t cutoff;  ///< at least 1
  row_shape shape = row_shape::regular;
  std::uint64_t sweep = 0;  ///< tells the trees of `changing` apart

  /// Returns the tree of a sweep.
  row_tree of(std::uint64_t wanted) const { return {cutoff, shape, wanted}; }

  /// Returns the number of parts into which a node of the tree divides its `count` > cutoff rows from `first` on. It is
  /// at most the number of leaves if all were full.
  unsigned degree(std::size_t first, std::size_t count) const {
    if (shape != row_shape::irregular && shape != row_shape::changing) return 2;
    const std::uint64_t drawn = shape == row_shape::changing ? mix(first) + mix(sweep) : mix(first);
    const std::uint64_t wanted = 2 + mix(drawn + count) % 3;
    return static_cast<unsigned>(std::min<std::uint64_t>(wanted, (count - 1) / cutoff + 1));
  }

  /// Calls leaf(first, last) for rows first..last-1 of each leaf. Leaves may run at the same time.
  template <class Leaf>
  void visit(std::size_t first, std::size_t last, const Leaf& leaf) const {
    const std::size_t count = last - first;
    if (count <= cutoff) return leaf(first, last);
    const unsigned parts = degree(first, count);
    const auto part = [&, this](unsigned i) {
      const std::size_t top = first + count * i / parts, bottom = first + count * (i + 1) / parts;
      return [this, top, bottom, &leaf] { visit(top, bottom, leaf); };
    };
    if (shape == row_shape::marked && count > most_leaves_of_marked * cutoff) {
      task_group group(parts);
      for (unsigned i = 0; i < parts; ++i) group.inter_spawn(part(i), 1);
      group.wait();
    } else if (parts == 2) {
      jackdaw::invoke(part(0), part(1));
    } else if (parts == 3) {
      jackdaw::invoke(part(0), part(1), part(2));
    } else {
      jackdaw::invoke(part(0), part(1), part(2), part(3));
    }
  }
};

}  // namespace jackdaw::kernels
