#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "papers/reference_times.hpp"
#include "papers/reproduction.hpp"

/// What the parts of the page on LAWS share.
namespace jackdaw::cli::laws_page {

using figures = reproduction::figures;
using outcomes = reproduction::outcomes;
using figure = reproduction::figure;

struct server {
  std::string name, machine;
  unsigned workers;
};
inline const server amd{"amd", "opteron-8380", 16}, intel{"intel", "xeon-x7560", 32};

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
inline const std::string one_link =
    "A leaf shares a row or two with its neighbours and nothing else, so packing saves hardly any misses here. The "
    "workers of a squad run one subtree together, so they all read from the one node and over the one link where the "
    "subtree was first touched, while random stealing uses all of them at once. At the end of a subtree some of its "
    "squad waits.";
inline const std::string nodes_bound =
    "Its memory nodes are the bound, not the links: of the 68 GB/s of the four nodes, sor draws 59 with random "
    "stealing and 66 with LAWS, 97% of whose accesses are local. With nodes of twice the bandwidth LAWS and LAWS-NC "
    "both save 30% of its time.";
inline const std::string in_caches =
    "The smallest grid fits the sockets' caches, all of it with LAWS, and then has hardly any shared misses. The "
    "largest one comes from memory.";
inline const std::string no_sharing =
    "Which worker runs a leaf decides where the missing rows come from, not how many there are: a leaf shares a row "
    "or two with its neighbours, and by the next iteration a socket's cache holds other rows.";

inline std::vector<bench> twelve(const server& on) {
  std::vector<bench> all;
  for (const bool irregular : {false, true}) {
    for (const std::string kernel : {"heat", "sor", "ge", "6p", "9p", "25p"}) all.push_back({on, kernel, irregular});
  }
  return all;
}

/// Returns enough iterations for the second half to begin after the search for a packing has usually ended.
inline unsigned iterations(const bench& of) { return of.kernel == "ge" && of.on.name == "amd" ? 512 : 16; }

inline void add_program(reproduction& to, const bench& one, const std::vector<std::string>& schedulers) {
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

/// Adds an experiment that is simulated with the links as they are only.
inline void add_once(reproduction& to, const bench& one, const std::string& name, const std::string& placement,
                     const std::string& scheduler, const std::string& changes) {
  // Rows of 8 KiB and more are simulated as exactly, and several times as fast, in blocks of 4 KiB.
  reproduction::experiment made{name,      one.name(),     placement,
                                scheduler, one.on.workers, one.on.machine + " block=x8" + changes};
  made.links_given = true;
  to.experiments.push_back(made);
}

/// Returns a scheduler's saving against random stealing, in %.
inline figure saved(double figures::* what, const bench& one, const std::string& scheduler) {
  return [=](const outcomes& of) { return reproduction::saved(what, of, one.with(scheduler), one.with("random")); };
}

inline figure least(const std::vector<figure>& of_each) {
  return [=](const outcomes& of) {
    double found = std::numeric_limits<double>::infinity();
    for (const figure& each : of_each) found = std::min(found, each(of));
    return found;
  };
}

inline figure most(const std::vector<figure>& of_each) {
  return [=](const outcomes& of) {
    double found = -std::numeric_limits<double>::infinity();
    for (const figure& each : of_each) found = std::max(found, each(of));
    return found;
  };
}

/// Returns the same figure for each bench.
inline std::vector<figure> each_of(const std::vector<bench>& benches, const std::function<figure(const bench&)>& make) {
  std::vector<figure> all;
  all.reserve(benches.size());
  for (const bench& one : benches) all.push_back(make(one));
  return all;
}

inline std::vector<bench> stencils_of(const server& on) {
  std::vector<bench> all = twelve(on);
  std::erase_if(all, [](const bench& one) { return !one.stencil(); });
  return all;
}

/// Figure 5, trees that change (6.6), Figure 8 over 200 iterations, Figures 9 to 12, and what takes the causes away.
void add_steps(reproduction& to);
void add_changing(reproduction& to);
void add_curves(reproduction& to);
void add_scaling(reproduction& to);
void add_causes(reproduction& to);

}  // namespace jackdaw::cli::laws_page
