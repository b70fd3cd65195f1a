// Results of branches that are stolen all the time. Built once more with -flto: what a result's place is then
// taken for depends on what the compiler sees.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "jackdaw/invoke.hpp"
#include "runtime/two_workers.hpp"

namespace {

class invoke_results : public jackdaw::test::each_scheduler {
 protected:
  template <class F>
  void expect(long expected, F f) {
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(rt.run([&] { return f(16); }), expected) << i;
    }
  }
};

/// Its default constructor is not trivial, but its destructor is.
struct counted {
  long of = -1;
  counted() = default;
  explicit counted(long from) : of(from) {}
};

long numbers(int n) {
  if (n < 2) return n;
  const auto [a, b] = jackdaw::invoke([&] { return numbers(n - 1); }, [&] { return numbers(n - 2); });
  return a + b;
}

long three(int n) {
  if (n < 2) return n;
  const auto [a, b, c] = jackdaw::invoke([&] { return three(n - 1); }, [&] { return three(n - 2); }, [] { return 0; });
  return a + b + c;
}

long kinds(int n) {
  if (n < 2) return n;
  const auto [a, b, c, d] =
      jackdaw::invoke([&] { return counted(kinds(n - 1)); }, [&] { return std::pair(kinds(n - 2), 1.5); },
                      [] { return std::string(40, 'x'); }, [] {});
  return a.of + b.first + (c.size() == 40 ? 0 : 1000000);
}

long many(int n) {
  if (n < 2) return n;
  const auto part = [n](int k) { return [n, k]() -> std::optional<long> { return k < 2 ? many(n - 1 - k) : 0; }; };
  const auto all = jackdaw::invoke(part(0), part(1), part(2), part(3), part(4), part(5), part(6), part(7));
  return std::apply([](auto... each) { return (0 + ... + *each); }, all);
}

TEST_P(invoke_results, of_two_branches) { expect(987, numbers); }
TEST_P(invoke_results, of_three_branches) { expect(987, three); }
TEST_P(invoke_results, of_all_kinds) { expect(987, kinds); }
TEST_P(invoke_results, of_eight_branches) { expect(987, many); }

INSTANTIATE_TEST_SUITE_P(all, invoke_results, jackdaw::test::all_schedulers, jackdaw::test::name_of_scheduler);

}  // namespace
