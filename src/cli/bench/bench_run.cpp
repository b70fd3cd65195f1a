#include "cli/bench/bench_run.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <jackdaw/jackdaw.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "cli/terminal/say.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

// A side that is ready to run: its problem and, if it is one of jackdaw's, its runtime.
struct contender {
  side_result result;
  std::unique_ptr<runtime> own_runtime;
  std::unique_ptr<kernels::problem> problem;

  template <class F>
  void enter(F&& f) {
    own_runtime ? own_runtime->run(f) : f();
  }

  bench_sample run_once() {
    enter([this] { problem->prepare(); });
    if (own_runtime) own_runtime->reset_stats();
    const auto start = std::chrono::steady_clock::now();
    enter([this] { problem->run(); });
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    bench_sample sample{elapsed.count(), std::nullopt};
    if (own_runtime) {
      sample.counters = own_runtime->stats();
      result.of_workers = own_runtime->counters();
    }
    try {
      problem->check();
    } catch (const kernels::check_failed& wrong) {
      throw kernels::check_failed(result.label() + ": wrong result: " + wrong.what());
    }
    return sample;
  }
};

const kernels::side& find_side(const kernels::kernel& kernel, std::string_view name) {
  const auto found = std::find_if(kernel.sides.begin(), kernel.sides.end(),
                                  [&](const kernels::side& side) { return side.name == name; });
  if (found != kernel.sides.end()) return *found;
  std::string others;
  for (const kernels::side& side : kernel.sides) {
    if (side.name != "jackdaw") others += fmt::format(" {}", side.name);
  }
  throw error(fmt::format("--against: {} has no side '{}', expected {}{}", kernel.name, name,
                          others.empty() ? "nothing: it has no other sides" : "one of", others));
}

// The folder of a scheduler's or another side's snapshots. The default scheduler's name is not known yet.
std::string snapshots_name(const std::string& side) { return side.empty() ? "jackdaw" : side; }

// Makes the problems first: a mistake in the input is reported before any thread starts.
std::vector<contender> get_ready(const bench_plan& plan) {
  std::vector<contender> all(plan.schedulers.size() + plan.against.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    contender& it = all[i];
    const bool own = i < plan.schedulers.size();
    it.result.side = own ? "jackdaw" : plan.against[i - plan.schedulers.size()];
    it.result.workers = it.result.side == "serial" ? 1 : plan.request.workers;
    kernels::request wanted = plan.request;
    if (!wanted.snapshots.empty()) wanted.snapshots /= snapshots_name(own ? plan.schedulers[i] : it.result.side);
    it.problem = find_side(*plan.kernel, it.result.side).make(wanted);
    it.result.items = it.problem->items();
    it.result.unit = it.problem->unit();
  }
  for (std::size_t i = 0; i < plan.schedulers.size(); ++i) {
    options how = plan.runtime_options;
    how.scheduler = plan.schedulers[i];
    all[i].own_runtime = std::make_unique<runtime>(how);
    all[i].result.scheduler = all[i].own_runtime->scheduler();
  }
  return all;
}

// The runtime itself reports that there are more workers than CPUs.
void say_when_not_pinned(const bench_plan& plan, const machine& where) {
  if (plan.runtime_options.pin == false || where.bindable()) return;
  warn("the machine is described by {}: workers are not pinned", where.source);
}

std::string name_of_round(const bench_plan& plan, unsigned round) {
  return round < plan.warm_up ? fmt::format("warm-up {} of {}", round + 1, plan.warm_up)
                              : fmt::format("round {} of {}", round + 1 - plan.warm_up, plan.repeat);
}

/// Adds what a side's last run has shown.
void add_run(contender& it, const bench_sample& sample, side_result& into) {
  into.samples.push_back(sample);
  into.of_workers = it.result.of_workers;
  if (!it.own_runtime) return;
  into.profiled_by = it.own_runtime->profiled_by();
  into.data = it.own_runtime->data();
}

}  // namespace

void run_bench(const bench_plan& plan, guarded<bench_result>& found, progress& shown) {
  const std::string started = utc_now();
  std::vector<contender> all = get_ready(plan);
  const runtime& first = *all.front().own_runtime;
  {
    const std::lock_guard hold(found.changing);
    bench_result& result = found.value;
    result.started = started;
    result.where = first.where();
    result.machine_name = first.where().name;
    result.machine_source = first.where().source;
    result.pinned = first.place(0).os_cpu.has_value();
    for (contender& it : all) {
      for (unsigned id = 0; it.own_runtime && id < it.own_runtime->workers(); ++id) {
        it.result.places.push_back(it.own_runtime->place(id));
      }
      result.sides.push_back(it.result);
    }
  }
  say_when_not_pinned(plan, first.where());

  const bool lines = isatty(STDERR_FILENO) == 0;  // a line for each round, in place of one that is overwritten
  const contender* last = nullptr;
  for (unsigned round = 0; round < plan.warm_up + plan.repeat; ++round) {
    std::string times;
    std::vector<bench_sample> samples;
    for (contender& it : all) {
      shown.say(fmt::format("{}: {}", name_of_round(plan, round), it.result.label()));
      if (last != nullptr && last != &it && last->result.side != "serial") {
        std::this_thread::sleep_for(std::chrono::milliseconds(plan.pause_ms));
      }
      samples.push_back(it.run_once());
      times += fmt::format("{} {} {:.6f} s", times.empty() ? "" : ",", it.result.label(), samples.back().seconds);
      last = &it;
    }
    if (round >= plan.warm_up) {
      const std::lock_guard hold(found.changing);
      for (std::size_t i = 0; i < all.size(); ++i) add_run(all[i], samples[i], found.value.sides[i]);
    }
    if (lines) fmt::print(stderr, "{}:{}\n", name_of_round(plan, round), times);
  }
}

}  // namespace jackdaw::cli
