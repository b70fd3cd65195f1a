// Arenas, isolation, observers, limits, handles of the scheduler.
#define TBB_PREVIEW_TASK_ARENA_CONSTRAINTS_EXTENSION 1
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tbb/chapter.hpp"

namespace {

using chapter::pass;
using chapter::say;
using namespace std::chrono_literals;

/// Checks that no two threads have one index at the same time, and that indices are in range.
class index_check {
 public:
  explicit index_check(int limit) : used_(static_cast<std::size_t>(limit)) {}
  void use() {
    const int at = tbb::this_task_arena::current_thread_index();
    CHECK(at >= 0 && at < static_cast<int>(used_.size()));
    CHECK(!used_[static_cast<std::size_t>(at)].exchange(true));
    for (int i = 0; i < 100; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
    used_[static_cast<std::size_t>(at)] = false;
  }

 private:
  std::vector<std::atomic<bool>> used_;
};

void indices() {
  index_check all(tbb::this_task_arena::max_concurrency());
  tbb::parallel_for(0, 20000, [&](int) { all.use(); });
  for (const int limit : {1, 2, 3}) {
    tbb::task_arena arena(limit);
    index_check those(arena.max_concurrency());
    CHECK(arena.max_concurrency() == limit);
    arena.execute([&] { tbb::parallel_for(0, 20000, [&](int) { those.use(); }); });
  }
  say("indices", 3);
}

void several_clients() {
  tbb::task_arena arena(2);
  index_check those(arena.max_concurrency());
  std::atomic<int> ran{0};
  std::vector<std::thread> clients;
  for (int t = 0; t < 4; ++t) {
    clients.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        arena.execute([&] {
          tbb::parallel_for(0, 200, [&](int) {
            those.use();
            ++ran;
          });
        });
      }
    });
  }
  for (std::thread& each : clients) each.join();
  say("four clients of an arena", ran);
}

void execute() {
  tbb::task_arena arena(2);
  say("execute returns", arena.execute([] { return 42; }));
  try {
    arena.execute([] { throw std::runtime_error("out"); });
    CHECK(false);
  } catch (const std::runtime_error&) {
  }
  const std::thread::id before = std::this_thread::get_id();
  CHECK(arena.execute([] { return std::this_thread::get_id(); }) == before);
  CHECK(tbb::this_task_arena::isolate([] { return std::this_thread::get_id(); }) == before);
  // From within tasks, in all directions.
  tbb::task_arena other;
  std::atomic<int> ran{0};
  tbb::parallel_for(0, 30, [&](int) {
    arena.execute([&] {
      tbb::parallel_for(0, 10, [&](int) {
        ++ran;
        other.execute([&] { tbb::parallel_for(0, 5, [&](int) { ++ran; }); });
      });
    });
  });
  say("arenas within arenas", ran);
  int thrown = 0;
  tbb::parallel_for(0, 1, [&](int) {
    try {
      arena.execute([] { throw 3; });
    } catch (int what) {
      thrown = what;
    }
  });
  say("thrown through an arena", thrown);
}

void enqueue() {
  tbb::task_arena arena(2);
  std::atomic<int> ran{0};
  for (int i = 0; i < 1000; ++i) arena.enqueue([&] { ++ran; });
  // oneTBB runs these while the program spins.
  while (ran < 1000) std::this_thread::yield();
  tbb::task_group group;
  for (int i = 0; i < 100; ++i) arena.enqueue(group.defer([&] { ++ran; }));
  arena.execute([&] { group.wait(); });
  say("enqueued", ran);
  std::atomic<bool> seen{false};
  tbb::parallel_for(0, 1, [&](int) { tbb::this_task_arena::enqueue([&] { seen = true; }); });
  while (!seen) std::this_thread::yield();
  tbb::task_arena attached{tbb::attach()};
  CHECK(attached.is_active());
  attached.enqueue([&] { ++ran; });
  while (ran < 1101) std::this_thread::yield();
}

