#include "sched/learned_work.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

namespace jackdaw::sched {
namespace {

/// Groups that take less, in ns, are not worth an exact division, and clocks are too coarse for them.
constexpr double worth_learning = 10'000;
/// How much of the difference to the last iteration moves a moving average. Expected times rise more slowly than they
/// fall: what is in no cache takes longer once, because it was moved.
constexpr double pace = 0.5, pace_up = 0.1;
/// A boundary is right if it is off by no more than this part of a worker's share, or of the group's.
constexpr double least_error = 0.1, relative_error = 0.02;
/// Learned parts replace even ones that are off by so many times as much, and given ones if these are off by so many
/// times as much as the best others. Hints of a region that are off by so many times as much count for nothing.
constexpr double much_better = 2, fairly_good = 1.25, disbelief = 1.5;
/// So near the edge of a worker's share, in shares, a boundary lies on it.
constexpr double edge = 0.1;
/// What takes less than this part of a group's time after the last child is not another child.
constexpr double nothing = 0.005;
constexpr double unknown = -1;  // an expected time
constexpr double at_most_children = 65'535;

std::uint64_t hash_of(std::uint64_t site) noexcept {
  site = (site ^ (site >> 31)) * 0x9e3779b97f4a7c15ULL;
  return site ^ (site >> 29);
}

}  // namespace

group_work::group_work(std::uint64_t site) noexcept : site(site) {}
group_work::~group_work() = default;

double group_work::usual() const noexcept {
  double sum = 0;
  for (const child& each : children) sum += std::max(each.expected, 0.0);
  return children.empty() ? 0 : sum / static_cast<double>(children.size());
}

double group_work::expected_in_all() const noexcept {
  double sum = beyond;
  for (const child& each : children) sum += std::max(each.expected, 0.0);
  return sum;
}

double group_work::count() const noexcept {
  const double mean = usual(), alone = static_cast<double>(children.size());
  if (!known) return 0;
  if (beyond <= 0) return alone;
  return mean > 0 ? alone + std::max(1.0, std::round(beyond / mean)) : 0;
}

void learned_work::start(task_runner& on) {
  workers_ = on.workers();
  meters_.start(on);
}

// ---- an iteration -------------------------------------------------------------------------------------------------

task_work* learned_work::begin(std::uint64_t site) noexcept {
  try {
    if (region* const last = regions_.current()) judge_hints(*last);
    if (accounts_.exhausted()) {
      // Programs without a stable shape, or with too many regions, start over.
      regions_ = {};
      accounts_.forgive();
    }
    region& entered = regions_.enter(site);
    believed_.store(from_ == hint_source::both && entered.by_hints <= disbelief * entered.without,
                    std::memory_order_relaxed);
    task_work& root = entered.root;
    if (!root.own) root.own = account();
    if (!root.own) return nullptr;
    root.own->settle();
    root.in_groups = 0;
    root.opened = 0;
    return &root;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

/// An iteration of this region has ended: how far have hints been from what was measured?
void learned_work::judge_hints(region& ended) noexcept {
  ended.by_hints = pace * ended.by_hints + by_hints_.exchange(0, std::memory_order_relaxed);
  ended.without = pace * ended.without + without_.exchange(0, std::memory_order_relaxed);
}

group_work* learned_work::open(task_work& of, std::uint64_t site, const span& part) noexcept {
  const std::uint32_t ordinal = of.opened;
  if (ordinal > of.groups.size()) return nullptr;  // an earlier one has found no memory
  ++of.opened;
  if (of.depth >= task_work::deepest) return nullptr;
  try {
    if (ordinal == of.groups.size() || of.groups[ordinal]->site != site) {
      // No group without an account: then a task that opens new groups for ever is not remembered for ever.
      auto made = std::make_unique<group_work>(site);
      made->tail = account();
      if (!made->tail) return nullptr;
      made->depth = of.depth;
      if (ordinal == of.groups.size()) {
        of.groups.push_back(std::move(made));
      } else {
        of.groups[ordinal] = std::move(made);
      }
    }
    group_work& opened = *of.groups[ordinal];
    opened.tail->settle();
    opened.forked = 0;
    opened.tail_from = group_work::none;
    opened.left_given = opened.left = 1;
    opened.width = static_cast<double>(part.length()) / static_cast<double>(span::one) * workers_;
    return &opened;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

double learned_work::share(group_work& known, upper_group& group, double work) noexcept {
  const std::uint32_t index = known.forked;
  if (group.unassigned == 0) known.overdrawn = true;
  const bool blind = group.unassigned < 0 || work < 0;
  double hinted = group.share(work);
  const bool last = !blind && !(group.unassigned > 0) && !known.overdrawn;
  if (blind || (from_ == hint_source::learned && !last)) hinted = even_part(known, group.site);
  hinted = hinted > 0 ? std::min(hinted, 1.0) : 0;
  double chosen = hinted;
  const bool believed = believed_.load(std::memory_order_relaxed);
  if (known.uses == group_work::rule::even || (known.uses == group_work::rule::given && !believed && !known.known)) {
    chosen = last ? 1 : even_part(known, group.site);
  } else if (known.uses == group_work::rule::learned) {
    double part = 0;
    if (index < known.planned) {
      part = known.children[index].planned;
    } else if (last || (believed && !blind)) {
      part = known.left * hinted;
    } else if (const double all = known.expected_in_all(); all > 0) {
      part = known.usual() / all;
    }
    chosen = known.left > 0 ? std::clamp(part / known.left, 0.0, 1.0) : 0.0;
  }
  if (known.uses != group_work::rule::given) chosen = at_edge(group.rest, chosen);
  // The plan keeps the parts that were used.
  const double by_hint = known.left_given * hinted, used = known.left * chosen;
  known.left_given -= by_hint;
  known.left -= used;
  try {
    if (index == known.children.size() && index < group_work::most_children) {
      known.children.emplace_back().expected = unknown;
    }
  } catch (const std::bad_alloc&) {
  }
  if (index < known.children.size()) {
    known.children[index].given = by_hint;
    known.children[index].planned = used;
    known.planned = std::max(known.planned, index + 1);
  }
  return chosen;
}

/// Moves a boundary that is within `edge` of the edge of a worker's part to that edge: then no search has to find it.
double learned_work::at_edge(const span& rest, double part) const noexcept {
  const auto length = static_cast<double>(rest.length()), workers = static_cast<double>(workers_);
  if (!(length > 0) || part <= 0 || part >= 1) return part;
  const double unit = static_cast<double>(span::one) / workers, begin = static_cast<double>(rest.begin);
  const double at = (begin + part * length) / unit, whole = std::round(at);
  if (std::abs(at - whole) > edge) return part;
  const double moved = (whole * unit - begin) / length;
  return moved > 0 && moved < 1 ? moved : part;
}

double learned_work::even_part(const group_work& known, std::uint64_t site) const noexcept {
  const double count = known.known ? known.count() : children_at(site);
  const double left = count - known.forked;
  return left >= 1 ? 1 / left : 0.5;
}

task_work* learned_work::child(group_work& known) noexcept {
  const std::uint32_t index = known.forked++;
  if (index >= known.children.size()) {
    known.tail_from = std::min(known.tail_from, index);
    return nullptr;
  }
  std::unique_ptr<task_work>& found = known.children[index].task;
  try {
    if (!found) found = std::make_unique<task_work>();
    if (!found->own) found->own = account();
  } catch (const std::bad_alloc&) {
  }
  if (!found || !found->own) {
    known.tail_from = std::min(known.tail_from, index);
    return nullptr;
  }
  if (found->is_leaf && found->own->divided.load(std::memory_order_relaxed)) found->is_leaf = false;
  found->own->divided.store(false, std::memory_order_relaxed);
  found->own->settle();
  found->depth = known.depth + 1;
  found->in_groups = 0;
  found->opened = 0;
  return found.get();
}

void learned_work::rest(group_work& known, bool with) noexcept {
  known.tail_from = std::min(known.tail_from, known.forked - (with ? 1 : 0));
}

// ---- what it took -------------------------------------------------------------------------------------------------

void learned_work::close(task_work& of, group_work& known) noexcept {
  auto& children = known.children;
  bool has_tail = known.tail_from != group_work::none;
  const std::size_t alone = std::min<std::size_t>(has_tail ? known.tail_from : known.forked, children.size());
  std::vector<double> took;
  try {
    took.resize(alone);
  } catch (const std::bad_alloc&) {
    return;
  }
  const double tail = known.tail->settle();
  double all = tail;
  for (std::size_t i = 0; i < alone; ++i) {
    task_work& each = *children[i].task;
    all += took[i] = each.own->settle() + each.in_groups;
  }
  of.in_groups += all;
  if (all < worth_learning) return;
  // The rest of a task that has forked its last child only waits.
  if (tail < nothing * all && alone == known.forked) has_tail = false;
  compare(known, took, all, has_tail);

  for (std::size_t i = 0; i < alone; ++i) {
    double& mean = children[i].expected;
    const double more = took[i] - mean;
    if (mean > 0 && more > mean) children[i].task->is_leaf = false;  // without steals nothing else tells that it forks
    mean = mean < 0 ? took[i] : mean + (more < 0 ? pace : pace_up) * more;
  }
  if (!has_tail) {
    children.resize(alone);
    known.beyond = 0;
  } else {
    while (children.size() > alone && children.back().expected < 0) children.pop_back();
    double before = known.beyond;
    for (std::size_t i = alone; i < children.size(); ++i) before += children[i].expected;
    if (before > 0) {
      const double factor = 1 + (tail < before ? pace : pace_up) * (tail / before - 1);
      for (std::size_t i = alone; i < children.size(); ++i) children[i].expected *= factor;
      known.beyond *= factor;
    } else {
      known.beyond = tail;
    }
  }
  const bool first = !known.known;
  known.known = true;
  if (const double count = known.count(); count > 0) remember_children(known.site, count);
  choose(known, first);
}

/// How far each rule's boundaries were from where they should have been: the farthest of them, in workers' parts.
void learned_work::compare(group_work& known, const std::vector<double>& took, double all, bool has_tail) noexcept {
  const double expected = known.expected_in_all();
  const double count = has_tail ? known.known ? known.count() : 0 : static_cast<double>(took.size());
  const bool hinted = from_ == hint_source::both;
  group_work::errors wrong;
  double given = 0, even = 0, learned = 0, used = 0, measured = 0;
  for (std::size_t i = 0; i < took.size(); ++i) {
    const group_work::child& each = known.children[i];
    measured += took[i] / all;
    given += each.given;
    used += each.planned;
    even += count > 0 ? 1 / count : each.given;
    if (expected > 0) learned += std::max(each.expected, 0.0) / expected;
    const auto note = [&](double& worst, double at) { worst = std::max(worst, std::abs(at - measured) * known.width); };
    note(wrong.given, hinted ? given : even);
    note(wrong.even, even);
    note(wrong.learned, learned);
    note(wrong.used, used);
  }
  const auto follow = [&](double& mean, double now) { mean = known.known ? mean + pace * (now - mean) : now; };
  follow(known.wrong.given, wrong.given);
  follow(known.wrong.even, wrong.even);
  follow(known.wrong.used, wrong.used);
  if (known.known) follow(known.wrong.learned, wrong.learned);
  if (!hinted) return;
  const double best = known.known ? std::min(wrong.even, wrong.learned) : wrong.even;
  const double tolerance = std::max(least_error, relative_error * known.width);
  by_hints_.fetch_add(std::max(wrong.given, tolerance), std::memory_order_relaxed);
  without_.fetch_add(std::max(best, tolerance), std::memory_order_relaxed);
}

/// The simplest rule that is nearly as good as what was learned: work never takes the same time twice, and a boundary
/// that moves with that costs the data that tasks have in caches.
void learned_work::choose(group_work& known, bool first) const noexcept {
  using rule = group_work::rule;
  const double tolerance = std::max(least_error, relative_error * known.width);
  const double good = std::max(tolerance, first ? 0 : much_better * known.wrong.learned);
  const rule before = known.uses;
  const double fair = std::max(tolerance, fairly_good * std::min(known.wrong.even, first ? 0 : known.wrong.learned));
  const bool believed = from_ == hint_source::learned || believed_.load(std::memory_order_relaxed);
  known.uses = believed && known.wrong.given <= (from_ == hint_source::learned ? good : fair) ? rule::given
               : known.wrong.even <= good                                                     ? rule::even
                                                                                              : rule::learned;
  if (known.uses == rule::learned && (before != rule::learned || known.wrong.used > good)) {
    const double all = known.expected_in_all();
    for (group_work::child& each : known.children) each.planned = each.expected / all;
    known.planned = static_cast<std::uint32_t>(known.children.size());
    known.wrong.used = known.wrong.learned;
  }
  known.planned = std::min(known.planned, static_cast<std::uint32_t>(known.children.size()));
}

// ---- how many children a site's groups have -----------------------------------------------------------------------

double learned_work::children_at(std::uint64_t site) const noexcept {
  const std::uint64_t hash = hash_of(site);
  const std::uint64_t found = children_[hash % children_.size()].load(std::memory_order_relaxed);
  return found >> 16 == hash >> 16 ? static_cast<double>(found & 0xffff) : 0;
}

void learned_work::remember_children(std::uint64_t site, double count) noexcept {
  const std::uint64_t hash = hash_of(site);
  const auto whole = static_cast<std::uint64_t>(std::min(count, at_most_children));
  children_[hash % children_.size()].store((hash >> 16 << 16) | whole, std::memory_order_relaxed);
}

}  // namespace jackdaw::sched
