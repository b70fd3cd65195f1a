#include <sys/mman.h>

#include <cxxabi.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "base/locked_at_forks.hpp"
#include "c/site.hpp"
#include "c/status.hpp"
#include "c/versioned.hpp"
#include "jackdaw/access.hpp"
#include "jackdaw/detail/memory/first_touch.hpp"
#include "jackdaw/memory/placed_memory.hpp"
#include "numa/placed_registry.hpp"

namespace jackdaw::c_api {
namespace {

/// What jackdaw_alloc() has given and jackdaw_free() has not taken: bytes by their address.
struct given_memory {
  std::mutex mutex;
  std::map<void*, std::size_t> all;
};

given_memory& given() { return detail::locked_at_forks<given_memory>(); }

placement policy_of(const jackdaw_placement& wish) {
  const auto kind = [&] {
    switch (wish.place) {
      case JACKDAW_FIRST_TOUCH:
        return placement::first_touch();
      case JACKDAW_ON_NODE:
        return placement::on(wish.node);
      case JACKDAW_INTERLEAVE:
        return placement::interleave();
      case JACKDAW_BY_BANDWIDTH:
        return placement::by_bandwidth();
      case JACKDAW_FASTEST:
        return placement::fastest(wish.budget != 0 ? wish.budget : placement::unlimited);
      default:
        throw misuse{JACKDAW_ERROR_ARGUMENT, "placement.place: an unknown number, expected a jackdaw_place"};
    }
  };
  switch (wish.pages) {
    case JACKDAW_PAGES_AUTOMATIC:
      return kind();
    case JACKDAW_PAGES_BASE:
      return kind().with_pages(page_choice::base);
    case JACKDAW_PAGES_HUGE:
      return kind().with_pages(page_choice::huge);
    default:
      throw misuse{JACKDAW_ERROR_ARGUMENT, "placement.pages: an unknown number, expected a jackdaw_pages"};
  }
}

void* allocate(const void* site, std::size_t bytes, const jackdaw_placement& wish) {
  placed_memory fresh(bytes, policy_of(wish), wish.alignment != 0 ? wish.alignment : 1);
  if (fresh.policy().kind() == placement::policy::first_touch) {
    at_site(site, [&] { detail::first_touch(fresh, fresh.size(), 1); });
  }
  given_memory& known = given();
  {
    const std::lock_guard hold(known.mutex);
    known.all.emplace(fresh.data(), fresh.size());
  }
  const bool placed = fresh.policy().kind() != placement::policy::first_touch;
  try {
    numa::hold({fresh.data(), fresh.size(), fresh.report().page, placed});
  } catch (...) {
    const std::lock_guard hold(known.mutex);
    known.all.erase(fresh.data());
    throw;
  }
  return fresh.release();
}

void free_memory(void* memory) {
  given_memory& known = given();
  std::size_t bytes = 0;
  {
    const std::lock_guard hold(known.mutex);
    const auto found = known.all.find(memory);
    if (found == known.all.end()) {
      throw misuse{JACKDAW_ERROR_HANDLE, "no such memory: it has been freed, or is not from jackdaw_alloc()"};
    }
    bytes = found->second;
    known.all.erase(found);
  }
  numa::let_go(static_cast<std::byte*>(memory));
  munmap(memory, bytes);
}

void declare(const void* first, std::size_t bytes, std::size_t rows, std::size_t stride, bool write) noexcept {
  if (detail::access_is_heard() && first != nullptr && bytes != 0 && rows != 0) [[unlikely]] {
    detail::declare_access(first, bytes, rows, stride, write);
  }
}

}  // namespace
}  // namespace jackdaw::c_api

namespace api = jackdaw::c_api;

extern "C" {

jackdaw_status jackdaw_alloc(size_t bytes, const jackdaw_placement* how, void** memory) {
  const void* const site = __builtin_return_address(0);
  JACKDAW_C_TRY {
    api::expect(memory, "a null pointer, expected where to put the memory's address");
    *memory = nullptr;
    const jackdaw_placement wish = how != nullptr ? api::read_versioned(*how) : jackdaw_placement{};
    if (bytes != 0) *memory = api::allocate(site, bytes, wish);
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_free(void* memory) {
  JACKDAW_C_TRY {
    if (memory != nullptr) api::free_memory(memory);
  }
  JACKDAW_C_CATCH;
}

void jackdaw_reads(const void* first, size_t bytes) { api::declare(first, bytes, 1, 0, false); }
void jackdaw_writes(const void* first, size_t bytes) { api::declare(first, bytes, 1, 0, true); }
void jackdaw_reads_rows(const void* first, size_t rows, size_t row_bytes, size_t stride) {
  api::declare(first, row_bytes, rows, stride, false);
}
void jackdaw_writes_rows(const void* first, size_t rows, size_t row_bytes, size_t stride) {
  api::declare(first, row_bytes, rows, stride, true);
}

jackdaw_status jackdaw_name_memory(const void* first, size_t bytes, const char* name) {
  JACKDAW_C_TRY {
    api::expect(name, "a null pointer, expected a name");
    if (bytes != 0) {
      api::expect(first, "a null pointer, expected the memory to name");
      jackdaw::name_memory(static_cast<const std::byte*>(first), bytes, name);
    }
  }
  JACKDAW_C_CATCH;
}

}  // extern "C"
