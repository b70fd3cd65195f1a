#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "papers/reference_times.hpp"
#include "papers/reproduction.hpp"

namespace jackdaw::cli {
namespace {

using figures = reproduction::figures;
using outcomes = reproduction::outcomes;

constexpr unsigned workers = 16;

// Why claims are not reproduced, from the figures of each experiment.
const std::string any_squad =
    "Any squad takes any subtree, so in three of four cases its rows lie in another socket's cache or memory: SOR has "
    "106 thousand shared misses; random stealing has 85 thousand. GE's subtrees shrink to those below the pivot, so "
    "fewer and fewer squads work, two workers each.";
const std::string merges =
    "More than half of the misses are saved, but leaves compute for 97% of their time. Eq. 4's level 2 makes four "
    "subtrees of the merges, one for each squad, and a squad that ends early waits: workers are idle 11% of the time, "
    "and 0.4% with random stealing.";
const std::string large_leaves =
    "A leaf of 128 rows works on as much as a private cache holds (SOR at 512 x 512) or on more, and misses nearly "
    "every line of it, whichever worker runs it. Only the lines that two leaves share could be saved, 2 rows of 130.";
const std::string passes =
    "Each level of the sort goes over 8 MiB of keys and scratch. If its parts are larger than a private cache, all of "
    "it is missed, 6 times in all, whichever worker merges.";
const std::string no_sharing =
    "A leaf shares 2 rows of 130 with its neighbours, so running these in one squad saves hardly any misses. What the "
    "squad's cache still holds belongs to another subtree.";
const std::string small_grid =
    "There are four leaves for 16 workers, and no leaf forks. Only head workers would have work, so CAB has no "
    "boundary and steals as random stealing does. Whether a leaf stays on the socket whose cache has its rows is "
    "chance.";
const std::string two_of_four =
    "A subtree of at most 6 MiB (Eq. 4), or the smallest one that forks, is two leaves here. A squad runs one subtree "
    "at a time, so two of its four workers have nothing to do (56% idle; 21% with random stealing). The other two "
    "both read from the one socket that touched the subtree first, over one link, while random stealing uses all nodes "
    "and links at once. With memory interleaved the second cause is gone; with all of it on one node that node is the "
    "bound, and idle workers cost nothing.";
const std::string level_512 =
    "There are four leaves, and grids of 4 MiB fit one socket's cache: level 2 happens to keep the leaves on one "
    "socket, as level 1 must, while Eq. 4 wants a leaf for each squad. Its level 3 leaves nothing to steal within "
    "squads, so there is no boundary.";
const std::string levels =
    "At 2k x 2k Eq. 4's level makes subtrees of two leaves for a squad of four workers: they are idle for 60% of the "
    "time with level 4, and for 19% with level 3. At 3k x 2k and 4k x 8k levels 3 to 5 differ by chance.";
const std::string small_groups =
    "Its root opens hundreds of groups of few blocks, and with random stealing 16 workers are already idle 62% of the "
    "time. Without settings CAB is told of each group, and the group's blocks are taken one after another from the "
    "root. Blocks of which it is not told are exposed all at once.";

struct grid {
  std::string name, size;
  std::uint64_t rows, columns;
  unsigned deepest;  ///< level of the leaves; the root has level 1
  unsigned iterations;

