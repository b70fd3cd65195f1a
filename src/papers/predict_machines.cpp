// The predictor that is carried to another machine: trained on two simulated machines, tested on a third.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "papers/predict_page.hpp"
#include "papers/reference_times.hpp"
#include "papers/time_model.hpp"

namespace jackdaw::cli::predict_page {
namespace {

using outcomes = reproduction::outcomes;

struct computer {
  std::string machine;
  unsigned workers;
};
const std::vector<computer> computers{{"xeon-e5-2620", 12}, {"opteron-8380", 16}, {"xeon-gold-6130", 64}};

struct entry {
  std::string kernel, size, shape = {};
  unsigned iterations = 0;
};
const std::vector<entry> entries{{"fib", "25"},
                                 {"nqueens", "10"},
                                 {"knapsack", "40"},
                                 {"checkers", "10"},
                                 {"mandelbrot", "512"},
                                 {"ga", "64"},
                                 {"cilksort", "1m"},
                                 {"fft", "1m"},
                                 {"matmul", "1024"},
                                 {"cholesky", "512"},
                                 {"heat2d", "1024", "blocks", 6},
                                 {"heat", "amd-1k", "regular", 6},
                                 {"sor", "amd-1k", "regular", 6},
                                 {"9p", "amd-1k", "regular", 6},
                                 {"6p", "amd-1k", "regular", 6},
                                 {"25p", "amd-1k", "regular", 6},
                                 {"conv", "amd-1k", "regular", 6},
                                 {"ge", "cab-512"},
                                 {"pagerank", "bats/64", "pull", 6},
                                 {"components", "bats/64", "rounds"},
                                 {"labelprop", "bats/64", "rounds", 6}};

std::string name_of(const entry& what, const computer& on) {
  return fmt::format("{} {} on {}", what.kernel, what.size, on.machine);
}

reproduction::reference_times times_of(const std::string& kernel) {
  if (kernel == "fib") return {0, 1, "measured: a call of the serial program"};
  if (kernel == "heat2d")
    return {1060, 2, "leaf: measured, median of 6 recordings' medians (760 to 1150); other: assumed"};
  return reference_times_of(kernel);
}

/// Machines as the simulations have them. They live as long as the page.
using models = std::vector<machine_model>;

observation seen(const outcomes& of, const entry& what, const computer& on, const machine_model& model) {
  const reproduction::figures& found = of.at(name_of(what, on));
  observation made{.on = &model, .workers = on.workers, .work = found.work, .span = found.span};
  const auto count = static_cast<double>(found.samples.size());
  for (const reproduction::sample& each : found.samples) {
    made.local_bytes += each.local_bytes / count;
    made.remote_bytes += each.remote_bytes / count;
    made.steals += (each.local_steals + each.remote_steals) / count;
    made.time += each.time / count;
  }
  return made;
}

/// Predictions for one program on one machine from its runs on the others, as factors of the simulated time.
struct prediction {
  double regression = 0;  ///< the model, fitted to all programs on the other machines
  double same_time = 0;   ///< the mean time of the others
  double by_cores = 0;    ///< the mean of the others' time times cores, over the cores here
};

/// Programs that were left out do not count; if all were, throws std::out_of_range.
prediction predict(const outcomes& of, const models& on, std::size_t unseen, const entry& what) {
  std::vector<observation> training;
  for (const entry& each : entries) {
    try {
      for (std::size_t m = 0; m < computers.size(); ++m)
        if (m != unseen) training.push_back(seen(of, each, computers[m], on[m]));
    } catch (const std::out_of_range&) {
    }
  }
  std::vector<observation> runs;
  for (std::size_t m = 0; m < computers.size(); ++m)
    if (m != unseen) runs.push_back(seen(of, what, computers[m], on[m]));
  const observation truth = seen(of, what, computers[unseen], on[unseen]);
  const observation there = carry_over(runs, on[unseen], truth.workers, truth.work, truth.span);
  prediction made;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  made.regression = training.size() > terms ? time_model(training).time(there) / truth.time : unknown;
  for (const observation& each : runs) {
    const double share = each.time / static_cast<double>(runs.size()) / truth.time;
    made.same_time += share;
    made.by_cores += share * each.workers / truth.workers;
  }
  return made;
}

double error_of(double factor) { return 100 * (factor - 1); }

/// The mean over programs of the error without its sign, in %.
reproduction::figure mean_error(const std::shared_ptr<models>& on, std::size_t unseen, double prediction::* by) {
  return [=](const outcomes& of) {
    double sum = 0, count = 0;
    for (const entry& each : entries) {
      sum += std::abs(error_of(predict(of, *on, unseen, each).*by));
      ++count;
    }
    return sum / count;
  };
}

reproduction::figure factor(const std::shared_ptr<models>& on, std::size_t unseen, std::size_t term) {
  return [=](const outcomes& of) {
    std::vector<observation> training;
    for (const entry& each : entries) {
      for (std::size_t m = 0; m < computers.size(); ++m)
        if (m != unseen) training.push_back(seen(of, each, computers[m], (*on)[m]));
    }
    return time_model(training).factors()[term];
  };
}

}  // namespace

void add_predictor(reproduction& to) {
  const auto on = std::make_shared<models>();
  for (const computer& each : computers) on->push_back(reproduction::load_machine(each.machine));
  for (const entry& what : entries) {
    for (const computer& each : computers) {
      kernels::request request;
      request.size = what.size;
      request.shape = what.shape;
      if (what.iterations != 0) request.iterations = what.iterations;
      to.programs.push_back({name_of(what, each), what.kernel, request, each.workers, times_of(what.kernel)});
      reproduction::experiment made{name_of(what, each), name_of(what, each), "first-touch", "random",
                                    each.workers,        each.machine};
      made.links_given = true;
      made.samples = 3;
      to.experiments.push_back(made);
    }
  }
  const std::size_t last = computers.size() - 1;
  reproduction::table all{
      .title = "A predictor for another machine",
      .text =
          "Trained on all these programs on xeon-e5-2620 and opteron-8380, tested on xeon-gold-6130, which it has not "
          "seen. The time is\nc1 work / workers + c2 critical path + c3 bytes + c4 steals. Each term is a time on the "
          "machine in question, so that the\nfactors have no unit: work and critical path of the recording at the "
          "speed of the cores, bytes at the rates of cores, nodes\nand links, steals at their cost. Bytes and steals "
          "of the unseen machine are those of the other two, by its sockets and\nworkers; nothing was run there. "
          "Ordinary least squares on relative errors; a term whose factor would be negative is left\nout. Random "
          "stealing, first touch. % off: how much longer than simulated, shorter if negative. Same time: the mean "
          "of the\nother two. Time / cores: the mean of their times by cores, over the cores there.",
      .columns = {"program", "simulated, us", "regression, % off", "same time, % off", "time / cores, % off"},
      .rows = {}};
  for (const entry& what : entries) {
    const auto off = [=](double prediction::* by) {
      return [=](const outcomes& of) { return error_of(predict(of, *on, last, what).*by); };
    };
    all.rows.push_back({what.kernel + " " + what.size,
                        {[=](const outcomes& of) { return seen(of, what, computers[last], (*on)[last]).time / 1000; },
                         off(&prediction::regression), off(&prediction::same_time), off(&prediction::by_cores)}});
  }
  to.tables.push_back(all);
  reproduction::table means{
      .title = "Its mean error on each machine",
      .text =
          "Each of the three machines in turn is the unseen one. The error's mean is over the programs, without "
          "signs. The factors are\nthose of the terms; 0: left out.",
      .columns = {"unseen machine", "regression, %", "same time, %", "time / cores, %", "factor of work / workers",
                  "of the critical path", "of bytes", "of steals"},
      .rows = {},
      .digits = 2};
  for (std::size_t unseen = 0; unseen < computers.size(); ++unseen) {
    reproduction::table::row row{computers[unseen].machine, {}};
    for (const auto by : {&prediction::regression, &prediction::same_time, &prediction::by_cores})
      row.cells.push_back(mean_error(on, unseen, by));
    for (std::size_t term = 0; term < terms; ++term) row.cells.push_back(factor(on, unseen, term));
    means.rows.push_back(row);
  }
  to.tables.push_back(means);
}

}  // namespace jackdaw::cli::predict_page
