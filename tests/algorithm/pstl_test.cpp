// The standard library's parallel algorithms on jackdaw's workers, against the same algorithms without a policy.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // libstdc++'s stable_sort() calls what it has deprecated
#include "jackdaw/pstl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"

namespace {

using std::execution::par;
using std::execution::par_unseq;

constexpr std::size_t sizes[] = {0, 1, 2, 3, 7, 100, 1023, 1025, 5000, 30'000};

std::vector<int> numbers(std::size_t count, int below = 1000) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<int> made(count);
  for (int& each : made) each = static_cast<int>(random() % static_cast<unsigned>(below));
  return made;
}

std::vector<std::string> texts(std::size_t count) {
  std::vector<std::string> made;
  for (const int each : numbers(count)) made.push_back("a text that is not stored in place " + std::to_string(each));
  return made;
}

std::vector<int> sorted(std::vector<int> of) {
  std::sort(of.begin(), of.end());
  return of;
}

/// A number that cannot be made from nothing, nor from what is reduced.
class total {
 public:
  static total of(long value) { return total(value); }
  long value() const { return value_; }

 private:
  explicit total(long value) : value_(value) {}
  long value_;
};

struct composition {  // associative, and not commutative: x -> a x + b
  unsigned a, b;
  friend bool operator==(const composition&, const composition&) = default;
  friend composition then(const composition& f, const composition& g) { return {g.a * f.a, g.a * f.b + g.b}; }
};

struct how {
  const char* scheduler;
  unsigned workers;
};
void PrintTo(const how& given, std::ostream* out) { *out << given.scheduler << " on " << given.workers; }

class standard : public testing::TestWithParam<how> {
 protected:
  /// Of a program that knows nothing of jackdaw: `f` runs in a task, where it uses the task's runtime.
  void with_sizes(const std::function<void(std::size_t)>& f) {
    jackdaw::runtime rt({.scheduler = GetParam().scheduler, .workers = GetParam().workers, .pin = false});
    for (const std::size_t size : sizes) rt.run([&] { f(size); });
  }
};

TEST_P(standard, loops_call_each_element_once) {
  with_sizes([](std::size_t size) {
    std::vector<std::atomic<int>> calls(size);
    std::for_each(par, calls.begin(), calls.end(), [](std::atomic<int>& each) { ++each; });
    std::for_each_n(par_unseq, calls.begin(), size, [](std::atomic<int>& each) { ++each; });
    for (const auto& each : calls) EXPECT_EQ(each, 2);
    const std::vector<int> in = numbers(size);
    std::vector<int> out(size), expected(size);
    std::transform(par, in.begin(), in.end(), out.begin(), [](int x) { return 3 * x; });
    std::transform(in.begin(), in.end(), expected.begin(), [](int x) { return 3 * x; });
    EXPECT_EQ(out, expected);
    std::deque<int> filled(size);
    std::fill(par, filled.begin(), filled.end(), 5);
    EXPECT_EQ(std::count(par, filled.begin(), filled.end(), 5), static_cast<std::ptrdiff_t>(size));
    std::adjacent_difference(par, in.begin(), in.end(), out.begin());
    std::adjacent_difference(in.begin(), in.end(), expected.begin());
    EXPECT_EQ(out, expected);
    std::reverse_copy(par, in.begin(), in.end(), out.begin());
    std::reverse_copy(in.begin(), in.end(), expected.begin());
    EXPECT_EQ(out, expected);
  });
}

TEST_P(standard, reductions_keep_what_they_may_not_change) {
  with_sizes([](std::size_t size) {
    const std::vector<int> in = numbers(size);
    EXPECT_EQ(std::reduce(par, in.begin(), in.end(), 7L), std::accumulate(in.begin(), in.end(), 7L));
    const total sum = std::transform_reduce(
        par, in.begin(), in.end(), total::of(1),
        [](const auto& a, const auto& b) {
          const auto value = [](const auto& x) -> long {
            if constexpr (std::is_same_v<decltype(x), const total&>)
              return x.value();
            else
              return *x;
          };
          return total::of(value(a) + value(b));
        },
        [](const int& x) { return &x; });
    EXPECT_EQ(sum.value(), std::accumulate(in.begin(), in.end(), 1L));
    const std::vector<long> wide(in.begin(), in.end());  // libstdc++ 12 adds products as what the elements are
    EXPECT_EQ(std::transform_reduce(par, wide.begin(), wide.end(), wide.begin(), 0L),
              std::inner_product(wide.begin(), wide.end(), wide.begin(), 0L));
    EXPECT_EQ(std::max_element(par, in.begin(), in.end()), std::max_element(in.begin(), in.end()));
    EXPECT_EQ(std::minmax_element(par, in.begin(), in.end()), std::minmax_element(in.begin(), in.end()));
    EXPECT_EQ(std::is_sorted(par, in.begin(), in.end()), std::is_sorted(in.begin(), in.end()));
    EXPECT_EQ(std::is_partitioned(par, in.begin(), in.end(), [](int x) { return x < 500; }),
              std::is_partitioned(in.begin(), in.end(), [](int x) { return x < 500; }));
  });
}

TEST_P(standard, searches_find_the_first) {
  with_sizes([](std::size_t size) {
    const std::vector<int> in = numbers(size);
    for (const int wanted : {0, 500, 2000}) {
      EXPECT_EQ(std::find(par, in.begin(), in.end(), wanted), std::find(in.begin(), in.end(), wanted));
      EXPECT_EQ(std::any_of(par, in.begin(), in.end(), [&](int x) { return x == wanted; }),
                std::any_of(in.begin(), in.end(), [&](int x) { return x == wanted; }));
    }
    EXPECT_EQ(std::adjacent_find(par, in.begin(), in.end()), std::adjacent_find(in.begin(), in.end()));
    std::vector<int> other = in;
    EXPECT_TRUE(std::equal(par, in.begin(), in.end(), other.begin(), other.end()));
    if (size > 2) {
      other[size - 2] = -1;
      EXPECT_EQ(std::mismatch(par, in.begin(), in.end(), other.begin()).first - in.begin(),
                static_cast<std::ptrdiff_t>(size - 2));
      EXPECT_FALSE(std::lexicographical_compare(par, in.begin(), in.end(), other.begin(), other.end()));
      EXPECT_EQ(std::search(par, in.begin(), in.end(), in.end() - 2, in.end()),
                std::search(in.begin(), in.end(), in.end() - 2, in.end()));
    }
  });
}

TEST_P(standard, scans_keep_the_order) {
  with_sizes([](std::size_t size) {
    std::vector<composition> in;
    for (const int each : numbers(size)) in.push_back({static_cast<unsigned>(2 * each + 1), 3});
    const auto op = [](const composition& f, const composition& g) { return then(f, g); };
    std::vector<composition> out(size), expected(size);
    std::inclusive_scan(par, in.begin(), in.end(), out.begin(), op, composition{1, 5});
    std::inclusive_scan(in.begin(), in.end(), expected.begin(), op, composition{1, 5});
    EXPECT_EQ(out, expected);
    std::exclusive_scan(par, in.begin(), in.end(), out.begin(), composition{1, 5}, op);
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), composition{1, 5}, op);
    EXPECT_EQ(out, expected);
    const std::vector<int> small = numbers(size, 8);
    std::vector<double> sums(size), sums_expected(size);
    std::transform_inclusive_scan(par, small.begin(), small.end(), sums.begin(), std::plus<>(),
                                  [](int x) { return x / 2.0; });
    std::transform_inclusive_scan(small.begin(), small.end(), sums_expected.begin(), std::plus<>(),
                                  [](int x) { return x / 2.0; });
    EXPECT_EQ(sums, sums_expected);
  });
}

