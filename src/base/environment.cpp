#include "base/environment.hpp"

#include <array>
#include <cstdio>

namespace jackdaw::detail {
namespace {

/// True for the first call with this name in the life of a process. There is no lock, because a fork() could leave it
/// locked. Relaxed: the names are constants that were there from the beginning.
bool is_new(std::string_view name) noexcept {
  static constinit std::array<std::atomic<const char*>, 32> reported{};
  for (auto& each : reported) {
    const char* known = nullptr;
    if (each.compare_exchange_strong(known, name.data(), std::memory_order_relaxed)) return true;
    if (known == name) return false;
  }
  return false;
}

}  // namespace

void ignore_variable(const char* name, const error& why) {
  if (strict_environment.load(std::memory_order_relaxed)) throw error(why);
  if (is_new(name)) std::fprintf(stderr, "jackdaw: %s; the variable is ignored\n", why.what());
}

}  // namespace jackdaw::detail
