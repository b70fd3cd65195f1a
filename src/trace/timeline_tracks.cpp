#include "trace/timeline_tracks.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include "trace/in_order.hpp"
#include "trace/timeline_roots.hpp"

namespace jackdaw::trace {
namespace {

using kind = worker_event::kind;
using type = mark::type;
using label = mark::label;

/// The time for which a worker runs without returning to its loop. It enters one stack and may leave another one: tasks
/// that are forked to other stacks meanwhile run without the loop.
struct turn {
  std::uint32_t worker = 0;
  std::size_t at = 0;  // its first mark on the worker's track
  std::uint64_t entered = 0, left = 0;
  std::uint64_t begin = 0, end = 0;
  worker_event::reason why = worker_event::reason::ended;
  bool cut = false, woken = false;
};

struct readiness {
  std::uint32_t worker = 0;
  std::size_t at = 0;  // its mark on the worker's track
  std::uint64_t stack = 0, when = 0;
};

/// Makes one track after the other, because the marks of all take several times the memory of the events. So it walks
/// through each worker's events twice: first for what tracks tell of each other, then for the track.
class track_builder {
 public:
  track_builder(const timeline_view& what, const std::function<void(timeline_track)>& take)
      : what_(what), take_(take), of_(what.workers.size()) {}

  void build() {
    for (worker_notes& each : of_) {
      each.flows_before = flows_;
      walk(each);
    }
    join_ready();
    collects_ = false;
    for (worker_notes& each : of_) {
      flows_ = each.flows_before;
      take_worker(each);
    }
    for (timeline_track& each : root_tracks(what_)) take_(std::move(each));
    take_decisions();
    take_stacks();
  }

 private:
  /// An end of a flow that leads from where a waiting task became ready to where it resumes.
  struct joint {
    std::size_t at = 0;  // the mark
    bool begins = false;
    std::uint64_t flow = 0;
  };
  /// What other tracks tell of a worker's.
  struct worker_notes {
    std::uint64_t flows_before = 0;
    std::vector<mark> stolen;
    std::vector<joint> joints;
  };

  /// What is open on a worker's track while its events are read.
  struct open_slices {
    bool turns = false, searches = false, sleeps = false;
    turn now;
    const worker_event* from = nullptr;  // the latest steal or take
  };

  void close(std::vector<mark>& marks, std::uint64_t at, bool cut = false) {
    marks.push_back({.at = at, .is = type::end, .cut = cut});
  }

  void close_all(std::vector<mark>& marks, open_slices& open, std::uint64_t at, bool cut = false) {
    if (std::exchange(open.sleeps, false)) close(marks, at, cut);
    if (std::exchange(open.searches, false)) close(marks, at, cut);
    if (std::exchange(open.turns, false)) {
      close(marks, at, cut);
      open.now.end = at;
      open.now.cut = cut;
      if (collects_) turns_.push_back(open.now);
    }
  }

  std::vector<mark> walk(const worker_notes& of) {
    const event_ring::contents& content = what_.workers[static_cast<std::size_t>(&of - of_.data())].content;
    std::vector<mark> marks;
    open_slices open;
    if (content.lost != 0) {
      const std::uint64_t at = content.events.empty() ? what_.begin : content.events.front().at;
      marks.push_back({.at = at, .what = label::dropped, .number = content.lost});
    }
    for (const worker_event& each : content.events) read(each, marks, open);
    close_all(marks, open, what_.end, true);
    return marks;
  }

  void take_worker(worker_notes& of) {
    const timeline_view::track& worker = what_.workers[static_cast<std::size_t>(&of - of_.data())];
    const auto earlier = [](const mark& a, const mark& b) { return a.at < b.at; };
    std::vector<mark> own = walk(of);
    for (const joint& each : of.joints) (each.begins ? own[each.at].out : own[each.at].woken) = each.flow;
    const std::vector<mark> stolen = in_order(std::move(of.stolen), earlier);
    std::vector<mark> marks(own.size() + stolen.size());
    std::merge(own.begin(), own.end(), stolen.begin(), stolen.end(), marks.begin(), earlier);
    own = {};
    take_({timeline_track::kind::worker, worker.name, worker.thread, std::move(marks)});
  }

  void read(const worker_event& each, std::vector<mark>& marks, open_slices& open) {
    switch (each.what) {
      case kind::run:
        close_all(marks, open, each.at);
        enter(each, marks, open);
        break;
      case kind::leave:
        if (open.turns) {
          open.now.left = each.stack;
          open.now.why = each.why;
          close_all(marks, open, each.at);
        }
        break;
      case kind::begin:
        if (open.turns && marks[open.now.at].task == nullptr) {
          marks[open.now.at].task = &each;
          marks[open.now.at].what = each.is_root ? label::root : label::placed;
        }
        break;
      case kind::search:
        close_all(marks, open, each.at);
        open.searches = true;
        marks.push_back({.at = each.at, .is = type::begin, .what = label::search});
        break;
      case kind::found:
      case kind::stop:
        close_all(marks, open, each.at);
        break;
      case kind::sleep:
        if (!std::exchange(open.sleeps, true)) {
          marks.push_back({.at = each.at, .is = type::begin, .what = label::sleep});
        }
        break;
      case kind::wake:
        if (std::exchange(open.sleeps, false)) close(marks, each.at);
        break;
      case kind::steal:
      case kind::take:
        open.from = &each;
        break;
      case kind::ready:
        if (collects_) ready_.push_back({each.worker, marks.size(), each.stack, each.at});
        marks.push_back({.at = each.at, .what = label::ready, .number = number_of(each.stack)});
        break;
      case kind::move: {
        const std::uint64_t last = marks.empty() ? 0 : marks.back().at;
        marks.push_back(
            {.at = std::max(last, each.at - each.site), .is = type::begin, .what = label::move, .of = &each});
        close(marks, each.at);
        break;
      }
      case kind::decide:
        if (collects_) decided_.push_back({.at = each.at, .what = label::decision, .of = &each});
        break;
      case kind::start:
      case kind::end:
      case kind::rescue:
      case kind::open:
      case kind::close:
      case kind::enter_region:
      case kind::leave_region:
        break;
    }
  }