TEST_P(standard, what_packs_keeps_the_order) {
  with_sizes([](std::size_t size) {
    const std::vector<std::string> in = texts(size);
    const auto odd = [](const std::string& text) { return text.back() % 2 != 0; };
    std::vector<std::string> out(size), expected;
    out.erase(std::copy_if(par, in.begin(), in.end(), out.begin(), odd), out.end());
    std::copy_if(in.begin(), in.end(), std::back_inserter(expected), odd);
    EXPECT_EQ(out, expected);
    out = in;
    expected = in;
    out.erase(std::remove_if(par, out.begin(), out.end(), odd), out.end());
    std::erase_if(expected, odd);
    EXPECT_EQ(out, expected);
    out = expected = in;
    const auto middle = std::stable_partition(par, out.begin(), out.end(), odd) - out.begin();
    EXPECT_EQ(middle, std::stable_partition(expected.begin(), expected.end(), odd) - expected.begin());
    EXPECT_EQ(out, expected);
    std::vector<int> few = numbers(size, 3), few_expected = few;
    few.erase(std::unique(par, few.begin(), few.end()), few.end());
    few_expected.erase(std::unique(few_expected.begin(), few_expected.end()), few_expected.end());
    EXPECT_EQ(few, few_expected);
    out = expected = in;
    std::rotate(par, out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size / 3), out.end());
    std::rotate(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(size / 3), expected.end());
    EXPECT_EQ(out, expected);
  });
}

