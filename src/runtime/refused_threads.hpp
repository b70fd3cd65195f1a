#pragma once

#include "jackdaw/error.hpp"

namespace jackdaw::detail {

/// The system has started fewer threads than the runtime needs.
struct refused_threads : error {
  refused_threads(const std::string& what, unsigned started) : error(what), started(started) {}
  unsigned started;
};

}  // namespace jackdaw::detail
