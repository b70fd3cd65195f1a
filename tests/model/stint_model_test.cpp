// Which tasks a thread that has joined an arena waits for before it leaves. All orders of steps of whole worlds: tasks
// that isolate, join an arena, wait and are tied to their threads. src/runtime/README-arena.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <vector>

namespace jackdaw::model {
namespace {

/// What a thread that has joined an arena waits for when its root has ended.
enum class leaving {
  right,          ///< for what has begun on it since it joined
  goes_at_once,   ///< for nothing
  counts,         ///< until no more tasks are tied to it in the arena than when it joined
  since_it_came,  ///< for what has been tied to it since it joined, even if it began before
};

enum class op : char { fork, wait, isolate, join };
enum engine : signed char { host, arena, apart };
struct step {
  op what;
  int of = -1;  ///< a task; none: all that have been forked before
};
struct task {
  engine in;
  std::vector<step> program;
};

/// A task that isolates two others, each of which runs a root of the arena; and beside it another thread's root there,
/// which waits for one task and then for the other one.
const std::vector<task> tasks{
    {host, {{op::isolate, 1}}},                                            // 0
    {apart, {{op::fork, 2}, {op::fork, 3}, {op::wait}}},                   // 1
    {apart, {{op::join, 4}}},                                              // 2
    {apart, {{op::join, 5}}},                                              // 3
    {arena, {{op::fork, 6}, {op::wait}}},                                  // 4
    {arena, {{op::fork, 7}, {op::wait}}},                                  // 5
    {arena, {}},                                                           // 6
    {arena, {}},                                                           // 7
    {arena, {{op::fork, 9}, {op::fork, 10}, {op::wait, 10}, {op::wait}}},  // 8
    {arena, {{op::fork, 11}, {op::wait}}},                                 // 9
    {arena, {}},                                                           // 10
    {arena, {}},                                                           // 11
};
constexpr int count = 12;
constexpr std::array roots{0, 8};
constexpr int threads = 2;

enum class status : char { none, ready, running, suspended, sent_to_client, sent_to_guest, ended };
struct task_state {
  status is = status::none;
  signed char at = 0;        ///< the next step
  signed char thread = -1;   ///< that it is tied to
  signed char began = -1;    ///< in which stint of its thread; -1: none
  signed char tied_in = -1;  ///< the same, of the wait
};
/// What a thread is: at home, where it may visit; a visitor; one that waits for a task and runs only what is there.
enum class role : char { home, visitor, client };
struct place {
  role as;
  signed char in;
  signed char waits_for = -1;
  signed char running = -1;
  signed char stint = -1;  ///< a client's number
  signed char before = 0;  ///< tasks that were tied to it there
};

struct world {
  std::array<task_state, count> at{};
  std::array<std::vector<place>, threads> stack;
  signed char stints = 0;

  std::string key() const {
    std::string out(1, static_cast<char>(stints));
    const auto put = [&out](auto... each) { (out.push_back(static_cast<char>(each)), ...); };
    for (const task_state& each : at) put(each.is, each.at, each.thread, each.began, each.tied_in);
    for (const auto& each : stack) {
      put(each.size());
      for (const place& one : each) put(one.as, one.in, one.waits_for, one.running, one.stint, one.before);
    }
    return out;
  }
};

class explorer {
 public:
  explicit explorer(leaving how) : how_(how) {
    world first;
    for (const int root : roots) first.at[root].is = status::ready;
    for (auto& each : first.stack) each.push_back({role::home, host});
    reach(first);
    while (!left_.empty() && stuck_ == 0) {
      const world now = left_.back();
      left_.pop_back();
      const std::size_t before = steps_;
      for (int thread = 0; thread < threads; ++thread) step_of(now, thread);
      const bool all = std::all_of(now.at.begin(), now.at.end(), [](const auto& t) { return t.is == status::ended; });
      if (steps_ == before && !all) ++stuck_;
      ends_ += all ? 1 : 0;
    }
  }
  int stuck() const { return stuck_; }
  int ends() const { return ends_; }
  std::size_t worlds() const { return seen_.size(); }

 private:
  void reach(const world& next) {
    ++steps_;
    if (seen_.insert(next.key()).second) left_.push_back(next);
  }

  static bool is_tied_to(const task_state& each, int thread) {
    return each.thread == thread && each.is >= status::suspended && each.is <= status::sent_to_guest;
  }
  static int ties(const world& in, int thread, engine where) {
    int found = 0;
    for (int i = 0; i < count; ++i) found += is_tied_to(in.at[i], thread) && tasks[i].in == where;
    return found;
  }

