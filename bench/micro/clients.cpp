// bench_clients SCHEDULER...: how much several clients of one runtime delay each other, in ms, and how unequal their
// shares are. Long steps sleep, so that they hold a worker but no processor, and the figures show scheduling alone on
// any machine.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"

namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

double ms_since(clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(clock::now() - begin).count();
}

void hold(std::chrono::microseconds for_long) { std::this_thread::sleep_for(for_long); }

void spin(std::chrono::microseconds for_long) {
  for (const auto until = clock::now() + for_long; clock::now() < until;) {
  }
}

/// Another client, whose root holds a worker for this long. The root starts in the constructor.
class other {
 public:
  other(jackdaw::runtime& rt, milliseconds for_long)
      : thread_([&rt, for_long, this] {
          rt.run([&] {
            begun_.count_down();
            hold(for_long);
          });
        }) {
    begun_.wait();
  }
  ~other() { thread_.join(); }

 private:
  std::latch begun_{1};
  std::thread thread_;
};

double start_beside_a_long_root(jackdaw::runtime& rt) {
  const other beside(rt, milliseconds(200));
  const auto sent = clock::now();
  return rt.run([&] { return ms_since(sent); });
}

double leaves_beside_a_long_root(jackdaw::runtime& rt) {
  const other beside(rt, milliseconds(300));
  const auto sent = clock::now();
  rt.run([] { jackdaw::for_index(0, 64, [](std::size_t) { hold(milliseconds(2)); }, jackdaw::grain{1}); });
  return ms_since(sent);
}

double worst_step_beside_a_long_root(jackdaw::runtime& rt) {
  double worst = 0;
  std::thread late([&] {
    hold(milliseconds(20));
    rt.run([] { hold(milliseconds(200)); });
  });
  for (int step = 0; step < 40; ++step) {
    const auto begin = clock::now();
    rt.run([] { jackdaw::for_index(0, 6, [](std::size_t) { hold(milliseconds(1)); }, jackdaw::grain{1}); });
    worst = std::max(worst, ms_since(begin));
  }
  late.join();
  return worst;
}

/// One client has a loop of steps of 1 ms on all workers. Returns the longest time of a short loop of another client.
double short_beside_a_long_loop(jackdaw::runtime& rt) {
  double worst = 0;
  std::thread second([&] {
    for (int i = 0; i < 10; ++i) {
      hold(milliseconds(20));
      const auto begin = clock::now();
      rt.run([] { jackdaw::for_index(0, 64, [](std::size_t) { spin(std::chrono::microseconds(10)); }); });
      worst = std::max(worst, ms_since(begin));
    }
  });
  rt.run([] { jackdaw::for_index(0, 1000, [](std::size_t) { spin(milliseconds(1)); }, jackdaw::grain{1}); });
  second.join();
  return worst;
}

/// A thousand clients with five short roots each.
double a_thousand_clients(jackdaw::runtime& rt) {
  const auto begin = clock::now();
  std::vector<std::thread> clients;
  for (int client = 0; client < 1000; ++client) {
    clients.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        rt.run([] { jackdaw::for_index(0, 64, [](std::size_t) { spin(std::chrono::microseconds(1)); }); });
      }
    });
  }
  for (std::thread& each : clients) each.join();
  return ms_since(begin);
}

/// Six clients of two workers send roots of 300 tasks of about 10 us for half a second. Returns the most rounds of a
/// client over the fewest. `wish`: the affinity of every other client's tasks.
double most_to_fewest(const jackdaw::runtime& like, bool wish) {
  jackdaw::runtime rt({.scheduler = std::string(like.scheduler()), .workers = 2});
  std::vector<std::atomic<int>> rounds(6);
  std::atomic<bool> stop{false};
  std::vector<std::thread> clients;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    clients.emplace_back([&, i] {
      while (!stop) {
        rt.run([&] {
          // Counts steps instead of time, because a thread without a processor makes none.
          const auto task = [] {
            for (int step = 0; step < 20'000; ++step) asm volatile("");
          };
          jackdaw::task_group group(jackdaw::policy::help_first);
          for (int child = 0; child < 300; ++child) {
            if (wish && i % 2 == 1) {
              group.run(jackdaw::on(0), task);
            } else {
              group.run(task);
            }
          }
          group.wait();
        });
        if (!stop) ++rounds[i];
      }
    });
  }
  hold(milliseconds(500));
  stop = true;
  for (std::thread& each : clients) each.join();
  const auto [fewest, most] = std::minmax_element(rounds.begin(), rounds.end());
  return double(*most) / std::max<int>(*fewest, 1);
}
double shares_of_equals(jackdaw::runtime& rt) { return most_to_fewest(rt, false); }
double shares_beside_wishes(jackdaw::runtime& rt) { return most_to_fewest(rt, true); }

}  // namespace

int main(int count, char** names) {
  std::vector<std::string> schedulers(names + 1, names + count);
  if (schedulers.empty()) schedulers = {"random", "adws", "constrained", "cab", "laws", "bats"};
  std::printf("4 workers, ms; 2 workers, ratios\n%-14s%14s%14s%14s%14s%14s%14s%14s\n", "", "root starts", "64 x 2 ms",
              "worst step", "short loop", "1000 clients", "equal", "with wishes");
  for (const std::string& name : schedulers) {
    jackdaw::runtime rt({.scheduler = name, .workers = 4, .pin = false});
    rt.run([] {});
    std::printf("%-14s", name.c_str());
    for (const auto measure :
         {&start_beside_a_long_root, &leaves_beside_a_long_root, &worst_step_beside_a_long_root,
          &short_beside_a_long_loop, &a_thousand_clients, &shares_of_equals, &shares_beside_wishes}) {
      std::printf("%14.2f", measure(rt));
    }
    std::printf("\n");
  }
}
