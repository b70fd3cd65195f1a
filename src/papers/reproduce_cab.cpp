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
    "fewer and fewer squads work, two workers each. The table of causes: neither another placement of memory nor wide "
    "links take GE's loss away, and with wide links SOR loses too.";
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
    "at a time, so two of its four workers have nothing to do: more than half of the workers' time is idle, and a "
    "fifth "
    "with random stealing. The other two both read from the one node whose socket touched the subtree first. The table "
    "of causes: memory interleaved takes a part of the loss away and idle workers leave the rest; with links of a "
    "hundred times the bandwidth CAB loses more, not less; where one memory node is the bound for all, idle workers "
    "cost nothing.";
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

const std::string marks =
    "Marked tasks end at four leaves. At 1024 x 1024 these are two subtrees for four squads, each with a leaf for "
    "every "
    "worker; Eq. 4 makes four subtrees of two leaves. Which is better depends on the program: heat's leaves need the "
    "memory of all sockets, SOR's fit into the shared caches.";
const char* const grid_text =
    R"(CAB against random stealing with memory laid in three ways, then with links of a hundred times the bandwidth, and
then with memory nodes of half their bandwidth besides, so that these are the bound. Workers are idle if they neither
compute nor wait for data; these two columns have the links as they are. Of GE at 4k x 4k the first 48 pivots are
simulated.

