#include "trace/timeline_roots.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "trace/in_order.hpp"

namespace jackdaw::trace {
namespace {

using kind = worker_event::kind;
using label = mark::label;

struct interval {
  std::uint64_t begin = 0, end = 0;
  std::size_t root = 0;
  label what = label::root_whole;
  const worker_event* of = nullptr;
  std::uint64_t number = 0;
  bool ended = false;
};

/// Collects the intervals of roots, in the order in which they begin.
class root_reader {
 public:
  explicit root_reader(const timeline_view& what) : what_(what) {}

  std::vector<interval> intervals() {
    std::vector<const worker_event*> events;
    for (const timeline_view::track& each : what_.workers) {
      for (const worker_event& one : each.content.events) {
        if (one.is_root) events.push_back(&one);
      }
    }
    events = in_order(std::move(events), [](const worker_event* a, const worker_event* b) { return a->at < b->at; });
    for (const worker_event* const each : events) read(*each);
    for (interval& each : all_) {
      if (!each.ended) each.end = what_.end;
    }
    return std::move(all_);
  }

 private:
  void read(const worker_event& each) {
    switch (each.what) {
      case kind::begin:
        close_root(each.task, each.at);  // its end has been lost
        open_root(each);
        break;
      case kind::end:
        close_root(each.task, each.at);
        break;
      case kind::open:
        open(each, label::iteration);
        break;
      case kind::enter_region:
        open(each, label::region);
        break;
      case kind::close:
        close(each, label::iteration);
        break;
      case kind::leave_region:
        close(each, label::region);
        break;
      default:
        break;
    }
  }

  void open_root(const worker_event& by) {
    roots_[by.task] = {all_.size()};
    all_.push_back({.begin = by.at, .root = all_.size(), .what = label::root_whole, .of = &by});
  }

  void close_root(std::uint64_t task, std::uint64_t at) {
    const auto found = roots_.find(task);
    if (found == roots_.end()) return;
    for (const std::size_t each : found->second) end(all_[each], at);
    roots_.erase(found);
  }

  /// If the root's beginning has been lost, it begins here.
  void open(const worker_event& each, label what) {
    if (!roots_.contains(each.task)) open_root(each);
    std::vector<std::size_t>& of = roots_[each.task];
    const std::uint64_t number = what == label::iteration ? ++iterations_[{each.name, each.site}] : 0;
    opened_[{of.front(), what, each.name, each.site}].push_back(all_.size());
    of.push_back(all_.size());
    all_.push_back({.begin = each.at, .root = of.front(), .what = what, .of = &each, .number = number});
  }

  void close(const worker_event& each, label what) {
    const auto root = roots_.find(each.task);
    if (root == roots_.end()) return;
    const auto found = opened_.find({root->second.front(), what, each.name, each.site});
    if (found == opened_.end() || found->second.empty()) return;
    end(all_[found->second.back()], each.at);
    found->second.pop_back();
  }

  static void end(interval& one, std::uint64_t at) {
    if (std::exchange(one.ended, true)) return;
    one.end = at;
  }

  const timeline_view& what_;
  std::vector<interval> all_;
  std::map<std::uint64_t, std::vector<std::size_t>> roots_;  // of those under way, the root first, then its parts
  /// The regions and iterations that a root is in, by the root, the name and the site; the innermost last.
  std::map<std::tuple<std::size_t, label, std::string_view, std::uint64_t>, std::vector<std::size_t>> opened_;
  std::map<std::pair<std::string_view, std::uint64_t>, std::uint64_t> iterations_;
};

/// Slices that nest.
class nest {
 public:
  /// False: it does not fit here, and nothing has changed. Called in the order of beginnings.
  bool add(const interval& one) {
    std::size_t open = open_.size();
    while (open > 0 && open_[open - 1].end <= one.begin) --open;
    if (open > 0 && (open_[open - 1].end < one.end || open_[open - 1].root != one.root)) return false;
    close(one.begin);
    marks_.push_back({.at = one.begin, .is = mark::type::begin, .what = one.what, .of = one.of, .number = one.number});
    open_.push_back({one.end, one.root, !one.ended});
    return true;
  }

  std::vector<mark> take() {
    close(~std::uint64_t{0});
    return std::move(marks_);
  }

 private:
  struct slice {
    std::uint64_t end;
    std::size_t root;
    bool cut;
  };

  void close(std::uint64_t until) {
    for (; !open_.empty() && open_.back().end <= until; open_.pop_back()) {
      marks_.push_back({.at = open_.back().end, .is = mark::type::end, .cut = open_.back().cut});
    }
  }

  std::vector<slice> open_;
  std::vector<mark> marks_;
};

/// Each interval goes to the first nest in which it fits: one with slices of its root, or one without slices. Those of
/// other roots are not asked: hundreds of thousands of roots may overlap, if the ends of all have been dropped.
class nests {
 public:
  void add(const interval& one) {
    for (; !busy_.empty() && busy_.top().first <= one.begin; busy_.pop()) free_.insert(busy_.top().second);
    std::set<std::size_t>& own = of_root_[one.root];
    for (const std::size_t each : own) {
      if (!free_.empty() && *free_.begin() < each) break;
      if (!free_.contains(each) && all_[each].add(one)) return;
    }
    if (free_.empty()) free_.insert(all_.size());
    const std::size_t first = *free_.begin();
    if (first == all_.size()) all_.emplace_back();
    all_[first].add(one);
    free_.erase(free_.begin());
    busy_.push({one.end, first});
    own.insert(first);
  }

  std::vector<nest> take() { return std::move(all_); }

 private:
  using until = std::pair<std::uint64_t, std::size_t>;  // the end of a nest's outermost slice, and the nest

  std::vector<nest> all_;
  std::priority_queue<until, std::vector<until>, std::greater<>> busy_;
  std::set<std::size_t> free_;
  std::map<std::size_t, std::set<std::size_t>> of_root_;
};

}  // namespace

std::vector<timeline_track> root_tracks(const timeline_view& what) {
  nests all_nests;
  // What begins at the same time nests if the longer one comes first.
  const auto all = in_order(root_reader(what).intervals(), [](const interval& a, const interval& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  for (const interval& each : all) all_nests.add(each);
  std::vector<timeline_track> tracks;
  for (nest& each : all_nests.take()) {
    std::string name = "roots";
    if (!tracks.empty()) name.append(" ").append(std::to_string(tracks.size() + 1));
    tracks.push_back({timeline_track::kind::roots, std::move(name), 0, each.take()});
  }
  return tracks;
}

}  // namespace jackdaw::trace
