#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "papers/adws_page.hpp"

namespace jackdaw::cli::adws_page {
namespace {

struct water {
  const char* size;
  const char* shape;
  const char* part;  ///< of Fig. 14
  std::string name() const { return fmt::format("sph {} {}", size, shape); }
};
constexpr std::array<water, 3> all{{{"35888", "2d", "a"}, {"138968", "2d", "b"}, {"182364", "3d", "c"}}};
constexpr std::array<unsigned, 3> counts{16, 32, 64};
const char* const computing =
    "The interactions of kernel sph compute: their particles are in the private caches, and workers hardly wait for "
    "data. So only the load decides. With cores 4 and 16 times as fast, and all else as it is, ADWS is ahead (a table "
    "below).";
const std::vector<std::string> schedulers{"random", "hierarchical", "adws:no-steal", "adws"};
const std::vector<std::string> interactions{"sph densities", "sph forces"};
const reproduction::reference_times as_recorded{
    .from =
        "measured on the computer that made this page, the fastest of 3 recordings, and divided by its speed: what "
        "a leaf takes depends on its neighbours",
    .recordings = 3};

std::string named(const water& one, const std::string& scheduler, unsigned count = all_workers) {
  return fmt::format("{} {} on {}", one.name(), scheduler, count);
}

figure speedup(const water& one, const std::string& scheduler, unsigned count) {
  return over(named(one, "random", 1), named(one, scheduler, count), &figures::in_regions);
}

/// The part of the leaves that ran where deterministic allocation sends them, in %.
figure kept(const water& one, const std::string& scheduler) {
  return [=](const outcomes& of) {
    const std::vector<double>&map = of.at(named(one, scheduler)).map, &planned = of.at(named(one, "adws:no-steal")).map;
    double same = 0;
    for (std::size_t i = 0; i < map.size() && i < planned.size(); ++i) same += map[i] == planned[i] ? 1 : 0;
    return map.empty() ? 0 : 100 * same / static_cast<double>(map.size());
  };
}

/// How far the workers of adjacent leaves are apart in their numbers, on average.
figure apart(const water& one, const std::string& scheduler) {
  return [=](const outcomes& of) {
    const std::vector<double>& map = of.at(named(one, scheduler)).map;
    double sum = 0;
    for (std::size_t i = 1; i < map.size(); ++i) sum += std::abs(map[i] - map[i - 1]);
    return map.size() < 2 ? 0 : sum / static_cast<double>(map.size() - 1);
  };
}

/// The worker that computes the forces of a leaf, so many parts of 1 into the order of the tree.
figure worker_at(const water& one, const std::string& scheduler, double part) {
  return [=](const outcomes& of) {
    const std::vector<double>& map = of.at(named(one, scheduler)).map;
    return map.empty() ? 0 : map.at(static_cast<std::size_t>(part * static_cast<double>(map.size())));
  };
}

void add_tables(reproduction& to) {
  reproduction::table speedups{.title = "Speedups of sph by number of cores (Fig. 14)",
                               .text = "Of the interactions (densities and forces) over one core, interleaved memory.",
                               .columns = {"particles, scheduler"},
                               .rows = {}};
  for (const unsigned count : counts) speedups.columns.push_back(fmt::format("{} cores", count));
  for (const water& one : all) {
    for (const std::string& scheduler : schedulers) {
      reproduction::table::row row{fmt::format("{}, {}", one.name(), scheduler), {}};
      for (const unsigned count : counts) row.cells.push_back(speedup(one, scheduler, count));
      speedups.rows.push_back(row);
    }
  }
  to.tables.push_back(speedups);

  constexpr unsigned shown = 16;
  reproduction::table map{
      .title = "Which worker computes which part of the water (Fig. 1)",
      .text =
          "Forces of sph 35888 2d on 64 workers in the last step: the worker of the leaf at each 16th of the tree's "
          "order, from the first on. With several seeds it is their median; only deterministic allocation is the "
          "same at each.",
      .columns = {"scheduler"},
      .rows = {},
      .digits = 0};
  for (unsigned i = 0; i != shown; ++i) map.columns.push_back(fmt::format("{}/{}", i, shown));
  for (const std::string& scheduler : schedulers) {
    reproduction::table::row row{scheduler, {}};
    for (unsigned i = 0; i != shown; ++i) row.cells.push_back(worker_at(all[0], scheduler, double(i) / shown));
    map.rows.push_back(row);
  }
  to.tables.push_back(map);
}

/// What takes the cause away: cores so fast that interactions wait for data.
void add_cause(reproduction& to) {
  const water& one = all[0];
  reproduction::table made{
      .title = "What takes the cause away: interactions that wait for data",
      .text =
          "sph 35888 2d, 64 workers, cores that compute so many times as fast while memory, caches and costs of tasks "
          "stay as they are: how many times as fast the interactions are with ADWS.",
      .columns = {"ADWS over"},
      .rows = {{"random", {}}, {"adws:no-steal", {}}},
      .digits = 2};
  for (const char* const factor : {"x1", "x4", "x16"}) {
    made.columns.push_back(std::string("cores ") + factor);
    const auto with = [&](const std::string& scheduler) { return named(one, scheduler) + ", cores " + factor; };
    for (const std::string scheduler : {"random", "adws:no-steal", "adws"}) {
      reproduction::experiment each{with(scheduler), one.name(),  "interleave",
                                    scheduler,       all_workers, std::string("xeon-gold-6130 compute_rate=") + factor};
      each.regions = interactions;
      each.links_given = true;
      to.experiments.push_back(each);
    }
    for (reproduction::table::row& row : made.rows)
      row.cells.push_back(over(with(row.name), with("adws"), &figures::in_regions));
  }
  to.tables.push_back(made);
}

// Figure 1.
void add_map_claims(reproduction& to) {
  const water& one = all[0];
  const auto what = [](const char* scheduler) {
    return fmt::format("sph 35888 2d, {}: leaves that run where deterministic allocation sends them, %", scheduler);
  };
  to.add_claim(what("ADWS"), "most of the locality is kept (Fig. 1c)", "> 50", kept(one, "adws"),
               [](double x) { return x > 50; });
  to.add_claim(what("random"), "tasks are distributed randomly (Fig. 1a)", "< 10", kept(one, "random"),
               [](double x) { return x < 10; });
  const auto apart_over = [&](const char* scheduler) {
    return [far = apart(one, "random"), near = apart(one, scheduler)](const outcomes& of) {
      return far(of) / std::max(near(of), 1e-9);
    };
  };
  for (const char* const scheduler : {"adws:no-steal", "adws"}) {
    to.add_claim(
        fmt::format("sph 35888 2d: workers of adjacent leaves are farther apart with random than with {}", scheduler),
        "close tasks are on close workers (Fig. 1b, 1c)", "> 2x", apart_over(scheduler),
        [](double x) { return x > 2; });
  }
}

}  // namespace

void add_water(reproduction& to) {
  for (const water& one : all) {
    kernels::request request;
    request.size = one.size;
    request.shape = one.shape;
    request.iterations = 6;
    to.programs.push_back({one.name(), "sph", request, all_workers, as_recorded});
    const auto add = [&](const std::string& scheduler, unsigned count) {
      reproduction::experiment made{named(one, scheduler, count), one.name(), "interleave", scheduler, count};
      made.regions = interactions;
      made.links_given = count != all_workers;
      if (count == all_workers && &one == &all[0]) made.mapped = interactions.back();
      to.experiments.push_back(made);
    };
    add("random", 1);
    for (const std::string& scheduler : schedulers) {
      for (const unsigned count : counts) add(scheduler, count);
    }
    const std::string shown = std::string(" (Fig. 14") + one.part + ")";
    const bool flat = std::string(one.shape) == "2d";
    for (const std::string other : {"random", "hierarchical", "adws:no-steal"}) {
      const bool ahead = flat || other == "adws:no-steal";
      to.add_claim(
          fmt::format("{}, 64 workers: ADWS over {}", one.name(), other),
          (flat    ? "better than all others"
           : ahead ? "only without steals it is worse"
                   : "no other is worse") +
              shown,
          ahead ? "> 1.02x" : "0.95x to 1.05x", over(named(one, other), named(one, "adws"), &figures::in_regions),
          [=](double x) { return ahead ? x > 1.02 : x >= 0.95 && x <= 1.05; }, computing);
    }
  }
  add_tables(to);
  add_cause(to);
  add_map_claims(to);
}

}  // namespace jackdaw::cli::adws_page
