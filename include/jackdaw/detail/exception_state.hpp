#pragma once

#include <cstdint>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// The exception state that the C++ runtime keeps per thread (`__cxa_eh_globals`, Itanium C++ ABI 2.2.2), although it
/// belongs to the fiber: which exceptions are being handled and how many are in flight. It moves with the fiber.
struct exception_state {
  void* caught = nullptr;     ///< the exceptions being handled, innermost first
  unsigned int uncaught = 0;  ///< thrown and not yet caught

  bool none() const noexcept { return (reinterpret_cast<std::uintptr_t>(caught) | uncaught) == 0; }
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
