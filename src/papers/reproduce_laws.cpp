#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "papers/reference_times.hpp"
#include "papers/reproduction.hpp"

namespace jackdaw::cli {
namespace {

using figures = reproduction::figures;
using outcomes = reproduction::outcomes;
using figure = std::function<double(const outcomes&)>;

struct server {
  std::string name, machine;
  unsigned workers;
};
const server amd{"amd", "opteron-8380", 16}, intel{"intel", "xeon-x7560", 32};

/// One of the twelve programs of Table III on one of the servers.
struct bench {
  server on;
  std::string kernel;
  bool irregular = false;
  std::string size = {};  ///< follows the server's name

  std::string size_name() const { return size.empty() ? on.name : fmt::format("{}-{}", on.name, size); }
  std::string name() const { return fmt::format("{}{} {}", kernel, irregular ? "-ir" : "", size_name()); }
  std::string with(const std::string& scheduler) const { return name() + " " + scheduler; }
  bool stencil() const { return kernel != "ge"; }
  /// The time of GE's pivots changes from one to the next, so all count if the matrix becomes as small as in the paper.
  double figures::* time() const { return kernel == "ge" && on.name == "amd" ? &figures::whole : &figures::time; }
};

// Why claims are not reproduced, from the figures of each experiment.
const std::string one_link =
    "A leaf shares a row or two with its neighbours and nothing else, so packing saves hardly any misses here. The "
    "workers of a squad run one subtree together, so they all read from the one node and over the one link where the "
    "subtree was first touched, while random stealing uses all of them at once. At the end of a subtree some of its "
    "squad waits.";
const std::string nodes_bound =
    "Its memory nodes are the bound, not the links: of the 68 GB/s of the four nodes, sor draws 59 with random "
    "stealing and 66 with LAWS, 97% of whose accesses are local. With nodes of twice the bandwidth LAWS and LAWS-NC "
    "both save 30% of its time.";
const std::string at_the_bound =
    "Seeds differ: with five of them ge-ir takes 0.4% to 18% longer than with LAWS-NC, 2.7% in the median.";
const std::string in_caches =
    "The smallest grid fits the sockets' caches, all of it with LAWS, and then has hardly any shared misses. The "
    "largest one comes from memory.";
const std::string no_sharing =
    "Which worker runs a leaf decides where the missing rows come from, not how many there are: a leaf shares a row "
    "or two with its neighbours, and by the next iteration a socket's cache holds other rows.";

std::vector<bench> twelve(const server& on) {
  std::vector<bench> all;
  for (const bool irregular : {false, true}) {
    for (const std::string kernel : {"heat", "sor", "ge", "6p", "9p", "25p"}) all.push_back({on, kernel, irregular});
  }
  return all;
}

/// Returns enough iterations for the second half to begin after the search for a packing has usually ended.
unsigned iterations(const bench& of) { return of.kernel == "ge" && of.on.name == "amd" ? 512 : 16; }

void add_program(reproduction& to, const bench& one, const std::vector<std::string>& schedulers) {
  kernels::request request;
  request.size = one.size_name();
  request.shape = one.irregular ? "irregular" : "regular";
  request.iterations = iterations(one);
  to.programs.push_back({one.name(), one.kernel, request, one.on.workers, reference_times_of(one.kernel)});
  for (const std::string& scheduler : schedulers) {
    to.experiments.push_back(
        {one.with(scheduler), one.name(), "first-touch", scheduler, one.on.workers, one.on.machine});
  }
}

/// Returns a scheduler's saving against random stealing, in %.
figure saved(double figures::* what, const bench& one, const std::string& scheduler) {
  return [=](const outcomes& of) { return reproduction::saved(what, of, one.with(scheduler), one.with("random")); };
}

figure least(const std::vector<figure>& of_each) {
  return [=](const outcomes& of) {
    double found = std::numeric_limits<double>::infinity();
    for (const figure& each : of_each) found = std::min(found, each(of));
    return found;
  };
}

figure most(const std::vector<figure>& of_each) {
  return [=](const outcomes& of) {
    double found = -std::numeric_limits<double>::infinity();
    for (const figure& each : of_each) found = std::max(found, each(of));
    return found;
  };
}

/// Returns the same figure for each bench.
std::vector<figure> each_of(const std::vector<bench>& benches, const std::function<figure(const bench&)>& make) {
  std::vector<figure> all;
  all.reserve(benches.size());
  for (const bench& one : benches) all.push_back(make(one));
  return all;
}

std::vector<bench> stencils_of(const server& on) {
  std::vector<bench> all = twelve(on);
  std::erase_if(all, [](const bench& one) { return !one.stencil(); });
  return all;
}

// Figure 7.
void add_times(reproduction& to, const server& on) {
  const bool is_amd = on.name == "amd";
  const double low = is_amd ? 23.5 : 12.5, high = is_amd ? 54.2 : 48.6, cats = is_amd ? 19.6 : 28.1;
  for (const bench& one : twelve(on)) {
    add_program(to, one, {"random", "cats", "laws:nc", "laws"});
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

void add_tuning(reproduction& to, const server& on) {
  for (const bench& one : twelve(on)) {
    to.add_claim(
        fmt::format("{}: time of all iterations of LAWS, with its search, beyond LAWS-NC's, %", one.name()),
        "the search pays within a run (6.3)", "<= 3",
        [one](const outcomes& of) {
          return 100 * (of.at(one.with("laws")).whole / of.at(one.with("laws:nc")).whole - 1);
        },
        [](double x) { return x <= 3; });
    to.add_claim(
        fmt::format("{}: time of LAWS beyond LAWS-NC's, %", one.name()), "LAWS-NC performs worse (6.3)", "<= 3",
        [one](const outcomes& of) {
          return 100 * (of.at(one.with("laws")).*one.time() / of.at(one.with("laws:nc")).*one.time() - 1);
        },
        [](double x) { return x <= 3; }, one.name() == "ge amd" ? at_the_bound : "");
  }
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
  // The paper's figure shows the irregular programs on the AMD server, the regular ones on the other.
  std::vector<bench> shown = stencils_of(on);
  std::erase_if(shown, [](const bench& one) { return one.irregular != (one.on.name == "amd"); });
  for (const bench& one : shown) {
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
  to.add_claim(fmt::format("{}: the least that any program's later iterations save against its first, %", on.name),
               "significant (Fig. 8)", "> 0",
               least(each_of(shown,
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

// Figures 9 to 12.
struct scaling {
  bench of;
  std::vector<std::string> sizes;  ///< empty: the size of Figure 7
  double small, large;             ///< % of the time saved at the smallest and the largest size
  double growth;                   ///< the rows of the largest over those of the smallest
};

void add_scaling(reproduction& to) {
  const std::vector<std::string> on_amd{"1k", "", "16k"}, on_intel{"2k", "", "32k"};
  for (const scaling& each :
       {scaling{{amd, "heat", true}, on_amd, 30.4, 43.6, 16}, scaling{{amd, "6p", false}, on_amd, 36.6, 45.8, 16},
        scaling{{intel, "sor", true}, on_intel, 52.5, 42.7, 16},
        scaling{{intel, "9p", false}, on_intel, 34.9, 24.7, 16}}) {
    std::vector<bench> all;
    for (const std::string& size : each.sizes) {
      all.push_back(each.of);
      all.back().size = size;
      if (!size.empty()) add_program(to, all.back(), {"random", "laws"});
    }
    const std::string shown = each.of.on.name == "amd" ? "Fig. 9" : "Fig. 10";
    for (const auto& [one, paper] : {std::pair(all.front(), each.small), std::pair(all.back(), each.large)}) {
      to.add_claim(fmt::format("{}, scaled: time that LAWS saves, %", one.name()),
                   fmt::format("{}% ({})", paper, shown), fmt::format("{:.1f} to {:.1f}", paper - 15, paper + 15),
                   saved(&figures::time, one, "laws"), [paper = paper](double x) { return std::abs(x - paper) <= 15; });
    }
    to.add_claim(fmt::format("{}: the least that LAWS saves at any size, %", each.of.name()),
                 fmt::format("always faster ({})", shown), "> 0",
                 least(each_of(all, [](const bench& one) { return saved(&figures::time, one, "laws"); })),
                 [](double x) { return x > 0; });
    to.add_claim(
        fmt::format("{}: time of LAWS at the largest size over that at the smallest", each.of.name()),
        fmt::format("linear: {} ({})", each.growth, shown), "within 25% of it",
        [first = all.front(), last = all.back()](const outcomes& of) {
          return of.at(last.with("laws")).time / of.at(first.with("laws")).time;
        },
        [growth = each.growth](double x) { return std::abs(x / growth - 1) <= 0.25; }, in_caches);
  }
  // The text gives one number for each size and does not say which of the two programs it is for.
  for (const std::string kernel : {"heat", "6p"}) {
    const bench small{amd, kernel, kernel == "heat", "1k"}, large{amd, kernel, kernel == "heat", "16k"};
    to.add_claim(fmt::format("{}, scaled: shared cache misses that LAWS saves, %", small.name()), "82% (Fig. 11)",
                 ">= 50", saved(&figures::shared_misses, small, "laws"), [](double x) { return x >= 50; });
    to.add_claim(fmt::format("{}, scaled: shared cache misses that LAWS saves, %", large.name()), "17.3% (Fig. 11)",
                 "5 to 30", saved(&figures::shared_misses, large, "laws"), [](double x) { return x >= 5 && x <= 30; });
    for (const auto& [one, paper] : {std::pair(small, 132.1), std::pair(large, 70.6)}) {
      to.add_claim(
          fmt::format("{}, scaled: local accesses of the straggler beyond random's, %", one.name()),
          fmt::format("{}% (Fig. 11)", paper), fmt::format(">= {:.1f}", paper / 2),
          [one = one](const outcomes& of) { return -saved(&figures::straggler_bytes, one, "laws")(of); },
          [paper = paper](double x) { return x >= paper / 2; });
    }
  }
  const bench largest{intel, "9p", false, "32k"};
  to.add_claim("9p intel-32k, scaled: shared cache misses that LAWS saves, %", "none (Fig. 12)", "-5 to 5",
               saved(&figures::shared_misses, largest, "laws"), [](double x) { return std::abs(x) <= 5; });
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
    to.add_claim(
        name + ": time that LAWS takes beyond random, %", "less than 3% (Fig. 13)", "<= 3",
        [name](const outcomes& of) {
          return -reproduction::saved(&figures::total, of, name + " laws", name + " random");
        },
        [](double x) { return x <= 3; });
  }
}

}  // namespace

reproduction reproduce_laws() {
  reproduction made;
  made.name = "laws";
  made.title = "Locality-Aware Work Stealing (Chen and Guo, TACO 2015)";
  made.machine = amd.machine;
  made.memory = true;
  for (const server& on : {amd, intel}) add_times(made, on);
  add_allocation(made);
  for (const server& on : {amd, intel}) {
    add_memory(made, on);
    add_tuning(made, on);
    add_counters(made, on);
  }
  add_scaling(made);
  for (const server& on : {amd, intel}) add_cpu_bound(made, on);
  // NOLINTBEGIN(bugprone-suspicious-missing-comma): most sentences take two lines
  made.left_out = {
      "200 iterations (Fig. 8): 16 are simulated, and their second half is measured, after the search for a packing.",
      "All pivots of GE. On the AMD server the first 512 of 2047 are simulated: all of them count for times, their "
      "second half for misses and accesses. On the Intel server the first 16 of 8191 are, while the matrix is whole.",
      "Sizes between the smallest, that of Figure 7 and the largest, and CATS at these (Fig. 9 to 12).",
      "Bars of the figures for which the text gives no number; the columns of CATS and Cilk in Table IV.",
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
