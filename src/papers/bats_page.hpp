#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "papers/reproduction.hpp"

/// What the parts of the page on BATS share.
namespace jackdaw::cli::bats_page {

constexpr unsigned workers = 64;
/// BATS knows where subgraphs belong after seven iterations; with two loops in a program after eight.
constexpr unsigned iterations = 18;

/// One of the eight programs of Table 2.
struct bench {
  std::string kernel, size;
  std::string shape = {};
  std::string machine = {};

  std::string name() const { return fmt::format("{} {}", kernel, size); }
  std::string with(const std::string& what) const { return fmt::format("{} {}", name(), what); }
  bool is_graph() const { return kernel == "pagerank" || kernel == "labelprop" || kernel == "components"; }
  /// The machine with changes, on KNL in either mode.
  std::string on(const std::string& more, const std::string& mode = "knl-snc4") const {
    return mode + (machine.empty() ? "" : machine.substr(machine.find(' '))) + more;
  }
};

inline const std::vector<bench> grids{{"heat", "bats/64"}, {"sor", "bats/64"}, {"conv", "bats/64"}, {"9p", "bats/64"}};
// The share arrays of graphs are a 16th of the paper's, and so are caches: docs/kernels.md.
inline const std::string small_caches = "knl-snc4 private_cache.size=x0.0625";
inline const bench elimination{"ge", "bats/64"};
inline const bench ranks{"pagerank", "bats/16", "pull", small_caches};
inline const std::vector<bench> graphs{
    ranks, {"labelprop", "bats/16", "", small_caches}, {"components", "bats/16", "rounds", small_caches}};

inline std::vector<bench> eight() {
  std::vector<bench> all = grids;
  all.push_back(elimination);
  all.insert(all.end(), graphs.begin(), graphs.end());
  return all;
}

// Cilk and LAWS unchanged, in DRAM, and bound to HBM by numactl (9.1).
struct side {
  std::string name, scheduler, placement;
  std::string paper = {};  ///< its name in the paper
};
inline const std::vector<side> peers{{"random in DRAM", "random", "first-touch:dram", "Cilk"},
                                     {"random in HBM", "random", "first-touch:hbm", "Cilk-H"},
                                     {"laws in DRAM", "laws", "first-touch:dram", "LAWS"},
                                     {"laws in HBM", "laws", "first-touch:hbm", "LAWS-H"}};
inline double time_over(const reproduction::outcomes& of, const bench& one, const std::string& what,
                        const std::string& against) {
  return of.at(one.with(what)).time / of.at(one.with(against)).time;
}

/// Adds an experiment that is simulated with the links as they are only.
inline void add_once(reproduction& to, const bench& one, const side& how, const std::string& machine,
                     unsigned with = workers) {
  reproduction::experiment made{one.with(how.name), one.name(), how.placement, how.scheduler, with, machine};
  made.links_given = true;
  to.experiments.push_back(made);
}

/// Returns the part of another side's time that BATS saves, in %.
inline reproduction::figure saved(const bench& one, const std::string& against) {
  return [=](const reproduction::outcomes& of) { return 100 * (1 - time_over(of, one, "bats", against)); };
}

// Reasons that several parts give, from the table of causes.
inline const std::string both_kinds =
    "HBM alone has 384 of the machine's 474 GB/s, so DRAM beside it saves at most 19%, and local accesses save little "
    "more if the mesh is wide. What BATS gains, the runtime's own work takes again: the 254 tasks above the 256 "
    "subgraphs pass through one pool, which serves one worker at a time, and so an iteration of one region loses about "
    "0.15 ms (heat: 0.16 ms of overhead for each worker, 0.01 with random stealing). If a pool took no time, heat "
    "would save 15%, sor 1%, ge 2%, and pagerank would lose 3%.";

inline const std::string computing =
    "At their assumed speed the cores compute for most of the remaining time: see the rows with faster cores.";

/// Figures 4(c), 14 and 15, section 9.1's interleaving, Table 3, and what takes the causes away.
void add_modes(reproduction& to);
void add_conditions(reproduction& to);
/// Cilk-C, LAWS-C, and Figure 14's modes in which HBM is a cache.
void add_cache_modes(reproduction& to);

}  // namespace jackdaw::cli::bats_page