TEST_P(standard, sorts_and_merges) {
  with_sizes([](std::size_t size) {
    const std::vector<int> in = numbers(size);
    std::vector<int> out = in;
    std::sort(par, out.begin(), out.end());
    EXPECT_EQ(out, sorted(in));
    // Stable, of what only moves.
    std::vector<std::pair<int, std::unique_ptr<std::size_t>>> moving;
    for (std::size_t i = 0; i != size; ++i) moving.emplace_back(in[i] % 10, std::make_unique<std::size_t>(i));
    std::stable_sort(par, moving.begin(), moving.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < size; ++i) {
      EXPECT_TRUE(moving[i - 1].first < moving[i].first ||
                  (moving[i - 1].first == moving[i].first && *moving[i - 1].second < *moving[i].second));
    }
    std::deque<std::string> words;
    for (std::string& each : texts(size)) words.push_back(std::move(each));
    std::sort(par, words.begin(), words.end(), [](std::string a, std::string b) { return a > b; });
    EXPECT_TRUE(std::is_sorted(words.begin(), words.end(), std::greater<>()));

    for (const std::size_t most : {std::size_t{0}, size / 3, size}) {
      std::vector<std::string> strings = texts(size), expected = strings, copied(most);
      std::sort(expected.begin(), expected.end());
      expected.resize(most);
      std::partial_sort_copy(par, strings.begin(), strings.end(), copied.begin(), copied.end());
      EXPECT_EQ(copied, expected);
      std::partial_sort(par, strings.begin(), strings.begin() + static_cast<std::ptrdiff_t>(most), strings.end());
      strings.resize(most);
      EXPECT_EQ(strings, expected);
    }
    out = in;
    std::nth_element(par, out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size / 2), out.end());
    if (size != 0) {
      EXPECT_EQ(out[size / 2], sorted(in)[size / 2]);
    }

    const std::vector<int> a = sorted(in), b = sorted(numbers(size / 2 + 1));
    std::vector<int> merged(a.size() + b.size()), expected(merged.size());
    std::merge(par, a.begin(), a.end(), b.begin(), b.end(), merged.begin());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
    EXPECT_EQ(merged, expected);
    std::vector<std::string> halves = texts(size);
    const auto half = halves.begin() + static_cast<std::ptrdiff_t>(size / 2);
    std::sort(halves.begin(), half);
    std::sort(half, halves.end());
    std::inplace_merge(par, halves.begin(), half, halves.end());
    EXPECT_TRUE(std::is_sorted(halves.begin(), halves.end()));
    std::vector<int> both(a.size() + b.size()), both_expected;
    both.erase(std::set_union(par, a.begin(), a.end(), b.begin(), b.end(), both.begin()), both.end());
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both_expected));
    EXPECT_EQ(both, both_expected);
    EXPECT_EQ(std::includes(par, a.begin(), a.end(), b.begin(), b.end()),
              std::includes(a.begin(), a.end(), b.begin(), b.end()));
  });
}

TEST_P(standard, calls_nest) {
  with_sizes([](std::size_t size) {
    const std::size_t rows = std::min<std::size_t>(size, 40);
    std::vector<std::vector<int>> table;
    for (std::size_t row = 0; row != rows; ++row) table.push_back(numbers(3000 + row));
    thread_local int depth = 0;
    std::for_each(par, table.begin(), table.end(), [](std::vector<int>& row) {
      const std::thread::id thread = std::this_thread::get_id();
      int* const before = &depth;
      std::sort(par, row.begin(), row.end());
      EXPECT_EQ(std::this_thread::get_id(), thread);
      EXPECT_EQ(&depth, before);
    });
    for (const auto& row : table) EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
  });
}

