#include <parlay/alloc.h>
#include <parlay/parallel.h>
#include <parlay/primitives.h>
#include <parlay/random.h>
#include <parlay/sequence.h>
#include <parlay/worker_specific.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>

#include "programs.hpp"

namespace programs {
namespace {

/// The primes below n, by those below its square root.
parlay::sequence<long> sieve(long n) {  // NOLINT(misc-no-recursion)
  if (n < 5) return parlay::filter(parlay::sequence<long>{2, 3}, [&](long p) { return p < n; });
  const parlay::sequence<long> small = sieve(static_cast<long>(std::sqrt(static_cast<double>(n))) + 2);
  parlay::sequence<bool> is_prime(static_cast<std::size_t>(n), true);
  is_prime[0] = is_prime[1] = false;
  parlay::parallel_for(
      0, small.size(),
      [&](std::size_t i) {
        const long p = small[i];
        const auto multiples = static_cast<std::size_t>((n - 1) / p);
        const auto cross_out = [&](std::size_t m) {
          // Another task may cross out the same number, as a multiple of another prime.
          std::atomic_ref(is_prime[static_cast<std::size_t>(p) * m]).store(false, std::memory_order_relaxed);
        };
        parlay::parallel_for(2, multiples + 1, cross_out, 1000);
      },
      1);
  return parlay::pack_index<long>(is_prime);
}

// NOLINTNEXTLINE(misc-no-recursion)
parlay::sequence<double> quicksort(parlay::sequence<double> numbers, parlay::random random) {
  if (numbers.size() < 256) {
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }
  const double pivot = numbers[random.ith_rand(0) % numbers.size()];
  auto below = parlay::filter(numbers, [&](double x) { return x < pivot; });
  auto same = parlay::filter(numbers, [&](double x) { return x == pivot; });
  auto above = parlay::filter(numbers, [&](double x) { return x > pivot; });
  parlay::par_do([&] { below = quicksort(std::move(below), random.fork(1)); },
                 [&] { above = quicksort(std::move(above), random.fork(2)); });
  return parlay::append(parlay::append(below, same), above);
}

template <class It>
// NOLINTNEXTLINE(misc-no-recursion)
void mergesort(parlay::slice<It, It> in, parlay::slice<It, It> spare) {
  if (in.size() < 100) {
    std::sort(in.begin(), in.end());  // by the numbers and their places
    return;
  }
  const std::size_t half = in.size() / 2;
  parlay::par_do([&] { mergesort(in.cut(0, half), spare.cut(0, half)); },
                 [&] { mergesort(in.cut(half, in.size()), spare.cut(half, in.size())); });
  const auto merged = parlay::merge(in.cut(0, half), in.cut(half, in.size()),
                                    [](const auto& a, const auto& b) { return a.first < b.first; });
  parlay::parallel_for(0, in.size(), [&](std::size_t i) { in[i] = merged[i]; });
}

struct node {
  std::uint64_t number;
  node* next;
};

struct ends {
  node *first, *last;
};

ends make_list(std::uint64_t from, std::uint64_t to) {  // NOLINT(misc-no-recursion)
  // This function allocates, forks and allocates again: its thread's list of free nodes must be the same one.
  node* const middle = parlay::type_allocator<node>::alloc();
  const std::uint64_t number = from + (to - from) / 2;
  middle->number = number;
  middle->next = nullptr;
  ends left{nullptr, middle}, right{nullptr, middle};
  if (to - from > 1) {
    parlay::par_do(
        [&] {
          if (number > from) left = make_list(from, number);
        },
        [&] {
          if (number + 1 < to) right = make_list(number + 1, to);
        });
  }
  node* const copy = parlay::type_allocator<node>::alloc();
  *copy = *middle;
  parlay::type_allocator<node>::free(middle);
  if (right.first != nullptr) copy->next = right.first;
  if (left.first != nullptr) left.last->next = copy;
  return {left.first != nullptr ? left.first : copy, right.first != nullptr ? right.last : copy};
}

}  // namespace

std::vector<long> primes_below(long n) {
  const auto found = sieve(n);
  return {found.begin(), found.end()};
}

std::vector<double> quicksorted(const std::vector<double>& numbers) {
  const auto sorted = quicksort(parlay::to_sequence(numbers), parlay::random(1));
  return {sorted.begin(), sorted.end()};
}

std::vector<std::pair<int, std::size_t>> mergesorted(const std::vector<int>& numbers) {
  auto pairs = parlay::tabulate(numbers.size(), [&](std::size_t i) { return std::pair(numbers[i], i); });
  auto spare = pairs;
  mergesort(parlay::make_slice(pairs), parlay::make_slice(spare));
  return {pairs.begin(), pairs.end()};
}

std::vector<std::size_t> permuted(std::size_t n, std::uint64_t seed) {
  // Each place is exchanged with one before it, in rounds: a place whose two ends nobody earlier wants has its turn.
  const parlay::random random(seed);
  const auto with = parlay::tabulate(n, [&](std::size_t i) -> std::size_t { return random.ith_rand(i) % (i + 1); });
  auto result = parlay::tabulate(n, [](std::size_t i) { return i; });
  auto wanted = parlay::tabulate<std::atomic<std::size_t>>(n, [](std::size_t) { return std::size_t{0}; });
  auto waiting = parlay::tabulate(n, [&](std::size_t i) { return n - 1 - i; });
  while (!waiting.empty()) {
    parlay::for_each(waiting, [&](std::size_t i) {
      parlay::write_max(&wanted[i], i + 1, std::less<>());
      parlay::write_max(&wanted[with[i]], i + 1, std::less<>());
    });
    auto has_turn = [&](std::size_t i) { return wanted[i] == i + 1 && wanted[with[i]] == i + 1; };
    const auto turns = parlay::map(waiting, has_turn);
    parlay::parallel_for(0, waiting.size(), [&](std::size_t k) {
      if (turns[k]) std::swap(result[waiting[k]], result[with[waiting[k]]]);
    });
    parlay::for_each(waiting, [&](std::size_t i) { wanted[i] = wanted[with[i]] = 0; });
    waiting = parlay::pack(waiting, parlay::map(turns, [](bool had) { return !had; }));
  }
  return {result.begin(), result.end()};
}

std::vector<std::size_t> histogram_of(const std::vector<std::uint32_t>& numbers, std::size_t buckets) {
  const auto counts = parlay::histogram_by_index(parlay::to_sequence(numbers), buckets);
  return {counts.begin(), counts.end()};
}

std::uint64_t sum_by_workers(const std::vector<std::uint32_t>& numbers) {
  parlay::WorkerSpecific<std::uint64_t> sums;
  parlay::parallel_for(0, numbers.size(), [&](std::size_t i) { *sums += numbers[i]; });
  std::uint64_t sum = 0;
  sums.for_each([&](std::uint64_t each) { sum += each; });
  return sum;
}

std::uint64_t sum_of_list(std::size_t n) {
  if (n == 0) return 0;
  std::uint64_t sum = 0, expected = 0;
  for (node* at = make_list(0, n).first; at != nullptr;) {
    sum += at->number == expected++ ? at->number : 0;  // in order
    node* const next = at->next;
    parlay::type_allocator<node>::free(at);
    at = next;
  }
  return sum;
}

}  // namespace programs
