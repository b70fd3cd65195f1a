// The compiler's calls for `taskloop`.
#include <algorithm>

#include "gomp/loop.hpp"
#include "gomp/reduction.hpp"
#include "gomp/tasks.hpp"

extern "C" {
void GOMP_taskgroup_reduction_register(std::uintptr_t* data);
}

namespace jackdaw::gomp {
namespace {

enum : unsigned {
  is_final = 2,
  goes_up = 1 << 8,
  has_grain_size = 1 << 9,
  is_deferrable = 1 << 10,
  has_no_group = 1 << 11,
  has_reduction = 1 << 12,
  is_strict = 1 << 14
};

/// How many tasks there are, and how many iterations each has: the first `longer` ones one more than `each`, all others
/// `each`, the last one what is left if that is less.
struct cut {
  std::uint64_t tasks;
  std::uint64_t each;
  std::uint64_t longer;
};

cut cut_up(std::uint64_t count, std::uint64_t wanted, unsigned flags, unsigned members) noexcept {
  if ((flags & has_grain_size) != 0) {
    const std::uint64_t grain = std::max<std::uint64_t>(wanted, 1);
    if ((flags & is_strict) != 0) return {(count - 1) / grain + 1, grain, 0};
    // Each task has at least `grain` iterations, unless there are fewer, and less than twice as many.
    const std::uint64_t tasks = std::max<std::uint64_t>(count / grain, 1);
    return {tasks, count / tasks, count % tasks};
  }
  if ((flags & is_strict) != 0) {
    const std::uint64_t each = (count - 1) / std::max<std::uint64_t>(wanted, 1) + 1;
    return {(count - 1) / each + 1, each, 0};
  }
  const std::uint64_t tasks = std::min<std::uint64_t>(wanted != 0 ? wanted : members, count);
  return {tasks, count / tasks, count % tasks};
}

/// The first two numbers of the task's argument say where its iterations begin and end.
struct bounds {
  std::uint64_t first;
  std::uint64_t end;
};

}  // namespace
}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

namespace {

void run_taskloop(void (*function)(void*), void* data, void (*copy)(void*, void*), long size, long alignment,
                  unsigned flags, unsigned long wanted, loop what, bool is_signed) {
  member& self = here();
  const std::uint64_t count = what.count(is_signed);
  struct head {
    bounds of;
    std::uintptr_t* reductions;
  };
  std::uintptr_t* const reductions = (flags & has_reduction) != 0 ? static_cast<head*>(data)->reductions : nullptr;
  if (count == 0) {
    // The compiler's code combines and frees the copies of the reductions that the loop has made, and so none.
    if (reductions != nullptr) make_no_copies(reductions);
    return;
  }
  const bool groups = (flags & has_no_group) == 0;
  if (groups) open_set(self, false);
  if (reductions != nullptr) GOMP_taskgroup_reduction_register(reductions);
  const cut into = cut_up(count, wanted, flags, self.in->size);
  const bool deferrable = (flags & is_deferrable) != 0, final = (flags & is_final) != 0 || self.now->final;
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < into.tasks && !drops_tasks(self); ++i) {
    const std::uint64_t to = std::min(at + into.each + (i < into.longer ? 1 : 0), count);
    const bool at_once = runs_at_once(self, deferrable, 0);
    task& one =
        make_task(self, at_once ? task::kind::included : task::kind::deferred, function, data, copy, size, alignment);
    // Behind the copying, which leaves these out.
    *static_cast<bounds*>(one.data) = {what.first + at * what.step,
                                       to == count ? what.end : what.first + to * what.step};
    one.final = final;
    if (at_once) {
      run_included(self, one);
    } else {
      offer(&self, one);
    }
    at = to;
  }
  if (groups) close_set(self);
}

}  // namespace

extern "C" {

void GOMP_taskloop(void (*function)(void*), void* data, void (*copy)(void*, void*), long size, long alignment,
                   unsigned flags, unsigned long wanted, int /*priority*/, long first, long end, long step) {
  using u64 = std::uint64_t;
  run_taskloop(function, data, copy, size, alignment, flags, wanted,
               {static_cast<u64>(first), static_cast<u64>(end), static_cast<u64>(step), step > 0}, true);
}

void GOMP_taskloop_ull(void (*function)(void*), void* data, void (*copy)(void*, void*), long size, long alignment,
                       unsigned flags, unsigned long wanted, int /*priority*/, unsigned long long first,
                       unsigned long long end, unsigned long long step) {
  run_taskloop(function, data, copy, size, alignment, flags, wanted, {first, end, step, (flags & goes_up) != 0}, false);
}
}