What only counters on a machine of two sockets or more can settle: whether leaves that a squad runs one after another
find lines of each other in its L3 (the paper's L3 misses fall by 18% to 60%), whether a private cache really misses
nearly every line of a leaf (its L2 misses fall by 59% to 85%), and on which nodes the pages of the paper's runs lay.)";

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

/// Adds a program; CAB gets the arguments of the paper's command line.
void add_program(reproduction& to, const std::string& kernel, const std::string& size_name, const std::string& size,
                 const std::string& shape, unsigned iterations, const std::vector<std::string>& schedulers,
                 sched::settings told) {
  kernels::request request;
  request.size = size;
  request.shape = shape;
  request.iterations = iterations;
  const std::string program = fmt::format("{} {}", kernel, size_name);
  to.programs.push_back({program, kernel, request, workers, reference_times_of(kernel)});
  for (const std::string& scheduler : schedulers) {
    reproduction::experiment one{
        called(kernel, size_name, scheduler), program, "first-touch", scheduler, workers, "", told};
    one.tiers = scheduler == "cab" && told.data != 0;
    to.experiments.push_back(one);
  }
}

/// Returns CAB's saving against random stealing, in %.
reproduction::figure saved(double figures::* what, const std::string& kernel, const std::string& size) {
  return [=](const outcomes& of) {
    return reproduction::saved(what, of, called(kernel, size, "cab"), called(kernel, size, "random"));
  };
}

/// The time of GE's pivots changes from one to the next, so all of them count.
double figures::* time_of(const std::string& kernel) { return kernel == "ge" ? &figures::whole : &figures::time; }

void add_programs(reproduction& to) {
  for (const grid& each : grids) {
    std::vector<std::string> schedulers{"random", "cab"};
    add_program(to, "sor", each.name, each.size, "regular", each.iterations, schedulers, {each.bytes(), 2});
    for (unsigned level = 1; level <= each.deepest; ++level) schedulers.push_back(fmt::format("cab:{}", level));
    add_program(to, "heat", each.name, each.size, "regular", each.iterations, schedulers, {each.bytes(), 2});
  }
  const grid& largest = grids.back();
  for (const std::string rows : {"64", "32"}) {
    add_program(to, "heat", fmt::format("{}, leaves of {}", largest.name, rows), fmt::format("cab-4k-{}", rows),
                "regular", largest.iterations, {"random", "cab"}, {largest.bytes(), 2});
  }
  for (const std::string kernel : {"heat", "sor"}) {
    for (const grid& each : {grids[1], largest}) {
      add_program(to, kernel, each.name + " with marks", each.size, "marked", each.iterations, {"cab"}, {});
    }
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

std::function<bool(double)> within(double low, double high) {
  return [=](double x) { return x >= low && x <= high; };
}

/// Adds a claim that holds from `low` to `high`.
void add_range(reproduction& to, std::string what, std::string paper, double low, double high,
               const reproduction::figure& of, std::string otherwise) {
  to.add_claim(std::move(what), std::move(paper), fmt::format("{} to {}", low, high), of, within(low, high),
               std::move(otherwise));
}

// Figures 4 and 5. The text has a number for the smallest and the largest grid; what is between them is taken to lie
// between these.
void add_times(reproduction& to) {
  struct expected {
    std::string paper;
    double low, high;
  };
  const std::vector<expected> by_size{{"55% (Fig. 5)", 45, 65},
                                      {"10% to 55% (Fig. 4)", 10, 55},
                                      {"between 5% and 55% (Fig. 5)", 5, 55},
                                      {"between 5% and 55% (Fig. 5)", 5, 55},
                                      {"5% (Fig. 5)", 0, 10}};
  for (const std::string kernel : {"heat", "sor"}) {
    reproduction::comparison all{fmt::format("CAB against random stealing (Cilk), {}", kernel), {}};
    for (std::size_t i = 0; i < grids.size(); ++i) {
      const std::string& size = grids[i].name;
      const reproduction::figure of = saved(&figures::time, kernel, size);
      all.of.emplace_back(size, of);
      add_range(to, fmt::format("{} {}: time that CAB saves, %", kernel, size), by_size[i].paper, by_size[i].low,
                by_size[i].high, of,
                i == 0   ? small_grid
                : i == 1 ? any_squad
                         : two_of_four);
    }
    to.comparisons.push_back(all);
  }
  reproduction::comparison others{"CAB against random stealing, GE and merge sort at 1024x1024", {}};
  for (const std::string kernel : {"ge", "cilksort"}) {
    const reproduction::figure of = saved(time_of(kernel), kernel, "1024x1024");
    others.of.emplace_back(kernel, of);
    add_range(to, fmt::format("{} 1024x1024: time that CAB saves, %", kernel),
              kernel == "cilksort" ? "up to 55% (Fig. 4)" : "10% to 55% (Fig. 4)", 10, 55, of,
              kernel == "cilksort" ? merges : any_squad);
  }
  to.comparisons.push_back(others);
  for (const std::string kernel : {"heat", "sor"}) {
    const std::string small = grids.front().name, large = grids.back().name;
    const auto at_small = saved(&figures::time, kernel, small), at_large = saved(&figures::time, kernel, large);
    to.add_claim(
        fmt::format("{}: what CAB saves at {} less what it saves at {}, points", kernel, small, large),
        "55% and 5% (Fig. 5)", "> 0", [=](const outcomes& of) { return at_small(of) - at_large(of); },
        [](double x) { return x > 0; }, small_grid);
  }
}

// Table IV and Figure 6, within 10 points of the number in the text, or between the two of the smallest and the largest
// grid.
void add_misses(reproduction& to) {
  const auto add = [&](const std::string& kernel, const std::string& size, bool shared, const std::string& paper,
                       double low, double high, const std::string& otherwise) {
    add_range(to, fmt::format("{} {}: {} cache misses that CAB saves, %", kernel, size, shared ? "shared" : "private"),
              paper, low, high, saved(shared ? &figures::shared_misses : &figures::private_misses, kernel, size),
              otherwise);
  };
  struct row {
    std::string kernel;
    double shared, own;
  };
  for (const row& each : {row{"ge", 20, 81}, row{"cilksort", 29, 85}, row{"heat", 18, 69}, row{"sor", 26, 81}}) {
    add(each.kernel, "1024x1024", true, fmt::format("{}% (Table IV)", each.shared), each.shared - 10, each.shared + 10,
        each.kernel == "heat" ? no_sharing : any_squad);
    add(each.kernel, "1024x1024", false, fmt::format("{}% (Table IV)", each.own), each.own - 10, each.own + 10,
        each.kernel == "cilksort" ? passes
        : each.kernel == "ge"     ? any_squad
                                  : large_leaves);
  }
  for (const std::string kernel : {"heat", "sor"}) {
    for (const grid& each : grids) {
      if (each.rows == 1024) continue;
      const std::string& reason = each.rows == 512 ? small_grid : no_sharing;
      if (each.rows == 512) {
        add(kernel, each.name, true, "nearly 60% (Fig. 6)", 50, 70, reason);
        add(kernel, each.name, false, "80% (Fig. 6)", 70, 90, large_leaves);
      } else if (each.rows == 4096) {
        add(kernel, each.name, true, "about 27% (Fig. 6)", 17, 37, reason);
        add(kernel, each.name, false, "59% (Fig. 6)", 49, 69, large_leaves);
      } else {
        add(kernel, each.name, true, "between 27% and 60% (Fig. 6)", 27, 60, reason);
        add(kernel, each.name, false, "between 59% and 80% (Fig. 6)", 59, 80, large_leaves);
      }
    }
  }
}

// Section IV-D: a program that marks its inter-socket tasks against Eq. 4. And III-E: the time above the boundary.
void add_tiers(reproduction& to) {
  for (const std::string kernel : {"heat", "sor"}) {
    for (const std::string size : {"1024x1024", "4k x 8k"}) {
      add_range(
          to, fmt::format("{} {}: time that marks (inter_spawn) save against Eq. 4's level, %", kernel, size),
          "similar (IV-D)", -10, 10,
          [=](const outcomes& of) {
            return reproduction::saved(&figures::time, of, called(kernel, size + " with marks", "cab"),
                                       called(kernel, size, "cab"));
          },
          marks);
    }
  }
  constexpr double squads = 4;
  for (const auto& [kernel, size] :
       {std::pair("heat", "1024x1024"), std::pair("heat", "4k x 8k"), std::pair("sor", "1024x1024"),
        std::pair("sor", "4k x 8k"), std::pair("ge", "1024x1024"), std::pair("cilksort", "1024x1024")}) {
    to.add_claim(
        fmt::format("{} {}: T1 above the boundary, spread over the squads, % of the time", kernel, size),
        "often less than 5% (III-E)", "< 5",
        [name = called(kernel, size, "cab")](const outcomes& of) {
          return 100 * of.at(name).upper_tier / squads / of.at(name).whole;
        },
        [](double x) { return x < 5; });
  }
}

/// One way to lay memory, and how it is called.
struct layout {
  std::string placement, name;
};
/// Takes one bound away: the links, or all bounds but the memory nodes.
struct change {
  std::string figures, name;
};
const std::vector<layout> layouts{
    {"first-touch", "first touch"}, {"interleave", "interleaved"}, {"bind:0", "on one node"}};
const std::vector<change> changes{{"", ""},
                                  {" link.bandwidth=x100", ", links x100"},
                                  {" link.bandwidth=x100 node.bandwidth=x0.5", ", links x100, nodes x0.5"}};

// Where the loss comes from. The paper does not say where memory lay; the system that it names uses first touch.
void add_causes(reproduction& to) {
  add_program(to, "ge", "512x512", "cab-512", "regular", 0, {}, {});
  add_program(to, "ge", "4k x 4k", "cab-4k", "regular", 48, {}, {});
  reproduction::table made{.title = "What takes the cause away",
                           .text = grid_text,
                           .columns = {"program, memory", "CAB saves, %", "links x100", "links x100, nodes x0.5",
                                       "idle with CAB, %", "idle with random, %"},
                           .rows = {}};
  struct entry {
    std::string kernel, size;
    std::uint64_t bytes;
  };
  const std::uint64_t element = sizeof(double);
  std::vector<entry> entries;
  for (const std::string kernel : {"heat", "sor"}) {
    for (const grid& each : {grids[0], grids[1], grids.back()}) entries.push_back({kernel, each.name, each.bytes()});
  }
  entries.push_back({"heat", grids.back().name + ", leaves of 32", grids.back().bytes()});
  entries.push_back({"ge", "512x512", 512 * 512 * element});
  entries.push_back({"ge", "1024x1024", 1024 * 1024 * element});
  entries.push_back({"ge", "4k x 4k", 4096 * 4096 * element});
  for (const entry& one : entries) {
    // Rows of 32 KiB and more are simulated as exactly, and several times as fast, in blocks of 4 KiB.
    const std::string machine = to.machine + (one.size.starts_with("4k") ? " block=x8" : "");
    for (const layout& where : layouts) {
      reproduction::table::row row{fmt::format("{} {}, {}", one.kernel, one.size, where.name), {}};
      const auto size_of = [&](const change& with) { return fmt::format("{}, {}{}", one.size, where.name, with.name); };
      for (const change& with : changes) {
        for (const std::string scheduler : {"random", "cab"}) {
          reproduction::experiment experiment{called(one.kernel, size_of(with), scheduler),
                                              fmt::format("{} {}", one.kernel, one.size),
                                              where.placement,
                                              scheduler,
                                              workers,
                                              machine + with.figures,
                                              {one.bytes, 2}};
          experiment.links_given = true;
          to.experiments.push_back(experiment);
        }
        row.cells.push_back(saved(time_of(one.kernel), one.kernel, size_of(with)));
      }
      for (const std::string scheduler : {"cab", "random"}) {
        row.cells.push_back([name = called(one.kernel, size_of(changes.front()), scheduler)](const outcomes& of) {
          return 100 * of.at(name).idle;
        });
      }
      made.rows.push_back(row);
    }
  }
  to.tables.push_back(made);
}

// Figure 7.
void add_leaf_sizes(reproduction& to) {
  const std::string coarse = "4k x 8k", fine = "4k x 8k, leaves of 32";
  const auto at_coarse = saved(&figures::time, "heat", coarse), at_fine = saved(&figures::time, "heat", fine);
  add_range(to, "heat 4k x 8k, leaves of 64: time that CAB saves, %", "between 5% and 10% (Fig. 7)", 0, 15,
            saved(&figures::time, "heat", "4k x 8k, leaves of 64"), two_of_four);
  add_range(to, fmt::format("heat {}: time that CAB saves, %", fine), "10% (Fig. 7)", 5, 15, at_fine, two_of_four);
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
  reproduction::comparison all{"CAB without settings against random stealing, CPU-bound programs", {}};
  for (const auto& [kernel, size] : {std::pair("nqueens", "11"), std::pair("fft", "1m"), std::pair("checkers", "10"),
                                     std::pair("cholesky", "1024")}) {
    all.of.emplace_back(kernel, saved(&figures::total, kernel, size));
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
  to.comparisons.push_back(all);
}

}  // namespace

reproduction reproduce_cab() {
  reproduction made;
  made.name = "cab";
  made.title = "CAB: Cache Aware Bi-tier Task-stealing (Chen, Huang and Guo, ICPP 2011)";
  made.machine = "opteron-8380";
  made.memory = true;
  add_programs(made);
  add_times(made);
  add_leaf_sizes(made);
  add_levels(made);
  add_tiers(made);
  add_cpu_bound(made);
  add_misses(made);
  add_causes(made);
  made.left_out = {
      "Bars of the figures for which the text gives no number.",
      "queens(20), and sizes of the other CPU-bound programs, which the paper does not give: 11 queens, 2^20 "
      "samples, 10 moves ahead and a matrix of 1024 x 1024 are used instead.",
      "Counts of misses: the paper does not say of how many iterations they are. The part that CAB saves is compared.",
  };
  return made;
}

}  // namespace jackdaw::cli
