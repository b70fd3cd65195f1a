// Jobs on threads of their own.
#include "numa/side_by_side.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <latch>
#include <thread>
#include <vector>

#include "support/refuse_calls.hpp"

namespace jackdaw::numa {
namespace {

std::vector<unsigned> own_cpus() {
  cpu_set_t mine;
  sched_getaffinity(0, sizeof mine, &mine);
  std::vector<unsigned> found;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mine)) found.push_back(cpu);
  }
  return found;
}

bool is_blocked(int signal) {
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  return sigismember(&now, signal) == 1;
}

TEST(side_by_side, does_all_at_once_each_on_its_cpus_and_without_signals) {
  const std::vector<unsigned> all = own_cpus();
  std::latch there(4);  // else this never ends
  std::vector<std::vector<unsigned>> on(3);
  std::vector<char> deaf(3), hears_faults(3);
  std::vector<pinned_job> jobs;
  for (unsigned i = 0; i < 3; ++i) {
    jobs.push_back({{all[i % all.size()]}, [&, i] {
                      there.arrive_and_wait();
                      on[i] = own_cpus();
                      deaf[i] = is_blocked(SIGUSR1) && is_blocked(SIGINT) && is_blocked(SIGPROF);
                      hears_faults[i] = !is_blocked(SIGSEGV);
                    }});
  }
  const auto caller = std::this_thread::get_id();
  do_side_by_side(jobs, [&] {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    there.arrive_and_wait();
  });
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(on[i], std::vector<unsigned>{all[i % all.size()]});
    EXPECT_TRUE(deaf[i]);
    EXPECT_TRUE(hears_faults[i]);
  }
  EXPECT_FALSE(is_blocked(SIGUSR1)) << "on the caller";
  EXPECT_EQ(own_cpus(), all);
}

TEST(side_by_side, does_what_has_no_usable_cpu_all_the_same) {
  std::atomic<unsigned> done{0};
  const std::vector<pinned_job> jobs(2, {{}, [&] { ++done; }});
  do_side_by_side(jobs, [&] { ++done; });
  EXPECT_EQ(done, 3u);
}

TEST(side_by_side, does_all_itself_if_there_are_no_threads) {
  bool refused = false;
  unsigned done = 0;
  std::thread([&] {
    refused = test::refuse_calls({{.number = SYS_clone, .error = EAGAIN}, {.number = SYS_clone3, .error = EAGAIN}});
    if (!refused) return;
    const auto caller = std::this_thread::get_id();
    const std::vector<pinned_job> jobs(3, {own_cpus(), [&] {
                                             EXPECT_EQ(std::this_thread::get_id(), caller);
                                             ++done;
                                           }});
    do_side_by_side(jobs, [&] { ++done; });
    EXPECT_FALSE(is_blocked(SIGUSR1));
  }).join();
  if (!refused) GTEST_SKIP() << "no seccomp filters here";
  EXPECT_EQ(done, 4u);
}

}  // namespace
}  // namespace jackdaw::numa
