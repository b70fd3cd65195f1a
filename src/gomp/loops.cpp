// The compiler's calls for loops whose numbers are `long`.
#include "gomp/loop.hpp"
#include "gomp/region.hpp"

namespace jackdaw::gomp {
namespace {

using u64 = std::uint64_t;

loop loop_of(long first, long end, long step) noexcept {
  return {static_cast<u64>(first), static_cast<u64>(end), static_cast<u64>(step), step > 0};
}

/// Moves on to a loop's share; says whether the member is the first one there.
bool enter_loop(member& self, const loop& what, schedule kind, long chunk) noexcept {
  const division how = divide(self, kind, chunk > 0 ? static_cast<u64>(chunk) : 0);
  return self.enter([&](share& made) { set_up(made, what, what.count(true), how); });
}

bool give(const member& self, bool has, long* first, long* end) noexcept {
  if (has) {
    *first = static_cast<long>(first_of(self));
    *end = static_cast<long>(end_of(self));
  }
  return has;
}

bool start(schedule kind, long from, long to, long step, long chunk, long* first, long* end) noexcept {
  member& self = here();
  enter_loop(self, loop_of(from, to, step), kind, chunk);
  return give(self, take_piece(self), first, end);
}

bool start_ordered(schedule kind, long from, long to, long step, long chunk, long* first, long* end) noexcept {
  member& self = here();
  enter_loop(self, loop_of(from, to, step), kind, chunk);
  return give(self, take_ordered_piece(self), first, end);
}

bool next(long* first, long* end) noexcept {
  member& self = here();
  return give(self, take_piece(self), first, end);
}

bool next_ordered(long* first, long* end) noexcept {
  member& self = here();
  return give(self, take_ordered_piece(self), first, end);
}

/// A region that is one loop: its members begin at the loop's share, and ask for their pieces.
void open_loop(void (*function)(void*), void* data, unsigned threads, const loop& what, schedule kind, long chunk,
               unsigned flags) {
  team& in = choose_team(function, data, threads, nullptr);
  const division how = divide(*in.opener, kind, chunk > 0 ? static_cast<u64>(chunk) : 0);
  set_up(*in.root, what, what.count(true), how);
  call_members(in, flags);
}

void run_loop(void (*function)(void*), void* data, unsigned threads, const loop& what, schedule kind, long chunk,
              unsigned flags) {
  open_loop(function, data, threads, what, kind, chunk, flags);
  function(data);
  close_region();
}

}  // namespace
}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): names
#define JACKDAW_LOOP(name, kind)                                                                                       \
  bool GOMP_loop_##name##_start(long from, long to, long step, long chunk, long* first, long* end) {                   \
    return start(kind, from, to, step, chunk, first, end);                                                             \
  }                                                                                                                    \
  bool GOMP_loop_##name##_next(long* first, long* end) { return next(first, end); }                                    \
  void GOMP_parallel_loop_##name(void (*function)(void*), void* data, unsigned threads, long from, long to, long step, \
                                 long chunk, unsigned flags) {                                                         \
    run_loop(function, data, threads, loop_of(from, to, step), kind, chunk, flags);                                    \
  }
#define JACKDAW_RUNTIME_LOOP(name)                                                                                     \
  bool GOMP_loop_##name##_start(long from, long to, long step, long* first, long* end) {                               \
    return start(schedule::runtime, from, to, step, 0, first, end);                                                    \
  }                                                                                                                    \
  bool GOMP_loop_##name##_next(long* first, long* end) { return next(first, end); }                                    \
  void GOMP_parallel_loop_##name(void (*function)(void*), void* data, unsigned threads, long from, long to, long step, \
                                 unsigned flags) {                                                                     \
    run_loop(function, data, threads, loop_of(from, to, step), schedule::runtime, 0, flags);                           \
  }
#define JACKDAW_ORDERED_LOOP(name, kind)                                                                     \
  bool GOMP_loop_ordered_##name##_start(long from, long to, long step, long chunk, long* first, long* end) { \
    return start_ordered(kind, from, to, step, chunk, first, end);                                           \
  }                                                                                                          \
  bool GOMP_loop_ordered_##name##_next(long* first, long* end) { return next_ordered(first, end); }
#define JACKDAW_OLD_LOOP(name, kind)                                                                                \
  void GOMP_parallel_loop_##name##_start(void (*function)(void*), void* data, unsigned threads, long from, long to, \
                                         long step, long chunk) {                                                   \
    open_loop(function, data, threads, loop_of(from, to, step), kind, chunk, 0);                                    \
  }

JACKDAW_LOOP(static, schedule::fixed)
JACKDAW_LOOP(dynamic, schedule::dynamic)
JACKDAW_LOOP(guided, schedule::guided)
JACKDAW_LOOP(nonmonotonic_dynamic, schedule::dynamic)
JACKDAW_LOOP(nonmonotonic_guided, schedule::guided)
JACKDAW_RUNTIME_LOOP(runtime)
JACKDAW_RUNTIME_LOOP(nonmonotonic_runtime)
JACKDAW_RUNTIME_LOOP(maybe_nonmonotonic_runtime)
JACKDAW_ORDERED_LOOP(static, schedule::fixed)
JACKDAW_ORDERED_LOOP(dynamic, schedule::dynamic)
JACKDAW_ORDERED_LOOP(guided, schedule::guided)
JACKDAW_OLD_LOOP(static, schedule::fixed)
JACKDAW_OLD_LOOP(dynamic, schedule::dynamic)
JACKDAW_OLD_LOOP(guided, schedule::guided)
// NOLINTEND(bugprone-macro-parentheses)

bool GOMP_loop_ordered_runtime_start(long from, long to, long step, long* first, long* end) {
  return start_ordered(schedule::runtime, from, to, step, 0, first, end);
}
bool GOMP_loop_ordered_runtime_next(long* first, long* end) { return next_ordered(first, end); }

void GOMP_parallel_loop_runtime_start(void (*function)(void*), void* data, unsigned threads, long from, long to,
                                      long step) {
  open_loop(function, data, threads, loop_of(from, to, step), schedule::runtime, 0, 0);
}

bool GOMP_loop_start(long from, long to, long step, long kind, long chunk, long* first, long* end,
                     std::uintptr_t* reductions, void** memory) {
  member& self = here();
  furnish(self, enter_loop(self, loop_of(from, to, step), kind_of(kind), chunk), reductions, memory);
  return first == nullptr || give(self, take_piece(self), first, end);
}

bool GOMP_loop_ordered_start(long from, long to, long step, long kind, long chunk, long* first, long* end,
                             std::uintptr_t* reductions, void** memory) {
  member& self = here();
  furnish(self, enter_loop(self, loop_of(from, to, step), kind_of(kind), chunk), reductions, memory);
  return first == nullptr || give(self, take_ordered_piece(self), first, end);
}

void GOMP_loop_end() {
  member& self = here();
  wait_at(self.in->meet, self);
}

void GOMP_loop_end_nowait() {}

bool GOMP_loop_end_cancel() {
  member& self = here();
  return wait_at(self.in->meet, self, true);
}

void GOMP_ordered_start() { wait_for_turn(here()); }

void GOMP_ordered_end() {}
}
