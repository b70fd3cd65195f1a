#include <fmt/format.h>

#include <string>
#include <vector>

#include "papers/reference_times.hpp"
#include "papers/reproduction.hpp"

namespace jackdaw::cli {
namespace {

/// A program of the table, at one size.
struct entry {
  std::string name;
  std::string kernel, size, shape;
  std::string changes;  ///< to the machine, as in reproduction::experiment
  unsigned iterations = 0;
};

/// How a contender is named in the table.
struct contender {
  std::string name, scheduler, placement;
};

struct computer {
  std::string machine;
  unsigned workers;
  std::string too_small;  ///< the name of a program whose data its fast or near memory does not hold; empty: none
  std::string capacity;   ///< factor of its nodes' capacities for that
  std::vector<contender> plain, own;
};

// BATS knows where subgraphs belong after seven iterations, LAWS how to pack after eight. The second half is measured.
constexpr unsigned iterations = 18;

// Rows of heat at these sizes have 8 KiB and keys are merged in longer pieces, so that coarse blocks lose nothing and
// are simulated several times as fast.
const std::string coarse = " block=x8";
// As in the scaled programs of BATS: caches shrink with the data (docs/kernels.md).
const std::string small_caches = " private_cache.size=x0.0625 shared_cache.size=x0.0625";

const char* const about =
    R"(jackdaw's schedulers beside random stealing with every placement that `numactl` offers, on described machines.
Each figure is of one iteration once the caches have settled, or of the whole run if a program does not iterate (sort).
The best of several is picked after the fact, for random stealing's placements as for jackdaw's schedulers, so the
default has a column of its own. A saving counts if it is at least 1% at every seed. "Whole run" includes the
preparation of the data, the first iterations and what a scheduler needs to learn, for 18 iterations.

The programs: a 5-point stencil (heat), a parallel merge sort of 32-bit keys (cilksort), PageRank of a skewed graph, and
a product of single-precision matrices. Stencil, sort, graph and product of 112, 76, 12 and 48 MiB fit into all caches
of a machine together. The stencil of 896 MiB does not; a second sort and graph have caches of a 16th instead, a second
product private caches of an 8th and shared ones of a 32nd. Where HBM, or DRAM beside CXL memory, shall be too small,
the capacity of all nodes is divided, and what does not fit goes to the other kind.
)";

std::vector<entry> programs_on(const computer& on) {
  std::vector<entry> all{
      {"stencil, 112 MiB", "heat", "bats-8g/64", "regular", coarse, iterations},
      {"stencil, 896 MiB", "heat", "bats/16", "regular", coarse, iterations},
  };
  if (!on.too_small.empty()) {
    all.push_back({on.too_small, "heat", "bats/16", "regular", coarse + " node.capacity=" + on.capacity, iterations});
  }
  all.push_back({"sort, 76 MiB", "cilksort", "10m", "u32", coarse});
  all.push_back({"sort, 76 MiB, caches a 16th", "cilksort", "10m", "u32", coarse + small_caches});
  all.push_back({"graph, 12 MiB", "pagerank", "bats-4g/16", "pull", "", iterations});
  all.push_back({"graph, 50 MiB, caches a 16th", "pagerank", "bats/16", "pull", small_caches, iterations});
  all.push_back({"matmul, 48 MiB", "matmul", "2048", "group", ""});
  all.push_back({"matmul, 48 MiB, small caches", "matmul", "2048", "group",
                 " private_cache.size=x0.125 shared_cache.size=x0.03125"});
  return all;
}

const std::vector<contender> schedulers{{"auto", "auto", "first-touch"},
                                        {"adws", "adws", "first-touch"},
                                        {"adws, interleaved", "adws", "interleave"},
                                        {"hierarchical", "hierarchical", "first-touch"},
                                        {"cab", "cab", "first-touch"},
                                        {"cats", "cats", "first-touch"},
                                        {"laws", "laws", "first-touch"},
                                        {"laws:nc", "laws:nc", "first-touch"},
                                        {"bats", "bats", "first-touch"}};

std::vector<contender> with(std::vector<contender> some, const std::vector<contender>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

std::vector<computer> computers() {
  const std::vector<contender> plain{{"random, first touch", "random", "first-touch"},
                                     {"random, interleaved", "random", "interleave"}};
  return {
      {"xeon-max-9480", 112, "stencil, 896 MiB, HBM of 512 MiB", "x0.00390625",
       with(plain, {{"random, interleaved by bandwidth", "random", "weighted"},
                    {"random, in HBM", "random", "interleave:hbm"},
                    {"random, in HBM by first touch", "random", "first-touch:hbm"}}),
       with(schedulers, {{"adws, in HBM", "adws", "first-touch:hbm"}, {"laws, in HBM", "laws", "first-touch:hbm"}})},
      {"epyc-nps4", 64, "", "", plain, schedulers},
      {"xeon-cxl", 64, "stencil, 896 MiB, DRAM of 768 MiB", "x0.00146484375",
       with(plain, {{"random, interleaved in DRAM", "random", "interleave:dram"},
                    {"random, interleaved by bandwidth", "random", "weighted"}}),
       schedulers}};
}

/// Records a program once for each number of workers and way of running it.
std::string recorded(reproduction& to, const entry& one, unsigned workers) {
  std::string name = fmt::format("{} {} on {}", one.kernel, one.size, workers);
  for (const reproduction::program& each : to.programs) {
    if (each.name == name) return name;
  }
  kernels::request request;
  request.size = one.size;
  request.shape = one.shape;
  request.iterations = one.iterations;
  to.programs.push_back({name, one.kernel, request, workers, reference_times_of(one.kernel)});
  return name;
}

void add_computer(reproduction& to, const computer& on) {
  reproduction::contest made{.title = on.machine, .machine = on.machine, .programs = {}, .plain = {}, .own = {}};
  for (const contender& each : on.plain) made.plain.push_back(each.name);
  for (const contender& each : on.own) made.own.push_back(each.name);
  for (const entry& one : programs_on(on)) {
    made.programs.push_back(one.name);
    const std::string program = recorded(to, one, on.workers);
    for (const contender& each : with(on.plain, on.own)) {
      reproduction::experiment experiment{reproduction::contest::name(on.machine, one.name, each.name),
                                          program,
                                          each.placement,
                                          each.scheduler,
                                          on.workers,
                                          on.machine + one.changes};
      experiment.links_given = true;
      to.experiments.push_back(experiment);
    }
  }
  to.contests.push_back(made);
}

}  // namespace

reproduction reproduce_machines() {
  reproduction made;
  made.name = "machines";
  made.title = "Schedulers on today's machines";
  made.about = about;
  made.machine = "xeon-max-9480";
  for (const computer& each : computers()) add_computer(made, each);
  made.left_out = {
      "Links at other bandwidths: `jackdaw simulate --sweep link.bandwidth=x0.5,x2`.",
      "Larger sorts and products. A product of 8192 x 8192 has 262 thousand leaves that compute for 40 us each on the "
      "reference core; memory is not its bound.",
      "HBM as a cache (Xeon Max's default mode), and two threads on a core.",
      "Nothing of this was measured on such a machine.",
  };
  return made;
}

}  // namespace jackdaw::cli
