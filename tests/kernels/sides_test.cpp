// Every kernel's tiny size, in every shape, is right when run serially, and under every scheduler with fewer workers
// than CPUs, as many, and more, and with workers of described larger machines.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <jackdaw/jackdaw.hpp>

#include "kernels/common/kernel.hpp"
#include "support/sanitized.hpp"
#include "support/schedulers.hpp"

namespace jackdaw::kernels {
namespace {

struct version {
  std::string_view kernel_name, shape;
};

std::vector<version> versions() {
  std::vector<version> result;
  for (const kernel& k : all())
    for (const std::string_view shape : k.shapes) result.push_back({k.name, shape});
  return result;
}

std::unique_ptr<problem> tiny(const version& v, std::string_view side_name) {
  const kernel& k = *find(v.kernel_name);
  const auto side = std::ranges::find(k.sides, side_name, &side::name);
  if (side == k.sides.end()) throw std::out_of_range("no such side");
  return side->make({.size = "tiny", .shape = std::string(v.shape)});
}

std::string words(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return text;
}

std::string name_of(const version& v) { return words(std::string(v.kernel_name) + ' ' + std::string(v.shape)); }

/// A kernel's version and a scheduler.
using schedule = std::tuple<version, std::string>;

std::string name_of(const schedule& s) {
  const auto& [version, scheduler] = s;
  return name_of(version) + '_' + words(scheduler);
}

class serial_side : public testing::TestWithParam<version> {};

TEST_P(serial_side, is_right_twice) {
  const auto p = tiny(GetParam(), "serial");
  for (int repetition = 0; repetition != 2; ++repetition) {
    p->prepare();
    p->run();
    p->check();
    EXPECT_EQ(p->items() > 0, !p->unit().empty());
  }
}

TEST_P(serial_side, check_finds_that_nothing_ran) {
  const auto p = tiny(GetParam(), "serial");
  p->prepare();
  EXPECT_THROW(p->check(), check_failed);
}

INSTANTIATE_TEST_SUITE_P(kernels, serial_side, testing::ValuesIn(versions()),
                         [](const auto& instance) { return name_of(instance.param); });

class jackdaw_side : public testing::TestWithParam<schedule> {
 protected:
  /// Two runs in one runtime; 0 workers: one for each core.
  static void expect_right_twice(unsigned workers) {
    const auto& [version, scheduler] = GetParam();
    options with;
    with.scheduler = scheduler;
    with.workers = workers;
    runtime rt{with};
    const auto p = tiny(version, "jackdaw");
    for (int repetition = 0; repetition != 2; ++repetition) {
      rt.run([&] {
        p->prepare();
        p->run();
      });
      p->check();
      EXPECT_EQ(p->items() > 0, !p->unit().empty());
    }
  }
};

TEST_P(jackdaw_side, is_right_with_any_number_of_workers) {
  constexpr std::array numbers = {1u, 4u, 2u, 16u};
  for (const unsigned workers : std::span(numbers).last(test::sanitized ? 2 : numbers.size())) {
    SCOPED_TRACE(std::to_string(workers) + " workers");
    expect_right_twice(workers);
  }
}

/// Under sanitizers only the last one.
constexpr std::array machines = {"package:2 l3:1 core:4 pu:1", "package:8 l3:1 core:2 pu:1",
                                 "package:4 l3:1 core:4 pu:1"};

TEST_P(jackdaw_side, is_right_on_machines_of_several_sockets) {
  for (const char* machine : std::span(machines).last(test::sanitized ? 1 : machines.size())) {
    SCOPED_TRACE(machine);
    ASSERT_EQ(setenv("HWLOC_SYNTHETIC", machine, 1), 0);  // NOLINT(concurrency-mt-unsafe): before any worker starts
    expect_right_twice(0);
  }
  unsetenv("HWLOC_SYNTHETIC");  // NOLINT(concurrency-mt-unsafe): after the last one has ended
}

INSTANTIATE_TEST_SUITE_P(kernels, jackdaw_side,
                         testing::Combine(testing::ValuesIn(versions()), testing::ValuesIn(test::diverse_schedulers())),
                         [](const auto& instance) { return name_of(instance.param); });

}  // namespace
}  // namespace jackdaw::kernels
