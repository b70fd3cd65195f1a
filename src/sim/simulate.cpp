#include "sim/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <jackdaw/error.hpp>
#include <new>
#include <utility>

#include "analysis/phases.hpp"
#include "analysis/time_factors.hpp"
#include "sched/logging_scheduler.hpp"
#include "sim/simulated.hpp"

namespace jackdaw::sim {
namespace {

/// The values of a simulation's counters at one moment.
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

/// Takes the times of the iterations, and readings at the start and the end of the measured part. An iteration lasts
/// from the end of the one before to its own end, so that it includes what the program does in other regions. The first
/// one begins when its group is opened.
class stopwatch final : public observer {
 public:
  stopwatch(const trace::task_tree& tree, const trace::root* root, unsigned cores, execution* into)
      : tree_(tree), root_(root), cores_(cores), into_(into) {
    for (const analysis::phase& each : analysis::iterations_of(tree, *root)) {
      iterations_.push_back(&tree.groups[each.group]);
    }
    if (iterations_.size() < 2) iterations_.clear();
    skipped_ = iterations_.size() / 2;
  }

  void watch(const simulated& machine) { machine_ = &machine; }

  void root_begins(const trace::root& which, double now) override {
    begin(roots_, stretch::root, now);
    if (&which == root_ && iterations_.empty()) first_ = read(*machine_, now, cores_);
  }
  void root_ends(const trace::root& which, double now) override {
    end(roots_, now);
    if (&which == root_ && iterations_.empty()) last_ = read(*machine_, now, cores_);
  }
  void group_opens(const trace::group& which, double now) override {
    begin(groups_, which.site, now);
    if (into_ != nullptr) into_->phases.push_back({.group = index_of(which), .began = now, .rule = {}});
    if (times_.size() == iterations_.size() || &which != iterations_[times_.size()]) return;
    if (times_.empty()) begun_ = now;
    iterating_ = true;
  }
  // The group is the last to close of those that were open together, not necessarily the one that was opened first.
  void group_closes(const trace::group&, double now) override {
    end(groups_, now);
    if (into_ != nullptr) {
      into_->phases.back().ended = now;
      into_->phases.back().frames = machine_->tasks().frames_of_phase();
    }
    if (!std::exchange(iterating_, false)) return;
    times_.push_back(now - std::exchange(begun_, now));
    if (times_.size() == skipped_) first_ = read(*machine_, now, cores_);
    if (times_.size() == iterations_.size()) last_ = read(*machine_, now, cores_);
  }
  void leaf_ends(const trace::op& leaf, sched::worker_id on, double now) override {
    if (into_ == nullptr) return;
    const auto which = static_cast<std::size_t>(&leaf - tree_.ops.data());
    into_->took[which] = now - machine_->crew()[on].leaf_began;
    into_->by[which] = on;
  }
  void child_placed(std::uint32_t task, const sched::upper_task& as, const sched::destination& where) override {
    if (into_ == nullptr || where.where == sched::destination::how::here) return;
    const bool top = machine_->scheduler().tops_subtree(as) || (as.inter && !forks_inter_first(tree_.tasks[task]));
    into_->places[task] = top ? analysis::place::top : analysis::place::pooled;
  }
  void decided(sched::worker_id on, const sched::decision& what, std::int64_t value, double now) override {
    if (decisions_.size() < outcome::most_kept) decisions_.push_back({now, on, &what, value});
    if (into_ == nullptr || into_->phases.empty() || !what.is_rule()) return;
    if (into_->phases.back().rule && what.until != sched::decision::holds::rest) return;
    into_->phases.back().rule = what;
    into_->phases.back().value = value;
  }

  std::vector<stretch> course() { return std::move(groups_.empty() ? roots_ : groups_); }
  std::vector<decided_at> decisions() { return std::move(decisions_); }
  const std::vector<double>& times() const noexcept { return times_; }
  std::string region() const { return iterations_.empty() ? "" : tree_.sites[iterations_.front()->site]; }
  unsigned measured() const noexcept {
    return iterations_.empty() ? 1 : static_cast<unsigned>(iterations_.size() - skipped_);
  }
  const reading& first() const noexcept { return first_; }
  const reading& last() const noexcept { return last_; }

 private:
  /// What begins beyond the most that are kept has no end. One root runs at a time, and it is in one stretch at most.
  static void begin(std::vector<stretch>& in, std::uint32_t site, double now) {
    if (in.size() < outcome::most_kept) in.push_back({site, now, not_ended});
  }
  static void end(std::vector<stretch>& in, double now) {
    if (in.back().ended == not_ended) in.back().ended = now;
  }
  /// Whether the task's first fork is of an inter-socket child. If not, a marked task is a leaf inter-socket task.
  bool forks_inter_first(const trace::task& of) const noexcept {
    const auto first = tree_.ops.begin() + static_cast<std::ptrdiff_t>(of.first_op);
    const auto last = first + of.ops;
    const auto fork =
        std::find_if(first, last, [](const trace::op& each) { return each.what == trace::op::kind::fork; });
    return fork != last && fork->inter;
  }
  std::uint32_t index_of(const trace::group& which) const noexcept {
    return static_cast<std::uint32_t>(&which - tree_.groups.data());
  }

