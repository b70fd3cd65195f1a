// bench_fairness [SCHEDULER...]: what a small loop of one client takes while another client has long ones. Four threads
// use one runtime. The first runs loops of leaves of 0.5 ms again and again. The others run a small loop each, of 4096,
// 4096 and 65,536 numbers, with pauses of 0.1 to 1 ms. In us: the small loop when its client is alone (the median); the
// same beside the others (the median; p99, the slowest of the fastest 99%); when its first leaf begins (p99), which
// leaves out the system's wake-up of the client at the end; and p99 over three times the time alone plus a leaf.
// Several repetitions, all sides in turn: their median, and the least and the most. On a machine that others use too,
// start it with a real-time priority (chrt -f 10): then the clients have the next higher one, because otherwise none of
// them would run while every worker does.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <jackdaw/jackdaw.hpp>

#ifdef BENCH_TBB
#include <tbb/parallel_for.h>
#endif

namespace {

using clock_type = std::chrono::steady_clock;
using body = std::function<void(std::size_t first, std::size_t last)>;

constexpr int repetitions = 7, calls_alone = 500, calls_beside = 1500;
constexpr std::size_t long_leaves = 200;
constexpr std::chrono::microseconds leaf(500);
constexpr std::array<std::size_t, 3> small_loops{4096, 4096, 65'536};

struct side {
  std::string name;
  std::function<void(std::size_t count, const body&)> small;
  std::function<void(std::size_t leaves)> large;
};

/// In us.
struct figures {
  double alone, median, p99, begins, ratio;
};

struct times {
  std::vector<double> begins, ends;  // of each call, in us since it was made; sorted
};

void step(double& cell) { cell = cell * 1.0000001 + 1e-9; }

void spin() {
  for (const auto until = clock_type::now() + leaf; clock_type::now() < until;) {
  }
}

times call(const side& one, std::size_t count, int calls) {
  using us = std::chrono::duration<double, std::micro>;
  std::vector<double> cells(count, 1.0);
  clock_type::time_point begin;
  const body steps = [&](std::size_t first, std::size_t last) {
    if (first == 0) begin = clock_type::now();
    for (std::size_t i = first; i < last; ++i) step(cells[i]);
  };
  std::minstd_rand random(static_cast<unsigned>(count));
  times took;
  for (int i = -20; i < calls; ++i) {
    usleep(100 + static_cast<useconds_t>(random() % 900));
    const clock_type::time_point start = clock_type::now();
    one.small(count, steps);
    const clock_type::time_point end = clock_type::now();
    if (i < 0) continue;
    took.begins.push_back(us(begin - start).count());
    took.ends.push_back(us(end - start).count());
  }
  std::sort(took.begins.begin(), took.begins.end());
  std::sort(took.ends.begin(), took.ends.end());
  return took;
}

/// Under a real-time priority.
void come_before_workers() {
  sched_param priority{};
  int policy = 0;
  if (pthread_getschedparam(pthread_self(), &policy, &priority) != 0 || policy == SCHED_OTHER) return;
  ++priority.sched_priority;
  pthread_setschedparam(pthread_self(), policy, &priority);
}

/// Returns the figures of each small loop.
std::array<figures, small_loops.size()> measure(const side& one) {
  std::array<figures, small_loops.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].alone = call(one, small_loops[i], calls_alone).ends[calls_alone / 2];
  }
  std::atomic<bool> over{false};
  std::thread first([&] {
    come_before_workers();
    while (!over) one.large(long_leaves);
  });
  std::vector<std::thread> others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    others.emplace_back([&, i] {
      come_before_workers();
      const times took = call(one, small_loops[i], calls_beside);
      all[i].median = took.ends[calls_beside / 2];
      all[i].p99 = took.ends[calls_beside * 99 / 100];
      all[i].begins = took.begins[calls_beside * 99 / 100];
      all[i].ratio = all[i].p99 / (3 * all[i].alone + static_cast<double>(leaf.count()));
    });
  }
  for (std::thread& each : others) each.join();
  over = true;
  first.join();
  return all;
}

void print(const std::vector<figures>& of, double figures::* which, int digits) {
  std::vector<double> all;
  for (const figures& each : of) all.push_back(each.*which);
  std::sort(all.begin(), all.end());
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*f [%.*f, %.*f]", digits, all[all.size() / 2], digits, all.front(), digits,
                all.back());
  std::printf(" %22s", text.data());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> schedulers(argv + 1, argv + argc);
  if (schedulers.empty()) schedulers = {"auto", "random", "adws"};
  std::vector<side> sides;
  std::vector<std::unique_ptr<jackdaw::runtime>> runtimes;
  for (const std::string& name : schedulers) {
    try {
      runtimes.push_back(std::make_unique<jackdaw::runtime>(jackdaw::options{.scheduler = name}));
    } catch (const jackdaw::error& wrong) {
      std::fprintf(stderr, "bench_fairness: %s\n", wrong.what());
      return 2;
    }
    jackdaw::runtime& rt = *runtimes.back();
    sides.push_back(
        {"jackdaw " + name,
         [&rt](std::size_t count, const body& steps) {
           rt.run([&] { jackdaw::for_range(std::size_t{0}, count, steps); });
         },
         [&rt](std::size_t leaves) {
           rt.run([&] { jackdaw::for_index(std::size_t{0}, leaves, [](std::size_t) { spin(); }, jackdaw::grain{1}); });
         }});
  }
  // The loops as programs call them: of the default runtime, outside of tasks.
  sides.push_back({"called directly",
                   [](std::size_t count, const body& steps) { jackdaw::for_range(std::size_t{0}, count, steps); },
                   [](std::size_t leaves) {
                     jackdaw::for_index(std::size_t{0}, leaves, [](std::size_t) { spin(); }, jackdaw::grain{1});
                   }});
#ifdef BENCH_TBB
  sides.push_back({"oneTBB",
                   [](std::size_t count, const body& steps) {
                     tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                                       [&](const auto& part) { steps(part.begin(), part.end()); });
                   },
                   [](std::size_t leaves) { tbb::parallel_for(std::size_t{0}, leaves, [](std::size_t) { spin(); }); }});
#endif
  using of_loop = std::vector<figures>;
  std::vector<std::array<of_loop, small_loops.size()>> all(sides.size());
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const auto figures_of = measure(sides[i]);
      for (std::size_t loop = 0; loop < small_loops.size(); ++loop) all[i][loop].push_back(figures_of[loop]);
    }
  }
  std::printf("%d repetitions: median [least, most], us\n%-16s %7s %22s %22s %22s %22s %22s\n", repetitions, "",
              "numbers", "alone", "median", "p99", "begins, p99", "p99 / (3 x alone + 500)");
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (std::size_t loop = 0; loop < small_loops.size(); ++loop) {
      std::printf("%-16s %7zu ", sides[i].name.c_str(), small_loops[loop]);
      print(all[i][loop], &figures::alone, 1);
      print(all[i][loop], &figures::median, 0);
      print(all[i][loop], &figures::p99, 0);
      print(all[i][loop], &figures::begins, 0);
      print(all[i][loop], &figures::ratio, 2);
      std::printf("\n");
    }
  }
  return 0;
}
