// The parts of `jackdaw reproduce` fit together; running the whole takes minutes.
#include "papers/reproduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "machine/machine_file.hpp"
#include "machine/model.hpp"
#include "sched/scheduler.hpp"
#include "sim/memory/policy.hpp"
#include "trace/tree_builder.hpp"

namespace jackdaw::cli {
namespace {

/// No results, of so many seeds.
reproduction::results none(std::size_t seeds) {
  return {seeds, std::vector<reproduction::by_name>(reproduction::links.size())};
}

/// Equal results for all experiments.
reproduction::results even(const reproduction& what) {
  reproduction::results made = none(1);
  for (const reproduction::experiment& each : what.experiments) {
    for (auto& link : made.front()) {
      link[each.name] = {.time = 1,
                         .whole = 1,
                         .first = 1,
                         .total = 1,
                         .local_bytes = 1,
                         .remote_bytes = 3,
                         .straggler_bytes = 1,
                         .private_misses = 1,
                         .shared_misses = 1,
                         .dram_bytes = 1,
                         .hbm_bytes = 1,
                         .idle = 0,
                         .settled = 7,
                         .upper_tier = 1,
                         .in_regions = 1,
                         .curve = std::vector<double>(200, 1),
                         .map = {0, 1, 2, 3},
                         .work = 1,
                         .span = 1,
                         .samples = {{1, 1, 3, 1, 3, 1, 3}, {2, 1, 4, 2, 4, 1, 4}, {3, 2, 4, 2, 5, 2, 3}}};
    }
  }
  return made;
}

class reproductions : public testing::TestWithParam<reproduction (*)()> {
 protected:
  const reproduction what = GetParam()();
};

TEST_P(reproductions, refer_only_to_what_exists) {
  std::set<std::string> programs;
  for (const reproduction::program& each : what.programs) {
    EXPECT_TRUE(programs.insert(each.name).second) << each.name;
    const kernels::kernel* const kernel = kernels::find(each.kernel);
    ASSERT_NE(kernel, nullptr) << each.kernel;
    // A tree that is made may be larger than any that is recorded.
    EXPECT_TRUE(each.make ||
                std::find(kernel->sizes.begin(), kernel->sizes.end(), each.request.size) != kernel->sizes.end())
        << each.request.size;
    EXPECT_TRUE(each.request.shape.empty() ||
                std::find(kernel->shapes.begin(), kernel->shapes.end(), each.request.shape) != kernel->shapes.end())
        << each.request.shape;
    EXPECT_TRUE(each.times.leaf + each.times.other > 0 || each.times.recordings > 0);
    EXPECT_FALSE(each.times.from.empty());
  }
  std::set<std::string> experiments, used;
  for (const reproduction::experiment& each : what.experiments) {
    EXPECT_TRUE(experiments.insert(each.name).second) << each.name;
    EXPECT_EQ(programs.count(each.program), 1u) << each.program;
    used.insert(each.program);
    const machine_model machine = reproduction::load_machine(what.machine_of(each));
    EXPECT_LE(each.workers, machine.threads());
    EXPECT_NE(sched::make_scheduler(each.scheduler, each.told), nullptr) << each.scheduler;
    EXPECT_NO_THROW(sim::parse_policy(each.placement, machine));
  }
  EXPECT_EQ(used, programs);
  const reproduction::results figures = even(what);
  std::set<std::string> claims;
  for (const reproduction::claim& each : what.claims) {
    EXPECT_TRUE(claims.insert(each.what).second) << each.what;
    const double figure = each.of({figures, 0, 0});  // throws for an unknown experiment
    EXPECT_FALSE(std::isnan(figure)) << each.what;
  }
  for (const reproduction::table& each : what.tables) {
    for (const reproduction::table::row& row : each.rows) {
      EXPECT_EQ(row.cells.size() + 1, each.columns.size()) << each.title;
      for (const reproduction::figure& cell : row.cells) EXPECT_NO_THROW(cell({figures, 0, 0})) << row.name;
    }
  }
  for (const reproduction::comparison& each : what.comparisons) {
    for (const auto& [program, figure] : each.of) EXPECT_NEAR(figure({figures, 0, 0}), 0, 1e-9) << each.what << program;
  }
  for (const reproduction::contest& each : what.contests) {
    EXPECT_NO_THROW(reproduction::load_machine(each.machine));
    for (const std::string& program : each.programs) {
      for (const auto* contenders : {&each.plain, &each.own}) {
        for (const std::string& one : *contenders)
          EXPECT_EQ(experiments.count(reproduction::contest::name(each.title, program, one)), 1u) << program << one;
      }
    }
  }
}

TEST_P(reproductions, do_not_hold_when_all_results_are_equal) {
  // If all schedulers performed equally well, the paper's claims about its own scheduler must not count as reproduced.
  const reproduction::results figures = even(what);
  std::size_t failed = 0;
  for (const reproduction::claim& each : what.claims) failed += each.holds({figures, 0, 0}) ? 0 : 1;
  EXPECT_GE(failed, what.claims.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(papers, reproductions,
                         testing::Values(&reproduce_adws, &reproduce_bats, &reproduce_cab, &reproduce_laws,
                                         &reproduce_machines, &reproduce_predict),
                         [](const auto& of) { return of.param().name; });

/// A small program on the Opteron, with random stealing and with LAWS.
reproduction small() {
  reproduction made;
  made.name = "small";
  made.title = "A paper";
  made.machine = "xeon-x7560";
  made.memory = true;
  kernels::request request;
  request.size = "tiny";
  request.shape = "regular";
  request.iterations = 12;
  made.programs.push_back({"heat", "heat", request, 16, {.other = 2, .from = "assumed", .per_kib = 1000}});
  for (const std::string scheduler : {"random", "laws"}) {
    made.experiments.push_back({scheduler, "heat", "first-touch", scheduler, 16, "opteron-8380"});
  }
  made.add_claim(
      "no time", "none", "< 0", [](const reproduction::outcomes& of) { return of.at("random").time; },
      [](double x) { return x < 0; }, "Time passes.");
  return made;
}

TEST(simulate_all, finds_times_memory_and_the_end_of_the_search) {
  const reproduction what = small();
  const reproduction::results found = simulate_all(what, {});
  const reproduction::outcomes of(found, 0, 0);
  // 127 KiB per sweep, on 16 cores, each with 0.27 of the reference core's speed.
  const double least = 127 * 1000 / 0.27 / 16;
  for (const std::string scheduler : {"random", "laws"}) {
    EXPECT_GT(of.at(scheduler).time, 0.9 * least);
    EXPECT_LT(of.at(scheduler).time, 10 * least);
    EXPECT_GT(of.at(scheduler).whole, 12 * 0.9 * least);
    EXPECT_GE(of.at(scheduler).idle, 0);
    EXPECT_GT(of.at(scheduler).private_misses, 0);
  }
  EXPECT_EQ(of.at("random").settled, 0u);
  EXPECT_GE(of.at("laws").local(), of.at("random").local());
}

TEST(simulate_all, keeps_what_an_experiment_asks_for) {
  reproduction what = small();
  reproduction::experiment& laws = what.experiments.back();
  laws.links_given = laws.curve = laws.tiers = true;
  const reproduction::results found = simulate_all(what, {});
  const auto& all = found.front();
  EXPECT_EQ(all[0].at("laws").curve.size(), 12u);
  EXPECT_DOUBLE_EQ(all[0].at("laws").curve.front(), all[0].at("laws").first);
  EXPECT_GT(all[0].at("laws").upper_tier, 0);
  EXPECT_LT(all[0].at("laws").upper_tier, 16 * all[0].at("laws").whole);
  EXPECT_TRUE(all[0].at("random").curve.empty());
  EXPECT_EQ(all[0].at("random").upper_tier, 0);
  // The second is simulated once, the first with three factors of the links.
  for (const std::size_t link : {1u, 2u}) EXPECT_EQ(all[link].at("laws").time, all[0].at("laws").time);
  EXPECT_NE(all[1].at("random").time, all[2].at("random").time);
}

TEST(simulate_all, keeps_the_time_in_regions_and_the_map_of_a_region) {
  reproduction what = small();
  reproduction::program& water = what.programs.front();
  water.kernel = "sph";
  water.request = {.size = "tiny", .iterations = 4};
  water.times = {.from = "recorded", .recordings = 1};
  what.experiments.erase(what.experiments.begin() + 1);
  reproduction::experiment& one = what.experiments.front();
  one.links_given = true;
  one.regions = {"sph forces"};
  one.mapped = "sph forces";
  what.experiments.push_back(one);
  what.experiments.back().name = "both";
  what.experiments.back().regions = {"sph densities", "sph forces"};
  what.experiments.back().mapped = "no such region";
  const reproduction::results found = simulate_all(what, {});
  const auto& all = found.front().front();
  const reproduction::figures &forces = all.at("random"), &both = all.at("both");
  EXPECT_GT(forces.in_regions, 0);
  EXPECT_GT(both.in_regions, forces.in_regions);
  EXPECT_LT(both.in_regions, both.total);
  EXPECT_GT(forces.map.size(), 400 / 32);  // at most 32 particles a leaf
  EXPECT_LT(forces.map.size(), 400u);      // those of one iteration
  EXPECT_GT(std::set<double>(forces.map.begin(), forces.map.end()).size(), 4u);
  for (const double worker : forces.map) EXPECT_LT(worker, 16);
  EXPECT_TRUE(both.map.empty());
}

TEST(simulate_all, makes_a_tree_instead_of_recording) {
  reproduction what = small();
  what.experiments.erase(what.experiments.begin() + 1);
  int made = 0;
  what.programs.front().make = [&made] {
    ++made;
    trace::tree_builder tree;
    tree.begin_root("run");
    tree.compute(5400);
    tree.end_root();
    return tree.finish();
  };
  const reproduction::results found = simulate_all(what, {.recordings = 3});
  EXPECT_EQ(made, 1);
  EXPECT_NEAR(found.front().front().at("random").whole, 5400 / reproduction::load_machine("opteron-8380").compute_rate,
              1000);
}

TEST(simulate_all, samples_an_experiment_with_seeds_of_its_own) {
  reproduction what = small();
  what.experiments.front().samples = 3;
  what.experiments.front().links_given = true;
  const reproduction::results found = simulate_all(what, {.seeds = 2});
  std::set<double> times;
  for (const auto& seed : found) {
    const reproduction::figures& of = seed[0].at("random");
    ASSERT_EQ(of.samples.size(), 3u);
    EXPECT_EQ(of.samples.front().time, of.time);
    EXPECT_EQ(of.samples.front().remote_bytes, of.remote_bytes);
    // 127 KiB per sweep, in vectors.
    EXPECT_NEAR(of.work, 127 * 1000 / reproduction::load_machine("opteron-8380").vector_rate, 0.05 * of.work);
    EXPECT_GT(of.span, 0);
    EXPECT_LT(of.span, of.work);
    for (const reproduction::sample& each : of.samples) {
      EXPECT_GT(each.local_steals + each.remote_steals, 0);
      EXPECT_GE(each.remote_attempts(), each.remote_steals);
      EXPECT_GT(each.remote_false, each.local_false);  // three of four sockets are remote
      times.insert(each.time);
    }
  }
  EXPECT_EQ(times.size(), 6u);  // no seed twice
  EXPECT_TRUE(found[0][0].at("laws").samples.empty());
}

TEST(simulate_all, uses_the_given_times) {
  reproduction what = small();
  const double by_size = simulate_all(what, {})[0][0].at("random").time;
  what.programs.front().times.by_accesses = {{2, 1e6}};  // 16 leaves, one a core
  const double exact = simulate_all(what, {})[0][0].at("random").time;
  EXPECT_GT(exact, 1e6 / 0.27);
  EXPECT_GT(exact, 2 * by_size);
}

TEST(report, says_what_was_not_reproduced_and_why) {
  const reproduction what = small();
  const std::string text = report(what, even(what), false);
  EXPECT_NE(text.find("a simulated opteron-8380"), std::string::npos) << text;
  EXPECT_NE(text.find("| no time | none | < 0 | 1.00 | **not reproduced** |"), std::string::npos) << text;
  EXPECT_NE(text.find("0 of 1 claims reproduced"), std::string::npos);
  EXPECT_NE(text.find("- no time: Time passes."), std::string::npos);
  EXPECT_NE(text.find("| laws | 1 | 1 | 25.0 |"), std::string::npos);
}

TEST(report, words_its_first_paragraph_by_the_figures) {
  reproduction what = small();
  const auto saves = [](double percent) { return [=](const reproduction::outcomes&) { return percent; }; };
  what.comparisons = {{"A", {{"heat", saves(4.9)}, {"sor", saves(-4.8)}}},
                      {"B", {{"heat", saves(12)}, {"sor", saves(40)}}},
                      {"C", {{"heat", saves(-12)}, {"sor", saves(-40)}}},
                      {"D", {{"heat", saves(12)}, {"sor", saves(-40)}, {"ge", saves(0)}}},
                      {"E", {{"heat", saves(7)}}},
                      {"F", {{"chess", [](const reproduction::outcomes& of) { return of.at("chess").time; }}}}};
  const std::string text = report(what, even(what), false);
  for (const char* line :
       {"- A: no difference beyond 5%: from -4.8% (sor) to 4.9% (heat) saved.\n",
        "- B: saves 12% (heat) to 40% (sor) of the time.\n", "- C: takes 12% (heat) to 40% (sor) longer.\n",
        "- D: saves 12% at best (heat), takes 40% longer at worst (sor): ahead by more than 5% in 1 of 3, behind in "
        "1.\n",
        "- E: saves 7% of the time.\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  EXPECT_EQ(text.find("- F"), std::string::npos);
}

TEST(report, shows_tables_without_rows_that_were_left_out) {
  reproduction what = small();
  what.tables = {{"Causes",
                  "Some text.",
                  {"program", "one", "two"},
                  {{"a", {[](const auto& of) { return of.at("random").time; }, [](const auto&) { return 2.25; }}},
                   {"b", {[](const auto& of) { return of.at("chess").time; }, [](const auto&) { return 2.0; }}}}}};
  reproduction::results found{even(what).front(), even(what).front()};
  found[1][0].at("random").time = 4;
  const std::string text = report(what, found, false);
  EXPECT_NE(text.find("## Causes\n\nSome text.\n\n| program | one | two |\n|---|---:|---:|\n"
                      "| a | 2.5 (1.0 to 4.0) | 2.2 |\n\n"),
            std::string::npos)
      << text;
}

TEST(report, says_who_wins_a_contest_and_where_jackdaw_loses) {
  reproduction what = small();
  what.claims.clear();
  what.about = "A table.";
  what.contests = {{"here", "opteron-8380", {"p", "q", "r"}, {"plain", "spread"}, {"adws", "laws"}}};
  reproduction::results found = none(2);
  const auto set = [&](const char* program, const char* who, double first, double second) {
    const std::string name = reproduction::contest::name("here", program, who);
    for (std::size_t link = 0; link < reproduction::links.size(); ++link) {
      found[0][link][name] = {.time = first, .total = first};
      found[1][link][name] = {.time = second, .total = second};
    }
  };
  for (const char* program : {"p", "q", "r"}) {
    set(program, "plain", 200e3, 200e3);
    set(program, "spread", 100e3, 100e3);
    set(program, "adws", 110e3, 110e3);
  }
  set("p", "laws", 80e3, 60e3);
  set("q", "laws", 120e3, 120e3);
  set("r", "laws", 99.5e3, 97e3);
  what.experiments.clear();
  const std::string text = report(what, found, false);
  for (const char* line :
       {"A table.",
        "random stealing with its best placement: ahead with 1 of 3 programs (30% less time), no difference "
        "with 1, behind with 1 (10% more time).",
        "The default (adws) against random stealing with its best placement: ahead with 0 of 3 programs, no "
        "difference with 0, behind with 3 (10% to 10% more time).",
        "| p | spread | laws | 30.0 (20.0 to 40.0) | jackdaw is ahead | -10.0 | 30.0 (20.0 to 40.0) |",
        "| q | spread | adws | -10.0 | **jackdaw loses** | -10.0 | -10.0 |",
        "| r | spread | laws | 1.8 (0.5 to 3.0) | no difference | -10.0 | 1.8 (0.5 to 3.0) |",
        "| plain: time, us | 200 | 200 | 200 |", "| spread | 50.0 | **50.0** | 50.0 |",
        "| laws | **65.0 (60.0 to 70.0)** | 40.0 | **50.9 (50.2 to 51.5)** |"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
}

/// `small` with results that differ by seed and by factor of the links, and claims on them.
TEST(report, counts_the_seeds_at_which_a_claim_holds) {
  reproduction what = small();
  what.claims.clear();
  const auto time = [](const reproduction::outcomes& of) { return of.at("random").time; };
  what.add_claim("below 4", "p", "< 4", time, [](double x) { return x < 4; });
  what.add_claim("below 6", "p", "< 6", time, [](double x) { return x < 6; });
  what.add_claim("below 20", "p", "< 20", time, [](double x) { return x < 20; });
  what.add_claim("below 1", "p", "< 1", time, [](double x) { return x < 1; }, "Why.");
  reproduction::results found;
  for (const double ns : {3.0, 1.0, 5.0}) {
    found.push_back(even(what).front());
    found.back()[0].at("random").time = ns;
    found.back()[1].at("random").time = 2 * ns;
    found.back()[2].at("random").time = ns / 10;
  }
  const std::string text = report(what, found, false);
  for (const char* row : {"| below 4 | p | < 4 | 3.00 (1.00 to 5.00) | **at 2 of 3 seeds** | 6.00 (1 of 3) | 0.30 |",
                          "| below 6 | p | < 6 | 3.00 (1.00 to 5.00) | reproduced with these links | 6.00 (1 of 3) |",
                          "| below 20 | p | < 20 | 3.00 (1.00 to 5.00) | reproduced | 6.00 | 0.30 |",
                          "| below 1 | p | < 1 | 3.00 (1.00 to 5.00) | **not reproduced** | 6.00 (not) | 0.30 |",
                          "2 of 4 claims reproduced, 1 of them whatever the links. 1 more at some seeds only.",
                          "- below 1: Why.", "| random | 3 | 6 | 0 |"}) {
    EXPECT_NE(text.find(row), std::string::npos) << row << "\n" << text;
  }
}

TEST(outcomes, are_seen_with_one_seed_and_one_factor_of_the_links) {
  reproduction::results figures = none(2);
  for (std::size_t link = 0; link < reproduction::links.size(); ++link) {
    figures[0][link]["one"].time = static_cast<double>(link);
    figures[1][link]["one"].time = static_cast<double>(10 * link);
  }
  const reproduction::outcomes half(figures, 0, 1);
  EXPECT_DOUBLE_EQ(half.at("one").time, 1);
  EXPECT_DOUBLE_EQ(half.at("one", 2).time, 2);
  EXPECT_DOUBLE_EQ(reproduction::outcomes(figures, 1, 2).at("one").time, 20);
  EXPECT_THROW(half.at("other"), std::out_of_range);
}

}  // namespace
}  // namespace jackdaw::cli