INSTANTIATE_TEST_SUITE_P(all, standard,
                         testing::Values(how{"random", 1}, how{"random", 4}, how{"adws", 2}, how{"adws", 4},
                                         how{"auto", 2}, how{"auto", 4}, how{"laws", 2}, how{"bats", 2}),
                         [](const auto& given) {
                           return std::string(given.param.scheduler) + "_on_" + std::to_string(given.param.workers);
                         });

/// Without a runtime of the program's own.
TEST(standard_calls, from_main_run_on_the_workers) {
  jackdaw::runtime& workers = jackdaw::runtime::instance();
  const std::uint64_t roots_before = workers.stats().roots;
  std::mutex guard;
  std::set<std::thread::id> threads;
  std::vector<int> work(64);
  for (int round = 0; round != 50 && threads.size() < 2; ++round) {
    std::for_each(par, work.begin(), work.end(), [&](int&) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      const std::lock_guard hold(guard);
      threads.insert(std::this_thread::get_id());
    });
  }
  EXPECT_GT(workers.stats().roots, roots_before);
  EXPECT_EQ(threads.size() > 1, workers.workers() > 1);
}

TEST(standard_calls, of_several_threads_at_once) {
  std::vector<std::thread> clients;
  for (unsigned client = 0; client != 6; ++client) {
    clients.emplace_back([client] {
      for (std::size_t round = 0; round != 20; ++round) {
        std::vector<int> mine = numbers(5000 + client + round);
        const long sum = std::accumulate(mine.begin(), mine.end(), 0L);
        std::sort(par, mine.begin(), mine.end());
        EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
        EXPECT_EQ(std::reduce(par, mine.begin(), mine.end(), 0L), sum);
      }
    });
  }
  for (std::thread& each : clients) each.join();
}

