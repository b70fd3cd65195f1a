#pragma once

#include <cstdint>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// What the C++ runtime keeps per thread of exceptions (`__cxa_eh_globals`, Itanium C++ ABI 2.2.2), and what belongs to
/// the fiber: what is being handled and how many exceptions are on their way. It goes where the fiber goes.
struct exception_state {
  void* caught = nullptr;     ///< the exceptions being handled, innermost first
  unsigned int uncaught = 0;  ///< thrown and not yet caught

  bool none() const noexcept { return (reinterpret_cast<std::uintptr_t>(caught) | uncaught) == 0; }
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
