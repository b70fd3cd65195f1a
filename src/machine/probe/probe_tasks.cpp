#include <fmt/format.h>

#include <jackdaw/jackdaw.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>

#include "machine/compute_rate.hpp"
#include "machine/probe/contention.hpp"
#include "machine/probe/kernels.hpp"
#include "machine/probe/machine_probe.hpp"
#include "machine/probe/median.hpp"
#include "machine/probe/memory.hpp"
#include "machine/probe/sockets.hpp"

namespace jackdaw::probe {
namespace {

// A scheduler without an upper tier, so that a fork of the lower tier is timed.
options random_options(unsigned workers, placement_order order) {
  options how;
  how.scheduler = "random";
  how.workers = workers;
  how.order = order;
  return how;
}

constexpr unsigned depth = 14;
constexpr double forks = (1 << depth) - 1;

[[gnu::noinline]] std::uint64_t serial_tree(unsigned levels) {
  if (levels == 0) return 1;
  std::uint64_t left = 0, right = 0;
  left = serial_tree(levels - 1);
  keep(left);
  right = serial_tree(levels - 1);
  return left + right;
}

[[gnu::noinline]] std::uint64_t forked_tree(unsigned levels) {
  if (levels == 0) return 1;
  std::uint64_t left = 0, right = 0;
  invoke([&] { left = forked_tree(levels - 1); }, [&] { right = forked_tree(levels - 1); });
  return left + right;
}

template <class F>
double shortest(int runs, F f) {
  double best = 0;
  for (int i = 0; i < runs; ++i) {
    const double start = now();
    f();
    const double time = now() - start;
    if (i == 0 || time < best) best = time;
  }
  return best;
}

void probe_forks(report& to) {
  const double each = time_fork();
  const std::string how = fmt::format("a fork and its join take {:.1f} ns, of which ", each);
  to.measured("cost.spawn", to.model.cost.spawn, each * 5 / 8, how + "5/8 are taken for the fork");
  to.measured("cost.join", to.model.cost.join, each * 3 / 8, how + "3/8 are taken for the join");
}

// ns from a fork to the start of its branch on another worker; nullopt if no thief came within 20 ms. The forking
// worker keeps forking meanwhile, as programs do, so that it notices the thief.
std::optional<double> time_to_steal() {
  std::atomic<unsigned> started{0};
  double last = 0;
  bool in_time = true;
  const double start = now();
  const auto branch = [&] {
    if (started.fetch_add(1) == 1) {
      last = now();
      return;
    }
    while (in_time && started.load() != 2) {
      invoke([] {}, [] {});
      in_time = now() - start < 2e7;
    }
  };
  invoke(branch, branch);
  if (!in_time) return std::nullopt;
  return last - start;
}

// The median of `times` hand-overs to a thief that was idle for `idle` ns; nullopt if too few of them succeeded.
std::optional<double> hand_over(runtime& rt, int times, double idle) {
  std::vector<double> taken;
  for (int i = 0; i < times; ++i) {
    const auto time = rt.run([idle] {
      const double until = now() + idle;
      while (now() < until) {
      }
      return time_to_steal();
    });
    if (time) taken.push_back(*time);
    // Two workers on one processor have no hand-over to measure.
    if (i == 4 && taken.empty()) return std::nullopt;
  }
  if (taken.size() < static_cast<std::size_t>(times) / 2) return std::nullopt;
  return median(taken);
}

bool same_socket(const runtime& rt) {
  return rt.place(0).package == rt.place(1).package && rt.place(0).numa_node == rt.place(1).numa_node;
}

void probe_steals(report& to) {
  constexpr double awake = 2e4, asleep = 2e6;
  machine_model& model = to.model;
  const char* const how = "from a fork to its branch's start on another worker that looks for work: median";
  if (model.cores_per_socket > 1) {
    runtime rt(random_options(2, placement_order::compact));
    if (same_socket(rt)) {
      if (const auto time = hand_over(rt, 400, awake)) {
        to.measured("cost.steal_local", model.cost.steal_local, *time, std::string(how) + ", one socket");
        if (const auto late = hand_over(rt, 60, asleep)) {
          to.measured("cost.wake", model.cost.wake, std::max(0.0, *late - *time),
                      "from a fork to its branch's start on a worker that sleeps, less that of one awake: median");
        }
      }
    }
  }
  if (model.sockets > 1) {
    runtime rt(random_options(2, placement_order::scatter));
    const auto time = same_socket(rt) ? std::nullopt : hand_over(rt, 400, awake);
    if (time) to.measured("cost.steal_remote", model.cost.steal_remote, *time, std::string(how) + ", two sockets");
  } else {
    to.derived("cost.steal_remote", model.cost.steal_remote, model.cost.steal_local, "one socket: as a local one");
  }
}

constexpr const char* how_looks = "a thief's look at a deque that its owner has just emptied: median";
constexpr const char* how_turns = "from steal to steal while two thieves empty a deque: median";

// What workers pay who use the same words.
void probe_shared(const std::vector<socket>& sockets, report& to) {
  machine_model::costs& cost = to.model.cost;
  const std::vector<unsigned>& here = sockets.front().os_cpus;
  if (here.size() > 1) {
    to.measured("cost.look_local", cost.look_local, time_steals(here[0], here[1]).look, how_looks);
    to.measured("cost.turn_local", cost.turn_local, time_between_steals({here[0], here[1]}), how_turns);
    to.measured("cost.wake_call", cost.wake_call, time_wakes(here[0], {here[1]}, 60).call.front(),
                "the waker's futex call for a thread that has slept for 1 ms: median");
  } else {
    to.derived("cost.look_local", cost.look_local, cost.steal_local / 4, "a quarter of a steal: 1 of 4 line transfers");
  }
  if (sockets.size() > 1) {
    const unsigned there = sockets.back().os_cpus.front();
    to.measured("cost.look_remote", cost.look_remote, time_steals(here[0], there).look, how_looks);
    to.measured("cost.turn_remote", cost.turn_remote, time_between_steals({here[0], there}), how_turns);
  } else {
    to.derived("cost.look_remote", cost.look_remote, cost.look_local, "one socket: as a local one");
  }
}

}  // namespace

double time_fork() {
  runtime rt(random_options(1, placement_order::compact));
  return rt.run([] {
    const double forked = shortest(100, [] { keep(forked_tree(depth)); });
    const double serial = shortest(100, [] { keep(serial_tree(depth)); });
    return std::max(0.1, (forked - serial) / forks);
  });
}

void probe_tasks(const std::vector<socket>& sockets, report& to) {
  machine_model& model = to.model;
  // On shared computers a core may be slow for some seconds. So this is measured between the others, and the best
  // counts.
  double fixed = std::numeric_limits<double>::infinity(), flops = 0;
  const auto time_core = [&] {
    on_cpu(sockets.front().os_cpus.front(), [&] {
      fixed = std::min(fixed, detail::shortest_loop_ns(100));
      flops = std::max(flops, detail::most_vector_flops_per_ns(200));
    });
  };
  time_core();
  probe_forks(to);
  time_core();
  probe_steals(to);
  time_core();
  probe_shared(sockets, to);
  time_core();
  to.measured("compute_rate", model.compute_rate, detail::reference_loop_ns / fixed,
              fmt::format("a fixed loop takes {:.0f} us, {:.0f} on the reference core", fixed / 1000,
                          detail::reference_loop_ns / 1000));
  to.measured("vector_rate", model.vector_rate, flops / detail::reference_vector_flops_per_ns,
              fmt::format("{:.1f} multiplications and additions of doubles a ns in the widest vectors, {:.1f} on the "
                          "reference core",
                          flops, detail::reference_vector_flops_per_ns));
  to.derived("cost.suspend", model.cost.suspend, 40 / model.compute_rate,
             "40 ns on the reference core, by compute_rate");
  to.derived("cost.place", model.cost.place, 100 / model.compute_rate + model.cost.steal_remote / 2,
             "100 ns of work by compute_rate, and half of a steal: 2 of 4 line transfers");
}

}  // namespace jackdaw::probe
