// The standard's algorithms while a request for memory is refused: an element that has been moved to a buffer is not
// lost with it. The program may end instead.
#include "jackdaw/pstl.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <new>
#include <numeric>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/failing.hpp"

namespace jackdaw::test {
namespace {

using std::execution::par;
using owners = std::vector<std::unique_ptr<int>>;

bool keeps_all_or_ends(int status) { return status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT); }

bool less(const std::unique_ptr<int>& a, const std::unique_ptr<int>& b) { return *a < *b; }

/// Ends the program: with 0 if `change` has left each number once, whether it threw or not.
template <class Change>
void change_without_memory(long granted, const char* scheduler, Change change) {
  constexpr int count = 20'000;
  runtime rt({.scheduler = scheduler, .workers = 2, .pin = false});
  owners all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<int>(i * 7919 % count));
  std::sort(all.begin(), all.begin() + count / 2, less);
  std::sort(all.begin() + count / 2, all.end(), less);
  rt.run([&] {
    const failing now(ask::memory, granted, failing::which::one);
    try {
      change(all);
    } catch (const std::bad_alloc&) {
    }
    failing::stop();
  });
  std::vector<bool> seen(count);
  for (const auto& each : all) {
    if (each == nullptr || seen[static_cast<std::size_t>(*each)]) std::exit(1);
    seen[static_cast<std::size_t>(*each)] = true;
  }
  std::exit(0);
}

class standard_without_memory_death_test : public testing::TestWithParam<const char*> {
 protected:
  template <class Change>
  void refuse_in_turn(Change change) {
    for (long granted = 0; granted < 24; ++granted) {
      EXPECT_EXIT(change_without_memory(granted, GetParam(), change), keeps_all_or_ends, "") << granted;
    }
  }
};

TEST_P(standard_without_memory_death_test, rotate) {
  refuse_in_turn([](owners& all) { std::rotate(par, all.begin(), all.begin() + 7'000, all.end()); });
}
TEST_P(standard_without_memory_death_test, inplace_merge) {
  refuse_in_turn([](owners& all) { std::inplace_merge(par, all.begin(), all.begin() + 10'000, all.end(), less); });
}
TEST_P(standard_without_memory_death_test, sort) {
  refuse_in_turn([](owners& all) { std::sort(par, all.begin(), all.end(), less); });
}
TEST_P(standard_without_memory_death_test, stable_partition) {
  refuse_in_turn([](owners& all) {
    std::stable_partition(par, all.begin(), all.end(), [](const std::unique_ptr<int>& each) { return *each % 2 == 0; });
  });
}

INSTANTIATE_TEST_SUITE_P(all, standard_without_memory_death_test, testing::Values("random", "adws"));

}  // namespace
}  // namespace jackdaw::test
