#include "papers/bats_page.hpp"

#include <fmt/format.h>

#include <tuple>

#include "papers/reference_times.hpp"

namespace jackdaw::cli::bats_page {
namespace {

using figures = reproduction::figures;
using outcomes = reproduction::outcomes;

const std::string one_thread =
    "One core fetches its lines from HBM at a higher rate than from DRAM (11.8 and 10.8 GB/s, measured on such a "
    "chip), "
    "which makes up for a latency that is a tenth longer: it is paid once for each leaf and source here.";
const char* const causes_text =
    R"(Time that BATS saves against random stealing, in %, with all data in HBM, with the chip in QUADRANT mode (data in
HBM), and with all data in DRAM; with the cores as they are assumed, and with four and sixteen times their speed, which
no source claims, so that memory is the bound. HBM has 384 of the machine's 474 GB/s: 19% is all that DRAM beside it
can save.)";
const char* const samples_text =
    "Pages that BATS looked at, four of each area. Data are a 64th (grids, GE) or a 16th (graphs) of the paper's, and "
    "leaves as many times fewer or smaller (docs/kernels.md).";

void add_all2all(reproduction& to) {
  for (const bench& one : {grids[0], ranks}) {
    add_once(to, one, {"random in HBM, ALL2ALL", "random", "first-touch:hbm"},
             one.on(" node.latency=x1.1", "knl-quadrant"));
    to.add_claim(
        fmt::format("{}: time in ALL2ALL mode over that in QUADRANT mode, random in HBM", one.name()),
        "negligible difference (9.5)", "0.95 to 1.05",
        [=](const outcomes& of) { return time_over(of, one, "random in HBM, ALL2ALL", "random in HBM, QUADRANT"); },
        [](double x) { return x >= 0.95 && x <= 1.05; });
  }
}

// Section 9.1: four workers on each core.
void add_threads(reproduction& to) {
  constexpr unsigned threads = 256;
  for (const bench& one : {grids[0], grids[2], ranks}) {
    kernels::request request;
    request.size = one.size;
    request.shape = one.shape;
    request.iterations = iterations;
    const std::string program = one.name() + ", 256 workers";
    to.programs.push_back({program, one.kernel, request, threads, reference_times_of(one.kernel)});
    const auto name = [=](const std::string& what) { return program + " " + what; };
    for (const side& each : {peers[0], peers[1], side{"bats", "bats", "first-touch"}}) {
      reproduction::experiment made{name(each.name), program, each.placement, each.scheduler, threads, one.machine};
      made.links_given = true;
      to.experiments.push_back(made);
    }
    for (const auto& [peer, low, high] : {std::tuple(peers[0], 29.3, 83.5), std::tuple(peers[1], 20.3, 57.9)}) {
      to.add_claim(
          fmt::format("{}: time that BATS saves against {}, %", program, peer.name),
          fmt::format("{}% to {}% (9.2)", low, high), fmt::format("{} to {}", low, high),
          [=, against = peer.name](const outcomes& of) {
            return reproduction::saved(&figures::time, of, name("bats"), name(against));
          },
          [low = low, high = high](double x) { return x >= low && x <= high; });
    }
  }
}

// Section 9.1: numactl --interleave=0-7.
void add_interleaving(reproduction& to) {
  for (const bench& one : eight()) {
    for (const std::string scheduler : {"random", "laws"}) {
      const side all{scheduler + " interleaved over all nodes", scheduler, "interleave"};
      add_once(to, one, all, one.machine);
      to.add_claim(
          fmt::format("{}: time of {} over that in HBM", one.name(), all.name), "worse than in HBM (9.1)", "> 1",
          [=](const outcomes& of) { return time_over(of, one, all.name, scheduler + " in HBM"); },
          [](double x) { return x > 1; }, computing);
    }
  }
}

// Figure 4(c): one thread, data in the DRAM or in the HBM node of its own quadrant.
void add_latency(reproduction& to) {
  for (const bench& one : eight()) {
    for (const std::string kind : {"dram", "hbm"}) {
      add_once(to, one, {"one worker, " + kind, "random", "first-touch:" + kind}, one.machine, 1);
    }
    const bool components = one.kernel == "components";
    to.add_claim(
        fmt::format("{}, one worker: time in HBM over that in DRAM", one.name()),
        components ? "HBM's latency degrades it (Fig. 4c)" : "HBM's latency does not degrade it (Fig. 4c)",
        components ? "> 1.02" : "<= 1.02",
        [=](const outcomes& of) { return time_over(of, one, "one worker, hbm", "one worker, dram"); },
        [=](double x) { return components ? x > 1.02 : x <= 1.02; }, components ? one_thread : "");
  }
}

