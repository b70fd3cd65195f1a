// Taskgroups, and the reductions of tasks.
#include "gomp/reduction.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "gomp/fail.hpp"
#include "gomp/region.hpp"
#include "gomp/tasks.hpp"

namespace jackdaw::gomp {
namespace {

enum : std::size_t { entries, width, copies, allocator, next, is_first, copies_end, first_entry };

std::uintptr_t* after(const std::uintptr_t* data) noexcept { return reinterpret_cast<std::uintptr_t*>(data[next]); }

/// Replaces the address of an original, or of some member's copy, by that of this member's copy. Returns that of the
/// original.
std::uintptr_t find_copy(std::uintptr_t* all, unsigned id, void*& address) noexcept {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (std::uintptr_t* data = all; data != nullptr; data = after(data)) {
    const bool is_copy = data[copies] <= wanted && wanted < data[copies_end];
    const std::uintptr_t offset = is_copy ? (wanted - data[copies]) % data[width] : 0;
    for (std::size_t i = 0; i < data[entries]; ++i) {
      const std::uintptr_t* const entry = data + first_entry + 3 * i;
      if (is_copy ? entry[1] == offset : entry[0] == wanted) {
        address = reinterpret_cast<void*>(data[copies] + id * data[width] + entry[1]);
        return entry[0];
      }
    }
    if (is_copy) {  // within an entry: a part of an array
      address = reinterpret_cast<void*>(data[copies] + id * data[width] + offset);
      return 0;
    }
  }
  fail("a task's in_reduction names something that no task_reduction around it does");
}

}  // namespace

void open_set(member& self, bool of_share) {
  auto* const opened = new task_set;
  opened->around = self.now->set;
  opened->of_share = of_share;
  opened->reductions = opened->around != nullptr ? opened->around->reductions : nullptr;
  self.now->set = opened;
}

void close_set(member& self) noexcept {
  task_set* const ends = self.now->set;
  if (ends == nullptr) return;
  // Sequentially consistent, so acquire: what the tasks have done.
  wait_in_task(self, [ends] { return ends->left.load(std::memory_order_seq_cst) == 0; });
  self.now->set = ends->around;
  delete ends;
}

void register_reductions(std::uintptr_t* data, unsigned n, std::uintptr_t* around) noexcept {
  bool begins = true;
  for (std::uintptr_t* at = data;; at = after(at)) {
    const std::size_t alignment = std::max<std::size_t>(at[copies], alignof(std::max_align_t));
    const std::size_t size = std::max<std::size_t>(at[width] * n, 1);
    void* const memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory == nullptr) fail("no memory is left for a reduction");
    std::memset(memory, 0, size);
    at[copies] = reinterpret_cast<std::uintptr_t>(memory);
    at[copies_end] = at[copies] + at[width] * n;
    at[is_first] = std::exchange(begins, false) ? 1 : 0;
    if (at[next] == 0) {
      at[next] = reinterpret_cast<std::uintptr_t>(around);
      return;
    }
  }
}

void make_no_copies(std::uintptr_t* data) noexcept {
  for (std::uintptr_t* at = data; at != nullptr; at = after(at)) {
    at[copies] = at[copies_end] = 0;
    at[is_first] = 0;
  }
}

void share_reductions(std::uintptr_t* data, const std::uintptr_t* first, std::uintptr_t* around) noexcept {
  bool begins = true;
  for (std::uintptr_t* at = data;; at = after(at), first = after(first)) {
    at[copies] = first[copies];
    at[copies_end] = first[copies_end];
    at[is_first] = std::exchange(begins, false) ? 1 : 0;
    if (at[next] == 0) {
      at[next] = reinterpret_cast<std::uintptr_t>(around);
      return;
    }
  }
}

namespace {

void free_copies(std::uintptr_t* data) noexcept {
  do {
    std::free(reinterpret_cast<void*>(data[copies]));
    data = after(data);
  } while (data != nullptr && data[is_first] == 0);
}

}  // namespace

}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

void GOMP_taskgroup_start() { open_set(here(), false); }

void GOMP_taskgroup_end() { close_set(here()); }

void GOMP_taskgroup_reduction_register(std::uintptr_t* data) {
  member& self = here();
  task_set* const set = self.now->set;
  if (set == nullptr) fail("a task reduction outside of a taskgroup");
  register_reductions(data, self.in->size, set->reductions);
  set->reductions = data;
}

void GOMP_taskgroup_reduction_unregister(std::uintptr_t* data) { free_copies(data); }

void GOMP_task_reduction_remap(std::size_t count, std::size_t originals, void** addresses) {
  const member& self = here();
  task_set* const set = self.now->set;
  std::uintptr_t* const all = set != nullptr ? set->reductions : nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uintptr_t original = find_copy(all, self.id, addresses[i]);
    if (i < originals) addresses[count + i] = reinterpret_cast<void*>(original);
  }
}

unsigned GOMP_parallel_reductions(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
  // The copies are made before the members begin, so the team's size has to be known.
  auto* const reductions = *static_cast<std::uintptr_t**>(data);
  task_set set;
  set.reductions = reductions;
  open_region(function, data, threads, flags, &set,
              [reductions](unsigned n) { register_reductions(reductions, n, nullptr); });
  const unsigned n = here().in->size;
  function(data);
  close_region();
  return n;
}

void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  member& self = here();
  std::uintptr_t* const data = self.now->set->reductions;
  close_set(self);
  if (self.id == 0) free_copies(data);
  if (!cancelled) wait_at(self.in->meet, self);
}
}
