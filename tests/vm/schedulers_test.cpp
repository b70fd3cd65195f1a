// Every scheduler on a machine of several packages, by the kernels' own checks.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "jackdaw/jackdaw.hpp"
#include "kernels/common/kernel.hpp"
#include "support/schedulers.hpp"
#include "vm/expected_machine.hpp"
#include "vm/test_name.hpp"

namespace {

using jackdaw::test::expected_machine;
namespace kernels = jackdaw::kernels;

class schedulers : public testing::TestWithParam<std::string> {};

TEST_P(schedulers, run_kernels_on_all_packages) {
  const auto expected = expected_machine::here();
  if (!expected) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
  jackdaw::runtime workers({.scheduler = GetParam()});
  ASSERT_EQ(workers.workers(), expected->cores);

  // A tree of forks only, an iterative loop with neighbours, a recursion with data, and a skewed loop.
  for (const char* const name : {"fib", "heat2d", "sort", "uts"}) {
    const kernels::kernel* const kernel = kernels::find(name);
    ASSERT_NE(kernel, nullptr) << name;
    const auto side = std::ranges::find(kernel->sides, "jackdaw", &kernels::side::name);
    ASSERT_NE(side, kernel->sides.end()) << name;
    const auto problem = side->make({.size = "tiny", .workers = workers.workers()});
    for (int round = 0; round < 2; ++round) {
      workers.run([&] {
        problem->prepare();
        problem->run();
      });
      EXPECT_NO_THROW(problem->check()) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, schedulers, testing::ValuesIn(jackdaw::test::whole_schedulers()),
                         jackdaw::test::test_name);

}  // namespace