/// The thread that isolates runs nothing else meanwhile, so that what belongs to it stays.
void isolation() {
  tbb::enumerable_thread_specific<int> depth(0);
  std::atomic<int> ran{0};
  tbb::parallel_for(0, 200, [&](int) {
    int& mine = depth.local();
    CHECK(mine == 0);
    mine = 1;
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(0, 20, [&](int) {
        ++ran;
        std::this_thread::yield();
      });
    });
    CHECK(&mine == &depth.local() && mine == 1);
    mine = 0;
  });
  say("isolated", ran);
}

/// A lock that a thread holds while it waits for what it forks in an arena: nothing else may run there that wants it.
void locked_arena() {
  std::mutex lock;
  tbb::task_arena arena;
  std::atomic<int> ran{0};
  tbb::parallel_for(0, 100, [&](int) {
    const std::lock_guard hold(lock);
    arena.execute([&] { tbb::parallel_for(0, 20, [&](int) { ++ran; }); });
  });
  tbb::parallel_for(0, 100, [&](int) {
    const std::lock_guard hold(lock);
    tbb::this_task_arena::isolate([&] { tbb::parallel_for(0, 20, [&](int) { ++ran; }); });
  });
  say("under a lock", ran);
}

class watcher : public tbb::task_scheduler_observer {
 public:
  explicit watcher(tbb::task_arena& of) : task_scheduler_observer(of) { observe(true); }
  ~watcher() override { observe(false); }
  void on_scheduler_entry(bool) override {
    const std::lock_guard hold(mutex_);
    inside_.insert(std::this_thread::get_id());
    ++entries;
  }
  void on_scheduler_exit(bool) override {
    const std::lock_guard hold(mutex_);
    CHECK(inside_.erase(std::this_thread::get_id()) == 1);
  }
  bool knows_this_thread() {
    const std::lock_guard hold(mutex_);
    return inside_.contains(std::this_thread::get_id());
  }
  std::atomic<int> entries{0};

 private:
  std::mutex mutex_;
  std::set<std::thread::id> inside_;
};

void observers() {
  tbb::task_arena arena(2);
  {
    watcher eye(arena);
    for (int round = 0; round < 10; ++round) {
      arena.execute([&] { tbb::parallel_for(0, 500, [&](int) { CHECK(eye.knows_this_thread()); }); });
    }
    CHECK(eye.entries >= 1);
  }
  say("observed", 1);
}

/// An observer that forks and asks when it is told.
class busy_watcher : public tbb::task_scheduler_observer {
 public:
  explicit busy_watcher(tbb::task_arena& of)
      : task_scheduler_observer(of), most_(of.execute([] { return tbb::this_task_arena::max_concurrency(); })) {
    observe(true);
  }
  ~busy_watcher() override { observe(false); }
  void on_scheduler_entry(bool) override { look(); }
  void on_scheduler_exit(bool) override { CHECK(tbb::this_task_arena::max_concurrency() == most_); }

 private:
  void look() const {
    CHECK(tbb::this_task_arena::max_concurrency() == most_);
    CHECK(tbb::this_task_arena::current_thread_index() < most_);
    std::atomic<int> ran{0};
    tbb::parallel_for(0, 20, [&](int) { ++ran; });
    CHECK(ran == 20);
  }
  const int most_;
};

