#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "analysis/regression.hpp"
#include "papers/predict_page.hpp"
#include "papers/reference_times.hpp"
#include "papers/reproduction.hpp"

namespace jackdaw::cli {
namespace {

using outcomes = reproduction::outcomes;
using figure = reproduction::figure;
using sample = reproduction::sample;
using analysis::line_fit;

constexpr unsigned cores = 12, runs_of_table_two = 10, runs_of_regression = 50, runs_of_slope = 100;
const std::string server = "xeon-e5-2620";

/// What times are regressed on.
using count_of = double (*)(const sample&);
double remote_attempts(const sample& of) { return of.remote_attempts(); }
double local_attempts(const sample& of) { return of.local_attempts(); }
double remote_steals(const sample& of) { return of.remote_steals; }
double local_steals(const sample& of) { return of.local_steals; }
double remote_bytes(const sample& of) { return of.remote_bytes; }
double time_of(const sample& of) { return of.time; }

std::vector<double> all(const outcomes& of, const std::string& experiment, count_of what) {
  std::vector<double> values;
  for (const sample& each : of.at(experiment).samples) values.push_back(what(each));
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum / static_cast<double>(values.size());
}

figure mean(const std::string& experiment, count_of what) {
  return [=](const outcomes& of) { return mean(all(of, experiment, what)); };
}

/// Time on `what` over the runs of an experiment. Where no run differs in it, nothing is known.
line_fit fit(const outcomes& of, const std::string& experiment, count_of what) {
  const std::vector<double> x = all(of, experiment, what), y = all(of, experiment, time_of);
  try {
    return analysis::fit_line(x, y);
  } catch (const error&) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    return {x.size(), unknown, unknown, unknown, unknown, unknown};
  }
}

figure fitted(const std::string& experiment, count_of what, double line_fit::* part) {
  return [=](const outcomes& of) { return fit(of, experiment, what).*part; };
}

figure slope_ratio(const std::string& one, const std::string& other, count_of what) {
  return [=](const outcomes& of) { return fit(of, one, what).slope / fit(of, other, what).slope; };
}

// ---- Table II -----------------------------------------------------------------------------------------------------

struct threads_row {
  unsigned threads;
  double remote, local;  ///< as printed
};
const std::vector<threads_row> table_two{{2, 23, 21.6},  {4, 41, 49},    {6, 46, 54},    {8, 56, 55},
                                         {10, 66, 56},   {12, 61, 45},   {14, 123, 88},  {16, 243, 235},
                                         {18, 334, 401}, {20, 354, 473}, {22, 226, 312}, {24, 102, 77}};

std::string with_threads(unsigned count) { return fmt::format("matmul 1024, {} threads", count); }

double remote_part(const outcomes& of, unsigned threads) {
  const double remote = mean(all(of, with_threads(threads), remote_attempts));
  const double local = mean(all(of, with_threads(threads), local_attempts));
  return remote + local > 0 ? 100 * remote / (remote + local) : 0;
}

void add_table_two(reproduction& to) {
  reproduction::table made{
      .title = "Table II: attempts by the number of threads",
      .text =
          "matmul 1024 on 2 x 6 cores, the mean of 10 runs. A thief draws its victim among the others, so "
          "(n/2)/(n-1) of the attempts\nof n threads are remote: all with two threads, half only with many. The "
          "paper draws among all, itself included (Eq. 2), and\ncounts half with two threads too; that needs attempts "
          "of a thief at itself, which are local and never find anything.\nFalse: the attempt found nothing; nearly "
          "all do, because a worker that has nothing to do attempts all the time. With\nmore than 12 threads two share "
          "a core, and together compute no faster than one: the paper switched hyper-threading off.",
      .columns = {"threads", "remote attempts", "local attempts", "remote, %", "(n/2)/(n-1), %", "remote steals",
                  "local steals", "remote false", "local false", "paper: remote", "paper: local", "paper: remote, %"},
      .rows = {}};
  for (const threads_row& row : table_two) {
    const unsigned n = row.threads;
    reproduction::experiment each{
        with_threads(n), "matmul 1024", "first-touch", "random", n, server + " threads_per_core=2 smt_rate=1"};
    each.links_given = true;
    each.samples = runs_of_table_two;
    to.experiments.push_back(each);
    const double expected = 100 * (n / 2.0) / (n - 1), paper = 100 * row.remote / (row.remote + row.local);
    const auto part = [n](const outcomes& of) { return remote_part(of, n); };
    to.add_claim(
        fmt::format("{} threads: attempts that are remote, %", n),
        fmt::format("50%; {:.0f}% of them in Table II", paper), "38 to 62", part,
        [](double x) { return x >= 38 && x <= 62; },
        "A victim is one of the others, of whom (n/2)/(n-1) are remote: with two threads all, with four two "
        "thirds. The paper's thieves draw themselves too (Eq. 2).");
    const std::string name = with_threads(n);
    const auto false_of = [name](double sample::* what) {
      return [=](const outcomes& of) {
        double sum = 0;
        for (const sample& one : of.at(name).samples) sum += one.*what;
        return sum / static_cast<double>(of.at(name).samples.size());
      };
    };
    made.rows.push_back({fmt::format("{}", n),
                         {mean(name, remote_attempts), mean(name, local_attempts), part,
                          [expected](const outcomes&) { return expected; }, mean(name, remote_steals),
                          mean(name, local_steals), false_of(&sample::remote_false), false_of(&sample::local_false),
                          [row](const outcomes&) { return row.remote; }, [row](const outcomes&) { return row.local; },
                          [paper](const outcomes&) { return paper; }}});
  }
  to.tables.push_back(made);
  to.add_claim(
      "2 to 24 threads: the remote part's largest distance from (n/2)/(n-1), points", "victims are random (Eq. 2)",
      "<= 2",
      [](const outcomes& of) {
        double most = 0;
        for (const threads_row& row : table_two) {
          const double expected = 100 * (row.threads / 2.0) / (row.threads - 1);
          most = std::max(most, std::abs(remote_part(of, row.threads) - expected));
        }
        return most;
      },
      [](double x) { return x <= 2; });
}

// ---- Eq. 3 --------------------------------------------------------------------------------------------------------

const std::string fifty = "matmul 1024, 50 runs";

void add_regression(reproduction& to) {
  reproduction::experiment each{fifty, "matmul 1024", "first-touch", "random", cores, server};
  each.samples = runs_of_regression;
  to.experiments.push_back(each);
  const auto with_attempts = [](double line_fit::* part) { return fitted(fifty, remote_attempts, part); };
  to.add_claim(
      "r of time and remote attempts", "0.9123 (III-B)", ">= 0.7", with_attempts(&line_fit::correlation),
      [](double x) { return x >= 0.7; },
      "The runs differ in how long workers are idle, and how often they attempt meanwhile.");
  to.add_claim(
      "r of time and remote steals", "0.9123 (III-B; Table III counts steals)", ">= 0.7",
      fitted(fifty, remote_steals, &line_fit::correlation), [](double x) { return x >= 0.7; },
      "A steal costs a worker half a microsecond of a run of 1.4 ms. The tree and the number of workers decide how "
      "many are needed, more than the time that is lost.");
  to.add_claim(
      "slope on remote attempts, ns: equal to R_NUMA, 1.632", "1.61 = R_NUMA (Eq. 3)", "1.45 to 1.8",
      with_attempts(&line_fit::slope), [](double x) { return x >= 1.45 && x <= 1.8; },
      "The slope is a time: what passes until an idle worker's next remote attempt, over the number of "
      "workers. R_NUMA has no unit. Times in us would make the same slope a thousandth.");
  to.add_claim(
      "part of the time's variance that remote attempts explain", "0.832: r^2 (III-B)",
      "0.66 to 0.92: two samples of 50 runs differ by so much",
      [with_attempts](const outcomes& of) {
        const double r = with_attempts(&line_fit::correlation)(of);
        return r * r;
      },
      [](double x) { return x >= 0.66 && x <= 0.92; });
  reproduction::table made{
      .title = "Eq. 3: time on counts, matmul 1024 on 12 workers, 50 runs",
      .text =
          "Ordinary least squares, as in the paper. It calls X the remote steal count in the text and Table III, and "
          "remote attempts\nin the caption; both are here. The paper's mean X is 71, which is near the number of "
          "steals, for "
          "which r is smaller than\nits. A worker that is idle attempts again and again, so the number of attempts is "
          "idle time in other units. Explained: r^2 =\n1 - RMSE^2 / variance of the time, both divided by the number "
          "of runs.",
      .columns = {"X", "mean X", "r", "explained", "slope b, ns", "its standard error", "intercept a, us", "RMSE, us",
                  "RMSE, % of time"},
      .rows = {},
      .digits = 3};
  for (const auto& [name, what] : {std::pair<const char*, count_of>{"remote attempts", remote_attempts},
                                   {"remote steals", remote_steals},
                                   {"local attempts", local_attempts},
                                   {"local steals", local_steals},
                                   {"remote bytes", remote_bytes}}) {
    const count_of x = what;
    made.rows.push_back(
        {name,
         {mean(fifty, x), fitted(fifty, x, &line_fit::correlation),
          [x](const outcomes& of) { return std::pow(fit(of, fifty, x).correlation, 2); },
          fitted(fifty, x, &line_fit::slope), fitted(fifty, x, &line_fit::slope_error),
          [x](const outcomes& of) { return fit(of, fifty, x).intercept / 1000; },
          [x](const outcomes& of) { return fit(of, fifty, x).rmse / 1000; },
          [x](const outcomes& of) { return 100 * fit(of, fifty, x).rmse / mean(all(of, fifty, time_of)); }}});
  }
  to.tables.push_back(made);
}

void add_printed_figures(reproduction& to) {
  constexpr double squares_x = 127796.5, products = 205740.5, r = 0.9123, printed_rmse = 5.1683;
  constexpr unsigned count = 50;
  const double squares_y = products * products / squares_x / (r * r);
  const line_fit of = analysis::fit_from_sums(count, 3555.0 / count, 91885.0 / count, squares_x, products, squares_y);
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  reproduction::table made{
      .title = "The paper's own figures",
      .text =
          "With its SSX = 127796.5, SP = 205740.5 and r = 0.9123, the squares of Y are SP^2/SSX/r^2 = 397970, of which "
          "b SP = 331222\nare explained, 83.2%. The other 66747 are SSE. The paper's error of 5.1683 is the root of "
          "SSE "
          "over n: sqrt(66747)/50 = 5.167.\nThe root of the mean square, which is n under the root, is 36.5, or 2.0% "
          "of "
          "the mean time.",
      .columns = {"figure", "printed", "calculated from the others"},
      .rows = {},
      .digits = 4};
  const auto row = [&](const char* name, double printed, double calculated) {
    made.rows.push_back(
        {name, {[printed](const outcomes&) { return printed; }, [calculated](const outcomes&) { return calculated; }}});
  };
  row("b = SP/SSX", 1.60991, of.slope);
  row("a = MY - b MX", 1723.2356, of.intercept);
  row("sqrt(SSE)/n", printed_rmse, of.rmse / std::sqrt(count));
  row("RMSE, sqrt(SSE/n)", unknown, of.rmse);
  row("explained, r^2", unknown, r * r);
  row("R_NUMA (Table I)", 1.625, (124.7 / 77.3 + 122.8 / 75.0) / 2);
  to.tables.push_back(made);
}

// ---- what the slope depends on ------------------------------------------------------------------------------------

/// The simulated machine with remote memory, looks and steals that take so many times as long as local ones. 1.625 is
/// the paper's; there looks and steals cost what the machine file says.
struct remoteness {
  std::string name, changes;
  double look_remote;  ///< ns
};
constexpr double look_local = 42;
const remoteness none{"1", " link.latency=0 remote_rate=11 cost.steal_remote=170 cost.look_remote=42", 42},
    as_is{"1.625", " link.latency=47.5", 120},
    thrice{"3", " link.latency=152 remote_rate=3.67 cost.steal_remote=846 cost.look_remote=221", 221},
    thrice_memory{"3, memory only", " link.latency=152 remote_rate=3.67", 120},
    thrice_steals{"3, steals and looks only", " link.latency=47.5 cost.steal_remote=846 cost.look_remote=221", 221};

const std::vector<std::string> programs{"matmul 512, leaves of 10 us", "matmul 512, leaves of 40 us",
                                        "matmul 512, leaves of 160 us", "fib 20", "nqueens 9"};
const std::string plain_tasks = programs[1], tiny_tasks = "fib 20", long_tasks = programs[2];

std::string at(const std::string& program, const remoteness& where) {
  return fmt::format("{}, R_NUMA {}", program, where.name);
}
std::string alone(const std::string& program) { return program + ", one socket"; }

void add_slope_experiment(reproduction& to, const std::string& name, const std::string& program,
                          const std::string& machine, bool one_socket) {
  reproduction::experiment made{name, program, "first-touch", "random", one_socket ? cores / 2 : cores, machine};
  made.links_given = true;
  made.samples = runs_of_slope;
  made.scatter = !one_socket;
  to.experiments.push_back(made);
}

/// What passes between two remote attempts of an idle worker, over the workers: a remote look, and the local ones that
/// come with it.
double expected_slope(const remoteness& where) {
  constexpr double local_each = (cores / 2.0 - 1) / (cores / 2.0);
  return (where.look_remote + local_each * look_local) / cores;
}

void add_slopes(reproduction& to) {
  reproduction::table made{
      .title = "The slope against task length and R_NUMA",
      .text =
          "12 workers, 100 runs each. All remote costs change with R_NUMA: memory, looks and steals. One socket: 6 "
          "workers, local\nattempts and steals. Calculated: the time from one remote attempt of an idle worker to its "
          "next (one remote look, 5/6 of a\nlocal one) over the workers. That is near the slope of matmul with leaves "
          "of 10 and 40 us. With leaves of 160 us the slope is\nlarger: idle workers sleep, which takes time without "
          "attempts. Between 40 and 160 us nothing was tried. With tiny tasks (fib,\nnqueens) it is larger too: steals "
          "cost as much as looks, and come on top. Their slopes per steal are known to about a tenth;\nmost of those "
          "of matmul are within two standard errors of 0.",
      .columns = {"program, R_NUMA", "time, us", "slope per attempt, ns", "error", "r", "calculated, ns",
                  "slope per steal, ns", "error", "r"},
      .rows = {},
      .digits = 2};
  const auto add_row = [&](const std::string& name, count_of attempts, count_of steals, double calculated) {
    made.rows.push_back({name,
                         {[name](const outcomes& of) { return mean(all(of, name, time_of)) / 1000; },
                          fitted(name, attempts, &line_fit::slope), fitted(name, attempts, &line_fit::slope_error),
                          fitted(name, attempts, &line_fit::correlation),
                          [calculated](const outcomes&) { return calculated; }, fitted(name, steals, &line_fit::slope),
                          fitted(name, steals, &line_fit::slope_error), fitted(name, steals, &line_fit::correlation)}});
  };
  for (const std::string& program : programs) {
    for (const remoteness& where : {none, as_is, thrice}) {
      add_slope_experiment(to, at(program, where), program, server + where.changes, false);
      add_row(at(program, where), remote_attempts, remote_steals, expected_slope(where));
    }
    add_slope_experiment(to, alone(program), program, server, true);
    add_row(alone(program), local_attempts, local_steals, look_local / (cores / 2.0));
  }
  to.tables.push_back(made);
}

void add_causes(reproduction& to) {
  reproduction::table made{
      .title = "The part of the slope that is due to remoteness",
      .text =
          "12 workers. Remote: what the slope has beyond that with R_NUMA 1, where the other socket is as near as the "
          "own one. Memory\nalone changes nothing, so the slope is not the ratio of memory latencies: it is what a "
          "look at a deque costs. Half of it is\nremoteness on this machine.",
      .columns = {"X, R_NUMA", "slope, ns", "due to remoteness, %"},
      .rows = {},
      .digits = 1};
  const auto add_row = [&](const std::string& program, const remoteness& where, count_of what, const char* named) {
    const std::string name = at(program, where), near = at(program, none);
    made.rows.push_back({fmt::format("{}, {}, {}", program, named, where.name),
                         {fitted(name, what, &line_fit::slope), [=](const outcomes& of) {
                            return 100 * (1 - fit(of, near, what).slope / fit(of, name, what).slope);
                          }}});
  };
  for (const remoteness& where : {thrice_memory, thrice_steals})
    add_slope_experiment(to, at(plain_tasks, where), plain_tasks, server + where.changes, false);
  for (const remoteness& where : {none, as_is, thrice, thrice_memory, thrice_steals})
    add_row(plain_tasks, where, remote_attempts, "remote attempts");
  for (const remoteness& where : {none, as_is, thrice}) add_row(tiny_tasks, where, remote_steals, "remote steals");
  to.tables.push_back(made);
}

void add_claims_on_slopes(reproduction& to) {
  const std::string looks =
      "The slope follows what a look at a deque costs: a cache line, from the own socket or another one. Local looks "
      "and the number of workers are in it too.";
  const auto within = [](double least, double most) { return [=](double x) { return x >= least && x <= most; }; };
  to.add_claim("slope on attempts with R_NUMA 1.625 over that with 1", "1.625 (Eq. 3: slope = R_NUMA)", "1.5 to 1.75",
               slope_ratio(at(plain_tasks, as_is), at(plain_tasks, none), remote_attempts), within(1.5, 1.75), looks);
  to.add_claim("slope on attempts with R_NUMA 3 over that with 1", "3 (Eq. 3)", "2.7 to 3.3",
               slope_ratio(at(plain_tasks, thrice), at(plain_tasks, none), remote_attempts), within(2.7, 3.3), looks);
  to.add_claim("slope on attempts with R_NUMA 3 in memory only over that with 1.625", "1.85 (Eq. 1 is of memory)",
               "1.66 to 2.03", slope_ratio(at(plain_tasks, thrice_memory), at(plain_tasks, as_is), remote_attempts),
               within(1.66, 2.03), looks);
  to.add_claim(
      "one socket: slope on local attempts, ns", "none: nothing is remote", "< 1",
      fitted(alone(plain_tasks), local_attempts, &line_fit::slope), [](double x) { return x < 1; },
      "Looking for work takes time on one socket too.");
  to.add_claim("slope on remote attempts, fib 20 over matmul 512 with leaves of 40 us", "1: R_NUMA is of the machine",
               "0.9 to 1.1", slope_ratio(at(tiny_tasks, as_is), at(plain_tasks, as_is), remote_attempts),
               within(0.9, 1.1), "With tiny tasks the steals that come with the attempts take as long as the looks.");
  to.add_claim(
      "slope on remote attempts, leaves of 160 us over 40 us", "1: R_NUMA is of the machine", "0.9 to 1.1",
      slope_ratio(at(long_tasks, as_is), at(plain_tasks, as_is), remote_attempts), within(0.9, 1.1),
      "A worker that has found nothing for 150 us sleeps, and attempts nothing while it sleeps. So with longer "
      "tasks an attempt stands for more time.");
}

void add_programs(reproduction& to) {
  const auto add = [&](const std::string& name, const char* kernel, const char* size,
                       const reproduction::reference_times& times) {
    kernels::request request;
    request.size = size;
    to.programs.push_back({name, kernel, request, cores, times});
  };
  const reproduction::reference_times& matmul = reference_times_of("matmul");
  add("matmul 1024", "matmul", "1024", matmul);
  double factor = 0.25;
  for (std::size_t i = 0; i < 3; ++i, factor *= 4) {
    reproduction::reference_times times = matmul;
    times.leaf *= factor;
    if (factor != 1) times.from = fmt::format("{:g} times what matmul's leaf takes", factor);
    add(programs[i], "matmul", "512", times);
  }
  add("fib 20", "fib", "20", {0, 1, "measured: a call of the serial program"});
  add("nqueens 9", "nqueens", "9", reference_times_of("nqueens"));
}

}  // namespace

reproduction reproduce_predict() {
  reproduction made;
  made.name = "predict";
  made.title = "Performance Prediction of Task Workloads in Work-Stealing Runtimes (CVR)";
  made.machine = server;
  add_programs(made);
  add_table_two(made);
  add_regression(made);
  add_printed_figures(made);
  add_slopes(made);
  add_causes(made);
  add_claims_on_slopes(made);
  predict_page::add_predictor(made);
  made.left_out = {
      "matmul at 8192 x 8192 with a task for each element: 67 million tasks. Here a leaf is a block of 128 x 128.",
      "The initial equal distribution of tasks among all queues (III-A): jackdaw's random stealing begins with one "
      "root.",
      "More threads than hardware threads, which the operating system would have to switch.",
      "uts and the library's sort: the lengths of their steps on the reference core are not known.",
      "Runs that differ by more than the seeds of random victims, such as by other programs on the computer.",
  };
  return made;
}

}  // namespace jackdaw::cli