/// Which the standard leaves undefined. No element may be lost all the same: they may be pointers that own something.
TEST(standard_calls, by_an_order_that_contradicts_itself_lose_nothing) {
  std::vector<int> all(50'000);
  for (std::size_t i = 0; i != all.size(); ++i) all[i] = static_cast<int>(i * 7919 % 50'021);
  std::vector<int> out = all;
  const auto near_or_less = [](int a, int b) { return a / 100 == b / 100 ? a % 7 < b % 5 : a < b; };
  jackdaw::runtime rt({.workers = 4, .pin = false});
  rt.run([&] { std::stable_sort(par, out.begin(), out.end(), near_or_less); });
  EXPECT_EQ(sorted(out), sorted(all));
}

TEST(standard_calls, that_search_soon_end_when_something_is_found) {
  const std::vector<int> in(1'000'000);
  std::atomic<std::size_t> calls{0};
  jackdaw::runtime rt({.scheduler = "adws", .workers = 2, .pin = false});
  rt.run([&] {
    EXPECT_TRUE(std::any_of(par, in.begin(), in.end(), [&](const int& each) {
      ++calls;
      for (int spin = 0; spin < 300; ++spin) asm volatile("");
      return &each - in.data() >= 100;
    }));
  });
  EXPECT_LT(calls, in.size() / 16);
}

/// Those whose parts tell each other of what they have found by their values.
TEST(standard_calls, that_look_for_a_pair_end_soon) {
  std::vector<int> in(1'000'000);
  std::iota(in.begin(), in.end(), 0);
  in[3] = -5;
  std::size_t comparisons = 0;
  const auto counted_less = [&](int a, int b) { return ++comparisons, a < b; };
  const auto counted_greater = [&](int a, int b) { return ++comparisons, b < a; };
  jackdaw::runtime rt({.workers = 1, .pin = false});
  rt.run([&] {
    EXPECT_FALSE(std::is_sorted(par, in.begin(), in.end(), counted_less));
    EXPECT_EQ(std::is_sorted_until(par, in.begin(), in.end(), counted_less) - in.begin(), 3);
    EXPECT_EQ(std::adjacent_find(par, in.begin(), in.end(), counted_greater) - in.begin(), 2);
  });
  EXPECT_LT(comparisons, 30'000u);
}

TEST(standard_calls, find_the_first_pair_with_any_number_of_workers) {
  for (const unsigned workers : {2u, 8u}) {
    jackdaw::runtime rt({.workers = workers, .pin = false});
    for (std::size_t at = 0; at + 1 < 9'000; at += 501) {
      std::vector<int> in(9'000);
      std::iota(in.begin(), in.end(), 0);
      for (const std::size_t each : {at, at + (in.size() - at) / 2, in.size() - 2}) in[each] = in[each + 1];
      rt.run([&] {
        EXPECT_EQ(std::adjacent_find(par, in.begin(), in.end()), std::adjacent_find(in.begin(), in.end()));
        EXPECT_EQ(std::min_element(par, in.begin(), in.end()), std::min_element(in.begin(), in.end()));
        EXPECT_EQ(std::max_element(par, in.begin(), in.end()), std::max_element(in.begin(), in.end()));
        in.back() = -1;
        EXPECT_EQ(std::is_sorted_until(par, in.begin(), in.end()), std::is_sorted_until(in.begin(), in.end()));
      });
    }
  }
}

TEST(standard_calls, for_a_negative_number_of_elements_do_nothing) {
  const std::vector<int> in = numbers(100);
  std::vector<int> out(100, -1);
  std::copy_n(par, in.begin() + 50, -1, out.begin() + 50);
  EXPECT_EQ(std::count(out.begin(), out.end(), -1), 100);
}

/// A function that holds a table is copied for each part, which takes longer than the part.
TEST(standard_calls, copy_functions_seldom_if_copies_are_costly) {
  struct adds_first {
    std::vector<int> table = std::vector<int>(10'000, 1);
    std::atomic<int>* copies;
    explicit adds_first(std::atomic<int>& counter) : copies(&counter) {}
    adds_first(const adds_first& from) : table(from.table), copies(from.copies) { ++*copies; }
    void operator()(int& x) const { x += table.front(); }
  };
  std::atomic<int> copies{0};
  std::vector<int> all(20'000);
  jackdaw::runtime rt({.workers = 2, .pin = false});
  rt.run([&] { std::for_each(par, all.begin(), all.end(), adds_first(copies)); });
  EXPECT_EQ(std::count(all.begin(), all.end(), 1), 20'000);
  EXPECT_LT(copies, 1500);
}

/// What a comparison returns need only decide a condition.
TEST(standard_calls, with_comparisons_that_convert_explicitly) {
  struct answer {
    bool yes;
    explicit operator bool() const { return yes; }
  };
  const auto less = [](int a, int b) { return answer{a < b}; };
  std::vector<int> out = numbers(5000), merged(10'000);
  std::sort(par, out.begin(), out.end(), less);
  EXPECT_EQ(out, sorted(numbers(5000)));
  std::merge(par, out.begin(), out.end(), out.begin(), out.end(), merged.begin(), less);
  EXPECT_TRUE(std::is_sorted(merged.begin(), merged.end()));
}

TEST(standard_calls_death_test, whose_functions_throw_end_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  std::vector<int> in = numbers(5000);
  EXPECT_DEATH(std::for_each(par, in.begin(), in.end(), [](int) { throw 1; }), "");
  EXPECT_DEATH(std::sort(par, in.begin(), in.end(), [](int a, int b) { return a == 500 ? throw 1 : a < b; }), "");
  std::vector<int> more(200'000), merged(400'000);
  std::iota(more.begin(), more.end(), 0);
  EXPECT_DEATH(std::merge(par, more.begin(), more.end(), more.begin(), more.end(), merged.begin(),
                          [](int a, int b) { return a > 50'000 ? throw 1 : a < b; }),
               "");
}

struct moved_with_failure {  // the move with that number throws
  int value;
  explicit moved_with_failure(int v) : value(v) {}
  moved_with_failure(moved_with_failure&& from) : value(from.value) { count(); }
  moved_with_failure& operator=(moved_with_failure&& from) {
    count();
    value = from.value;
    return *this;
  }
  friend bool operator<(const moved_with_failure& a, const moved_with_failure& b) { return a.value < b.value; }
  static void count() {
    if (++moves == failing_move) throw 1;
  }
  static inline std::atomic<long> moves{0};
  static inline long failing_move = 0;
};

TEST(standard_calls_death_test, that_sort_and_fail_to_move_an_element_end_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto sort_all = [](long failing_move) {
    std::vector<moved_with_failure> all;
    for (const int each : numbers(20'000)) all.emplace_back(each);
    moved_with_failure::moves = 0;
    moved_with_failure::failing_move = failing_move;
    std::sort(par, all.begin(), all.end());
    std::exit(0);
  };
  for (const long failing_move : {1'000L, 15'000L, 45'000L, 60'000L}) {
    EXPECT_EXIT(sort_all(failing_move), testing::KilledBySignal(SIGABRT), "");
  }
}

}  // namespace
