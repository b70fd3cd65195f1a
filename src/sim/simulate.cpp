#include "sim/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <jackdaw/error.hpp>
#include <map>
#include <set>

#include "sched/logged.hpp"
#include "sim/simulated.hpp"

namespace jackdaw::sim {
namespace {

/// The root that a simulation is about: the last one called "run", else the last.
const measure::root* main_root(const measure::task_tree& tree) {
  const measure::root* found = nullptr;
  for (const measure::root& each : tree.roots) {
    if (found == nullptr || each.label == "run" || found->label != "run") found = &each;
  }
  return found;
}

/// The groups that a root opens at its top level, not inside another one, from the call site that opens most of them.
std::vector<const measure::group*> iterations_of(const measure::task_tree& tree, const measure::root& root) {
  std::map<std::uint32_t, std::vector<const measure::group*>> by_site;
  const measure::task& task = tree.tasks[root.task];
  std::set<std::uint32_t> open;
  for (std::uint64_t i = task.first_op; i < task.first_op + task.ops; ++i) {
    const measure::op& step = tree.ops[i];
    if (step.what == measure::op::kind::wait) {
      open.erase(step.count);
    } else if (step.what == measure::op::kind::fork) {
      const measure::group& group = tree.groups[step.count];
      if (open.empty()) by_site[group.site].push_back(&group);
      open.insert(step.count);
    }
  }
  std::vector<const measure::group*> most;
  for (auto& [site, groups] : by_site) {
    if (groups.size() > most.size()) most = std::move(groups);
  }
  return most;
}

/// What the counters of a simulation say at one moment.
struct reading {
  double at = 0;
  worker_counters work;
  std::vector<memory_counters> data;  ///< by core
};

reading read(const simulated& machine, double now, unsigned cores) {
  reading taken{.at = now, .work = machine.total(), .data = {}};
  for (unsigned core = 0; core < cores; ++core) taken.data.push_back(machine.data().counters(core));
  return taken;
}

/// Takes the times of the iterations, and readings at the ends of the measured part.
class stopwatch final : public observer {
 public:
  stopwatch(const measure::root* root, std::vector<const measure::group*> iterations, unsigned cores)
      : root_(root), iterations_(std::move(iterations)), cores_(cores) {
    if (iterations_.size() < 2) iterations_.clear();
    skipped_ = iterations_.size() / 2;
  }

  void watch(const simulated& machine) { machine_ = &machine; }

  void root_begins(const measure::root& which, double now) override {
    if (&which == root_ && iterations_.empty()) first_ = read(*machine_, now, cores_);
  }
  void root_ends(const measure::root& which, double now) override {
    if (&which == root_ && iterations_.empty()) last_ = read(*machine_, now, cores_);
  }
  void group_opens(const measure::group& which, double now) override {
    if (times_.size() == iterations_.size() || &which != iterations_[times_.size()]) return;
    if (times_.size() == skipped_) first_ = read(*machine_, now, cores_);
    begun_ = now;
  }
  void group_closes(const measure::group& which, double now) override {
    if (times_.size() == iterations_.size() || &which != iterations_[times_.size()]) return;
    times_.push_back(now - begun_);
    if (times_.size() == iterations_.size()) last_ = read(*machine_, now, cores_);
  }

  const std::vector<double>& times() const noexcept { return times_; }
  unsigned measured() const noexcept {
    return iterations_.empty() ? 1 : static_cast<unsigned>(iterations_.size() - skipped_);
  }
  const reading& first() const noexcept { return first_; }
  const reading& last() const noexcept { return last_; }

 private:
  const measure::root* root_;
  std::vector<const measure::group*> iterations_;
  unsigned cores_;
  std::size_t skipped_ = 0;
  const simulated* machine_ = nullptr;
  std::vector<double> times_;
  double begun_ = 0;
  reading first_, last_;
};

}  // namespace

outcome simulate(const measure::task_tree& tree, const address_space& space, const machine_model& machine,
                 const scenario& what) {
  auto scheduler = sched::make_scheduler(what.scheduler, what.told);
  if (!scheduler) {
    throw error(
        fmt::format("unknown scheduler '{}', expected one of {}", what.scheduler, fmt::join(sched::names(), ", ")));
  }
  sched::logged* log = nullptr;
  if (what.events != nullptr) {
    auto listening = std::make_unique<sched::logged>(std::move(scheduler));
    log = listening.get();
    scheduler = std::move(listening);
  }
  const measure::root* const root = main_root(tree);
  if (root == nullptr) throw error(fmt::format("{}: nothing was recorded", tree.program));
  stopwatch watch(root, iterations_of(tree, *root), machine.cores());
  simulated engine(tree, space, machine, *scheduler, parse_policy(what.placement, machine),
                   {.workers = what.workers, .scatter = what.scatter, .seed = what.seed});
  watch.watch(engine);
  engine.run(watch);
  if (log != nullptr) *what.events = log->events();

  outcome result;
  result.whole = engine.now();
  result.iterations = watch.times();
  result.measured = watch.measured();
  result.time = watch.last().at - watch.first().at;
  result.workers = engine.workers();
  result.events = engine.events();
  (result.work = watch.last().work) -= watch.first().work;
  result.local_to_node.resize(machine.nodes.size());
  for (unsigned core = 0; core < machine.cores(); ++core) {
    memory_counters data = watch.last().data[core];
    data -= watch.first().data[core];
    const unsigned socket = machine.socket_of(core);
    for (std::size_t node = 0; node < machine.nodes.size(); ++node) {
      const bool own = machine.nodes[node].socket == socket;
      (own ? result.local_bytes : result.remote_bytes) += data.from_node[node];
      if (own) result.local_to_node[node] += data.from_node[node];
    }
    for (const std::uint64_t bytes : data.from_socket) result.remote_bytes += bytes;
    result.data += data;
  }
  result.accesses = engine.data().total().blocks;
  return result;
}

}  // namespace jackdaw::sim
