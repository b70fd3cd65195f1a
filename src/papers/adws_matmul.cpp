#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "analysis/equalise_times.hpp"
#include "papers/adws_page.hpp"
#include "papers/made_trees.hpp"
#include "papers/reference_times.hpp"

namespace jackdaw::cli::adws_page {
namespace {

constexpr std::array<unsigned, 3> sizes{2048, 4096, 8192};
constexpr std::array<unsigned, 4> counts{16, 32, 48, 64};
const std::vector<std::string> schedulers{"random", "hierarchical", "adws:no-steal", "adws"};
constexpr std::array<unsigned, 4> odd_counts{24, 36, 40, 56};  // without steals, and neither powers of two nor 48
constexpr double peak = 134.4;                                 // GFLOPS of a core (5.2)

const char* const compute_bound =
    "Workers wait for data in 7% of the time. Hierarchical stealing nearly halves what comes from other sockets, which "
    "is "
    "worth 1% then, and 4% to 9% with links of half the bandwidth.";
const char* const boundaries =
    "What it loses depends on where the boundaries between the workers' parts fall. Leaves that differ do not explain "
    "the rest: with times spread evenly over 0 to twice as much, 4096 on 48 workers loses 1.19 instead of 1.13.";
const char* const faster_leaf =
    "A leaf does 104 GFLOPS on the reference core, 88% of its peak, and 107 in the described machine; the paper's "
    "program does at most 64 a core. With cores of 0.6 of that rate ADWS reaches 3776.";

std::string program_of(unsigned n) { return fmt::format("matmul {}", n); }
std::string named(unsigned n, unsigned count, const std::string& scheduler) {
  return fmt::format("{} on {} {}", program_of(n), count, scheduler);
}

figure gflops(unsigned n, unsigned count, const std::string& scheduler) {
  return [=](const outcomes& of) {
    return 2.0 * n * n * n / of.at(named(n, count, scheduler)).whole;  // operations a ns
  };
}

figure whole_over(unsigned n, unsigned count, const std::string& slow, const std::string& fast) {
  return over(named(n, count, slow), named(n, count, fast), &figures::whole);
}

void add(reproduction& to, unsigned n, unsigned count, const std::string& scheduler) {
  // Tiles lie in one piece, so blocks of 4 KiB are as exact as smaller ones.
  reproduction::experiment made{named(n, count, scheduler), program_of(n), "interleave", scheduler, count,
                                "xeon-gold-6130 block=x8"};
  made.links_given = count != 48 && count != all_workers;
  to.experiments.push_back(made);
}

void add_table(reproduction& to) {
  reproduction::table made{
      .title = "GFLOPS of matmul by number of cores (Fig. 13)",
      .text =
          "Both halves of the sum. The last column is the part of the paper's peak of 134.4 GFLOPS a core that 64 "
          "cores reach.",
      .columns = {"size, scheduler"},
      .rows = {}};
  for (const unsigned count : counts) made.columns.push_back(fmt::format("{} cores", count));
  made.columns.emplace_back("of the peak, %");
  for (const unsigned n : sizes) {
    for (const std::string& scheduler : schedulers) {
      reproduction::table::row row{fmt::format("{}, {}", n, scheduler), {}};
      for (const unsigned count : counts) row.cells.push_back(gflops(n, count, scheduler));
      row.cells.push_back([reached = gflops(n, all_workers, scheduler)](const outcomes& of) {
        return 100 * reached(of) / (peak * all_workers);
      });
      made.rows.push_back(row);
    }
  }
  to.tables.push_back(made);
}

}  // namespace

void add_matmul(reproduction& to) {
  for (const unsigned n : sizes) {
    kernels::request request;
    request.size = std::to_string(n);
    request.shape = "group";
    to.programs.push_back({program_of(n), "matmul", request, all_workers, reference_times_of("matmul"), [n] {
                             const reproduction::reference_times& took = reference_times_of("matmul");
                             trace::task_tree tree = matmul_by_tiles(n);
                             analysis::set_times(tree, took.leaf, took.other);
                             return tree;
                           }});
    for (const unsigned count : counts) {
      for (const std::string& scheduler : schedulers) add(to, n, count, scheduler);
    }
  }
  add_table(to);

  for (const unsigned n : sizes) {
    for (const unsigned count : {48U, 64U}) {
      const std::string what = fmt::format("matmul {}, {} workers: ", n, count);
      for (const char* const other : {"random", "hierarchical"}) {
        to.add_claim(
            what + "ADWS over " + other, "ADWS performed the best with a large core count (Fig. 13)", "> 1x",
            whole_over(n, count, other, "adws"), [](double x) { return x > 1; }, compute_bound);
      }
      to.add_claim(
          what + "hierarchical over random", "better (Fig. 13)", "> 1x", whole_over(n, count, "random", "hierarchical"),
          [](double x) { return x > 1; }, compute_bound);
      const bool power = count == 64;
      to.add_claim(
          what + "time without steals over ADWS",
          power ? "good if the worker count is a power of two (Fig. 13)" : "poor at other worker counts (Fig. 13)",
          power ? "<= 1.15" : ">= 1.3", whole_over(n, count, "adws:no-steal", "adws"),
          [=](double x) { return power ? x <= 1.15 : x >= 1.3; }, power ? "" : boundaries);
    }
  }
  for (const unsigned count : odd_counts) {
    for (const char* const scheduler : {"adws:no-steal", "adws"}) add(to, 4096, count, scheduler);
    to.add_claim(
        fmt::format("matmul 4096, {} workers: time without steals over ADWS", count),
        "poor at other worker counts (Fig. 13)", ">= 1.3", whole_over(4096, count, "adws:no-steal", "adws"),
        [](double x) { return x >= 1.3; }, boundaries);
  }
  to.add_claim(
      "matmul 4096, 64 workers: GFLOPS of ADWS", "4085, nearly half of the peak (5.2)", "3064 to 5106",
      gflops(4096, 64, "adws"), [](double x) { return x >= 3064 && x <= 5106; }, faster_leaf);
}

}  // namespace jackdaw::cli::adws_page
