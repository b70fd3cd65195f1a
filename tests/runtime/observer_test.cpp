#include "jackdaw/observer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <latch>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "trace/timeline.hpp"

namespace jackdaw {
namespace {

using kind = worker_event::kind;

unsigned fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

void steal_and_wait() {
  std::atomic<bool> begun{false}, ended{false};
  invoke(
      [&] {
        while (!begun) std::this_thread::yield();
        ended = true;
      },
      [&] {
        begun = true;
        while (!ended) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
}

/// Keeps all that it sees, each worker's part by itself.
class keeper : public observer {
 public:
  void see(const worker_event& what) noexcept override {
    const std::lock_guard hold(mutex_);
    of_[what.worker].push_back(what);
    const auto [known, fresh] = threads_.emplace(what.worker, std::this_thread::get_id());
    on_its_thread_ = on_its_thread_ && known->second == std::this_thread::get_id();
  }
  const std::map<std::uint32_t, std::vector<worker_event>>& of() const { return of_; }
  bool on_its_thread() const { return on_its_thread_; }
  std::uint64_t count(kind what) const {
    std::uint64_t sum = 0;
    for (const auto& [id, events] : of_) {
      for (const worker_event& each : events) sum += each.what == what;
    }
    return sum;
  }

 private:
  std::mutex mutex_;
  std::map<std::uint32_t, std::vector<worker_event>> of_;
  std::map<std::uint32_t, std::thread::id> threads_;
  bool on_its_thread_ = true;
};

class ObserverTest : public testing::TestWithParam<const char*> {
 protected:
  ~ObserverTest() override { observe(nullptr); }
  keeper seen;
};

TEST_P(ObserverTest, EachWorkersEventsAreInOrderAndInPairs) {
  observe(&seen);
  statistics counted;
  {
    runtime rt{{.scheduler = GetParam(), .workers = 2, .pin = false}};
    for (int i = 0; i < 30; ++i) rt.run(steal_and_wait);
    rt.run([] { fib(15); });
    counted = rt.stats();
  }
  EXPECT_TRUE(seen.on_its_thread());
  ASSERT_EQ(seen.of().size(), 2U);
  std::uint64_t waits = 0;
  for (const auto& [id, events] : seen.of()) {
    EXPECT_EQ(events.front().what, kind::start);
    EXPECT_EQ(events.back().what, kind::stop);
    std::uint64_t last = 0;
    bool runs = false, searches = false, sleeps = false;
    for (const worker_event& each : events) {
      EXPECT_GE(each.at, last);
      last = each.at;
      const auto turns = [&](bool& state, bool to) {
        EXPECT_NE(state, to);
        state = to;
      };
      if (each.what == kind::run) turns(runs, true);
      if (each.what == kind::leave) turns(runs, false);
      if (each.what == kind::search) turns(searches, true);
      if (each.what == kind::found) turns(searches, false);
      if (each.what == kind::sleep) turns(sleeps, true);
      if (each.what == kind::wake) turns(sleeps, false);
      if (each.what == kind::leave && each.why == worker_event::reason::waits) ++waits;
    }
    EXPECT_FALSE(runs || searches || sleeps);
  }
  EXPECT_EQ(waits, counted.suspensions);
  EXPECT_EQ(seen.count(kind::steal), counted.steals_local + counted.steals_remote);
  EXPECT_EQ(seen.count(kind::begin), seen.count(kind::end));
  EXPECT_GE(seen.count(kind::begin), 31U);
}

/// Each of its parts would wait for a worker of its own.
TEST_P(ObserverTest, ARootThatFindsNoIdleWorkerIsNotLaidOut) {
  observe(&seen);
  {
    runtime rt{{.scheduler = GetParam(), .workers = 2, .pin = false}};
    std::latch first_begun(1), first_over(1), second_begun(1), parts_begun(2), parts_over(1);
    // While the first root holds its place, the second is not laid out.
    std::thread first([&] {
      rt.run([&] {
        first_begun.count_down();
        first_over.wait();
      });
    });
    first_begun.wait();
    const auto part = [&] {
      parts_begun.count_down();
      parts_over.wait();
    };
    std::thread second([&] {
      rt.run([&] {
        second_begun.count_down();
        invoke(part, part);
      });
    });
    second_begun.wait();
    first_over.count_down();
    first.join();
    parts_begun.wait();  // both workers are busy with the second root
    auto third = rt.async([] {});
    parts_over.count_down();
    third.get();
    second.join();
  }
  std::uint64_t mailed = 0;
  for (const auto& [id, events] : seen.of()) {
    for (const worker_event& each : events) {
      mailed += each.what == kind::take && each.from == worker_event::source::mailbox;
    }
  }
  EXPECT_LE(mailed, 1U);
}

INSTANTIATE_TEST_SUITE_P(Schedulers, ObserverTest,
                         testing::Values("random", "hierarchical", "adws", "constrained", "cab", "laws"),
                         [](const auto& given) { return std::string(given.param); });

TEST_F(ObserverTest, RuntimesThatStartLaterAreNotSeenAnyMore) {
  observe(&seen);
  observe(nullptr);
  runtime rt{{.workers = 2, .pin = false}};
  rt.run([] { fib(5); });
  EXPECT_TRUE(seen.of().empty());
}

TEST_F(ObserverTest, ExceptionsLeaveNothingOpen) {
  observe(&seen);
  {
    runtime rt{{.workers = 2, .pin = false}};
    for (int i = 0; i < 10; ++i) {
      EXPECT_THROW(rt.run([] {
        region here("throws");
        invoke([] { throw 1; }, [] { fib(5); });
      }),
                   int);
    }
  }
  EXPECT_EQ(seen.count(kind::enter_region), 10U);
  EXPECT_EQ(seen.count(kind::leave_region), 10U);
  EXPECT_EQ(seen.count(kind::open), seen.count(kind::close));
  EXPECT_EQ(seen.count(kind::run), seen.count(kind::leave));
}

TEST_F(ObserverTest, ATimelineIsReadWhileWorkersRun) {
  const std::filesystem::path file = testing::TempDir() + "timeline." + std::to_string(getpid());
  trace::timeline kept(file, "random", {"a", "b"});
  observe(&kept);
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    while (!stop) {
      const trace::timeline_view now = kept.view();
      for (const trace::timeline_view::track& each : now.workers) {
        std::uint64_t last = 0;
        for (const worker_event& one : each.content.events) {
          EXPECT_GE(one.at, last);
          last = one.at;
        }
      }
    }
  });
  {
    runtime rt{{.scheduler = "random", .workers = 2, .pin = false}};
    for (int i = 0; i < 200; ++i) rt.run(steal_and_wait);
  }
  stop = true;
  reader.join();
  kept.write();
  EXPECT_TRUE(std::filesystem::remove(file));
}

}  // namespace
}  // namespace jackdaw
