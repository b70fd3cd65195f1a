#include "gomp/loop.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "gomp/fail.hpp"
#include "gomp/reduction.hpp"

namespace jackdaw::gomp {

std::uint64_t loop::count(bool is_signed) const noexcept {
  const auto before = [is_signed](std::uint64_t a, std::uint64_t b) {
    return is_signed ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
  };
  if (up ? !before(first, end) : !before(end, first)) {
    return 0;
  }
  const std::uint64_t distance = up ? end - first : first - end, width = up ? step : 0 - step;
  return (distance - 1) / width + 1;
}

division divide(const member& self, schedule kind, std::uint64_t chunk) noexcept {
  if (kind == schedule::runtime) {
    const control& vars = self.now->vars;
    kind = vars.kind;
    chunk = vars.chunk > 0 ? static_cast<std::uint64_t>(vars.chunk) : 0;
  }
  if (kind == schedule::automatic || kind == schedule::fixed) {
    return {schedule::fixed, kind == schedule::fixed ? chunk : 0};
  }
  return {kind, std::max<std::uint64_t>(chunk, 1)};
}

void set_up(share& one, const loop& what, std::uint64_t count, const division& how) noexcept {
  one.count = count;
  one.first = what.first;
  one.step = what.step;
  one.end = what.end;
  one.chunk = std::min(how.chunk, std::max<std::uint64_t>(count, 1));
  one.kind = how.kind;
}

namespace {

/// With a chunk: every n-th one; without: one block for each member, the first ones longer by one.
bool take_fixed(member& self, const share& all) noexcept {
  const std::uint64_t n = self.in->size, trip = self.trips++;
  if (all.chunk != 0) {
    const std::uint64_t chunks = (all.count + all.chunk - 1) / all.chunk;
    if (trip > (chunks - 1) / n) return false;
    const std::uint64_t mine = trip * n + self.id;
    if (mine >= chunks) return false;
    self.from = mine * all.chunk;
    self.to = std::min(self.from + all.chunk, all.count);
    return true;
  }
  if (trip > 0) return false;
  const std::uint64_t each = all.count / n, more = all.count % n;
  self.from = each * self.id + std::min<std::uint64_t>(self.id, more);
  self.to = self.from + each + (self.id < more ? 1 : 0);
  return self.from < self.to;
}

bool take_dynamic(member& self, share& all) noexcept {
  // So many that the additions of all members together may run over: by compare and exchange then.
  constexpr std::uint64_t many = std::uint64_t{1} << 48;
  if (all.count < many) {
    if (all.taken.load(std::memory_order_relaxed) >= all.count) return false;
    self.from = all.taken.fetch_add(all.chunk, std::memory_order_relaxed);
    self.to = std::min(self.from + all.chunk, all.count);
    return self.from < all.count;
  }
  std::uint64_t from = all.taken.load(std::memory_order_relaxed), to = 0;
  do {
    if (from == all.count) return false;
    to = from + std::min(all.chunk, all.count - from);
  } while (!all.taken.compare_exchange_weak(from, to, std::memory_order_relaxed));
  self.from = from;
  self.to = to;
  return true;
}

bool take_guided(member& self, share& all) noexcept {
  std::uint64_t from = all.taken.load(std::memory_order_relaxed), to = 0;
  do {
    if (from == all.count) return false;
    const std::uint64_t rest = all.count - from, part = (rest - 1) / self.in->size + 1;
    to = from + std::min(std::max(part, all.chunk), rest);
  } while (!all.taken.compare_exchange_weak(from, to, std::memory_order_relaxed));
  self.from = from;
  self.to = to;
  return true;
}

}  // namespace

bool take_piece(member& self) noexcept {
  share& all = *self.at;
  if (all.count == 0) return false;
  switch (all.kind) {
    case schedule::dynamic:
      return take_dynamic(self, all);
    case schedule::guided:
      return take_guided(self, all);
    default:
      return take_fixed(self, all);
  }
}

bool take_ordered_piece(member& self) noexcept {
  if (self.orders) {
    wait_for_turn(self);
    // Release: what the member has done in its turn. Sequentially consistent for the bell.
    self.at->ordered.store(self.to, std::memory_order_seq_cst);
    self.in->changes.ring();
    self.orders = false;
  }
  self.orders = take_piece(self);
  return self.orders;
}

void wait_for_turn(member& self) noexcept {
  if (!self.orders) return;  // it is in no ordered loop of several threads
  // Pieces come in the order of their iterations. Acquire: what was done in the turns before.
  const share& all = *self.at;
  const auto is_mine = [&] { return all.ordered.load(std::memory_order_seq_cst) == self.from; };
  if (!is_mine()) self.in->wait_choosily(is_mine);
}

void furnish(member& self, bool comes_first, std::uintptr_t* reductions, void** memory) {
  if (reductions == nullptr && memory == nullptr) return;
  share& at = *self.at;
  if (reductions != nullptr) open_set(self, true);
  if (comes_first) {
    if (memory != nullptr) {
      at.memory = std::calloc(1, std::max<std::size_t>(reinterpret_cast<std::uintptr_t>(*memory), 1));
      if (at.memory == nullptr) fail("no memory is left for a loop");
    }
    if (reductions != nullptr) {
      register_reductions(reductions, self.in->size, self.now->set->reductions);
      at.reductions = reductions;
    }
    at.furnished.store(true, std::memory_order_seq_cst);
    self.in->changes.ring();
  } else if (!at.furnished.load(std::memory_order_seq_cst)) {
    self.in->wait_choosily([&] { return at.furnished.load(std::memory_order_seq_cst); });
  }
  if (memory != nullptr) *memory = at.memory;
  if (reductions != nullptr) {
    if (!comes_first) share_reductions(reductions, at.reductions, self.now->set->reductions);
    self.now->set->reductions = reductions;
  }
}

}  // namespace jackdaw::gomp