  static constexpr double not_ended = -1;
  const trace::task_tree& tree_;
  const trace::root* root_;
  std::vector<stretch> groups_, roots_;
  std::vector<decided_at> decisions_;
  std::vector<const trace::group*> iterations_;
  unsigned cores_;
  execution* into_;
  std::size_t skipped_ = 0;
  const simulated* machine_ = nullptr;
  std::vector<double> times_;
  double begun_ = 0;
  bool iterating_ = false;
  reading first_, last_;
};

/// What the recording names, and where it lies.
std::vector<named_array> named_arrays(const simulated& machine, const address_space& space, const policy& placed,
                                      std::size_t nodes) {
  std::vector<named_array> found;
  for (const std::string& name : space.names()) {
    found.push_back({.name = name, .on_node = std::vector<std::uint64_t>(nodes)});
  }
  const pages& where = machine.data().placement();
  for (const named_part& each : space.named()) {
    found[each.name].bytes += each.end - each.first;
    for (std::uint64_t at = each.first; at < each.end;) {
      const std::uint64_t page = at / space.page_size(), next = std::min(each.end, (page + 1) * space.page_size());
      if (where.node(page) != pages::none) found[each.name].on_node[where.node(page)] += next - at;
      at = next;
    }
  }
  for (std::size_t name = 0; name < found.size(); ++name) {
    named_array& of = found[name];
    if (placed.what == policy::kind::serial) {
      of.first_touched_by = named_array::outside;
      of.first_touched_bytes = of.bytes;
    }
    if (placed.what != policy::kind::first_touch) continue;
    for (std::size_t id = 0; id < machine.crew().size(); ++id) {
      const std::uint64_t touched = std::min(of.bytes, machine.data().named().touched(machine.crew()[id].core, name));
      if (touched <= of.first_touched_bytes) continue;
      of.first_touched_by = static_cast<std::int64_t>(id);
      of.first_touched_bytes = touched;
    }
  }
  return found;
}

std::vector<named_use> named_uses(const named_traffic& of, unsigned core, const std::vector<named_array>& named) {
  std::vector<named_use> found;
  for (std::uint32_t array = 0; array < named.size(); ++array) {
    for (unsigned node = 0; node < named[array].on_node.size(); ++node) {
      if (const std::uint64_t bytes = of.fetched(core, array, node); bytes != 0) found.push_back({array, node, bytes});
    }
  }
  return found;
}

/// Throws error if there is so much work that a double no longer tells one ns from the next.
void check_length(const trace::task_tree& tree, const machine_model& machine) {
  constexpr double most = 1e15;
  const auto factors = analysis::time_factors(tree, machine);
  double work = 0;
  for (const trace::op& each : tree.ops)
    work += each.what == trace::op::kind::compute ? each.amount * factors[each.vector ? 1 : 0] : 0;
  if (work > most)
    throw error(fmt::format("{}: {} ns of work on machine '{}', expected at most {} (eleven days)", tree.program, work,
                            machine.name, most));
}

}  // namespace

outcome simulate(const trace::task_tree& tree, const address_space& space, const machine_model& machine,
                 const scenario& what) {
  auto scheduler = sched::make_scheduler(what.scheduler, what.told);
  if (!scheduler) {
    throw error(fmt::format("unknown scheduler '{}', expected one of {}", what.scheduler,
                            fmt::join(sched::accepted_names(), ", ")));
  }
  sched::logging_scheduler* log = nullptr;
  if (what.events != nullptr) {
    auto listening = std::make_unique<sched::logging_scheduler>(std::move(scheduler));
    log = listening.get();
    scheduler = std::move(listening);
  }
  const trace::root* const root = analysis::main_root(tree);
  if (root == nullptr) throw error(fmt::format("{}: nothing was recorded", tree.program));
  check_length(tree, machine);
  if (what.ran != nullptr) {
    *what.ran = {};
    what.ran->took.resize(tree.ops.size());
    what.ran->by.resize(tree.ops.size());
    what.ran->places.resize(tree.tasks.size(), analysis::place::inside);
  }
  stopwatch watch(tree, root, machine.cores(), what.ran);
  const policy placed = parse_policy(what.placement, machine);
  simulated engine(tree, space, machine, *scheduler, placed,
                   {.workers = what.workers,
                    .scatter = what.scatter,
                    .seed = what.seed,
                    .rescues = what.rescues,
                    .sees = what.sees});
  watch.watch(engine);
  engine.run(watch);
  if (log != nullptr) {
    if (log->lost() != 0) throw std::bad_alloc();
    *what.events = log->events();
  }
  if (what.ran != nullptr) what.ran->squads = scheduler->has_cache_squads() ? engine.cache_squads() : engine.squads();

  outcome result;
  result.whole = engine.now();
  result.iterations = watch.times();
  result.course = watch.course();
  result.decisions = watch.decisions();
  result.measured = watch.measured();
  result.region = watch.region();
  if (tree.roots.size() > 1)
    result.root = fmt::format("root {} of {}, \"{}\"", root - tree.roots.data() + 1, tree.roots.size(), root->label);
  result.time = watch.last().at - watch.first().at;
  result.workers = engine.workers();
  result.balancing = engine.balancing();
  result.longest_beside_work = engine.longest_beside_work();
  result.most_frames = engine.tasks().most_frames();
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
    for (unsigned other = 0; other < machine.sockets; ++other)
      (other == socket ? result.local_bytes : result.remote_bytes) += data.from_socket[other];
    result.data += data;
  }
  result.named = named_arrays(engine, space, placed, machine.nodes.size());
  std::vector<bool> told(machine.cores());
  for (const worker& each : engine.crew()) {
    result.by_worker.push_back({each.core, each.socket, engine.counts(each), {}, {}});
    if (!told[each.core]) {
      result.by_worker.back().data = engine.data().counters(each.core);
      result.by_worker.back().named = named_uses(engine.data().named(), each.core, result.named);
    }
    told[each.core] = true;
  }
  result.accesses = engine.data().total().blocks;
  result.seeded = engine.seeded();
  return result;
}

}  // namespace jackdaw::sim
