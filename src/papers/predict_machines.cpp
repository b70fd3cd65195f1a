// The predictor that is carried to another machine: trained on two simulated machines, tested on a third.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
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

/// Predictions for one program on one machine, as factors of the simulated time.
struct prediction {
  double regression = 0;    ///< the model, fitted to all programs on the other machines
  double left_out = 0;      ///< the same, fitted to the other programs
  double greedy_bound = 0;  ///< work / workers + critical path
  double at_speed = 0;      ///< the mean of the others' time by cores and their speed
  double by_cores = 0;      ///< the mean of the others' time times cores, over the cores here
  double same_time = 0;     ///< the mean time of the others
};

/// All programs but one on all machines but one. Programs that were left out of the page do not count.
std::vector<observation> training_without(const outcomes& of, const models& on, std::size_t unseen,
                                          const std::string& but_for = "") {
  std::vector<observation> made;
  for (const entry& each : entries) {
    if (each.kernel == but_for) continue;
    try {
      for (std::size_t m = 0; m < computers.size(); ++m)
        if (m != unseen) made.push_back(seen(of, each, computers[m], on[m]));
    } catch (const std::out_of_range&) {
    }
  }
  return made;
}

/// Throws std::out_of_range if the program was left out of the page.
prediction predict(const outcomes& of, const models& on, std::size_t unseen, const entry& what) {
  std::vector<observation> runs;
  for (std::size_t m = 0; m < computers.size(); ++m)
    if (m != unseen) runs.push_back(seen(of, what, computers[m], on[m]));
  const observation truth = seen(of, what, computers[unseen], on[unseen]);
  const observation there = carry_over(runs, on[unseen], truth.workers, truth.work, truth.span);
  const auto fitted_to = [&](const std::vector<observation>& training) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    return training.size() > terms ? time_model(training).time(there) / truth.time : unknown;
  };
  prediction made;
  made.regression = fitted_to(training_without(of, on, unseen));
  made.left_out = fitted_to(training_without(of, on, unseen, what.kernel));
  made.greedy_bound = greedy_bound(there) / truth.time;
  for (const observation& each : runs) {
    const auto count = static_cast<double>(runs.size());
    const double share = each.time / count / truth.time;
    made.same_time += share;
    made.by_cores += share * each.workers / truth.workers;
    made.at_speed += at_speed(each, on[unseen], truth.workers) / count / truth.time;
  }
  return made;
}

double error_of(double factor) { return 100 * (factor - 1); }

/// The mean over programs of the error without its sign, in %.
double mean_error(const outcomes& of, const models& on, std::size_t unseen, double prediction::* by) {
  double sum = 0;
  for (const entry& each : entries) sum += std::abs(error_of(predict(of, on, unseen, each).*by));
  return sum / static_cast<double>(entries.size());
}

/// The largest factor over programs between the predicted and the simulated time, whichever is longer.
double worst_factor(const outcomes& of, const models& on, std::size_t unseen, double prediction::* by) {
  double most = 1;
  for (const entry& each : entries) {
    const double factor = predict(of, on, unseen, each).*by;
    most = std::max({most, factor, 1 / factor});
  }
  return most;
}

/// A factor of the model that is fitted to all programs.
double factor(const outcomes& of, const models& on, std::size_t unseen, std::size_t term) {
  const std::vector<observation> training = training_without(of, on, unseen);
  if (training.size() < entries.size() * (computers.size() - 1)) throw std::out_of_range("programs were left out");
  return time_model(training).factors()[term];
}

struct predictor {
  const char* name;
  double prediction::* by;
};
const std::vector<predictor> predictors{
    {"regression", &prediction::regression},
    {"fitted without the program", &prediction::left_out},
    {"work / P + critical path", &prediction::greedy_bound},
    {"time / (cores x compute_rate)", &prediction::at_speed},
    {"time / cores", &prediction::by_cores},
    {"same time", &prediction::same_time},
};

