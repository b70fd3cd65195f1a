#pragma once

#include <cstddef>

#include "store/execution.hpp"

namespace jackdaw::store {

/// What a runtime calls in libjackdaw-stats.so, which alone is linked with SQLite. Each function writes an error's line
/// into `message`, of `room` bytes, cut off if it is longer; an empty text means success.
struct stats_hooks {
  /// Checks whether an execution can be stored in this file; changes nothing.
  void (*check)(const char* path, char* message, std::size_t room) noexcept;
  /// Stores it, all or nothing.
  void (*write)(const char* path, const execution& what, char* message, std::size_t room) noexcept;
};

/// The name of the one object of that type. Its number changes with the type, and with execution.
inline constexpr const char* stats_hooks_name = "jackdaw_stats_2";
inline constexpr const char* stats_library_name = "libjackdaw-stats.so";

}  // namespace jackdaw::store