// What bounds the programs: cores that are faster than any source claims, so that memory is the bound.
void add_causes(reproduction& to) {
  reproduction::table made{.title = "What takes the cause away",
                           .text = causes_text,
                           .columns = {"program", "HBM", "HBM, cores x4", "HBM, cores x16", "QUADRANT, cores x4",
                                       "QUADRANT, cores x16", "DRAM", "DRAM, cores x16"},
                           .rows = {}};
  for (const bench& one : eight()) {
    for (const std::string factor : {"x4", "x16"}) {
      const std::string faster = " compute_rate=" + factor + " vector_rate=" + factor;
      for (const side& each : {peers[0], peers[1], side{"bats", "bats", "first-touch"}}) {
        add_once(to, one, {fmt::format("{}, cores {}", each.name, factor), each.scheduler, each.placement},
                 one.on(faster));
      }
      add_once(to, one, {fmt::format("random in HBM, QUADRANT, cores {}", factor), "random", "first-touch:hbm"},
               one.on(faster, "knl-quadrant"));
    }
    const auto against = [one](const std::string& whom, const std::string& factor) {
      const std::string with = factor.empty() ? "" : ", cores " + factor;
      return [=](const outcomes& of) { return 100 * (1 - time_over(of, one, "bats" + with, whom + with)); };
    };
    made.rows.push_back({one.name(),
                         {against("random in HBM", ""), against("random in HBM", "x4"), against("random in HBM", "x16"),
                          against("random in HBM, QUADRANT", "x4"), against("random in HBM, QUADRANT", "x16"),
                          against("random in DRAM", ""), against("random in DRAM", "x16")}});
  }
  to.tables.push_back(made);
}

// Table 3, as far as it is simulated.
void add_samples(reproduction& to) {
  struct row {
    bench of;
    double areas, samples;
  };
  reproduction::table made{.title = "What is watched (Table 3)",
                           .text = samples_text,
                           .columns = {"program", "sampled here", "logic VMAs, paper", "sampled, paper"},
                           .rows = {}};
  for (const row& each : {row{grids[0], 8769, 35100}, row{ranks, 8261, 33205}, row{grids[1], 9562, 38353},
                          row{graphs[2], 8166, 32678}, row{elimination, 5498, 21969}, row{graphs[1], 8498, 33983},
                          row{grids[3], 8507, 36715}, row{grids[2], 8853, 35484}}) {
    const auto fixed = [](double value) { return [value](const outcomes&) { return value; }; };
    made.rows.push_back({each.of.name(),
                         {[name = each.of.with("bats")](const outcomes& of) { return of.at(name).sampled; },
                          fixed(each.areas), fixed(each.samples)}});
  }
  to.tables.push_back(made);
}

// Figure 15. Static loops over data in HBM that each worker touched first: adws without stealing.
void add_static_loops(reproduction& to) {
  for (const bench& one : eight()) {
    to.experiments.push_back(
        {one.with("static loops in HBM"), one.name(), "first-touch:hbm", "adws:no-steal", workers, one.machine});
    const auto over = [&](const std::string& paper, const std::string& against, const std::string& whose) {
      to.add_claim(
          fmt::format("{}: time of static loops in HBM over {}", one.name(), whose), paper, "> 1",
          [=](const outcomes& of) { return time_over(of, one, "static loops in HBM", against); },
          [](double x) { return x > 1; });
    };
    over("slightly worse for most (9.6)", "random in HBM", "that of random there");
    over("much worse for all (9.6)", "bats", "that of BATS");
  }
}

}  // namespace

// Figure 14, where memory is flat: the same chip as one socket. In ALL2ALL mode a line's directory may be in any
// quadrant, so that its memory is somewhat farther away; a tenth is assumed.
void add_modes(reproduction& to) {
  reproduction::comparison all{"BATS in SNC4 mode against random in HBM in QUADRANT mode", {}};
  for (const bench& one : eight()) {
    to.experiments.push_back({one.with("random in HBM, QUADRANT"), one.name(), "first-touch:hbm", "random", workers,
                              one.on("", "knl-quadrant")});
    to.add_claim(
        fmt::format("{}: time that BATS in SNC4 mode saves against random in HBM in QUADRANT mode, %", one.name()),
        "20% to 70% (9.5)", "20 to 70", saved(one, "random in HBM, QUADRANT"),
        [](double x) { return x >= 20 && x <= 70; }, both_kinds);
    all.of.emplace_back(one.kernel, saved(one, "random in HBM, QUADRANT"));
  }
  to.comparisons.push_back(all);
}

void add_conditions(reproduction& to) {
  add_threads(to);
  add_all2all(to);
  add_interleaving(to);
  add_latency(to);
  add_static_loops(to);
  add_causes(to);
  add_samples(to);
}

}  // namespace jackdaw::cli::bats_page
