#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "trace/tree_builder.hpp"

/// Fork-join programs as data: a test writes one down or grows it, records it as a task tree and can run it for real.
namespace jackdaw::sim::test {

struct step;
using body = std::vector<step>;

/// What a fork starts.
struct branch {
  double hint = -1;  ///< negative: none
  body does;
};

struct step {
  enum class kind : std::uint8_t { compute, fork, wait, invoke };
  kind what = kind::compute;
  double ns = 0;                       ///< of compute
  std::vector<trace::access> touches;  ///< of compute
  unsigned group = 0;                  ///< of fork and wait: the task's number for it; used again after a wait
  double total = -1;                   ///< of the group, the same at each of its forks
  bool help_first = false;             ///< of the group
  bool inter = false;                  ///< of fork: by inter_spawn
  std::vector<branch> branches;        ///< of fork one, of invoke two to four
  unsigned leaf = 0;                   ///< of compute: which one in serial order; set by number()
};

inline step compute(double ns, std::vector<trace::access> touches = {}) {
  step made;
  made.ns = ns;
  made.touches = std::move(touches);
  return made;
}
inline step fork(unsigned group, body child, double hint = -1, double total = -1) {
  step made;
  made.what = step::kind::fork;
  made.group = group;
  made.total = total;
  made.branches.push_back({hint, std::move(child)});
  return made;
}
inline step fork_help_first(unsigned group, body child, double hint = -1, double total = -1) {
  step made = fork(group, std::move(child), hint, total);
  made.help_first = true;
  return made;
}
inline step fork_inter(unsigned group, body child, double hint = -1, double total = -1) {
  step made = fork(group, std::move(child), hint, total);
  made.inter = true;
  return made;
}
inline step wait(unsigned group) {
  step made;
  made.what = step::kind::wait;
  made.group = group;
  return made;
}
inline step invoke(std::vector<branch> branches) {
  step made;
  made.what = step::kind::invoke;
  made.branches = std::move(branches);
  return made;
}

/// Numbers the leaves in serial order from `first`; returns the number after the last.
inline unsigned number(body& of, unsigned first = 0) {
  for (step& each : of) {
    if (each.what == step::kind::compute) each.leaf = first++;
    for (branch& child : each.branches) first = number(child.does, first);
  }
  return first;
}

inline double share_of(const branch& of) { return of.hint < 0 ? 1.0 : of.hint; }
inline double total_of(const std::vector<branch>& branches) {
  double sum = 0;
  for (const branch& each : branches) sum += share_of(each);
  return sum;
}

inline void record(trace::tree_builder& into, const body& of) {
  std::map<unsigned, std::uint32_t> open;
  for (const step& each : of) {
    switch (each.what) {
      case step::kind::compute:
        for (const trace::access& touched : each.touches) into.touch(touched);
        into.compute(each.ns);
        break;
      case step::kind::fork:
        if (!open.contains(each.group)) open[each.group] = into.open_group(each.total, false, 0);
        into.fork(open[each.group], each.branches[0].hint, each.help_first, each.inter);
        record(into, each.branches[0].does);
        into.end_task();
        break;
      case step::kind::wait:
        if (const auto found = open.find(each.group); found != open.end()) {
          into.wait(found->second);
          open.erase(found);
        }
        break;
      case step::kind::invoke: {
        const std::uint32_t group = into.open_group(total_of(each.branches), true, 0);
        for (const branch& child : each.branches) {
          into.fork(group, share_of(child), false);
          record(into, child.does);
          into.end_task();
        }
        into.wait(group);
        break;
      }
    }
  }
}

/// The tree of a program of some roots.
inline trace::task_tree record(const std::vector<body>& roots) {
  trace::task_tree head;
  head.sites = {"test"};
  trace::tree_builder builder(head);
  for (const body& each : roots) {
    builder.begin_root("run");
    record(builder, each);
    builder.end_root();
  }
  trace::task_tree tree = builder.finish();
  trace::validate(tree);
  return tree;
}
inline trace::task_tree record(const body& root) { return record(std::vector<body>{root}); }

/// A tree of two branches, of 2^levels leaves that each update `bytes` of their own.
inline body update(unsigned levels, std::uint64_t first, std::uint64_t bytes, double ns) {
  if (levels == 0) {
    return {compute(ns, {{.address = first, .length = bytes}, {.address = first, .length = bytes, .write = true}})};
  }
  const std::uint64_t half = bytes << (levels - 1);
  return {invoke({{-1, update(levels - 1, first, bytes, ns)}, {-1, update(levels - 1, first + half, bytes, ns)}})};
}

/// A root that does so `times` times.
inline trace::task_tree update_repeatedly(unsigned times, unsigned levels, std::uint64_t bytes, double ns = 1000) {
  body root;
  for (unsigned i = 0; i < times; ++i) {
    for (step& each : update(levels, 1 << 20, bytes, ns)) root.push_back(std::move(each));
  }
  return record(root);
}

/// Runs a program with the library's own forks and waits: `leaf(number)` is called where it computes.
template <class Leaf>
void play(const body& of, const Leaf& leaf) {
  std::map<unsigned, std::unique_ptr<task_group>> groups;
  for (const step& each : of) {
    const auto child = [&leaf, &each](std::size_t i) {
      return work(each.branches[i].hint < 0 ? unknown : each.branches[i].hint,
                  [&leaf, does = &each.branches[i].does] { play(*does, leaf); });
    };
    switch (each.what) {
      case step::kind::compute:
        leaf(each.leaf);
        break;
      case step::kind::fork: {
        std::unique_ptr<task_group>& group = groups[each.group];
        if (!group) {
          group =
              std::make_unique<task_group>(each.total < 0 ? unknown : each.total,
                                           each.help_first ? jackdaw::policy::help_first : jackdaw::policy::work_first);
        }
        const double hint = each.branches[0].hint < 0 ? unknown : each.branches[0].hint;
        const auto only = [&leaf, does = &each.branches[0].does] { play(*does, leaf); };
        each.inter ? group->inter_spawn(only, hint) : group->run(only, hint);
        break;
      }
      case step::kind::wait:
        if (const auto found = groups.find(each.group); found != groups.end()) found->second->wait();
        break;
      case step::kind::invoke:
        switch (each.branches.size()) {
          case 2:
            jackdaw::invoke(child(0), child(1));
            break;
          case 3:
            jackdaw::invoke(child(0), child(1), child(2));
            break;
          default:
            jackdaw::invoke(child(0), child(1), child(2), child(3));
            break;
        }
        break;
    }
  }
}

/// What a grown program looks like.
struct shape {
  unsigned depth = 4;
  unsigned longest = 20000;  ///< ns of a leaf
  std::uint64_t data = 0;    ///< bytes that leaves touch somewhere in; 0: nothing
  bool with_groups = true;   ///< else invokes only
  bool interleaved = false;  ///< groups of a task that are open at the same time end in any order, else inner first
  bool marks = false;        ///< half of the forks into groups are of inter-socket tasks
  std::uint64_t origin = 1 << 20;  ///< address of the data
};

/// Grows programs from a seed.
class grower {
 public:
  grower(std::uint64_t seed, const shape& like) : random_(seed), like_(like) {}

