// The compiler's calls for loops whose numbers are `unsigned long long`.
#include "gomp/loop.hpp"
#include "gomp/region.hpp"

namespace jackdaw::gomp {
namespace {

using u64 = unsigned long long;

bool enter_loop(member& self, bool up, u64 from, u64 to, u64 step, schedule kind, u64 chunk) noexcept {
  const loop what{from, to, step, up};
  const division how = divide(self, kind, chunk);
  return self.enter([&](share& made) { set_up(made, what, what.count(false), how); });
}

bool give(const member& self, bool has, u64* first, u64* end) noexcept {
  if (has) {
    *first = first_of(self);
    *end = end_of(self);
  }
  return has;
}

bool start(schedule kind, bool up, u64 from, u64 to, u64 step, u64 chunk, u64* first, u64* end) noexcept {
  member& self = here();
  enter_loop(self, up, from, to, step, kind, chunk);
  return give(self, take_piece(self), first, end);
}

bool start_ordered(schedule kind, bool up, u64 from, u64 to, u64 step, u64 chunk, u64* first, u64* end) noexcept {
  member& self = here();
  enter_loop(self, up, from, to, step, kind, chunk);
  return give(self, take_ordered_piece(self), first, end);
}

bool next(u64* first, u64* end) noexcept {
  member& self = here();
  return give(self, take_piece(self), first, end);
}

bool next_ordered(u64* first, u64* end) noexcept {
  member& self = here();
  return give(self, take_ordered_piece(self), first, end);
}

}  // namespace
}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): names
#define JACKDAW_LOOP(name, begin, go_on, kind)                                                              \
  bool GOMP_loop_ull_##name##_start(bool up, u64 from, u64 to, u64 step, u64 chunk, u64* first, u64* end) { \
    return begin(kind, up, from, to, step, chunk, first, end);                                              \
  }                                                                                                         \
  bool GOMP_loop_ull_##name##_next(u64* first, u64* end) { return go_on(first, end); }
#define JACKDAW_RUNTIME_LOOP(name, begin, go_on)                                                 \
  bool GOMP_loop_ull_##name##_start(bool up, u64 from, u64 to, u64 step, u64* first, u64* end) { \
    return begin(schedule::runtime, up, from, to, step, 0, first, end);                          \
  }                                                                                              \
  bool GOMP_loop_ull_##name##_next(u64* first, u64* end) { return go_on(first, end); }

JACKDAW_LOOP(static, start, next, schedule::fixed)
JACKDAW_LOOP(dynamic, start, next, schedule::dynamic)
JACKDAW_LOOP(guided, start, next, schedule::guided)
JACKDAW_LOOP(nonmonotonic_dynamic, start, next, schedule::dynamic)
JACKDAW_LOOP(nonmonotonic_guided, start, next, schedule::guided)
JACKDAW_RUNTIME_LOOP(runtime, start, next)
JACKDAW_RUNTIME_LOOP(nonmonotonic_runtime, start, next)
JACKDAW_RUNTIME_LOOP(maybe_nonmonotonic_runtime, start, next)
JACKDAW_LOOP(ordered_static, start_ordered, next_ordered, schedule::fixed)
JACKDAW_LOOP(ordered_dynamic, start_ordered, next_ordered, schedule::dynamic)
JACKDAW_LOOP(ordered_guided, start_ordered, next_ordered, schedule::guided)
JACKDAW_RUNTIME_LOOP(ordered_runtime, start_ordered, next_ordered)
// NOLINTEND(bugprone-macro-parentheses)

bool GOMP_loop_ull_start(bool up, u64 from, u64 to, u64 step, long kind, u64 chunk, u64* first, u64* end,
                         std::uintptr_t* reductions, void** memory) {
  member& self = here();
  furnish(self, enter_loop(self, up, from, to, step, kind_of(kind), chunk), reductions, memory);
  return first == nullptr || give(self, take_piece(self), first, end);
}

bool GOMP_loop_ull_ordered_start(bool up, u64 from, u64 to, u64 step, long kind, u64 chunk, u64* first, u64* end,
                                 std::uintptr_t* reductions, void** memory) {
  member& self = here();
  furnish(self, enter_loop(self, up, from, to, step, kind_of(kind), chunk), reductions, memory);
  return first == nullptr || give(self, take_ordered_piece(self), first, end);
}
}