  std::uint64_t bytes() const { return rows * columns * sizeof(double); }
};

// Figures 5 to 8; leaves have 128 rows.
const std::vector<grid> grids{{"512x512", "cab-512", 512, 512, 3, 200},
                              {"1024x1024", "cab-1k", 1024, 1024, 4, 100},
                              {"2k x 2k", "cab-2k", 2048, 2048, 5, 40},
                              {"3k x 2k", "cab-3k", 3072, 2048, 6, 30},
                              {"4k x 8k", "cab-4k", 4096, 8192, 6, 16}};

std::string called(const std::string& kernel, const std::string& size, const std::string& scheduler) {
  return fmt::format("{} {} {}", kernel, size, scheduler);
}

/// Names a placement other than first touch.
std::string placed(const std::string& size, const std::string& placement) {
  return fmt::format("{}, memory {}", size, placement == "interleave" ? "interleaved" : "on one node");
}

/// Adds a program and experiments with it; CAB gets the arguments of the paper's command line.
void add_program(reproduction& to, const std::string& kernel, const std::string& size_name, const std::string& size,
                 const std::string& shape, unsigned iterations, const std::vector<std::string>& schedulers,
                 sched::settings told, const std::vector<std::string>& elsewhere = {}) {
  kernels::request request;
  request.size = size;
  request.shape = shape;
  request.iterations = iterations;
  const std::string program = fmt::format("{} {}", kernel, size_name);
  to.programs.push_back({program, kernel, request, workers, reference_times_of(kernel)});
  for (const std::string& scheduler : schedulers) {
    to.experiments.push_back(
        {called(kernel, size_name, scheduler), program, "first-touch", scheduler, workers, "", told});
  }
  for (const std::string& placement : elsewhere) {
    for (const std::string scheduler : {"random", "cab"}) {
      to.experiments.push_back(
          {called(kernel, placed(size_name, placement), scheduler), program, placement, scheduler, workers, "", told});
    }
  }
}

/// Returns CAB's saving against random stealing, in %.
std::function<double(const outcomes&)> saved(double figures::* what, const std::string& kernel,
                                             const std::string& size) {
  return [=](const outcomes& of) {
    return reproduction::saved(what, of, called(kernel, size, "cab"), called(kernel, size, "random"));
  };
}

void add_programs(reproduction& to) {
  for (const grid& each : grids) {
    std::vector<std::string> schedulers{"random", "cab"};
    add_program(to, "sor", each.name, each.size, "regular", each.iterations, schedulers, {each.bytes(), 2});
    for (unsigned level = 1; level <= each.deepest; ++level) schedulers.push_back(fmt::format("cab:{}", level));
    add_program(to, "heat", each.name, each.size, "regular", each.iterations, schedulers, {each.bytes(), 2},
                each.name == "1024x1024" || each.name == "4k x 8k" ? std::vector<std::string>{"interleave", "bind:0"}
                                                                   : std::vector<std::string>{});
  }
  const grid& largest = grids.back();
  for (const std::string rows : {"64", "32"}) {
    add_program(to, "heat", fmt::format("{}, leaves of {}", largest.name, rows), fmt::format("cab-4k-{}", rows),
                "regular", largest.iterations, {"random", "cab"}, {largest.bytes(), 2});
  }
  add_program(to, "ge", "1024x1024", "cab-1k", "regular", 0, {"random", "cab"}, {1024 * 1024 * sizeof(double), 2});
  add_program(to, "cilksort", "1024x1024", "cab-1k", "u32", 0, {"random", "cab"}, {1024 * 1024 * 4, 4});
  // CPU-bound programs are told nothing; the paper sets their level to 0.
  const std::vector<std::string> plain{"random", "cab:0", "cab"};
  add_program(to, "nqueens", "11", "11", "invoke", 0, plain, {});
  add_program(to, "fft", "1m", "1m", "invoke", 0, plain, {});
  add_program(to, "checkers", "10", "10", "moves", 0, plain, {});
  add_program(to, "cholesky", "1024", "1024", "invoke", 0, plain, {});
}

// Figure 4 and Table IV. The time of GE's pivots changes from one to the next, so all of them count.
void add_small(reproduction& to) {
  const std::string size = "1024x1024";
  to.add_claim("heat 1024x1024: time that CAB saves, %", "10% to 55% (Fig. 4)", ">= 15",
               saved(&figures::time, "heat", size), [](double x) { return x >= 15; });
  for (const std::string kernel : {"sor", "ge", "cilksort"}) {
    to.add_claim(
        fmt::format("{} {}: time that CAB saves, %", kernel, size),
        kernel == "cilksort" ? "up to 55% (Fig. 4)" : "10% to 55% (Fig. 4)", "10 to 55",
        saved(kernel == "ge" ? &figures::whole : &figures::time, kernel, size),
        [](double x) { return x >= 10 && x <= 55; }, kernel == "cilksort" ? merges : any_squad);
  }
  struct row {
    std::string kernel, shared, own;
  };
  for (const row& each :
       {row{"ge", "20%", "81%"}, row{"cilksort", "29%", "85%"}, row{"heat", "18%", "69%"}, row{"sor", "26%", "81%"}}) {
    to.add_claim(
        fmt::format("{} {}: shared cache misses that CAB saves, %", each.kernel, size), each.shared + " (Table IV)",
        ">= 5", saved(&figures::shared_misses, each.kernel, size), [](double x) { return x >= 5; },
        each.kernel == "heat" ? no_sharing : any_squad);
    to.add_claim(
        fmt::format("{} {}: private cache misses that CAB saves, %", each.kernel, size), each.own + " (Table IV)",
        ">= 40", saved(&figures::private_misses, each.kernel, size), [](double x) { return x >= 40; },
        each.kernel == "cilksort" ? passes
        : each.kernel == "ge"     ? any_squad
                                  : large_leaves);
  }
}

// Figures 5 and 6.
void add_sizes(reproduction& to) {
  const std::string small = grids.front().name, large = grids.back().name;
  for (const std::string kernel : {"heat", "sor"}) {
    const auto gain = [=](const std::string& size) { return saved(&figures::time, kernel, size); };
    to.add_claim(
        fmt::format("{} {}: time that CAB saves, %", kernel, small), "55% (Fig. 5)", ">= 25", gain(small),
        [](double x) { return x >= 25; }, small_grid);
    to.add_claim(
        fmt::format("{} {}: time that CAB saves, %", kernel, large), "5% (Fig. 5)", "-5 to 5", gain(large),
        [](double x) { return x >= -5 && x <= 5; }, two_of_four);
    const auto at_small = gain(small), at_large = gain(large);
    to.add_claim(
        fmt::format("{}: what CAB saves at {} less what it saves at {}, points", kernel, small, large),
        "55% and 5% (Fig. 5)", "> 0", [=](const outcomes& of) { return at_small(of) - at_large(of); },
        [](double x) { return x > 0; });
    to.add_claim(
        fmt::format("{} {}: shared cache misses that CAB saves, %", kernel, small), "nearly 60% (Fig. 6)", ">= 40",
        saved(&figures::shared_misses, kernel, small), [](double x) { return x >= 40; }, small_grid);
    to.add_claim(
        fmt::format("{} {}: private cache misses that CAB saves, %", kernel, small), "80% (Fig. 6)", ">= 40",
        saved(&figures::private_misses, kernel, small), [](double x) { return x >= 40; }, large_leaves);
    to.add_claim(
        fmt::format("{} {}: shared cache misses that CAB saves, %", kernel, large), "about 27% (Fig. 6)", "10 to 45",
        saved(&figures::shared_misses, kernel, large), [](double x) { return x >= 10 && x <= 45; }, no_sharing);
    to.add_claim(
        fmt::format("{} {}: private cache misses that CAB saves, %", kernel, large), "59% (Fig. 6)", ">= 30",
        saved(&figures::private_misses, kernel, large), [](double x) { return x >= 30; }, large_leaves);
  }
}

// The paper does not say where memory lay. The system that it names uses first touch. These claims were added after the
// results with first touch were known.
void add_placements(reproduction& to) {
  for (const std::string placement : {"interleave", "bind:0"}) {
    const std::string small = placed("1024x1024", placement), large = placed("4k x 8k", placement);
    to.add_claim(fmt::format("heat {}: time that CAB saves, %", small), "10% to 55% (Fig. 4)", ">= 15",
                 saved(&figures::time, "heat", small), [](double x) { return x >= 15; });
    to.add_claim(
        fmt::format("heat {}: time that CAB saves, %", large), "5% (Fig. 5)", "-5 to 5",
        saved(&figures::time, "heat", large), [](double x) { return x >= -5 && x <= 5; }, two_of_four);
  }
}

// Figure 7.
void add_leaf_sizes(reproduction& to) {
  const std::string coarse = "4k x 8k", fine = "4k x 8k, leaves of 32";
  const auto at_coarse = saved(&figures::time, "heat", coarse), at_fine = saved(&figures::time, "heat", fine);
  to.add_claim(
      fmt::format("heat {}: time that CAB saves, %", fine), "10% (Fig. 7)", ">= 5", at_fine,
      [](double x) { return x >= 5; }, two_of_four);
  to.add_claim(
      "heat 4k x 8k: what CAB saves with leaves of 32 rows less what it saves with 128, points", "5 (Fig. 7)", "> 0",
      [=](const outcomes& of) { return at_fine(of) - at_coarse(of); }, [](double x) { return x > 0; }, two_of_four);
  to.add_claim(
      "heat 4k x 8k: time that random stealing saves with leaves of 32 rows instead of 128, %", "significant (Fig. 7)",
      ">= 5",
      [=](const outcomes& of) {
        return reproduction::saved(&figures::time, of, called("heat", fine, "random"),
                                   called("heat", coarse, "random"));
      },
      [](double x) { return x >= 5; });
}

// Figure 8.
void add_levels(reproduction& to) {
  for (const grid& each : grids) {
    const auto fixed = [each](unsigned level) { return called("heat", each.name, fmt::format("cab:{}", level)); };
    to.add_claim(
        fmt::format("heat {}: time with Eq. 4's level over that with the best one, %", each.name),
        "the best level (Fig. 8)", "<= 5",
        [=](const outcomes& of) {
          double best = std::numeric_limits<double>::infinity();
          for (unsigned level = 1; level <= each.deepest; ++level) best = std::min(best, of.at(fixed(level)).time);
          return 100 * (of.at(called("heat", each.name, "cab")).time / best - 1);
        },
        [](double x) { return x <= 5; }, each.rows == 512 ? level_512 : levels);
    if (each.rows < 2048) continue;
    for (const unsigned level : {1u, 2u}) {
      to.add_claim(
          fmt::format("heat {}: time that level {} saves against random, %", each.name, level),
          "slower than random (Fig. 8)", "< 0",
          [=](const outcomes& of) {
            return reproduction::saved(&figures::time, of, fixed(level), called("heat", each.name, "random"));
          },
          [](double x) { return x < 0; });
    }
  }
  to.add_claim(
      "heat 3k x 2k: time with level 6 over that with level 4", "longer (Fig. 8)", "> 1",
      [](const outcomes& of) {
        return of.at(called("heat", "3k x 2k", "cab:6")).time / of.at(called("heat", "3k x 2k", "cab:4")).time;
      },
      [](double x) { return x > 1; });
}

// Figure 9. Some of these programs open groups of different sizes in one place, which are not iterations, so the whole
// run counts.
void add_cpu_bound(reproduction& to) {
  for (const auto& [kernel, size] : {std::pair("nqueens", "11"), std::pair("fft", "1m"), std::pair("checkers", "10"),
                                     std::pair("cholesky", "1024")}) {
    for (const std::string scheduler : {"cab:0", "cab"}) {
      const bool told = scheduler == "cab:0";
      to.add_claim(
          fmt::format("{} {}: time that CAB {} takes beyond random, %", kernel, size,
                      told ? "with level 0" : "without settings"),
          std::string(kernel) == "fft" ? "less than 5% (Fig. 9)" : "1% to 2% (Fig. 9)", "<= 3",
          [=, kernel = std::string(kernel), size = std::string(size)](const outcomes& of) {
            return -reproduction::saved(&figures::total, of, called(kernel, size, scheduler),
                                        called(kernel, size, "random"));
          },
          [](double x) { return x <= 3; }, std::string(kernel) == "cholesky" ? small_groups : "");
    }
  }
}

}  // namespace

reproduction reproduce_cab() {
  reproduction made;
  made.name = "cab";
  made.title = "CAB: Cache Aware Bi-tier Task-stealing (Chen, Huang and Guo, ICPP 2011)";
  made.machine = "opteron-8380";
  made.memory = true;
  add_programs(made);
  add_small(made);
  add_sizes(made);
  add_placements(made);
  add_leaf_sizes(made);
  add_levels(made);
  add_cpu_bound(made);
  made.left_out = {
      "Bars of the figures for which the text gives no number.",
      "queens(20), and sizes of the other CPU-bound programs, which the paper does not give: 11 queens, 2^20 "
      "samples, 10 moves ahead and a matrix of 1024 x 1024 are used instead.",
      "Counts of misses: the paper does not say of how many iterations they are. The part that CAB saves is compared.",
  };
  return made;
}

}  // namespace jackdaw::cli
