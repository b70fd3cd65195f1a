// Runtimes that begin, work and end while the system refuses one request after another: they answer right or throw, and
// leave nothing behind.
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jackdaw/detail/root.hpp"
#include "profile/counters/perf_calls.hpp"
#include "runtime/no_memory.hpp"
#include "runtime/threads.hpp"
#include "support/schedulers.hpp"

namespace jackdaw::test {
namespace {

bool runs(const options& how) {
  runtime rt(how);
  return rt.run([] { return leaves_of(2); }) == 16;
}

void nothing() {}

class no_memory_to_start : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(no_memory_to_start, a_runtime_throws_or_works) {
  const auto& [scheduler, description] = GetParam();
  const on_machine described(description);
  // All of them read the machine in the same way, of which there is a test below.
  const long read = asked_by([] { machine::detect(); });
  const options how{.scheduler = scheduler, .workers = 4, .pin = false};
  refuse_everything_in_turn(all_refusals(read), leaves::nothing, [&] { return runs(how); }, nothing);
}

std::string name_of_start(const testing::TestParamInfo<std::tuple<std::string, std::string>>& each) {
  std::string name = std::get<0>(each.param) + (std::get<1>(each.param) == one_socket ? "" : "_on_two_sockets");
  for (char& c : name) c = c == ':' || c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(all, no_memory_to_start,
                         testing::Combine(testing::ValuesIn(diverse_schedulers()),
                                          testing::Values(one_socket, two_sockets)),
                         name_of_start);

/// Whether this computer, of which a part of the questions is enough, or one that is described.
TEST(no_memory, to_read_the_machine) {
  for (const char* const description : {"", two_sockets}) {
    const on_machine described(description);
    for (const refusals& each : all_refusals(0, *description == '\0' ? 5 : 1)) {
      refuse_in_turn(each, leaves::nothing, [] { return !machine::detect().cores.empty(); }, nothing);
    }
  }
}

/// This computer, with threads that are pinned.
TEST(no_memory, for_a_runtime_here) {
  machine::detect();
  for (refusals each : all_refusals(asked_by([] { machine::detect(); }), 5)) {
    refuse_in_turn(each, leaves::nothing, [] { return runs({}); }, nothing);
  }
}

TEST(no_memory, for_the_default_runtime_that_a_first_fork_starts) {
  const on_machine described(one_socket);
  const auto fork = [] {
    const shuts_down then;
    return leaves_of(2) == 16;
  };
  refuse_everything_in_turn(all_refusals(asked_by([] { machine::detect(); })), leaves::nothing, fork, nothing);
}

TEST(no_memory, for_roots_from_several_threads) {
  runtime rt({.workers = 3, .pin = false});
  constexpr unsigned clients = 3;
  std::barrier begin(clients + 1), end(clients + 1);
  std::atomic<bool> over{false};
  std::atomic<unsigned> wrong{0};
  const auto root = [&rt] { return rt.run([] { return leaves_of(2); }) == 16; };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < clients; ++i) {
    threads.emplace_back([&] {
      for (;;) {
        begin.arrive_and_wait();
        if (over) return;
        try {
          for (int turn = 0; turn < 4; ++turn) wrong += root() ? 0 : 1;
        } catch (const std::bad_alloc&) {
        }
        end.arrive_and_wait();
      }
    });
  }
  const auto all = [&] {
    begin.arrive_and_wait();
    end.arrive_and_wait();
    return wrong == 0;
  };
  for (const refusals& each : all_refusals()) refuse_in_turn(each, leaves::caches, all, [&] { EXPECT_TRUE(root()); });
  over = true;
  begin.arrive_and_wait();
  for (std::thread& each : threads) each.join();
}

/// A processor whose counters return given values, without an allocation of their own.
class steady_counters final : public profile::perf_calls {
 public:
  int open(const perf_event_attr&, int) override { return 1000 + open_++; }
  int open_for(const perf_event_attr&, pid_t) override { return -ENOENT; }
  int map(int, std::size_t, void*&) override { return -ENOENT; }
  void unmap(void*, std::size_t) override {}
  int enable(int) override { return 0; }
  ssize_t read(int, void* into, std::size_t bytes) override {
    // How many events there are, the times enabled and running, and the counts.
    const std::uint64_t words[] = {2, 1, 1, 1'000'000, 2'000'000};
    if (bytes < sizeof words) return -ENOSPC;
    std::memcpy(into, words, sizeof words);
    return sizeof words;
  }
  void close(int) override { --open_; }
  std::optional<int> paranoid() override { return 0; }
  int open() const { return open_; }

