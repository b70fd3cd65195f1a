#include "jackdaw/algorithm/pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "algorithm/on_workers.hpp"
#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/algorithm/reduce.hpp"
#include "support/counter.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::parallel;
using jackdaw::pipeline;
using jackdaw::serial;
using jackdaw::serial_in_order;
using jackdaw::test::counter;

/// An item that can only be moved and is counted while it lives.
class item {
 public:
  item(int number, counter& living) : number_(std::make_unique<int>(number)), living_(&living) { living.begin(); }
  item(item&& other) noexcept : number_(std::move(other.number_)), living_(other.living_) { living_->begin(); }
  item& operator=(item&&) = delete;
  ~item() { living_->end(); }
  int number() const { return *number_; }

 private:
  std::unique_ptr<int> number_;
  counter* living_;
};

/// Returns 0 to count - 1.
auto numbers_below(int count) {
  return [count, next = 0]() mutable { return next == count ? std::nullopt : std::optional<int>(next++); };
}

std::vector<int> iota(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Uneven work, so that items overtake each other.
int churn(int number) {
  std::uint64_t state = static_cast<std::uint64_t>(number);
  for (std::uint64_t i = 0, steps = jackdaw::testing::numbers(state)() % 300; i != steps; ++i)
    state = state * 6364136223846793005u + 1442695040888963407u;
  return state == 1 ? -1 : number;
}

/// All items pass stages of each kind, at most `tokens` at a time, in order where the order is kept.
void pass_all(std::size_t tokens, int count) {
  std::vector<int> first, any, last;
  counter under_way, in_source, in_first, in_any, in_last;
  const auto source = [&, next = 0]() mutable -> std::optional<int> {
    in_source.begin();
    std::optional<int> made;
    if (next != count) {
      under_way.begin();
      made = next++;
    }
    in_source.end();
    return made;
  };
  const auto keep = [](counter& calls, std::vector<int>& in) {
    return [&](int number) {
      calls.begin();
      in.push_back(number);
      calls.end();
      return number;
    };
  };
  const auto end = [&](int number) {
    in_last.begin();
    last.push_back(number);
    in_last.end();
    under_way.end();
  };
  pipeline(tokens, source, parallel(churn), serial_in_order(keep(in_first, first)), parallel(churn),
           serial(keep(in_any, any)), parallel(churn), serial_in_order(end));
  EXPECT_EQ(first, iota(count));
  EXPECT_EQ(last, iota(count));
  std::sort(any.begin(), any.end());
  EXPECT_EQ(any, iota(count));
  EXPECT_EQ(under_way.now(), 0);
  EXPECT_LE(under_way.most(), static_cast<int>(tokens));
  for (const counter* each : {&in_source, &in_first, &in_any, &in_last}) EXPECT_LE(each->most(), 1);
}

class pipeline_test : public jackdaw::testing::on_workers {};
INSTANTIATE_TEST_SUITE_P(schedulers, pipeline_test,
                         testing::Combine(testing::Values("random", "adws"), testing::Values(1u, 2u, 5u)),
                         jackdaw::testing::worker_test_name);

TEST_P(pipeline_test, passes_all_items_in_order) {
  run([] {
    for (const std::size_t tokens : {1, 2, 3, 8, 100}) {
      for (const int count : {0, 1, 2, 7, 1000}) pass_all(tokens, count);
    }
  });
}

TEST_P(pipeline_test, passes_many_items) {
  run([] { pass_all(16, jackdaw::test::sanitized ? 5'000 : 100'000); });
}

TEST_P(pipeline_test, items_are_moved_and_destroyed) {
  counter living;
  run([&] {
    std::vector<int> seen;
    pipeline(
        4,
        [&, next = 0]() mutable -> std::optional<item> {
          if (next == 1000) return std::nullopt;
          return item(next++, living);
        },
        parallel([](item each) { return each; }),
        serial_in_order([](item&& each) { return std::make_unique<item>(std::move(each)); }),
        serial_in_order([&](std::unique_ptr<item> each) { seen.push_back(each->number()); }));
    EXPECT_EQ(seen, iota(1000));
  });
  EXPECT_EQ(living.now(), 0);
}

TEST_P(pipeline_test, an_exception_of_any_stage_reaches_the_caller) {
  for (const std::string where : {"source", "parallel", "serial", "in order", "last"}) {
    counter living, running;
    std::atomic<bool> thrown = false;
    std::atomic<int> calls_of_source = 0;
    run([&] {
      // A call that ends later than the pipeline is seen below.
      const auto visit = [&](const std::string& stage, int number) {
        running.begin();
        churn(number);
        running.end();
        if (stage != where || number != 500) return;
        thrown = true;
        throw std::runtime_error(stage);
      };
      const auto pass = [&](const std::string& stage) {
        return [&visit, stage](item each) {
          visit(stage, each.number());
          return each;
        };
      };
      const auto source = [&, next = 0]() mutable -> std::optional<item> {
        ++calls_of_source;
        if (next == 100'000) return std::nullopt;
        visit("source", next);
        return item(next++, living);
      };
      try {
        pipeline(8, source, parallel(pass("parallel")), serial(pass("serial")), serial_in_order(pass("in order")),
                 parallel([&](item each) { visit("last", each.number()); }));
        ADD_FAILURE() << where << " did not throw";
      } catch (const std::runtime_error& e) {
        EXPECT_EQ(e.what(), where);
      }
      EXPECT_TRUE(thrown);
      EXPECT_EQ(running.now(), 0) << where;
      EXPECT_EQ(living.now(), 0) << where;
      EXPECT_LE(calls_of_source, 100'000) << where;
    });
  }
}

TEST_P(pipeline_test, the_source_is_not_called_after_its_end) {
  run([] {
    for (const int count : {0, 1, 100}) {
      bool over = false;
      pipeline(
          7,
          [&, next = numbers_below(count)]() mutable {
            EXPECT_FALSE(over);
            const std::optional<int> made = next();
            over = !made;
            return made;
          },
          parallel([](int) {}));
      EXPECT_TRUE(over);
    }
  });
}

// Under limits so low that runners often put off what they hold.
TEST_P(pipeline_test, goes_on_from_its_root_if_forks_are_too_deep) {
  run([] {
    for (const unsigned deepest : {1, 2, 3}) {
      std::vector<int> out;
      auto source = numbers_below(3000);
      parallel first(churn);
      serial_in_order second(churn);
      serial third(churn);
      serial_in_order last([&](int number) { out.push_back(number); });
      jackdaw::detail::pipeline_run<decltype(source), std::tuple<int, int, int, int>, decltype(first), decltype(second),
                                    decltype(third), decltype(last)>(deepest, 8, source, first, second, third, last)
          .run();
      EXPECT_EQ(out, iota(3000));
    }
  });
}

TEST_P(pipeline_test, stages_fork_and_loop) {
  run([] {
    std::vector<int> sums;
    pipeline(6, numbers_below(300), parallel([](int number) {
               std::vector<int> all(2000);
               jackdaw::for_index(
                   0, 2000, [&](int i) { all[static_cast<std::size_t>(i)] = i % 2 + number; }, jackdaw::grain{50});
               return jackdaw::reduce(all, 0) - 1000;
             }),
             serial_in_order([&](int sum) {
               jackdaw::task_group group;
               group.run([&] { sum /= 2000; });
               group.wait();
               return sum;
             }),
             serial_in_order([&](int sum) { sums.push_back(sum); }));
    EXPECT_EQ(sums, iota(300));
  });
}

TEST_P(pipeline_test, a_stage_is_a_pipeline) {
  run([] {
    std::vector<int> out;
    const auto sum_of = [](int count) {
      int sum = 0;
      pipeline(3, numbers_below(count), parallel(churn), serial_in_order([&](int each) { sum += each; }));
      return sum;
    };
    pipeline(4, numbers_below(60), parallel(sum_of), serial_in_order([&](int sum) { return sum_of(10) + sum; }),
             serial_in_order([&](int sum) { out.push_back(sum - 45); }));
    for (int i = 0; i != 60; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i * (i - 1) / 2);
  });
}

// The first item stays in its stage until as many items as there are tokens have come to the stage behind it.
TEST_P(pipeline_test, others_go_on_beside_a_slow_stage) {
  if (std::get<1>(GetParam()) == 1) return;  // one worker makes one call at a time
  run([] {
    std::atomic<int> passed = 0;
    std::vector<int> out;
    pipeline(8, numbers_below(100), parallel([&](int number) {
               while (number == 0 && passed < 7) std::this_thread::yield();
               ++passed;
               return number;
             }),
             serial_in_order([&](int number) { out.push_back(number); }));
    EXPECT_EQ(out, iota(100));
  });
}

/// A runner that came back while another one took its slot for a token that had none ended the pipeline early.
TEST_P(pipeline_test, no_item_is_lost_while_slots_are_made) {
  run([] {
    for (int round = 0; round != (jackdaw::test::sanitized ? 50 : 1000); ++round) {
      std::atomic<long> sum{0};
      pipeline(1000, numbers_below(300), parallel([&](int each) { sum += each; }));
      ASSERT_EQ(sum.load(), 299 * 150) << round;
    }
  });
}

TEST_P(pipeline_test, refuses_numbers_of_tokens) {
  run([] {
    for (const std::size_t tokens : {std::size_t{0}, std::numeric_limits<std::size_t>::max()}) {
      try {
        pipeline(tokens, numbers_below(1), parallel([](int) { ADD_FAILURE(); }));
        ADD_FAILURE() << tokens;
      } catch (const jackdaw::error& e) {
        EXPECT_EQ(e.what(), "a pipeline of " + std::to_string(tokens) + " tokens, expected 1 to 2305843009213693952");
      }
    }
    // Without turns slots are made as they are needed.
    int sum = 0;
    pipeline(jackdaw::detail::most_tokens, numbers_below(100), serial([&](int each) { sum += each; }));
    EXPECT_EQ(sum, 4950);
    if (jackdaw::test::sanitized) return;  // they end the program where so much is asked for
    EXPECT_THROW(pipeline(jackdaw::detail::most_tokens, numbers_below(1), serial_in_order([](int) {})), std::bad_alloc);
  });
}

struct alignas(128) wide {
  int number;
};

TEST_P(pipeline_test, items_are_aligned) {
  run([] {
    int sum = 0;
    pipeline(4, numbers_below(100), parallel([](int number) { return wide{number}; }), serial([&](const wide& each) {
               EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&each) % 128, 0u);
               sum += each.number;
             }));
    EXPECT_EQ(sum, 4950);
  });
}

TEST(pipeline, runs_outside_of_tasks) {
  pass_all(5, 1000);
  EXPECT_THROW(pipeline(2, numbers_below(10), parallel([](int each) {
                          if (each == 5) throw std::runtime_error("5");
                        })),
               std::runtime_error);
  std::vector<std::thread> callers;
  for (int i = 0; i != 3; ++i) callers.emplace_back([] { pass_all(4, 500); });
  for (std::thread& each : callers) each.join();
}

// A destructor may run while an exception passes, and a handler while one is handled.
TEST(pipeline, runs_while_an_exception_is_in_flight) {
  struct at_the_end {
    ~at_the_end() { pass_all(3, 100); }
  };
  jackdaw::runtime({.workers = 2, .pin = false}).run([] {
    try {
      const at_the_end here;
      throw 1;
    } catch (int) {
      EXPECT_THROW(pipeline(2, numbers_below(10), serial([](int) { throw 2.0; })), double);
      pass_all(3, 100);
    }
  });
}

class pipeline_on : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(schedulers, pipeline_on, testing::ValuesIn(jackdaw::test::every_scheduler()),
                         [](const auto& each) { return jackdaw::test::word(each.param); });

TEST_P(pipeline_on, passes_all_items) {
  jackdaw::options wanted;
  wanted.scheduler = GetParam();
  wanted.pin = false;
  for (const unsigned workers : {1u, 4u}) {
    wanted.workers = workers;
    jackdaw::runtime rt(wanted);
    rt.run([] { pass_all(1, 100); });
    rt.run([] { pass_all(6, 2000); });
    rt.run([] { jackdaw::invoke([] { pass_all(3, 500); }, [] { pass_all(4, 500); }); });
  }
}

}  // namespace
