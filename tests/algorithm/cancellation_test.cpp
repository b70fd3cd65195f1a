// What a std::stop_token ends: algorithms, and what is wrapped in unless_stopped().
#include "jackdaw/cancellation.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <numeric>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "algorithm/on_workers.hpp"
#include "jackdaw/jackdaw.hpp"

namespace {

using jackdaw::cancelled;

constexpr std::size_t many = 300'000, stops_at = 1000;

/// Each algorithm, with a function that counts its calls and requests a stop at one of them.
class stopping {
 public:
  explicit stopping(std::size_t at) : at_(at) {}
  std::stop_token token() const { return source_.get_token(); }
  std::size_t calls() const { return calls_.load(); }
  void call() {
    if (calls_.fetch_add(1) + 1 == at_) source_.request_stop();
  }

 private:
  std::stop_source source_;
  const std::size_t at_;
  std::atomic<std::size_t> calls_{0};
};

struct named_algorithm {
  const char* name;
  /// Returns the sum of something that depends on all elements.
  std::function<long(std::vector<int>&, stopping&)> run;
};

std::vector<named_algorithm> algorithms() {
  const auto sum = [](const auto& of) { return std::accumulate(of.begin(), of.end(), 0L); };
  return {
      {"for_index",
       [=](std::vector<int>& in, stopping& stop) {
         const auto f = [&](std::size_t i) {
           stop.call();
           ++in[i];
         };
         jackdaw::for_index(std::size_t{0}, in.size(), f, stop.token());
         return sum(in);
       }},
      {"for_index with weights",
       [=](std::vector<int>& in, stopping& stop) {
         const auto weigh = [](double first, double last) { return last * last - first * first; };
         const auto f = [&](std::size_t i) {
           stop.call();
           ++in[i];
         };
         jackdaw::for_index(std::size_t{0}, in.size(), f, jackdaw::work_of{weigh}, stop.token());
         return sum(in);
       }},
      {"for_range",
       [=](std::vector<int>& in, stopping& stop) {
         const auto f = [&](std::size_t first, std::size_t last) {
           stop.call();
           for (; first != last; ++first) ++in[first];
         };
         jackdaw::for_range(std::size_t{0}, in.size(), f, stop.token(), jackdaw::grain{50});
         return sum(in);
       }},
      {"for_each",
       [=](std::vector<int>& in, stopping& stop) {
         const auto f = [&](int& each) {
           stop.call();
           ++each;
         };
         jackdaw::for_each(in, f, std::identity{}, stop.token());
         return sum(in);
       }},
      {"for_each of a list",
       [=](std::vector<int>& in, stopping& stop) {
         std::list<int> list(in.begin(), in.end());
         const auto f = [&](int& each) {
           stop.call();
           ++each;
         };
         jackdaw::for_each(list, f, stop.token());
         return sum(list);
       }},
      {"transform",
       [=](std::vector<int>& in, stopping& stop) {
         const auto f = [&](int each) {
           stop.call();
           return each + 1;
         };
         jackdaw::transform(in, in.begin(), f, stop.token());
         return sum(in);
       }},
      {"transform_reduce",
       [=](std::vector<int>& in, stopping& stop) {
         const auto f = [&](int each) -> long {
           stop.call();
           return each;
         };
         return jackdaw::transform_reduce(in, 0L, std::plus<>{}, f, stop.token());
       }},
      {"fold",
       [=](std::vector<int>& in, stopping& stop) {
         const auto add = [&](long& to, int each) {
           stop.call();
           to += each;
         };
         return jackdaw::fold(in.begin(), in.end(), [] { return 0L; }, add, std::plus<>{}, stop.token());
       }},
      {"fold_range",
       [=](std::vector<int>& in, stopping& stop) {
         const auto add = [&](long& to, std::size_t first, std::size_t last) {
           stop.call();
           for (; first != last; ++first) to += in[first];
         };
         const auto make = [] { return 0L; };
         return jackdaw::fold_range(std::size_t{0}, in.size(), make, add, std::plus<>{}, stop.token(),
                                    jackdaw::grain{50});
       }},
      {"copy_if, by its assignments",
       [=](std::vector<int>& in, stopping& stop) {
         struct counted {
           stopping* of;
           int value;
           counted& operator=(int other) {
             of->call();
             value = other;
             return *this;
           }
         };
         std::vector<counted> out(in.size(), counted{&stop, 0});
         const auto end = jackdaw::copy_if(in, out.begin(), [](int each) { return each % 2 == 0; }, stop.token());
         return long{end - out.begin()};
       }},
      {"find_if",
       [=](std::vector<int>& in, stopping& stop) {
         const auto is = [&](int each) {
           stop.call();
           return each < 0;
         };
         return long{jackdaw::find_if(in, is, stop.token()) - in.begin()};
       }},
      {"max_element",
       [=](std::vector<int>& in, stopping& stop) {
         const auto less = [&](int a, int b) {
           stop.call();
           return a < b;
         };
         return long{jackdaw::max_element(in, less, stop.token()) - in.begin()};
       }},
      {"copy_if",
       [=](std::vector<int>& in, stopping& stop) {
         std::vector<int> out(in.size());
         const auto keep = [&](int each) {
           stop.call();
           return each % 2 == 0;
         };
         return long{jackdaw::copy_if(in, out.begin(), keep, stop.token()) - out.begin()} + sum(out);
       }},
      {"filter",
       [=](std::vector<int>& in, stopping& stop) {
         const auto keep = [&](int each) {
           stop.call();
           return each % 2 == 0;
         };
         return sum(jackdaw::filter(in, keep, stop.token()));
       }},
      {"inclusive_scan",
       [=](std::vector<int>& in, stopping& stop) {
         const auto op = [&](long a, long b) {
           stop.call();
           return a + b;
         };
         std::vector<long> out(in.size());
         jackdaw::inclusive_scan(in.begin(), in.end(), out.begin(), op, 0L, stop.token());
         return out.back();
       }},
      {"exclusive_scan",
       [=](std::vector<int>& in, stopping& stop) {
         const auto op = [&](long a, long b) {
           stop.call();
           return a + b;
         };
         std::vector<long> out(in.size());
         jackdaw::exclusive_scan(in.begin(), in.end(), out.begin(), 0L, op, stop.token());
         return out.back();
       }},
      {"adjacent_difference",
       [=](std::vector<int>& in, stopping& stop) {
         const auto op = [&](int a, int b) {
           stop.call();
           return a - b;
         };
         jackdaw::adjacent_difference(in.begin(), in.end(), in.begin(), op, stop.token());
         return sum(in);
       }},
      {"merge",
       [=](std::vector<int>& in, stopping& stop) {
         std::vector<int> out(2 * in.size());
         const auto less = [&](int a, int b) {
           stop.call();
           return a < b;
         };
         jackdaw::merge(in, in, out.begin(), less, stop.token());
         return std::ranges::is_sorted(out) ? sum(out) : -1;
       }},
      {"histogram",
       [=](std::vector<int>& in, stopping& stop) {
         const auto bin = [&](int each) {
           stop.call();
           return each % 7;
         };
         return long(jackdaw::histogram(in.begin(), in.end(), 7, bin, stop.token())[3]);
       }},
  };
}

std::vector<int> ascending() {
  std::vector<int> made(many);
  std::iota(made.begin(), made.end(), 0);
  return made;
}

class cancellation : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(cancellation);

TEST_P(cancellation, a_stop_ends_an_algorithm_before_it_has_called_its_function_for_all) {
  for (const named_algorithm& each : algorithms()) {
    stopping whole(0), middle(stops_at);
    std::vector<int> in = ascending();
    const long expected = run([&] { return each.run(in, whole); });
    in = ascending();
    EXPECT_THROW(run([&] { each.run(in, middle); }), cancelled) << each.name;
    EXPECT_GE(middle.calls(), stops_at) << each.name;
    // What has begun ends at its next piece.
    EXPECT_LT(middle.calls(), whole.calls()) << each.name;
    in = ascending();
    stopping again(0);
    EXPECT_EQ(run([&] { return each.run(in, again); }), expected) << each.name << ", after one that was cancelled";
  }
}

TEST_P(cancellation, nothing_is_called_after_a_stop) {
  for (const named_algorithm& each : algorithms()) {
    stopping stop(1);
    stop.call();
    std::vector<int> in = ascending();
    EXPECT_THROW(run([&] { each.run(in, stop); }), cancelled) << each.name;
    EXPECT_EQ(stop.calls(), 1u) << each.name;
    EXPECT_EQ(in, ascending()) << each.name;
  }
}

TEST_P(cancellation, sorts_and_what_moves_elements_look_only_at_the_beginning) {
  std::stop_source source;
  std::vector<int> in = ascending();
  std::ranges::reverse(in);
  std::swap(in[5], in[many / 2]);
  std::vector<int> sorted = in;
  const auto less_that_stops = [&](int a, int b) {
    source.request_stop();
    return a < b;
  };
  run([&] { jackdaw::sort(sorted, less_that_stops, source.get_token()); });
  EXPECT_EQ(sorted, ascending());
  const std::vector<int> before = in;
  const std::stop_token stopped = source.get_token();
  const auto less = std::less<>{};
  EXPECT_THROW(run([&] { jackdaw::sort(in, less, stopped); }), cancelled);
  EXPECT_THROW(run([&] { jackdaw::stable_sort(in, less, stopped); }), cancelled);
  EXPECT_THROW(run([&] { jackdaw::nth_element(in, in.begin() + 9, less, stopped); }), cancelled);
  EXPECT_THROW(run([&] { jackdaw::partition(in, [](int each) { return each < 9; }, stopped); }), cancelled);
  EXPECT_THROW(run([&] { jackdaw::remove_if(in, [](int each) { return each < 9; }, stopped); }), cancelled);
  EXPECT_THROW(run([&] { jackdaw::unique(in, stopped); }), cancelled);
  EXPECT_EQ(in, before);
}

TEST_P(cancellation, a_token_without_a_state_stops_nothing) {
  std::atomic<std::size_t> calls{0};
  run([&] {
    jackdaw::for_index(std::size_t{0}, many, [&](std::size_t) { ++calls; }, std::stop_token());
    jackdaw::invoke(jackdaw::unless_stopped({}, [&] { ++calls; }), [] {});
  });
  EXPECT_EQ(calls.load(), many + 1);
}

TEST_P(cancellation, children_that_have_not_begun_are_skipped) {
  for (const auto policy : {jackdaw::policy::work_first, jackdaw::policy::help_first}) {
    std::stop_source source;
    std::atomic<int> begun{0};
    const auto child = jackdaw::unless_stopped(source.get_token(), [&] {
      if (++begun == 10) source.request_stop();
    });
    run([&] {
      jackdaw::task_group group(policy);
      for (int i = 0; i < 1000; ++i) group.run(child);
      EXPECT_THROW(group.wait(), cancelled);
    });
    EXPECT_GE(begun.load(), 10);
    EXPECT_LT(begun.load(), 1000);
  }
}

TEST_P(cancellation, nested_loops_end_together_and_destroy_what_they_hold) {
  std::stop_source source;
  const auto alive = std::make_shared<int>(0);
  std::atomic<std::size_t> calls{0};
  const auto outer = [&](int) {
    const std::vector<std::shared_ptr<int>> held(3, alive);
    const auto inner = [&, copy = alive](int) {
      if (++calls == 5000) source.request_stop();
    };
    jackdaw::for_index(0, 1000, inner, source.get_token(), jackdaw::grain{3});
  };
  EXPECT_THROW(run([&] { jackdaw::for_index(0, 1000, outer, source.get_token(), jackdaw::grain{1}); }), cancelled);
  EXPECT_LT(calls.load(), 1'000'000u);
  EXPECT_EQ(alive.use_count(), 1);
}

TEST_P(cancellation, another_thread_stops_a_loop_that_would_not_end) {
  std::stop_source source;
  std::atomic<bool> running{false};
  const std::jthread stops([&] {
    running.wait(false);
    source.request_stop();
  });
  const auto forever = [&](int) {
    if (!running.exchange(true)) running.notify_one();
    while (!source.stop_requested()) std::this_thread::yield();
  };
  EXPECT_THROW(run([&] { jackdaw::for_index(0, 1 << 30, forever, source.get_token(), jackdaw::grain{1}); }), cancelled);
}

TEST_P(cancellation, roots_that_have_not_begun_are_cancelled) {
  std::stop_source source;
  source.request_stop();
  jackdaw::runtime rt({.workers = 2});
  bool called = false;
  const auto sets = [&] { called = true; };
  auto later = rt.async(jackdaw::unless_stopped(source.get_token(), sets));
  EXPECT_THROW(later.get(), cancelled);
  EXPECT_THROW(rt.run(jackdaw::unless_stopped(source.get_token(), sets)), cancelled);
  EXPECT_THROW(jackdaw::for_index(0, 10, [&](int) { called = true; }, source.get_token()), cancelled);
  EXPECT_FALSE(called);
}

TEST_P(cancellation, a_stop_callback_may_fork) {
  std::stop_source source;
  std::atomic<int> sum{0};
  const std::stop_callback forks(source.get_token(), [&] { jackdaw::for_index(0, 100, [&](int i) { sum += i; }); });
  const auto stops = [&](std::size_t i) {
    if (i == 7) source.request_stop();
  };
  EXPECT_THROW(run([&] { jackdaw::for_index(std::size_t{0}, many, stops, source.get_token()); }), cancelled);
  EXPECT_EQ(sum.load(), 4950);
}

TEST_P(cancellation, is_seen_by_the_standards_wrappers) {
  auto counts = jackdaw::unless_stopped(std::stop_token(), [n = 0](int more) mutable { return n += more; });
  static_assert(std::is_invocable_v<decltype(counts)&, int>);
  static_assert(!std::is_invocable_v<decltype(counts)&, std::string>);
  static_assert(!std::is_invocable_v<const decltype(counts)&, int>);
  EXPECT_FALSE(std::not_fn(counts)(3));
  EXPECT_EQ(std::bind_front(counts, 4)(), 4);
}

TEST_P(cancellation, steps_that_become_long_do_not_keep_a_stop_waiting_for_seconds) {
  std::stop_source source;
  std::atomic<std::size_t> slow{0};
  const auto step = [&](std::size_t i) {
    if (i < 2'000'000) return;
    if (++slow == 1) source.request_stop();
  };
  EXPECT_THROW(run([&] { jackdaw::for_index(std::size_t{0}, std::size_t{1} << 40, step, source.get_token()); }),
               cancelled);
  EXPECT_LE(slow.load(), 4096u * 7);  // a piece of each worker
}

TEST_P(cancellation, functions_that_are_only_movable_or_constant_are_wrapped) {
  std::stop_source source;
  auto movable =
      jackdaw::unless_stopped(source.get_token(), [held = std::make_unique<int>(3)](int more) { return *held + more; });
  EXPECT_EQ(movable(4), 7);
  const auto counts = jackdaw::unless_stopped(source.get_token(), &std::vector<int>::size);
  EXPECT_EQ(counts(std::vector<int>(5)), 5u);
  const auto moved = std::move(movable);
  source.request_stop();
  EXPECT_THROW(moved(4), cancelled);
  EXPECT_STREQ(cancelled().what(), "cancelled: a stop was requested");
}

}  // namespace