void busy_observers() {
  tbb::task_arena arena(2);
  const busy_watcher eye(arena);
  std::atomic<int> ran{0};
  for (int round = 0; round < 10; ++round) {
    arena.execute([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
    tbb::parallel_for(0, 10, [&](int) { arena.execute([&] { tbb::parallel_for(0, 10, [&](int) { ++ran; }); }); });
  }
  say("observers that fork", ran);
}

void limits() {
  using control = tbb::global_control;
  CHECK(control::active_value(control::max_allowed_parallelism) >= 1);
  {
    control one(control::max_allowed_parallelism, 1);
    CHECK(control::active_value(control::max_allowed_parallelism) == 1);
    control two(control::max_allowed_parallelism, 2);
    CHECK(control::active_value(control::max_allowed_parallelism) == 1);
    std::atomic<int> inside{0}, most{0};
    tbb::parallel_for(0, 2000, [&](int) {
      const int now = ++inside;
      if (now > most) most = now;
      std::this_thread::yield();
      --inside;
    });
    say("at the same time", most);
  }
  control stack(control::thread_stack_size, 8 << 20);
  CHECK(control::active_value(control::thread_stack_size) == 8 << 20);
  CHECK(control::active_value(control::terminate_on_exception) == 0);
}

void machine() {
  const std::vector<tbb::numa_node_id> nodes = tbb::info::numa_nodes();
  CHECK(!nodes.empty());
  for (const tbb::numa_node_id node : nodes) {
    CHECK(tbb::info::default_concurrency(node) >= 1);
    tbb::task_arena there{tbb::task_arena::constraints{}.set_numa_id(node)};
    std::atomic<int> ran{0};
    there.execute([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
    CHECK(ran == 100 && there.max_concurrency() >= 1);
  }
  for (const tbb::core_type_id type : tbb::info::core_types()) {
    tbb::task_arena::constraints those;
    those.set_core_type(type).set_max_threads_per_core(1);
    CHECK(tbb::info::default_concurrency(those) >= 1);
    tbb::task_arena there{those};
    CHECK(there.execute([] { return true; }));
  }
  for (const auto urgency : {tbb::task_arena::priority::low, tbb::task_arena::priority::high}) {
    tbb::task_arena there(2, 1, urgency);
    std::atomic<int> ran{0};
    there.execute([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
    CHECK(ran == 100);
  }
  say("nodes, types, priorities", 1);
}

void handles() {
  tbb::task_scheduler_handle handle{tbb::attach()};
  CHECK(static_cast<bool>(handle));
  std::atomic<int> ran{0};
  tbb::parallel_for(0, 100, [&](int) {
    ++ran;
    tbb::task_scheduler_handle within{tbb::attach()};
    CHECK(!tbb::finalize(within, std::nothrow));
  });
  tbb::parallel_for(0, 100, [&](int) { ++ran; });
  handle.release();
  CHECK(!handle);
  // Ends the workers, and the next loop starts others.
  tbb::task_scheduler_handle last{tbb::attach()};
  CHECK(tbb::finalize(last, std::nothrow));
  tbb::parallel_for(0, 100, [&](int) { ++ran; });
  tbb::task_scheduler_handle refused{tbb::attach()};
  tbb::task_arena active(2);
  active.initialize();
  active.execute([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
  say("handles", ran);
}

/// Isolated code calls execute of an arena in which another thread's tasks wait all the time.
void shared_by_isolated_code() {
  tbb::task_arena shared(2);
  shared.initialize();
  std::atomic<bool> stops{false};
  std::thread other([&] {
    const auto wait_for_one = [](int) {
      std::atomic<bool> begun{false};
      tbb::task_group group;
      group.run([&] { begun = true; });
      for (int i = 0; !begun && i < 20; ++i) pass(100us);
      group.wait();
    };
    while (!stops) shared.execute([&] { tbb::parallel_for(0, 8, wait_for_one, tbb::simple_partitioner()); });
  });
  std::atomic<int> ran{0};
  const auto loop_there = [&](int) {
    pass(200us);
    shared.execute([&] {
      pass(300us);
      tbb::parallel_for(0, 4, [&](int) { pass(100us), ++ran; }, tbb::simple_partitioner());
    });
  };
  for (int round = 0; round < 100; ++round) {
    const auto isolate = [&](int) {
      tbb::this_task_arena::isolate([&] { tbb::parallel_for(0, 8, loop_there, tbb::simple_partitioner()); });
    };
    tbb::parallel_for(0, 2, isolate, tbb::simple_partitioner());
  }
  stops = true;
  other.join();
  say("loops in a shared arena, by isolated code", ran);
}

}  // namespace

int main() {
  indices();
  several_clients();
  execute();
  enqueue();
  isolation();
  locked_arena();
  shared_by_isolated_code();
  observers();
  busy_observers();
  limits();
  machine();
  handles();
  chapter::tell_who_ran();
}
