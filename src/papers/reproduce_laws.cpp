#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "papers/laws_page.hpp"
#include "papers/reference_times.hpp"
#include "papers/reproduction.hpp"

namespace jackdaw::cli {
namespace {

using namespace laws_page;

const std::string at_the_bound =
    "Seeds differ: with five of them ge-ir takes 0.4% to 18% longer than with LAWS-NC, 2.7% in the median.";
const std::string cats_on_ge =
    "A pivot's row is all that its leaves share, and every socket needs it, however tasks are packed. On the AMD "
    "server the matrix fits the sockets' caches only if each socket keeps its rows, which CATS does not see to.";

void add_programs(reproduction& to, const server& on) {
  for (const bench& one : twelve(on)) add_program(to, one, {"random", "cats", "laws:nc", "laws"});
}

void add_comparisons(reproduction& to, const server& on) {
  struct pair {
    std::string what, scheduler, against;
  };
  for (const pair& each :
       {pair{"LAWS against LAWS-NC", "laws", "laws:nc"}, pair{"LAWS against random stealing (Cilk)", "laws", "random"},
        pair{"CATS against random stealing", "cats", "random"}}) {
    reproduction::comparison all{fmt::format("{}, {} server", each.what, on.name), {}};
    for (const bench& one : twelve(on)) {
      all.of.emplace_back(one.kernel + (one.irregular ? "-ir" : ""), [=](const outcomes& of) {
        return reproduction::saved(one.time(), of, one.with(each.scheduler), one.with(each.against));
      });
    }
    to.comparisons.push_back(all);
  }
}

// Figure 7.
void add_times(reproduction& to, const server& on) {
  const bool is_amd = on.name == "amd";
  const double low = is_amd ? 23.5 : 12.5, high = is_amd ? 54.2 : 48.6, cats = is_amd ? 19.6 : 28.1;
  for (const bench& one : twelve(on)) {
    to.add_claim(
        fmt::format("{}: time that LAWS saves, %", one.name()), fmt::format("{}% to {}% (Fig. 7)", low, high),
        fmt::format("{} to {}", low, high), saved(one.time(), one, "laws"),
        [=](double x) { return x >= low && x <= high; }, is_amd ? "" : nodes_bound);
  }
  to.add_claim(
      fmt::format("{}: the most that CATS saves of any program's time, %", on.name),
      fmt::format("up to {}% (Fig. 7)", cats), fmt::format("{:.1f} to {:.1f}", cats - 10, cats + 10),
      most(each_of(twelve(on), [](const bench& one) { return saved(one.time(), one, "cats"); })),
      [=](double x) { return std::abs(x - cats) <= 10; }, one_link);
  to.add_claim(fmt::format("{}: the least that LAWS-NC saves of any program's time beyond the better of random and "
                           "CATS, points",
                           on.name),
               "LAWS-NC is better than Cilk and CATS (6.3)", "> 0",
               least(each_of(twelve(on),
                             [](const bench& one) {
                               return [=](const outcomes& of) {
                                 return saved(one.time(), one, "laws:nc")(of) -
                                        std::max(0.0, saved(one.time(), one, "cats")(of));
                               };
                             })),
               [](double x) { return x > 0; });
}

// Expectations beyond the paper's words, if the machine's figures are right.
void add_allocation(reproduction& to) {
  for (const bench& one : stencils_of(amd)) {
    const figure gain = saved(one.time(), one, "laws:nc");
    to.add_claim(fmt::format("{}: time that LAWS-NC saves, %", one.name()), "better than Cilk (Fig. 7)", ">= 20", gain,
                 [](double x) { return x >= 20; });
  }
  for (const server& on : {amd, intel}) {
    to.add_claim(
        fmt::format("{}: stencils for which LAWS-NC saves less time if the links are faster", on.name),
        "it gains by fewer remote accesses (6.3)", "10 of 10",
        [on](const outcomes& of) {
          double falling = 0;
          for (const bench& one : stencils_of(on)) {
            const auto gain = [&](std::size_t link) {
              return 1 - of.at(one.with("laws:nc"), link).time / of.at(one.with("random"), link).time;
            };
            falling += gain(1) > gain(0) && gain(0) > gain(2) ? 1 : 0;  // half, full and twice the bandwidth
          }
          return falling;
        },
        [](double x) { return x == 10; }, on.name == "amd" ? "" : nodes_bound);
  }
}

// Sections 6.2 and 6.3.
void add_memory(reproduction& to, const server& on) {
  const auto local = [](const std::string& scheduler) {
    return [=](const bench& one) -> figure {
      return [=](const outcomes& of) { return 100 * of.at(one.with(scheduler)).local(); };
    };
  };
  const std::vector<bench> stencils = stencils_of(on);
  to.add_claim(fmt::format("{}: the smallest part of any stencil's bytes that is local with LAWS, %", on.name),
               "tasks access their data from the local memory node (3.2)", ">= 95",
               least(each_of(stencils, local("laws"))), [](double x) { return x >= 95; });
  to.add_claim(fmt::format("{}: the smallest part of any stencil's bytes that is local with random, %", on.name),
               "1 in 4 (Eq. 3)", ">= 20", least(each_of(stencils, local("random"))), [](double x) { return x >= 20; });
  to.add_claim(fmt::format("{}: the largest part of any stencil's bytes that is local with random, %", on.name),
               "1 in 4 (Eq. 3)", "<= 35", most(each_of(stencils, local("random"))), [](double x) { return x <= 35; });
}

/// Returns the irregular programs on the AMD server, the regular ones on the other.
std::vector<bench> shown_in_figure_8(const server& on) {
  std::vector<bench> shown = stencils_of(on);
  std::erase_if(shown, [](const bench& one) { return one.irregular != (one.on.name == "amd"); });
  return shown;
}

// What decides: packing beyond placing (6.3).
void add_tuning(reproduction& to, const server& on) {
  for (const bench& one : twelve(on)) {
    to.add_claim(
        fmt::format("{}: time of LAWS beyond LAWS-NC's, %", one.name()), "LAWS-NC performs worse (6.3)", "< 0",
        [one](const outcomes& of) {
          return 100 * (of.at(one.with("laws")).*one.time() / of.at(one.with("laws:nc")).*one.time() - 1);
        },
        [](double x) { return x < 0; }, one.stencil() ? no_sharing : at_the_bound);
    to.add_claim(
        fmt::format("{}: time of all iterations of LAWS, with its search, beyond LAWS-NC's, %", one.name()),
        "the search pays within a run (6.3)", "<= 3",
        [one](const outcomes& of) {
          return 100 * (of.at(one.with("laws")).whole / of.at(one.with("laws:nc")).whole - 1);
        },
        [](double x) { return x <= 3; });
  }
  for (const bench& one : shown_in_figure_8(on)) {
    to.experiments.push_back(
        {one.with("laws:paper"), one.name(), "first-touch", "laws:paper", one.on.workers, one.on.machine});
    to.add_claim(
        fmt::format("{}: time of LAWS as printed (laws:paper) beyond LAWS-NC's, %", one.name()),
        "LAWS-NC performs worse (6.3)", "< 0",
        [one](const outcomes& of) {
          return 100 * (of.at(one.with("laws:paper")).*one.time() / of.at(one.with("laws:nc")).*one.time() - 1);
        },
        [](double x) { return x < 0; }, one_link);
  }
}

void add_settling(reproduction& to, const server& on) {
  to.add_claim(fmt::format("{}: iteration in which the last program's search for a packing ends", on.name),
               "several iterations (Fig. 8)", "<= 8",
               most(each_of(stencils_of(on),
                            [](const bench& one) -> figure {
                              return [=](const outcomes& of) {
                                const unsigned settled = of.at(one.with("laws")).settled;
                                return settled == 0 ? std::numeric_limits<double>::infinity() : settled;
                              };
                            })),
               [](double x) { return x <= 8; });
  to.add_claim(fmt::format("{}: the least that any program's later iterations save against its first, %", on.name),
               "significant (Fig. 8)", "> 0",
               least(each_of(shown_in_figure_8(on),
                             [](const bench& one) -> figure {
                               return [=](const outcomes& of) {
                                 return 100 * (1 - of.at(one.with("laws")).time / of.at(one.with("laws")).first);
                               };
                             })),
               [](double x) { return x > 0; });
}

// Table IV: misses of all sockets, local accesses of the socket that has the fewest.
void add_counters(reproduction& to, const server& on) {
  struct row {
    std::string kernel;
    double misses, local;  // in %: misses saved, local accesses gained
    double irregular_misses, irregular_local;
  };
  const std::vector<row> rows =
      on.name == "amd"
          ? std::vector<row>{{"heat", 19.2, 60, 12.0, 60}, {"sor", 12.2, 74, 13.3, 36}, {"ge", 86.8, -89, 87.5, -92},
                             {"6p", 5.6, 86, 7.9, 81},     {"9p", 11.9, 58, 22.7, 62},  {"25p", 5.6, 50, 5.2, 45}}
          : std::vector<row>{{"heat", 16.3, 204, 15.4, 191}, {"sor", 15.9, 26, 18.9, 43}, {"ge", 36.6, 29, 40.5, 21},
                             {"6p", 11.8, 19, 16.5, 45},     {"9p", 1.9, 265, 1.0, 369},  {"25p", 3.9, 39, 5.1, 43}};
  for (const row& each : rows) {
    for (const bool irregular : {false, true}) {
      const bench one{on, each.kernel, irregular};
      const double misses = irregular ? each.irregular_misses : each.misses;
      const double local = irregular ? each.irregular_local : each.local;
      to.add_claim(
          fmt::format("{}: shared cache misses that LAWS saves, %", one.name()), fmt::format("{}% (Table IV)", misses),
          fmt::format("{:.1f} to {:.1f}", misses - 10, misses + 10), saved(&figures::shared_misses, one, "laws"),
          [=](double x) { return std::abs(x - misses) <= 10; }, one.stencil() ? no_sharing : "");
      to.add_claim(
          fmt::format("{}: local accesses of the straggler beyond random's, %", one.name()),
          fmt::format("{}% (Table IV)", local), local > 0 ? fmt::format(">= {}", local / 2) : "< 0",
          [=](const outcomes& of) { return -saved(&figures::straggler_bytes, one, "laws")(of); },
          [=](double x) { return local > 0 ? x >= local / 2 : x < 0; });
    }
  }
}

// Table IV's column of CATS: misses of all sockets.
void add_cats_counters(reproduction& to, const server& on) {
  struct row {
    std::string kernel;
    double regular, irregular;  // misses saved, %
  };
  // 9P's entries on the Intel server have a slip in their exponents: 9.27E9 and 9.41E9, where E8 is meant.
  const std::vector<row> rows = on.name == "amd"
                                    ? std::vector<row>{{"heat", 7.2, 5.6}, {"sor", 7.0, 12.3}, {"ge", 33.2, 50.9},
                                                       {"6p", 4.0, 7.1},   {"9p", 5.9, 18.7},  {"25p", 4.0, 4.4}}
                                    : std::vector<row>{{"heat", 7.6, 10.3}, {"sor", 9.2, 9.9}, {"ge", 1.8, 2.3},
                                                       {"6p", 10.6, 2.5},   {"9p", 1.5, 0.1},  {"25p", 3.0, 3.4}};
  for (const row& each : rows) {
    for (const bool irregular : {false, true}) {
      const bench one{on, each.kernel, irregular};
      const double misses = irregular ? each.irregular : each.regular;
      to.add_claim(
          fmt::format("{}: shared cache misses that CATS saves, %", one.name()), fmt::format("{}% (Table IV)", misses),
          fmt::format("{:.1f} to {:.1f}", misses - 10, misses + 10), saved(&figures::shared_misses, one, "cats"),
          [=](double x) { return std::abs(x - misses) <= 10; }, one.stencil() ? no_sharing : cats_on_ge);
    }
  }
}

// Figure 13. The whole run counts.
void add_cpu_bound(reproduction& to, const server& on) {
  struct program {
    std::string kernel, size, shape;
  };
  for (const program& each :
       {program{"mandelbrot", "1024", "rows"}, program{"nqueens", "12", "invoke"}, program{"fft", "1m", "invoke"},
        program{"ga", "64", "islands"}, program{"knapsack", "60", "invoke"}}) {
    kernels::request request;
    request.size = each.size;
    request.shape = each.shape;
    const std::string name = fmt::format("{} {} {}", each.kernel, each.size, on.name);
    to.programs.push_back({name, each.kernel, request, on.workers, reference_times_of(each.kernel)});
    for (const std::string scheduler : {"random", "cats", "laws"}) {
      to.experiments.push_back(
          {fmt::format("{} {}", name, scheduler), name, "first-touch", scheduler, on.workers, on.machine});
    }
    for (const std::string against : {"random", "cats"}) {
      to.add_claim(
          fmt::format("{}: time that LAWS takes beyond {}, %", name, against), "less than 3% (Fig. 13)", "<= 3",
          [=](const outcomes& of) {
            return -reproduction::saved(&figures::total, of, name + " laws", name + " " + against);
          },
          [](double x) { return x <= 3; });
    }
  }
}

}  // namespace

reproduction reproduce_laws() {
  reproduction made;
  made.name = "laws";
  made.title = "Locality-Aware Work Stealing (Chen and Guo, TACO 2015)";
  made.machine = amd.machine;
  made.memory = true;
  for (const server& on : {amd, intel}) {
    add_programs(made, on);
    add_comparisons(made, on);
    add_tuning(made, on);
  }
  for (const server& on : {amd, intel}) add_times(made, on);
  add_allocation(made);
  for (const server& on : {amd, intel}) {
    add_settling(made, on);
    add_memory(made, on);
    add_counters(made, on);
    add_cats_counters(made, on);
  }
  add_steps(made);
  add_curves(made);
  add_changing(made);
  add_scaling(made);
  for (const server& on : {amd, intel}) add_cpu_bound(made, on);
  add_causes(made);
  // NOLINTBEGIN(bugprone-suspicious-missing-comma): most sentences take two lines
  made.left_out = {
      "200 iterations (Fig. 8) for all programs: two are simulated that long. Of the others 16 are, and their second "
      "half is measured, after the search for a packing.",
      "All pivots of GE. On the AMD server the first 512 of 2047 are simulated: all of them count for times, their "
      "second half for misses and accesses. On the Intel server the first 16 of 8191 are, while the matrix is whole.",
      "Bars of the figures for which the text gives no number. Local accesses of CATS in Table IV: those of LAWS are "
      "compared.",
      "Misses of the straggler socket (Table IV): those of all sockets together are compared.",
      "Numbers of misses and accesses: the paper does not say of how many iterations they are. The part that LAWS "
      "saves is compared.",
      "Sizes of the CPU-bound programs: the paper gives only one, 15 queens. 12 queens have 630 thousand tasks. A "
      "knapsack of 40 items is solved in 0.2 ms on 32 cores, and the first look at it takes 7% of that, so 60 items "
      "are used.",
  };
  // NOLINTEND(bugprone-suspicious-missing-comma)
  return made;
}

}  // namespace jackdaw::cli