  body grow() {
    body root = grow(like_.depth);
    number(root);
    return root;
  }

 private:
  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }

  step leaf() {
    step made = compute(below(4) == 0 ? 0 : below(like_.longest));
    const unsigned touches = like_.data == 0 ? 0 : below(4);
    for (unsigned i = 0; i < touches; ++i) {
      trace::access what{.write = below(3) == 0};
      what.length = 1 + below(3000);
      what.rows = below(2) == 0 ? 1 : 1 + below(8);
      what.stride = what.length + below(2000);
      const std::uint64_t size = what.stride * what.rows;
      what.address = like_.origin + random_() % (like_.data - std::min(size, like_.data - 1));
      made.touches.push_back(what);
    }
    return made;
  }

  /// All the work in one child, none at all, equal, anything, or nothing said.
  double hint(unsigned kind, unsigned child) {
    switch (kind) {
      case 0:
        return child == 0 ? 1 : 0;
      case 1:
        return 0;
      case 2:
        return 1;
      case 3:
        return below(100);
      default:
        return -1;
    }
  }

  body grow(unsigned depth) {
    body made;
    if (depth == 0 || below(8) == 0) {
      for (unsigned i = below(3); i > 0; --i) made.push_back(leaf());
      return made;
    }
    if (below(3) == 0) made.push_back(leaf());
    if (!like_.with_groups || below(3) == 0) {
      for (unsigned round = 1 + below(2); round > 0; --round) made.push_back(grow_invoke(depth));
    } else {
      grow_groups(made, depth);
    }
    if (below(3) == 0) made.push_back(leaf());
    return made;
  }

  step grow_invoke(unsigned depth) {
    std::vector<branch> branches(2 + below(3));
    const unsigned kind = below(5);
    for (unsigned i = 0; i < branches.size(); ++i) branches[i] = {hint(kind, i), grow(depth - 1)};
    return invoke(std::move(branches));
  }

  /// Up to three groups that are open at the same time, some of them used again.
  void grow_groups(body& made, unsigned depth) {
    const unsigned count = 1 + below(3);
    const unsigned kind = below(5);
    std::vector<bool> helps(count);
    for (unsigned i = 0; i < count; ++i) helps[i] = below(3) == 0;
    const double total = below(3) == 0 ? -1 : 4;
    std::vector<unsigned> open;
    const auto end = [&](std::size_t which) {
      made.push_back(wait(open[which]));
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
    };
    const auto some = [&] { return like_.interleaved ? below(static_cast<unsigned>(open.size())) : open.size() - 1; };
    for (unsigned i = 2 + below(5); i > 0; --i) {
      unsigned group = below(count);
      const bool known = std::find(open.begin(), open.end(), group) != open.end();
      if (known && !like_.interleaved) group = open.back();
      if (!known) open.push_back(group);
      step child = fork(group, grow(depth - 1), hint(kind, i), total);
      child.help_first = helps[group];
      child.inter = like_.marks && below(2) == 0;
      made.push_back(std::move(child));
      if (below(3) == 0) made.push_back(leaf());
      if (below(4) == 0) end(some());
    }
    while (!open.empty()) end(some());
  }

  std::mt19937_64 random_;
  shape like_;
};

}  // namespace jackdaw::sim::test
