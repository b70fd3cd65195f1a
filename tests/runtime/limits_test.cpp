// Runtimes where the system gives fewer threads or less memory than their workers need.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "jackdaw/jackdaw.hpp"
#include "support/error_of.hpp"
#include "support/fib.hpp"
#include "support/in_child.hpp"
#include "support/sanitized.hpp"

namespace {

using jackdaw::options;
using jackdaw::runtime;
using jackdaw::test::ending;
using jackdaw::test::fib;
using jackdaw::test::in_child;

void limit(decltype(RLIMIT_AS) what, rlim_t most) {
  const rlimit wanted{most, most};
  if (setrlimit(what, &wanted) != 0) _exit(100);
}

/// This process becomes that of a user without other processes, who may have this many threads. Root may have as many
/// as it likes.
void limit_threads(rlim_t most) {
  const auto nobody = static_cast<uid_t>(2'000'000 + getpid());
  if (setuid(nobody) != 0) _exit(100);
  limit(RLIMIT_NPROC, most);
}

/// What else is said: that the workers share processors.
std::string without_first_line(const ending& how) { return how.said.substr(how.said.find('\n') + 1); }

class limits : public testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can become a user without other threads";
    if (jackdaw::test::sanitized) GTEST_SKIP() << "sanitizers need threads and memory of their own";
    setenv("JACKDAW_WORKERS", "400", 1);
  }
  void TearDown() override {
    unsetenv("JACKDAW_WORKERS");
    unsetenv("HWLOC_SYNTHETIC");
  }
};

TEST_F(limits, of_threads_give_the_default_runtime_fewer_workers) {
  const ending how = in_child([] {
    limit_threads(40);
    return fib(15) == 610 && jackdaw::concurrency() >= 1 && jackdaw::concurrency() < 40 ? 0 : 1;
  });
  EXPECT_EQ(how.status, 0) << how.said;
  EXPECT_EQ(std::count(how.said.begin(), how.said.end(), '\n'), 2) << how.said;
  const std::string line = without_first_line(how);
  EXPECT_EQ(line.find("jackdaw: runtime: the system started "), 0u) << line;
  EXPECT_NE(line.find(" threads, expected 400 ("), std::string::npos) << line;
  EXPECT_NE(line.find("(ulimit -u, pids.max, vm.max_map_count), or ask for fewer (JACKDAW_WORKERS); there are "),
            std::string::npos);
}

TEST_F(limits, of_threads_refuse_a_number_that_the_program_has_set) {
  const ending how = in_child([] {
    limit_threads(40);
    const std::string said = jackdaw::error_of([] { const runtime rt({.workers = 300}); });
    if (said.find("expected 300") == std::string::npos) return 1;
    return runtime({.workers = 4}).run([] { return fib(15); }) == 610 ? 0 : 2;  // nothing of the other one is left
  });
  EXPECT_EQ(how.status, 0) << how.said;
}

TEST_F(limits, of_memory_give_the_default_runtime_fewer_workers) {
  setenv("JACKDAW_WORKERS", "4096", 1);
  const ending how = in_child([] {
    limit(RLIMIT_AS, rlim_t{4} << 30);
    return fib(15) == 610 && jackdaw::concurrency() < 4096 ? 0 : 1;
  });
  EXPECT_EQ(how.status, 0) << how.said;
  EXPECT_EQ(std::count(how.said.begin(), how.said.end(), '\n'), 2) << how.said;
}

TEST_F(limits, a_machine_of_more_cores_than_a_runtime_has_workers) {
  unsetenv("JACKDAW_WORKERS");
  setenv("HWLOC_SYNTHETIC", "package:50 core:100 pu:1", 1);
  const ending how = in_child([] {
    limit_threads(40);
    const runtime rt;
    return rt.where().usable_cores() == 5000 && rt.workers() < 40 ? 0 : 1;
  });
  EXPECT_EQ(how.status, 0) << how.said;
  EXPECT_EQ(how.said.find("jackdaw: the machine has 5000 cores; a runtime has at most 4096 workers\n"), 0u) << how.said;
  EXPECT_EQ(std::count(how.said.begin(), how.said.end(), '\n'), 2) << how.said;
}

}  // namespace
