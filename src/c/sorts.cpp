#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "c/site.hpp"
#include "c/status.hpp"
#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/algorithm/sort.hpp"

namespace jackdaw::c_api {
namespace {

/// An element whose bytes are moved as one.
template <std::size_t Size>
struct alignas(Size) element {
  std::byte bytes[Size];
};

struct order {
  jackdaw_compare_with compare;
  void* arg;
  bool operator()(const void* a, const void* b) const { return compare(a, b, arg) < 0; }
};

template <std::size_t Size>
void sort_in_place(void* base, std::size_t count, const order& before, bool stably) {
  auto* const first = static_cast<element<Size>*>(base);
  const auto less = [&](const element<Size>& a, const element<Size>& b) { return before(&a, &b); };
  stably ? jackdaw::stable_sort(first, first + count, less) : jackdaw::sort(first, first + count, less);
}

/// Sorts pointers to the elements, which stay where they are meanwhile.
void sort_by_pointers(void* base, std::size_t count, std::size_t size, const order& before, bool stably) {
  auto* const first = static_cast<std::byte*>(base);
  const auto pointers = std::make_unique_for_overwrite<const std::byte*[]>(count);
  const auto sorted = std::make_unique_for_overwrite<std::byte[]>(count * size);
  for_index(std::size_t{0}, count, [&](std::size_t i) { pointers[i] = first + i * size; });
  const auto less = [&](const std::byte* a, const std::byte* b) { return before(a, b); };
  stably ? jackdaw::stable_sort(pointers.get(), pointers.get() + count, less)
         : jackdaw::sort(pointers.get(), pointers.get() + count, less);
  for_index(std::size_t{0}, count, [&](std::size_t i) { std::memcpy(sorted.get() + i * size, pointers[i], size); });
  for_range(std::size_t{0}, count, [&](std::size_t from, std::size_t to) {
    std::memcpy(first + from * size, sorted.get() + from * size, (to - from) * size);
  });
}

void sort_elements(const void* site, void* base, std::size_t count, std::size_t size, order before, bool stably) {
  if (before.compare == nullptr) throw misuse{JACKDAW_ERROR_ARGUMENT, "a null pointer, expected a comparison"};
  if (size == 0) throw misuse{JACKDAW_ERROR_ARGUMENT, "elements of 0 bytes, expected their size"};
  if (count == 0) return;
  expect(base, "a null pointer, expected the elements");
  if (count > std::numeric_limits<std::size_t>::max() / 4 / std::max(size, sizeof(void*))) {
    throw misuse{JACKDAW_ERROR_ARGUMENT, "more elements than fit into the address space"};
  }
  at_site(site, [&] {
    const bool aligned = reinterpret_cast<std::uintptr_t>(base) % size == 0;
    if (size == 4 && aligned) {
      sort_in_place<4>(base, count, before, stably);
    } else if (size == 8 && aligned) {
      sort_in_place<8>(base, count, before, stably);
    } else if (size == 16 && aligned) {
      sort_in_place<16>(base, count, before, stably);
    } else {
      sort_by_pointers(base, count, size, before, stably);
    }
  });
}

/// What jackdaw_sort() passes for the pointer of the caller's: its comparison.
struct plain {
  jackdaw_compare compare;
};
int compare_plainly(const void* a, const void* b, void* arg) { return static_cast<plain*>(arg)->compare(a, b); }

}  // namespace
}  // namespace jackdaw::c_api

namespace api = jackdaw::c_api;

extern "C" {

jackdaw_status jackdaw_sort(void* base, size_t count, size_t size, jackdaw_compare compare) {
  const void* const site = __builtin_return_address(0);
  JACKDAW_C_TRY {
    api::plain own{compare};
    api::sort_elements(site, base, count, size, {compare != nullptr ? &api::compare_plainly : nullptr, &own}, false);
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_sort_with(void* base, size_t count, size_t size, jackdaw_compare_with compare, void* arg) {
  const void* const site = __builtin_return_address(0);
  JACKDAW_C_TRY { api::sort_elements(site, base, count, size, {compare, arg}, false); }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_stable_sort(void* base, size_t count, size_t size, jackdaw_compare_with compare, void* arg) {
  const void* const site = __builtin_return_address(0);
  JACKDAW_C_TRY { api::sort_elements(site, base, count, size, {compare, arg}, true); }
  JACKDAW_C_CATCH;
}

}  // extern "C"
