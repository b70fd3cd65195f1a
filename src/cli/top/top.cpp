#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/bench/bench_counters.hpp"
#include "cli/commands.hpp"
#include "cli/terminal/say.hpp"
#include "cli/terminal/table.hpp"
#include "cli/text.hpp"
#include "cli/top/counter_reader.hpp"

namespace jackdaw::cli {
namespace {

using doing = detail::worker_counts::doing;

// The command line as typed, so that one place reports what is wrong with it.
struct arguments {
  std::string process, interval = "1000", times = "0";
  bool json = false;
};

const char* word_for(doing what) {
  switch (what) {
    case doing::running:
      return "runs";
    case doing::searching:
      return "searches";
    case doing::asleep:
      return "sleeps";
  }
  return "?";
}

std::uint64_t grown(const counts_at& before, const counts_at& now, std::size_t id, std::uint64_t statistics::* what) {
  const std::uint64_t then = before.workers[id].*what, later = now.workers[id].*what;
  return later - std::min(then, later);  // reset_stats() makes counts smaller
}

std::vector<std::string> cells_of(const std::string& name, double ns, const char* state, const statistics& grew,
                                  double workers) {
  const auto rate = [ns](std::uint64_t count) { return static_cast<double>(count) / ns * 1e9; };
  const auto part = [&](std::uint64_t of) { return 100 * static_cast<double>(of) / (ns * workers); };
  const double search = part(grew.search_ns), sleep = part(grew.sleep_ns);
  std::vector<std::string> cells{name, state};
  for (const double each :
       {std::max(0.0, 100 - search - sleep), search, sleep, rate(grew.tasks), rate(grew.steals_local),
        rate(grew.steals_remote), rate(grew.failed_steals - grew.failed_remote), rate(grew.failed_remote),
        rate(grew.suspensions)}) {
    cells.push_back(fmt::format("{:.0f}", each));
  }
  for (const std::uint64_t each : {grew.local_bytes, grew.remote_bytes}) {
    cells.push_back(bytes_text(static_cast<std::uint64_t>(rate(each))));
  }
  return cells;
}

void print_runtime(const counter_reader& of, const counts_at& before, const counts_at& now) {
  const auto ns = static_cast<double>(now.ns - before.ns);
  say("scheduler {}, {}, for {:.1f} s; counts in a second\n", of.scheduler(), count_text(of.workers(), "worker"),
      static_cast<double>(now.ns - of.began_ns()) / 1e9);
  table all({{6}, {8, 1, true}, {5}, {6}, {5}, {9}, {8}, {8}, {9}, {9}, {7}, {10}, {10}}, 2);
  all.add({"", "", "", "time %", "", "", "", "steals", "failed", "steals", "", "declared", "bytes"});
  all.add({"worker", "now", "busy", "search", "sleep", "tasks", "local", "remote", "local", "remote", "waits", "local",
           "remote"});
  statistics sum;
  for (std::size_t id = 0; id < now.workers.size(); ++id) {
    statistics grew;
    for (const bench_counter& each : bench_counters) grew.*each.member = grown(before, now, id, each.member);
    all.add(cells_of(fmt::format("{}", id), ns, word_for(now.doing[id]), grew, 1));
    sum += grew;
  }
  all.add(cells_of("all", ns, "", sum, static_cast<double>(now.workers.size())));
  all.print();
}

nlohmann::json json_of(const counter_reader& of, const counts_at& now) {
  nlohmann::json workers = nlohmann::json::array();
  for (std::size_t id = 0; id < now.workers.size(); ++id) {
    nlohmann::json one = {{"worker", id}, {"now", word_for(now.doing[id])}};
    for (const bench_counter& each : bench_counters) one[each.name] = now.workers[id].*each.member;
    workers.push_back(std::move(one));
  }
  return {{"scheduler", of.scheduler()}, {"age_ns", now.ns - of.began_ns()}, {"workers", std::move(workers)}};
}

/// Shows what the runtimes have done in each interval, until the process has ended or `times` are shown; 0: no end.
void watch(pid_t process, std::chrono::milliseconds interval, unsigned times) {
  const bool clears = isatty(STDOUT_FILENO) != 0;
  std::vector<counter_reader> runtimes = counter_reader::of_process(process);
  const auto look_again = [&] {
    try {
      return counter_reader::of_process(process);
    } catch (const error&) {
      return std::vector<counter_reader>();  // between two runtimes, or the process has ended
    }
  };
  for (unsigned shown = 0; times == 0 || shown < times; ++shown) {
    std::vector<counts_at> before;
    before.reserve(runtimes.size());
    for (const counter_reader& each : runtimes) before.push_back(each.read());
    std::this_thread::sleep_for(interval);
    if (!is_running(process)) {
      fmt::print("process {} has ended\n", process);
      return;
    }
    fmt::print("{}process {}\n", clears ? "\033[H\033[2J" : shown == 0 ? "" : "\n", process);
    bool any = false;
    for (std::size_t i = 0; i < runtimes.size(); ++i) {
      if (runtimes[i].has_ended()) continue;
      any = true;
      print_runtime(runtimes[i], before[i], runtimes[i].read());
    }
    if (!any) fmt::print("no runtime was there all the time\n");
    if (std::fflush(stdout) != 0) return;  // main.cpp says so
    runtimes = look_again();
  }
}

void run(const arguments& given, int& result) {
  const auto process = static_cast<pid_t>(number_of(given.process, "PID", 1, std::numeric_limits<pid_t>::max()));
  const std::chrono::milliseconds interval(number_of(given.interval, "--interval", 10, 3'600'000));
  const unsigned times = number_of(given.times, "--times", 0, 1'000'000'000);
  if (given.json) {
    nlohmann::json runtimes = nlohmann::json::array();
    for (const counter_reader& each : counter_reader::of_process(process)) {
      runtimes.push_back(json_of(each, each.read()));
    }
    fmt::print("{}\n", nlohmann::json{{"process", process}, {"runtimes", std::move(runtimes)}}.dump(2));
  } else {
    watch(process, interval, times);
  }
  result = good;
}

}  // namespace

void add_top(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("top", "Show what the workers of a running program do");
  const auto given = std::make_shared<arguments>();
  command.add_option("PID", given->process, "The number of the process")->required();
  command.add_option("--interval", given->interval, "Milliseconds between two pictures")->capture_default_str();
  command.add_option("--times", given->times, "Pictures to show; 0: until the process ends")->capture_default_str();
  command.add_flag("--json", given->json, "Print all counts since each runtime began, once, as JSON");
  command.footer(
      "Every runtime offers its counts in memory that other processes of the same user may read. The program is\n"
      "neither stopped nor slowed. docs/counting.md says what is counted.\n"
      "Examples:\n"
      "  jackdaw top $(pidof my_program)\n"
      "  jackdaw top 4711 --interval 200 --times 1");
  command.callback([given, &result] { run(*given, result); });
}

}  // namespace jackdaw::cli
