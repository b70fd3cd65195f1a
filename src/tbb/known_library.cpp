#include "tbb/known_library.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include <oneapi/tbb/version.h>

namespace jackdaw::onetbb {
namespace {

/// oneTBB 2021.5 to 2021.8: they export the same functions of the scheduler, with the same classes (README.md).
constexpr int oldest = 12050;
constexpr int newest = 12080;
static_assert(TBB_INTERFACE_VERSION >= oldest && TBB_INTERFACE_VERSION <= newest,
              "this library is written for the classes of oneTBB 2021.5 to 2021.8");

[[gnu::constructor]] void look_when_loaded() { check_library(); }

}  // namespace

void* library_function(const char* name) noexcept {
  if (void* const found = dlsym(RTLD_NEXT, name)) return found;
  if (void* const loaded = dlopen("libtbb.so.12", RTLD_LAZY | RTLD_NOLOAD)) {
    void* const found = dlsym(loaded, name);
    dlclose(loaded);  // the program has it still
    return found;
  }
  return nullptr;
}

void check_library() noexcept {
  static std::atomic<bool> is_known{false};
  if (is_known.load(std::memory_order_relaxed)) return;
  void* const asked = library_function("TBB_runtime_interface_version");
  if (asked == nullptr) return;  // not loaded yet
  const int version = reinterpret_cast<int (*)()>(asked)();
  if (version < oldest || version > newest) {
    std::fprintf(stderr, "libjackdaw_tbb.so: the program's libtbb has interface %d, expected %d to %d\n", version,
                 oldest, newest);
    std::_Exit(2);
  }
  is_known.store(true, std::memory_order_relaxed);
}

}  // namespace jackdaw::onetbb