void add_claims(reproduction& to, const std::shared_ptr<models>& on) {
  const std::string own = "none: this page's own criterion";
  for (std::size_t unseen = 0; unseen < computers.size(); ++unseen) {
    const std::string& machine = computers[unseen].machine;
    const auto against = [=](double prediction::* other) {
      return [=](const outcomes& of) {
        return mean_error(of, *on, unseen, &prediction::left_out) / mean_error(of, *on, unseen, other);
      };
    };
    const auto below_one = [](double x) { return x < 1; };
    to.add_claim(
        fmt::format("{} unseen: the regression's mean error over that of time / (cores x compute_rate)", machine), own,
        "< 1", against(&prediction::at_speed), below_one,
        "One program can have more of the mean than all others: see the table by program.");
    to.add_claim(fmt::format("{} unseen: the regression's mean error over that of work / P + critical path", machine),
                 own, "< 1", against(&prediction::greedy_bound), below_one,
                 "Work and critical path alone say as much of these programs as the fitted terms.");
    to.add_claim(
        fmt::format("{} unseen: the regression's worst factor over or below the simulated time", machine), own, "<= 2",
        [=](const outcomes& of) { return worst_factor(of, *on, unseen, &prediction::left_out); },
        [](double x) { return x <= 2; },
        "See the table by program. fib is nearly all forks, whose cost is in no term. nqueens is short for 64 workers, "
        "and its steals are those of the other machines, by workers.");
  }
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
  add_claims(to, on);
  const std::size_t last = computers.size() - 1;
  reproduction::table all{
      .title = "A predictor for another machine",
      .text =
          "Trained on all these programs on xeon-e5-2620 and opteron-8380, tested on xeon-gold-6130. The time is c1 "
          "work / workers +\nc2 critical path + c3 bytes + c4 steals. Each term is a time on the machine in question, "
          "so that the factors have no unit:\nwork and critical path at the speed of the cores, bytes at the rates of "
          "cores, nodes and links, steals at their cost.\nOrdinary least squares on relative errors; a term whose "
          "factor would be negative is left out. Random stealing, first touch.\n\nUnseen: no time, steal or byte of "
          "a run on that machine is used. Bytes and steals are those of the same program on the\nother two, by the "
          "sockets and workers of this one. Work and critical path are of a recording for as many workers as "
          "the\nunseen machine has (64), at the speed that its file states. The program itself is among the training "
          "programs, as it ran on\nthe other two. Fitted without the program: it is not, but programs like it are "
          "(of the stencils, the others).\n\n% off: how much longer than simulated, shorter if negative. The next "
          "are not fitted. Work / P + critical path: of the\nsame recording. Time / (cores x compute_rate): the mean "
          "of the other two times by cores and their speed. Time / cores: by\ncores only. Same time: their mean.",
      .columns = {"program", "simulated, us"},
      .rows = {}};
  for (const predictor& each : predictors) all.columns.push_back(fmt::format("{}, % off", each.name));
  for (const entry& what : entries) {
    reproduction::table::row row{what.kernel + " " + what.size, {[=](const outcomes& of) {
                                   return seen(of, what, computers[last], (*on)[last]).time / 1000;
                                 }}};
    for (const predictor& each : predictors) {
      row.cells.emplace_back(
          [=, by = each.by](const outcomes& of) { return error_of(predict(of, *on, last, what).*by); });
    }
    all.rows.push_back(row);
  }
  to.tables.push_back(all);
  reproduction::table means{
      .title = "Its mean error on each machine",
      .text =
          "Each of the three machines in turn is the unseen one. The error's mean is over the programs, without "
          "signs.",
      .columns = {"unseen machine"},
      .rows = {},
      .digits = 2};
  reproduction::table worst = means, factors = means;
  worst.title = "Its worst factor on each machine";
  worst.text = "The largest factor between predicted and simulated time over the programs, whichever is longer.";
  reproduction::table by_program{.title = "Its error by program and unseen machine, fitted without the program",
                                 .text = "% off, as above.",
                                 .columns = {"program"},
                                 .rows = {}};
  for (const computer& each : computers) by_program.columns.push_back(fmt::format("{}, % off", each.machine));
  for (const entry& what : entries) {
    reproduction::table::row row{what.kernel + " " + what.size, {}};
    for (std::size_t unseen = 0; unseen < computers.size(); ++unseen) {
      row.cells.emplace_back([=](const outcomes& of) { return error_of(predict(of, *on, unseen, what).left_out); });
    }
    by_program.rows.push_back(row);
  }
  factors.title = "Its terms' factors";
  factors.text =
      "Of the regression that is fitted to all programs on the other two machines; 0: left out. A factor that changes "
      "with the\nmachines of the training is not known.";
  for (const predictor& each : predictors) {
    means.columns.push_back(fmt::format("{}, %", each.name));
    worst.columns.emplace_back(each.name);
  }
  for (const char* term : {"work / workers", "critical path", "bytes", "steals"}) factors.columns.emplace_back(term);
  for (std::size_t unseen = 0; unseen < computers.size(); ++unseen) {
    reproduction::table::row mean{computers[unseen].machine, {}}, most = mean, fitted = mean;
    for (const predictor& each : predictors) {
      mean.cells.emplace_back([=, by = each.by](const outcomes& of) { return mean_error(of, *on, unseen, by); });
      most.cells.emplace_back([=, by = each.by](const outcomes& of) { return worst_factor(of, *on, unseen, by); });
    }
    for (std::size_t term = 0; term < terms; ++term)
      fitted.cells.emplace_back([=](const outcomes& of) { return factor(of, *on, unseen, term); });
    means.rows.push_back(mean);
    worst.rows.push_back(most);
    factors.rows.push_back(fitted);
  }
  to.tables.push_back(means);
  to.tables.push_back(worst);
  to.tables.push_back(by_program);
  to.tables.push_back(factors);
}

}  // namespace jackdaw::cli::predict_page
