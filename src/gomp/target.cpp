// Target regions run on the host: there is no other device.
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "gomp/region.hpp"
#include "gomp/tasks.hpp"

namespace jackdaw::gomp {
namespace {

/// GOMP_MAP_FIRSTPRIVATE: an address of what the region gets a copy of.
constexpr unsigned kind_firstprivate = 12;

/// What the region's thread_limit clause says, in the list of numbers that ends with a null; 0: it has none.
unsigned thread_limit_of(void** arguments) noexcept {
  // In each number: 7 bits are the device that it is for, 0 for all; one says that the value is in the next number, not
  // in the upper half of this one; the others say what it is.
  constexpr std::intptr_t device = 0x7f, is_next = 0x80, what = 0xff00, thread_limit = 2 << 8;
  for (; arguments != nullptr && *arguments != nullptr; ++arguments) {
    const auto entry = reinterpret_cast<std::intptr_t>(*arguments);
    const std::intptr_t value = (entry & is_next) != 0 ? reinterpret_cast<std::intptr_t>(*++arguments) : entry >> 16;
    if ((entry & device) == 0 && (entry & what) == thread_limit) {
      return value > 0 ? static_cast<unsigned>(std::min<std::intptr_t>(value, INT_MAX)) : 0;
    }
  }
  return 0;
}

void wait_for_all(void** depend) noexcept {
  if (depend != nullptr) wait_for_dependences(here(), depend);
}

}  // namespace
}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

void GOMP_target(int, void (*function)(void*), const void*, std::size_t, void** addresses, std::size_t*,
                 unsigned char*) {
  call_outside(function, addresses, 0);
}

void GOMP_target_ext(int, void (*function)(void*), std::size_t count, void** addresses, std::size_t* sizes,
                     unsigned short* kinds, unsigned, void** depend, void** arguments) {
  wait_for_all(depend);
  std::vector<std::unique_ptr<std::byte[]>> copies;
  for (std::size_t i = 0; i < count; ++i) {
    if ((kinds[i] & 0xff) != kind_firstprivate) continue;
    const std::size_t alignment = std::size_t{1} << (kinds[i] >> 8);
    copies.push_back(std::make_unique<std::byte[]>(sizes[i] + alignment));
    void* to = copies.back().get();
    std::size_t room = sizes[i] + alignment;
    to = std::align(alignment, sizes[i], to, room);
    std::memcpy(to, addresses[i], sizes[i]);
    addresses[i] = to;
  }
  call_outside(function, addresses, thread_limit_of(arguments));
}

void GOMP_target_data(int, const void*, std::size_t, void**, std::size_t*, unsigned char*) {}
void GOMP_target_data_ext(int, std::size_t, void**, std::size_t*, unsigned short*) {}
void GOMP_target_end_data() {}
void GOMP_target_update(int, const void*, std::size_t, void**, std::size_t*, unsigned char*) {}
void GOMP_target_update_ext(int, std::size_t, void**, std::size_t*, unsigned short*, unsigned, void** depend) {
  wait_for_all(depend);
}
void GOMP_target_enter_exit_data(int, std::size_t, void**, std::size_t*, unsigned short*, unsigned, void** depend) {
  wait_for_all(depend);
}

// Code for other devices that the program brings along.
void GOMP_offload_register(const void*, int, const void*) {}
void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
void GOMP_offload_unregister(const void*, int, const void*) {}
void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}

void* omp_target_alloc(std::size_t size, int) { return size != 0 ? std::malloc(size) : nullptr; }
void omp_target_free(void* memory, int) { std::free(memory); }
int omp_target_is_present(const void*, int) { return 1; }
int omp_target_memcpy(void* to, const void* from, std::size_t length, std::size_t to_offset, std::size_t from_offset,
                      int, int) {
  std::memcpy(static_cast<char*>(to) + to_offset, static_cast<const char*>(from) + from_offset, length);
  return 0;
}

int omp_target_memcpy_rect(void* to, const void* from, std::size_t element, int dimensions, const std::size_t* volume,
                           const std::size_t* to_offsets, const std::size_t* from_offsets,
                           const std::size_t* to_dimensions, const std::size_t* from_dimensions, int, int) {
  if (to == nullptr && from == nullptr) return INT_MAX;
  std::size_t to_slice = element, from_slice = element;
  for (int i = 1; i < dimensions; ++i) {
    to_slice *= to_dimensions[i];
    from_slice *= from_dimensions[i];
  }
  auto* into = static_cast<char*>(to) + to_offsets[0] * to_slice;
  const auto* out_of = static_cast<const char*>(from) + from_offsets[0] * from_slice;
  if (dimensions == 1) {
    std::memcpy(into, out_of, element * volume[0]);
    return 0;
  }
  for (std::size_t i = 0; i < volume[0]; ++i, into += to_slice, out_of += from_slice) {
    omp_target_memcpy_rect(into, out_of, element, dimensions - 1, volume + 1, to_offsets + 1, from_offsets + 1,
                           to_dimensions + 1, from_dimensions + 1, 0, 0);
  }
  return 0;
}

int omp_target_associate_ptr(const void*, const void*, std::size_t, std::size_t, int) { return EINVAL; }
int omp_target_disassociate_ptr(const void*, int) { return EINVAL; }
}
