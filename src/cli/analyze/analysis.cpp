#include "cli/analyze/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <jackdaw/error.hpp>
#include <stdexcept>

#include "analysis/phases.hpp"
#include "analysis/time_factors.hpp"
#include "sched/cab.hpp"
#include "sim/charged.hpp"

namespace jackdaw::cli {
namespace {

constexpr std::size_t rules = 5;

phase_rule rule_of(const sim::execution::phase& ran, const analysis::tiers& of, bool cab) {
  if (ran.rule == sched::cab::decisions::marked) return phase_rule::marked;
  if (of.tops != 0) return phase_rule::squads;
  // CAB steals from any worker while it learns.
  return ran.rule == sched::squad_scheduler::decisions::profile && !cab ? phase_rule::closed : phase_rule::plain;
}

/// The two forms of the bound on time.
struct limits {
  double printed = 0, squads = 0;
};
limits limit(phase_rule rule, const analysis::tiers& of, const analysis::squad_count& crew, unsigned workers) {
  switch (rule) {
    case phase_rule::serial:
      return {of.work, of.work};
    case phase_rule::plain:
      return {analysis::plain_time_bound(of, workers), analysis::plain_time_bound(of, workers)};
    case phase_rule::closed:
      return {analysis::plain_time_bound(of, crew.workers), analysis::plain_time_bound(of, crew.workers)};
    case phase_rule::marked:
      // Any number of its forks may run in one squad, and any number of tasks may have a head of their own.
      return {analysis::plain_time_bound(of, 1), analysis::plain_time_bound(of, 1)};
    case phase_rule::squads:
      break;
  }
  return {analysis::printed_time_bound(of, crew), analysis::squad_time_bound(of, crew)};
}

analysis::squad_count crew_of(const std::vector<sched::squad>& squads) {
  unsigned least = squads.front().workers.last - squads.front().workers.first + 1;
  for (const sched::squad& each : squads) least = std::min(least, each.workers.last - each.workers.first + 1);
  return {static_cast<unsigned>(squads.size()), least};
}

/// One scheduler's simulation, seen phase by phase.
class judge {
 public:
  judge(const trace::task_tree& tree, const machine_model& machine, const sim::execution& ran, unsigned workers,
        bool cab)
      : tree_(tree), ran_(ran), machine_(machine), workers_(workers), crew_(crew_of(ran.squads)), cab_(cab) {
    bare_.took = &ran.took;
  }

  /// `how`: what the engine reports about the phase; null for a phase that only computes.
  part_analysis over(const analysis::phase& part, const sim::execution::phase* how, phase_rule& rule) const {
    part_analysis found;
    found.of = split(part, bare_);
    rule = how == nullptr ? phase_rule::serial : rule_of(*how, found.of, cab_);
    const limits bare = limit(rule, found.of, crew_, workers_);
    // Without squads a thief looks at all workers.
    const analysis::squad_count crew = rule == phase_rule::plain ? analysis::squad_count{1, workers_} : crew_;
    analysis::charges cost = sim::charges_of(machine_, crew);
    cost.took = &ran_.took;
    const limits charged = limit(rule, split(part, cost), crew, workers_);
    found.printed = bare.printed;
    found.bound = bare.squads;
    found.charged = how == nullptr ? bare.squads : charged.squads;
    found.time = how == nullptr ? found.of.work : how->ended - how->began;
    found.frames = how == nullptr ? 1 : how->frames;
    found.space = how == nullptr ? 1 : analysis::space_bound(found.of, crew);
    return found;
  }

 private:
  analysis::tiers split(const analysis::phase& part, const analysis::charges& cost) const {
    return analysis::split(tree_, part.steps, ran_.places, crew_.workers, cost);
  }

  const trace::task_tree& tree_;
  const sim::execution& ran_;
  const machine_model& machine_;
  const unsigned workers_;
  const analysis::squad_count crew_;
  const bool cab_;
  analysis::charges bare_;
};

void add(part_analysis& to, const part_analysis& next) {
  to.of += next.of;
  to.printed += next.printed;
  to.bound += next.bound;
  to.charged += next.charged;
  to.space = std::max(to.space, next.space);
}

scheduler_analysis judged(const trace::task_tree& tree, const machine_model& machine, const sim::execution& ran,
                          unsigned workers, const std::string& scheduler, const analysis::phase& last) {
  scheduler_analysis found{.scheduler = scheduler,
                           .crew = crew_of(ran.squads),
                           .phases = std::vector<std::size_t>(rules),
                           .iteration = {},
                           .whole = {}};
  const judge by(tree, machine, ran, workers, scheduler.starts_with("cab"));
  std::size_t next = 0;
  for (const trace::root& root : tree.roots) {
    for (const analysis::phase& part : analysis::phases_of(tree, root)) {
      const sim::execution::phase* how = nullptr;
      if (part.forks) {
        if (next == ran.phases.size() || ran.phases[next].group != part.group) {
          throw std::logic_error("analysis: the simulation's phases differ from the recording's");
        }
        how = &ran.phases[next++];
      }
      phase_rule rule{};
      const part_analysis one = by.over(part, how, rule);
      ++found.phases[static_cast<std::size_t>(rule)];
      add(found.whole, one);
      if (how != nullptr && part.group == last.group) {
        found.iteration = one;
        found.rule = rule;
        found.decided = how->value;
      }
    }
  }
  return found;
}

}  // namespace

const char* name_of(phase_rule which) noexcept {
  switch (which) {
    case phase_rule::serial:
      return "serial";
    case phase_rule::plain:
      return "plain";
    case phase_rule::closed:
      return "profiled";
    case phase_rule::marked:
      return "marked";
    case phase_rule::squads:
      break;
  }
  return "packed";
}

program_analysis analyze(const trace::task_tree& tree, const machine_model& machine,
                         const std::vector<std::string>& schedulers, const sim::scenario& like) {
  const trace::root* const main = analysis::main_root(tree);
  if (main == nullptr) throw error(fmt::format("{}: nothing was recorded", tree.program));
  const std::vector<analysis::phase> iterations = analysis::iterations_of(tree, *main);
  if (iterations.empty())
    throw error(fmt::format("{}: nothing was forked, so there is nothing to bound", tree.program));

  program_analysis result;
  result.iterations = iterations.size();
  const analysis::charges speed{.scale = analysis::time_factors(tree, machine)};
  result.iteration = analysis::split(tree, iterations.back().steps, {}, 1, speed);
  for (const trace::root& root : tree.roots) {
    result.whole += analysis::split(tree, tree.tasks[root.task], {}, 1, speed);
  }
  const sim::address_space space(tree, machine);
  for (const std::string& scheduler : schedulers) {
    sim::execution ran;
    sim::scenario what = like;
    what.scheduler = scheduler;
    what.ran = &ran;
    const sim::outcome out = sim::simulate(tree, space, machine, what);
    result.workers = out.workers;
    result.under.push_back(judged(tree, machine, ran, result.workers, scheduler, iterations.back()));
    result.under.back().whole.time = out.whole;
    result.under.back().whole.frames = out.most_frames;
  }
  return result;
}

}  // namespace jackdaw::cli
