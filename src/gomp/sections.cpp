// The compiler's calls for `sections`, `single` and `scope`.
#include <atomic>

#include "gomp/loop.hpp"
#include "gomp/reduction.hpp"
#include "gomp/region.hpp"

namespace jackdaw::gomp {
namespace {

/// Sections have the numbers from 1 on.
void set_up_sections(share& one, unsigned count) noexcept {
  set_up(one, {1, std::uint64_t{count} + 1, 1, true}, count, {schedule::dynamic, 1});
}

unsigned next_section(member& self) noexcept { return take_piece(self) ? static_cast<unsigned>(first_of(self)) : 0; }

void open_sections(void (*function)(void*), void* data, unsigned threads, unsigned count, unsigned flags) {
  team& in = choose_team(function, data, threads, nullptr);
  set_up_sections(*in.root, count);
  call_members(in, flags);
}

}  // namespace
}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

unsigned GOMP_sections_start(unsigned count) {
  member& self = here();
  self.enter([count](share& made) { set_up_sections(made, count); });
  return next_section(self);
}

unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory) {
  member& self = here();
  furnish(self, self.enter([count](share& made) { set_up_sections(made, count); }), reductions, memory);
  return next_section(self);
}

unsigned GOMP_sections_next() { return next_section(here()); }

void GOMP_parallel_sections(void (*function)(void*), void* data, unsigned threads, unsigned count, unsigned flags) {
  open_sections(function, data, threads, count, flags);
  function(data);
  close_region();
}

void GOMP_parallel_sections_start(void (*function)(void*), void* data, unsigned threads, unsigned count) {
  open_sections(function, data, threads, count, 0);
}

void GOMP_sections_end() {
  member& self = here();
  wait_at(self.in->meet, self);
}

bool GOMP_sections_end_cancel() {
  member& self = here();
  return wait_at(self.in->meet, self, true);
}

void GOMP_sections_end_nowait() {}

// Nothing is divided: the first member that comes to the n-th one counts it. Others may be any number behind or ahead.
bool GOMP_single_start() {
  member& self = here();
  std::size_t mine = self.singles++;
  std::atomic<std::size_t>& begun = self.in->singles;
  return begun.load(std::memory_order_relaxed) == mine &&
         begun.compare_exchange_strong(mine, mine + 1, std::memory_order_relaxed);
}

// The first member runs the block, and gives away where its results are; the others copy them. The compiler has a
// barrier behind both.
void* GOMP_single_copy_start() {
  member& self = here();
  if (self.enter([](share&) {})) {
    return nullptr;
  }
  wait_at(self.in->meet, self);
  return self.at->given;
}

void GOMP_single_copy_end(void* data) {
  member& self = here();
  self.at->given = data;
  wait_at(self.in->meet, self);
}

void GOMP_scope_start(std::uintptr_t* reductions) {
  member& self = here();
  furnish(self, self.enter([](share&) {}), reductions, nullptr);
}
}
