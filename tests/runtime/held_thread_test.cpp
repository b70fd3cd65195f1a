// Which processors threads get that are made where a runtime holds their maker on a processor.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <latch>
#include <optional>
#include <set>
#include <thread>

#include "jackdaw/jackdaw.hpp"

namespace {

using jackdaw::runtime;
using cpus = std::set<unsigned>;

cpus mask_of_this_thread() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  cpus found;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) found.insert(cpu);
  }
  return found;
}

cpu_set_t set_of(const cpus& from) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const unsigned cpu : from) CPU_SET(cpu, &mask);
  return mask;
}

void give_to_this_thread(const cpus& wanted) {
  const cpu_set_t mask = set_of(wanted);
  ASSERT_EQ(sched_setaffinity(0, sizeof mask, &mask), 0);
}

/// The mask that a new thread sees.
cpus mask_of_std_thread() {
  cpus seen;
  std::thread([&] { seen = mask_of_this_thread(); }).join();
  return seen;
}

/// The same for a pthread with these attributes; none if the system refuses it.
std::optional<cpus> mask_of_pthread(const pthread_attr_t* how) {
  cpus seen;
  pthread_t made;
  const auto start = [](void* into) -> void* {
    *static_cast<cpus*>(into) = mask_of_this_thread();
    return nullptr;
  };
  if (pthread_create(&made, how, start, &seen) != 0) return {};
  pthread_join(made, nullptr);
  return seen;
}

class held_thread : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(JACKDAW_SANITIZED) && defined(__clang__)
    GTEST_SKIP() << "the sanitizer, which is part of the program, has replaced pthread_create itself";
#endif
    if (process_.size() < 2) GTEST_SKIP() << "needs two processors";
    pinned_.emplace(jackdaw::options{.scheduler = "random", .workers = 2, .pin = true});
    if (!pinned_->where().bindable()) GTEST_SKIP() << "the machine is only described";
  }

  /// Calls f in a task that a worker's own thread runs, with the processor that it is pinned to.
  template <class F>
  void on_worker(const F& f) {
    std::latch elsewhere(2);
    const auto client = std::this_thread::get_id();
    std::atomic<bool> ran{false};
    const auto task = [&] {
      elsewhere.arrive_and_wait();
      if (std::this_thread::get_id() == client || ran.exchange(true)) return;
      f(cpus{*pinned_->place(*jackdaw::this_worker()).os_cpu});
    };
    // The two run on different threads, as each waits for the other. Only one of these can be the client.
    pinned_->run([&] { jackdaw::invoke(task, task); });
    ASSERT_TRUE(ran);
  }

  const cpus process_ = mask_of_this_thread();
  std::optional<runtime> pinned_;
};

TEST_F(held_thread, makes_std_threads_that_may_run_where_the_process_may) {
  on_worker([&](const cpus& pin) {
    ASSERT_EQ(mask_of_this_thread(), pin);
    EXPECT_EQ(mask_of_std_thread(), process_);
    EXPECT_EQ(mask_of_this_thread(), pin) << "the worker is not pinned any more";
  });
}

TEST_F(held_thread, makes_pthreads_that_may_run_where_the_process_may) {
  on_worker([&](const cpus& pin) {
    EXPECT_EQ(mask_of_pthread(nullptr), process_);
    // Attributes without an affinity, as libgomp passes them.
    pthread_attr_t how;
    ASSERT_EQ(pthread_attr_init(&how), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&how, std::size_t{1} << 20), 0);
    EXPECT_EQ(mask_of_pthread(&how), process_);
    pthread_attr_destroy(&how);
    EXPECT_EQ(mask_of_this_thread(), pin);
  });
}

TEST_F(held_thread, keeps_the_affinity_of_attributes) {
  on_worker([&](const cpus& pin) {
    for (const unsigned cpu : process_) {
      pthread_attr_t how;
      ASSERT_EQ(pthread_attr_init(&how), 0);
      const cpu_set_t wanted = set_of({cpu});
      ASSERT_EQ(pthread_attr_setaffinity_np(&how, sizeof wanted, &wanted), 0);
      EXPECT_EQ(mask_of_pthread(&how), cpus{cpu});
      pthread_attr_destroy(&how);
    }
    EXPECT_EQ(mask_of_this_thread(), pin);
  });
}

TEST_F(held_thread, is_pinned_again_after_a_refusal) {
  on_worker([&](const cpus& pin) {
    pthread_attr_t how;
    ASSERT_EQ(pthread_attr_init(&how), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&how, std::size_t{1} << 60), 0);
    EXPECT_FALSE(mask_of_pthread(&how).has_value());
    pthread_attr_destroy(&how);
    EXPECT_EQ(mask_of_this_thread(), pin);
  });
}

TEST_F(held_thread, hands_on_a_mask_that_a_task_has_set) {
  on_worker([&](const cpus& pin) {
    const cpus other{*pin.begin() == *process_.begin() ? *process_.rbegin() : *process_.begin()};
    give_to_this_thread(other);
    EXPECT_EQ(mask_of_std_thread(), other);
    EXPECT_EQ(mask_of_this_thread(), other);
    give_to_this_thread(pin);
    EXPECT_EQ(mask_of_std_thread(), process_);
  });
}

// The only client takes the place of a worker, whose processor holds it meanwhile.
TEST_F(held_thread, of_a_client_makes_threads_that_get_the_mask_of_the_client) {
  const auto client = std::this_thread::get_id();
  const auto look = [&](const cpus& own) {
    bool came = false;
    for (int i = 0; i < 1000 && !came; ++i) {
      pinned_->run([&] {
        if (std::this_thread::get_id() != client) return;
        came = true;
        EXPECT_EQ(mask_of_this_thread(), cpus{*pinned_->place(*jackdaw::this_worker()).os_cpu});
        EXPECT_EQ(mask_of_std_thread(), own);
      });
    }
    EXPECT_TRUE(came);
    EXPECT_EQ(mask_of_this_thread(), own);
    EXPECT_EQ(mask_of_std_thread(), own);
  };
  look(process_);
}

TEST_F(held_thread, is_none_where_the_program_has_pinned_a_thread_itself) {
  const cpus first{*process_.begin()};
  give_to_this_thread(first);
  EXPECT_EQ(mask_of_std_thread(), first);
  pinned_->run([] {});
  EXPECT_EQ(mask_of_std_thread(), first);
  give_to_this_thread(process_);
}

TEST_F(held_thread, ends_with_its_runtime) {
  pinned_->run([] {});
  pinned_.reset();
  EXPECT_EQ(mask_of_this_thread(), process_);
  EXPECT_EQ(mask_of_std_thread(), process_);
}

}  // namespace