  void step_of(const world& now, int thread) {
    const place& here = now.stack[thread].back();
    if (here.running >= 0) {
      go_on(now, thread);
      return;
    }
    for (int i = 0; i < count; ++i) {
      const task_state& it = now.at[i];
      const bool begins = it.is == status::ready;
      const bool returns = it.thread == thread &&
                           (here.as == role::client ? it.is == status::sent_to_client : it.is == status::sent_to_guest);
      if (!begins && !returns) continue;
      if (tasks[i].in == here.in) {
        world next = now;
        next.at[i].is = status::running;
        if (begins) next.at[i].began = here.stint;
        next.stack[thread].back().running = static_cast<signed char>(i);
        reach(next);
      } else if (here.as == role::home) {
        world next = now;
        next.stack[thread].push_back({role::visitor, tasks[i].in});
        reach(next);
      }
    }
    // One that has helped an isolated task goes home when nothing is tied to it there.
    const bool may_go = here.as == role::visitor ? here.in == arena || ties(now, thread, apart) == 0
                                                 : here.as == role::client && may_leave(now, thread);
    if (may_go) {
      world next = now;
      next.stack[thread].pop_back();
      reach(next);
    }
  }

  bool may_leave(const world& now, int thread) const {
    const place& here = now.stack[thread].back();
    if (now.at[here.waits_for].is != status::ended) return false;
    if (here.in == apart) return true;
    const auto any = [&](auto does) { return std::any_of(now.at.begin(), now.at.end(), does); };
    if (any([&](const task_state& t) { return t.thread == thread && t.is == status::sent_to_client; })) return false;
    switch (how_) {
      case leaving::right:
        return !any([&](const task_state& t) { return is_tied_to(t, thread) && t.began == here.stint; });
      case leaving::goes_at_once:
        return true;
      case leaving::counts:
        return ties(now, thread, arena) <= here.before;
      case leaving::since_it_came:
        return !any([&](const task_state& t) { return is_tied_to(t, thread) && t.tied_in == here.stint; });
    }
    return false;
  }

  /// Whether what the task waits for in the step before `next` has ended.
  static bool is_over(const world& in, int of, int next) {
    const auto& program = tasks[of].program;
    if (program[next - 1].of >= 0) return in.at[program[next - 1].of].is == status::ended;
    for (int i = 0; i < next; ++i) {
      const step& each = program[i];
      if (each.what == op::fork && in.at[each.of].is != status::ended) return false;
    }
    return true;
  }

  void go_on(const world& now, int thread) {
    world next = now;
    place& here = next.stack[thread].back();
    const int it = here.running;
    task_state& me = next.at[it];
    if (me.at == static_cast<int>(tasks[it].program.size())) {
      me = {status::ended};
      here.running = -1;
      wake(next);
      reach(next);
      return;
    }
    const step what = tasks[it].program[me.at];
    ++me.at;
    switch (what.what) {
      case op::fork:
        next.at[what.of].is = status::ready;
        break;
      case op::wait:
        if (!is_over(next, it, me.at)) {
          me.is = status::suspended;
          me.thread = static_cast<signed char>(thread);
          me.tied_in = here.stint;
          here.running = -1;
        }
        break;
      case op::isolate:
      case op::join: {
        next.at[what.of].is = status::ready;
        const engine to = tasks[what.of].in;
        const auto before = static_cast<signed char>(ties(next, thread, to));
        next.stack[thread].push_back({role::client, to, static_cast<signed char>(what.of), -1, next.stints++, before});
        break;
      }
    }
    reach(next);
  }

  /// Sends tasks whose waits are over to their threads: to the client that it is there, or to the thread at home.
  static void wake(world& in) {
    for (int i = 0; i < count; ++i) {
      task_state& it = in.at[i];
      if (it.is != status::suspended || !is_over(in, i, it.at)) continue;
      const auto& stack = in.stack[it.thread];
      const bool listed = std::any_of(stack.begin(), stack.end(), [i](const place& each) {
        return each.as == role::client && each.in == tasks[i].in;
      });
      it.is = listed ? status::sent_to_client : status::sent_to_guest;
    }
  }

  const leaving how_;
  std::unordered_set<std::string> seen_;
  std::vector<world> left_;
  std::size_t steps_ = 0;
  int stuck_ = 0, ends_ = 0;
};

TEST(stints, end_when_what_has_begun_in_them_has_ended) {
  const explorer all(leaving::right);
  EXPECT_EQ(all.stuck(), 0);
  EXPECT_GT(all.ends(), 0);
  RecordProperty("worlds", static_cast<int>(all.worlds()));
}
TEST(stints, that_end_at_once_are_found) { EXPECT_EQ(explorer(leaving::goes_at_once).stuck(), 1); }
TEST(stints, that_end_by_number_are_found) { EXPECT_EQ(explorer(leaving::counts).stuck(), 1); }
TEST(stints, that_wait_for_what_began_before_are_found) { EXPECT_EQ(explorer(leaving::since_it_came).stuck(), 1); }

}  // namespace
}  // namespace jackdaw::model
