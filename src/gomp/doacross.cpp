// The compiler's calls for ordered(n) loops.
#include "gomp/doacross.hpp"

#include <cstdarg>
#include <vector>

#include "gomp/fail.hpp"

namespace jackdaw::gomp {

doacross::doacross(unsigned loops, const std::uint64_t* all, const division& how, unsigned members)
    : loops(loops), how(how), count(all[0]), counts(std::make_unique<std::uint64_t[]>(loops)) {
  std::uint64_t pieces = count;
  if (how.kind == schedule::fixed && how.chunk == 0) {
    each = count / members;
    more = count % members;
    pieces = members;
  } else if (how.kind != schedule::guided) {
    pieces = count / how.chunk + 1;
  }
  std::uint64_t total = 1;
  for (unsigned i = 0; i < loops; ++i) {
    counts[i] = all[i];
    if (__builtin_mul_overflow(total, all[i], &total)) {
      fail("an ordered loop has more than 2^64 iterations");
    }
  }
  posted = std::make_unique<std::atomic<std::uint64_t>[]>(pieces > 0 ? pieces : 1);
}

std::uint64_t doacross::number(const std::uint64_t* indices) const noexcept {
  std::uint64_t at = 0;
  for (unsigned i = 0; i < loops; ++i) at = at * counts[i] + indices[i];
  return at;
}

std::atomic<std::uint64_t>& doacross::piece(std::uint64_t outermost) noexcept {
  if (how.kind == schedule::guided) {
    return posted[outermost];  // pieces have no fixed borders: one number for each iteration
  }
  if (how.kind != schedule::fixed || how.chunk != 0) {
    return posted[outermost / how.chunk];
  }
  const std::uint64_t longer = more * (each + 1);
  return posted[outermost < longer ? outermost / (each + 1) : more + (outermost - longer) / each];
}

namespace {

using u64 = unsigned long long;

bool enter_doacross(member& self, unsigned loops, const std::uint64_t* counts, schedule kind, std::uint64_t chunk) {
  const division how = divide(self, kind, chunk);
  return self.enter([&](share& made) {
    set_up(made, {0, counts[0], 1, true}, counts[0], how);
    made.order = new doacross(loops, counts, {made.kind, made.chunk}, self.in->size);
  });
}

template <class T>
std::vector<std::uint64_t> widened(unsigned loops, const T* numbers) {
  return std::vector<std::uint64_t>(numbers, numbers + loops);
}

template <class T>
bool start(unsigned loops, const T* counts, schedule kind, T chunk, T* first, T* end, std::uintptr_t* reductions,
           void** memory) {
  member& self = here();
  const auto all = widened(loops, counts);
  const bool comes_first =
      enter_doacross(self, loops, all.data(), kind, chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0);
  furnish(self, comes_first, reductions, memory);
  if (first == nullptr) return true;
  if (!take_piece(self)) return false;
  *first = static_cast<T>(first_of(self));
  *end = static_cast<T>(end_of(self));
  return true;
}

void post(const std::uint64_t* indices) noexcept {
  member& self = here();
  doacross& of = *self.at->order;
  // Release: what the iteration has done. Sequentially consistent for the bell.
  of.piece(indices[0]).store(of.number(indices) + 1, std::memory_order_seq_cst);
  self.in->changes.ring();
}

void wait_for(const std::uint64_t* indices) noexcept {
  member& self = here();
  doacross& of = *self.at->order;
  const std::uint64_t wanted = of.number(indices);
  std::atomic<std::uint64_t>& posted = of.piece(indices[0]);
  const auto is = [&] { return posted.load(std::memory_order_seq_cst) > wanted; };
  if (!is()) self.in->wait_choosily(is);
}

template <class T>
void wait_for_all(T first, std::va_list rest) {
  const unsigned loops = here().at->order->loops;
  std::vector<std::uint64_t> indices{static_cast<std::uint64_t>(first)};
  for (unsigned i = 1; i < loops; ++i) indices.push_back(static_cast<std::uint64_t>(va_arg(rest, T)));
  wait_for(indices.data());
}

}  // namespace
}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): names
#define JACKDAW_DOACROSS(name, type)                                                                    \
  bool GOMP_##name##_static_start(unsigned loops, type* counts, type chunk, type* first, type* end) {   \
    return start<type>(loops, counts, schedule::fixed, chunk, first, end, nullptr, nullptr);            \
  }                                                                                                     \
  bool GOMP_##name##_dynamic_start(unsigned loops, type* counts, type chunk, type* first, type* end) {  \
    return start<type>(loops, counts, schedule::dynamic, chunk, first, end, nullptr, nullptr);          \
  }                                                                                                     \
  bool GOMP_##name##_guided_start(unsigned loops, type* counts, type chunk, type* first, type* end) {   \
    return start<type>(loops, counts, schedule::guided, chunk, first, end, nullptr, nullptr);           \
  }                                                                                                     \
  bool GOMP_##name##_runtime_start(unsigned loops, type* counts, type* first, type* end) {              \
    return start<type>(loops, counts, schedule::runtime, 0, first, end, nullptr, nullptr);              \
  }                                                                                                     \
  bool GOMP_##name##_start(unsigned loops, type* counts, long kind, type chunk, type* first, type* end, \
                           std::uintptr_t* reductions, void** memory) {                                 \
    return start<type>(loops, counts, kind_of(kind), chunk, first, end, reductions, memory);            \
  }
JACKDAW_DOACROSS(loop_doacross, long)
JACKDAW_DOACROSS(loop_ull_doacross, u64)
// NOLINTEND(bugprone-macro-parentheses)

void GOMP_doacross_post(long* indices) { post(widened(here().at->order->loops, indices).data()); }
void GOMP_doacross_ull_post(u64* indices) { post(widened(here().at->order->loops, indices).data()); }

void GOMP_doacross_wait(long first, ...) {
  std::va_list rest;
  va_start(rest, first);
  wait_for_all(first, rest);
  va_end(rest);
}
void GOMP_doacross_ull_wait(u64 first, ...) {
  std::va_list rest;
  va_start(rest, first);
  wait_for_all(first, rest);
  va_end(rest);
}
}
