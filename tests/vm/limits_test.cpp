// Limits that only root of a whole machine can set: of threads by a control group, and of mappings by the kernel.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string>

#include "jackdaw/jackdaw.hpp"
#include "support/fib.hpp"
#include "support/in_child.hpp"
#include "vm/expected_machine.hpp"
#include "vm/system_files.hpp"

namespace {

using jackdaw::test::control_group;
using jackdaw::test::ending;
using jackdaw::test::fib;
using jackdaw::test::fib_in_groups;
using jackdaw::test::in_child;
using jackdaw::test::kernel_setting;

std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

/// What a user's program does. 3: the runtime has refused.
int run_a_program() {
  try {
    if (fib(15) != 610) return 1;
    if (jackdaw::runtime::instance().run([] { return fib_in_groups(12); }) != 144) return 4;
    return jackdaw::concurrency() >= 1 && jackdaw::concurrency() <= 64 ? 0 : 2;
  } catch (const jackdaw::error&) {
    return 3;
  } catch (const std::bad_alloc&) {
    return 3;
  }
}

/// Returns only if the program cannot be run.
int run_jackdaw() {
  execl("/bin/jackdaw", "jackdaw", "bench", "fib", "--size", "tiny", "--repeat", "1", "--no-store", nullptr);
  return 127;
}

class machine_limits : public testing::Test {
 protected:
  void SetUp() override {
    if (!jackdaw::test::expected_machine::here()) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
    setenv("JACKDAW_WORKERS", "64", 1);
  }
  void TearDown() override { unsetenv("JACKDAW_WORKERS"); }
};

TEST_F(machine_limits, pids_max_gives_the_default_runtime_fewer_workers) {
  const control_group group("limits_test", "pids");
  for (const char* most : {"2", "4", "8"}) {
    group.set("pids.max", most);
    const ending how = in_child([&] {
      group.enter();
      return run_a_program();
    });
    EXPECT_EQ(how.status, 0) << most << ": " << how.said;
    EXPECT_NE(how.said.find("(ulimit -u, pids.max, vm.max_map_count), or ask for fewer (JACKDAW_WORKERS); there are "),
              std::string::npos)
        << most << ": " << how.said;
    EXPECT_EQ(lines(how.said), 2) << most << ": " << how.said;
  }
  group.set("pids.max", "1");
  const ending how = in_child([&] {
    group.enter();
    return run_a_program();
  });
  EXPECT_EQ(how.status, 3) << how.said;
}

TEST_F(machine_limits, pids_max_is_an_error_of_the_program) {
  const control_group group("limits_test", "pids");
  for (const char* most : {"1", "2", "4"}) {
    group.set("pids.max", most);
    const ending how = in_child([&] {
      group.enter();
      return run_jackdaw();
    });
    EXPECT_EQ(how.status, 2) << most << ": " << how.said;
    EXPECT_NE(how.said.find("(ulimit -u, pids.max"), std::string::npos) << most << ": " << how.said;
    EXPECT_LE(lines(how.said), 2) << most << ": " << how.said;  // the other one: workers share processors
  }
}

/// The mappings that this process has.
long mappings() {
  std::ifstream file("/proc/self/maps");
  long count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

TEST_F(machine_limits, of_mappings_give_fewer_workers_or_one_line) {
  const kernel_setting most("/proc/sys/vm/max_map_count");
  const long own = mappings();
  std::array<int, 5> ended{};  // by status
  for (const long more : {2, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256}) {
    most.set(std::to_string(own + more));
    const ending how = in_child(run_a_program);
    ASSERT_TRUE(how.status == 0 || how.status == 3) << more << " more: " << how.status << ", " << how.said;
    EXPECT_LE(lines(how.said), 3) << more << " more: " << how.said;
    ++ended[static_cast<std::size_t>(how.status)];
  }
  EXPECT_GT(ended[0], 3);
}

TEST_F(machine_limits, of_mappings_are_an_error_of_the_program) {
  const kernel_setting most("/proc/sys/vm/max_map_count");
  for (const long all : {120, 160, 200, 260}) {
    const ending how = in_child([&] {
      most.set(std::to_string(all));
      return run_jackdaw();
    });
    EXPECT_EQ(how.status, 2) << all << ": " << how.said;
    EXPECT_NE(how.said.find("vm.max_map_count), or ask for fewer"), std::string::npos) << all << ": " << how.said;
    EXPECT_LE(lines(how.said), 2) << all << ": " << how.said;
  }
}

}  // namespace