 private:
  std::atomic<int> open_{0};
};

TEST(no_memory, for_counters_of_the_processor) {
  const machine where = machine::from_synthetic(two_sockets);
  steady_counters counters;
  const auto profiled = [&] {
    detail::threads engine(sched::make_scheduler("laws"), where, where.place_workers(4, placement_order::scatter),
                           1 << 16, nullptr, profile::thread_samples(), counters);
    const auto program = [] {
      unsigned sum = 0;
      for (int iteration = 0; iteration < 3; ++iteration) sum += leaves_of(2);
      return sum;
    };
    detail::root_of<decltype(program)> root(program);
    engine.send(root);
    root.wait();
    return root.result() == 48;
  };
  refuse_everything_in_turn(all_refusals(), leaves::nothing, profiled, [&] { EXPECT_EQ(counters.open(), 0); });
}

/// A folder of its own for what a runtime writes.
class scratch {
 public:
  scratch() : at_(std::filesystem::temp_directory_path() / ("jackdaw-no-memory-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(at_);
  }
  ~scratch() { std::filesystem::remove_all(at_); }
  std::string file(const char* name) const { return at_ / name; }

 private:
  std::filesystem::path at_;
};

TEST(no_memory, for_a_recording) {
  const on_machine described(one_socket);
  const scratch folder;
  const std::string file = folder.file("trace");
  const auto record = [&] {
    runtime rt({.workers = 4, .record = file});
    rt.label_next_root("tree");
    std::vector<char> data(1 << 12);
    return rt.run([&data] {
      reads(data);
      return leaves_of(3);
    }) == 64;
  };
  const long read = asked_by([] { machine::detect(); });
  // Every third request: most are those of any runtime that starts, which other tests refuse one by one.
  refuse_everything_in_turn(all_refusals(read, 3), leaves::nothing, record, nothing);
}

class no_memory_for_events : public testing::TestWithParam<std::string> {};

TEST_P(no_memory_for_events, a_runtime_throws_or_works) {
  const on_machine described(two_sockets);
  const scratch folder;
  const std::string file = folder.file("events");
  const options how{.scheduler = GetParam(), .workers = 4, .pin = false, .events = file};
  const long read = asked_by([] { machine::detect(); });
  refuse_everything_in_turn(all_refusals(read, 3), leaves::nothing, [&] { return runs(how); }, nothing);
}

INSTANTIATE_TEST_SUITE_P(all, no_memory_for_events, testing::ValuesIn(diverse_schedulers()), [](const auto& each) {
  std::string name = each.param;
  for (char& c : name) c = c == ':' || c == '-' ? '_' : c;
  return name;
});

/// In a process that has made no runtime and no container yet.
TEST(no_memory, for_handlers_of_exit_and_fork) {
  const auto both = [] {
    const placed_array<char> some(100, placement::on(0));
    return runs({.workers = 2});
  };
  // Each time one more necessary request is granted, and the next one is refused.
  unsigned thrown = 0;
  for (const long after : {0, 1, 2, 3}) {  // one in between is for a variable that can do without
    const failing now(ask::at_exit, after, failing::which::one);
    thrown += gets_through(both) ? 0 : 1;
  }
  EXPECT_EQ(thrown, sanitized ? 0u : 4u) << "for a fork, the library's end, a fork with containers, and exit()";
  EXPECT_TRUE(gets_through(both));
}

TEST(no_memory, for_a_description_of_the_machine) {
  for (const char* const description : {"", two_sockets}) {
    const on_machine described(description);
    for (const auto of : {failing::which::one, failing::which::all}) {
      refuse_in_turn({ask::describe, of}, leaves::nothing, [] { return runs({.workers = 4, .pin = false}); }, nothing);
    }
  }
}

}  // namespace
}  // namespace jackdaw::test
