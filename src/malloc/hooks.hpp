#pragma once

#include <cstdint>

namespace jackdaw::malloc {

/// What a runtime tells and asks libjackdaw-malloc.so.
struct hooks {
  /// The scheduler wants what the calling thread allocates from now on near this memory node, by the operating system's
  /// number. Negative: it has no wish.
  void (*allocate_on)(int node) noexcept;
  /// Whether the user leaves it to schedulers where memory goes. Otherwise they place and move nothing.
  bool (*follows_scheduler)() noexcept;
  /// The bytes of the program's large blocks.
  std::uint64_t (*large_bytes)() noexcept;
};

/// The name of the one object of that type; its number changes with the type.
inline constexpr const char* hooks_name = "jackdaw_malloc_1";

}  // namespace jackdaw::malloc
