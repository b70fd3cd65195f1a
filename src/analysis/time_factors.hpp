#pragma once

#include <array>

#include "machine/model.hpp"
#include "trace/task_tree.hpp"

namespace jackdaw::analysis {

/// The factors from recorded ns to ns of a machine's cores: of scalar work, and of work in vectors (op::vector).
inline std::array<double, 2> time_factors(const trace::task_tree& tree, const machine_model& machine) noexcept {
  return {tree.rate_of(false) / machine.rate_of(false), tree.rate_of(true) / machine.rate_of(true)};
}

}  // namespace jackdaw::analysis
