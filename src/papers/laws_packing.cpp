#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "papers/laws_page.hpp"
#include "papers/reference_times.hpp"
#include "papers/reproduction.hpp"

namespace jackdaw::cli::laws_page {
namespace {

const char* const steps_text =
    "Time of an iteration over that of LAWS-NC, with subtrees so many levels below (above 0) or above (below 0) the "
    "first packing, and with the packing that Algorithm 1 picks. Beyond the deepest or highest level that exists "
    "columns repeat.";
constexpr int highest = -3, deepest = 3;

std::string packed(const bench& one, int step) { return one.with(fmt::format("laws:{}", step)); }

/// Returns the times of an iteration, from the largest subtrees to the smallest.
std::vector<double> curve_of(const bench& one, const outcomes& of) {
  std::vector<double> took;
  for (int step = highest; step <= deepest; ++step) took.push_back(of.at(packed(one, step)).*one.time());
  return took;
}

/// Returns how often a step towards the best packing takes more time, by 1% or more.
double rises_towards_the_best(const std::vector<double>& took) {
  constexpr double clearly = 1.01;
  const auto best = std::min_element(took.begin(), took.end());
  double found = 0;
  for (auto at = took.begin(); at != best; ++at) found += at[1] > clearly * at[0] ? 1 : 0;
  for (auto at = best; at + 1 != took.end(); ++at) found += at[0] > clearly * at[1] ? 1 : 0;
  return found;
}

}  // namespace

// Figure 5, and what Algorithm 1 makes of such a curve.
void add_steps(reproduction& to) {
  reproduction::table made{.title = "Packings (Fig. 5)", .text = steps_text, .columns = {"program"}, .rows = {}};
  for (int step = highest; step <= deepest; ++step) made.columns.push_back(fmt::format("{:+}", step));
  made.columns.emplace_back("Algorithm 1");
  for (const bench& one : {bench{amd, "heat", true}, bench{amd, "ge"}, bench{intel, "9p"}, bench{intel, "ge"}}) {
    const std::string without = one.with("laws:nc, packings"), picked = one.with("laws:paper, packings");
    add_once(to, one, without, "first-touch", "laws:nc", "");
    add_once(to, one, picked, "first-touch", "laws:paper", "");
    reproduction::table::row row{one.name(), {}};
    const auto over = [=](const std::string& name) {
      return [=](const outcomes& of) { return of.at(name).*one.time() / of.at(without).*one.time(); };
    };
    for (int step = highest; step <= deepest; ++step) {
      add_once(to, one, packed(one, step), "first-touch", fmt::format("laws:{}", step), "");
      row.cells.push_back(over(packed(one, step)));
    }
    row.cells.push_back(over(picked));
    made.rows.push_back(row);
    to.add_claim(
        fmt::format("{}: steps towards the best packing that take more time", one.name()),
        "time falls to the best packing and rises behind it (Fig. 5)", "0",
        [=](const outcomes& of) { return rises_towards_the_best(curve_of(one, of)); }, [](double x) { return x == 0; });
    to.add_claim(
        fmt::format("{}: time with the packing that Algorithm 1 picks over that with the best one", one.name()),
        "the optimal packing is found (3.3.2)", "<= 1.02",
        [=](const outcomes& of) {
          const std::vector<double> took = curve_of(one, of);
          return of.at(picked).*one.time() / *std::min_element(took.begin(), took.end());
        },
        [](double x) { return x <= 1.02; });
  }
  to.tables.push_back(made);
}

// Section 6.6: the tree is another one in each iteration.
void add_changing(reproduction& to) {
  for (const bench& one : {bench{amd, "heat"}, bench{intel, "9p"}}) {
    kernels::request request;
    request.size = one.size_name();
    request.shape = "changing";
    request.iterations = iterations(one);
    const std::string name = one.name() + ", changing tree";
    to.programs.push_back({name, one.kernel, request, one.on.workers, reference_times_of(one.kernel)});
    for (const std::string scheduler : {"random", "laws"}) {
      to.experiments.push_back(
          {name + " " + scheduler, name, "first-touch", scheduler, one.on.workers, one.on.machine});
    }
    to.add_claim(
        fmt::format("{}: part of the bytes that is local with LAWS, %", name),
        "every task can access its data from the local memory node (6.6)", ">= 95",
        [=](const outcomes& of) { return 100 * of.at(name + " laws").local(); }, [](double x) { return x >= 95; });
    to.add_claim(
        fmt::format("{}: time that LAWS saves, %", name), "improves the performance (6.6)", "> 0",
        [=](const outcomes& of) { return reproduction::saved(&figures::time, of, name + " laws", name + " random"); },
        [](double x) { return x > 0; });
  }
}

}  // namespace jackdaw::cli::laws_page