  void enter(const worker_event& run, std::vector<mark>& marks, open_slices& open) {
    mark made{.at = run.at, .is = type::begin, .what = run.resumes ? label::resumed : label::task, .of = &run};
    made.from = std::exchange(open.from, nullptr);
    made.number = number_of(run.stack);
    if (made.from != nullptr && made.from->what == kind::steal && made.from->other < of_.size()) {
      made.in = ++flows_;
      if (collects_) {
        of_[made.from->other].stolen.push_back(
            {.at = made.from->at, .what = label::stolen, .of = made.from, .out = made.in});
      }
    }
    open.turns = true;
    open.now = {.worker = run.worker, .at = marks.size(), .entered = run.stack, .left = run.stack, .begin = run.at};
    marks.push_back(made);
  }

  std::uint64_t number_of(std::uint64_t stack) { return numbers_.emplace(stack, numbers_.size() + 1).first->second; }

  /// Draws a flow from where a waiting task became ready to where it resumes.
  void join_ready() {
    std::sort(turns_.begin(), turns_.end(), [](const turn& a, const turn& b) {
      return std::pair(a.entered, a.begin) < std::pair(b.entered, b.begin);
    });
    for (const readiness& each : ready_) {
      const auto next = std::lower_bound(turns_.begin(), turns_.end(), each, [](const turn& a, const readiness& b) {
        return std::pair(a.entered, a.begin) < std::pair(b.stack, b.when);
      });
      if (next == turns_.end() || next->entered != each.stack || std::exchange(next->woken, true)) continue;
      of_[next->worker].joints.push_back({next->at, false, ++flows_});
      of_[each.worker].joints.push_back({each.at, true, flows_});
    }
    ready_ = {};
  }

  void take_decisions() {
    if (decided_.empty()) return;
    auto sorted = in_order(std::move(decided_), [](const mark& a, const mark& b) { return a.at < b.at; });
    take_({timeline_track::kind::scheduler, "scheduler " + what_.scheduler, 0, std::move(sorted)});
  }

  /// The task of a stack runs from where the stack is entered to where it is left. It ends there earlier if another
  /// worker enters the stack before that: it has stolen the rest of a task that had called a child on another stack.
  /// The child ran on the stack that is left then, from a time that is not known.
  void take_stacks() {
    struct stay {
      std::uint64_t begin, end;
      const turn* in;
      bool leaves;
    };
    std::map<std::uint64_t, std::vector<stay>> by_stack;  // by number
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      const turn& each = turns_[i];
      std::uint64_t end = each.end;
      if (i + 1 < turns_.size() && turns_[i + 1].entered == each.entered) end = std::min(end, turns_[i + 1].begin);
      by_stack[number_of(each.entered)].push_back({each.begin, end, &each, each.entered == each.left});
      if (each.left != each.entered) by_stack[number_of(each.left)].push_back({each.begin, each.end, &each, true});
    }
    for (auto& [number, stays] : by_stack) {
      stays = in_order(std::move(stays), [](const stay& a, const stay& b) { return a.end < b.end; });
      timeline_track made{timeline_track::kind::stack, "stack " + std::to_string(number), 0, {}};
      std::uint64_t last = 0;
      const turn* suspended = nullptr;
      for (const stay& each : stays) {
        const std::uint64_t begin = std::max(last, each.begin);
        if (begin > each.end) continue;
        if (suspended != nullptr) add_rest(made.marks, *suspended, last, begin, false);
        made.marks.push_back({.at = begin, .is = type::begin, .what = label::on_worker, .number = each.in->worker});
        close(made.marks, each.end, each.in->cut && each.leaves);
        last = each.end;
        const bool rests = each.leaves && !each.in->cut && each.in->why != worker_event::reason::ended;
        suspended = rests ? each.in : nullptr;
      }
      if (suspended != nullptr) add_rest(made.marks, *suspended, last, what_.end, true);
      stays = {};
      take_(std::move(made));
    }
  }

  void add_rest(std::vector<mark>& marks, const turn& before, std::uint64_t begin, std::uint64_t end, bool cut) {
    const label why = before.why == worker_event::reason::waits       ? label::waits
                      : before.why == worker_event::reason::makes_way ? label::makes_way
                                                                      : label::gives_way;
    marks.push_back({.at = begin, .is = type::begin, .what = why});
    close(marks, std::max(begin, end), cut);
  }

  const timeline_view& what_;
  const std::function<void(timeline_track)>& take_;
  std::vector<worker_notes> of_;  // by worker
  bool collects_ = true;          // in the first walk
  std::vector<turn> turns_;
  std::vector<readiness> ready_;
  std::vector<mark> decided_;
  std::map<std::uint64_t, std::uint64_t> numbers_;  // of stacks
  std::uint64_t flows_ = 0;
};

}  // namespace

void for_each_track(const timeline_view& what, const std::function<void(timeline_track)>& take) {
  track_builder(what, take).build();
}

}  // namespace jackdaw::trace
