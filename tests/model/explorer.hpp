#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "model/memory.hpp"

namespace jackdaw::model {

/// What to explore, and what to break on purpose.
struct options {
  machine on = machine::tso;
  enum class fence : std::uint8_t { works, refused, does_nothing } heavy = fence::works;
  bool release_is_relaxed = false;
  bool acquire_is_relaxed = false;
  /// The most preemptions: switches away from a thread that could continue. With a bound, finding no violation proves
  /// nothing.
  unsigned preemptions = ~0u;
  std::uint64_t most_states = 30'000'000;
};

struct outcome {
  bool exhaustive = false;       ///< every execution of the scenario on this machine is one of those explored
  std::uint64_t states = 0;      ///< in which something was to be decided
  std::uint64_t executions = 0;  ///< begun; all but the last ended or met a known state
  std::set<std::string> ends;    ///< what executions have recorded
  std::string violation;         ///< empty: none was found
  std::string trace;             ///< the steps that lead to it
};

/// A few threads that share the members of the object. Everything shared must be an atomic or a plain of the model, or
/// be changed in a way that does not depend on the order (counted, say): a state is known by what the threads have
/// read.
class scenario {
 public:
  using ended = std::bitset<most_threads>;
  virtual ~scenario() = default;
  virtual unsigned threads() const = 0;
  virtual void run(unsigned thread) = 0;
  /// No thread can continue: `who` has the threads that have ended; the others wait for ever.
  virtual void finish(ended who) = 0;

 protected:
  bool all(ended who) const { return who.count() == threads(); }
};

/// Explores depth first, from the start each time, everything that the threads and the memory may do. A state that was
/// met before is not entered again.
class explorer {
 public:
  explorer(const options& how, std::function<scenario*(void*)> make, std::size_t size);
  ~explorer();
  explorer(const explorer&) = delete;
  explorer& operator=(const explorer&) = delete;

  outcome explore();

  // ---- what the policy calls; on a model thread, or outside of one ------------------------------------------------
  static explorer& active() noexcept;
  location add(word initial);
  void end(location at);
  word load(location at, std::memory_order how);
  void store(location at, word value, std::memory_order how);
  word change(location at, const update& what, std::memory_order how, std::memory_order failing);
  void full_fence();
  bool heavy_fence();
  bool can_fence() const noexcept { return options_.heavy != options::fence::refused; }
  /// The thread's last read sent it round a loop and changed nothing else. It continues, with the same read if that was
  /// a load, once it would read a different value.
  void pause();
  word plain(location at, const word* written);
  void expect(bool holds, const char* what);
  void record(const std::string& end) { result_.ends.insert(end); }
  /// 0 to count - 1, all of them.
  unsigned choose(unsigned count);

 private:
  enum class doing : std::uint8_t { load, store, change, fence, heavy_begin, heavy_end, pause, choose, ended };
  struct thread {
    void* context = nullptr;
    std::unique_ptr<std::byte[]> stack;
    digest history;
    digest before_load;        // the history without the last read
    bool only_loaded = false;  // the last read was a load
    doing next = doing::ended;
    location at = 0;
    std::memory_order how{}, failing{};
    update what{};
    unsigned choices = 0;
    unsigned choice = 0;
    location last_at = 0;
    word last_value = 0;
    std::uint8_t awaiting = 0;  // threads that this one's heavy fence still waits for
  };
  struct step {
    enum class by : std::uint8_t { thread, flush, interrupt } kind;
    std::uint8_t thread;
    std::uint16_t choice;
  };
  struct node {
    std::uint16_t count;
    std::uint16_t taken;
  };
  class known_states;

  static void start_thread(void*) noexcept;
  bool on_thread() const noexcept { return running_ < count_; }
  void hand_over(doing next);
  void switch_to(unsigned thread);
  void run_once(bool random);
  void list_steps();
  void perform(const step& what);
  unsigned choices(thread& of);
  void note(location at, bool writes);
  void surprise();
  /// No other thread ever looks there.
  bool mine(location at) const noexcept;
  /// No other thread ever writes there.
  bool only_writer(location at) const noexcept;
  std::memory_order weakened(std::memory_order how) const noexcept;
  void read(location at, word value, bool by_load);
  void drained() noexcept;
  digest state() const;
  void log(const std::string& line);
  std::string describe(const step& what) const;

  const options options_;
  const std::function<scenario*(void*)> make_;
  const std::size_t size_;
  std::unique_ptr<std::byte[]> room_;
  std::unique_ptr<memory> memory_;
  scenario* scenario_ = nullptr;
  unsigned count_ = 0;
  unsigned running_ = ~0u;  // no thread
  void* context_ = nullptr;
  std::array<thread, most_threads> threads_;

  // What is known of a location from all executions so far, by the order in which the scenario makes them.
  struct use {
    std::uint8_t accessed = 0;  // bit by bit: by which threads
    std::uint8_t written = 0;
  };
  std::array<use, most_locations> uses_{};
  std::bitset<most_locations> gone_;  // destroyed in this execution
  bool fenced_heavily_ = false;       // by any thread, ever
  bool learning_ = false;
  bool surprised_ = false;  // a location is used by more threads than known: the search starts again

  std::vector<node> path_;
  std::size_t depth_ = 0;
  std::vector<step> steps_;
  unsigned last_thread_ = ~0u;
  unsigned preempted_ = 0;
  std::unique_ptr<known_states> known_;
  std::uint64_t random_ = 1;
  bool stop_ = false;
  bool logging_ = false;
  outcome result_;
};

/// Explores scenario S, made anew with these arguments for each execution.
template <class S, class... A>
outcome explore(const options& how, const A&... arguments) {
  return explorer(
             how, [&](void* where) { return static_cast<scenario*>(new (where) S(arguments...)); }, sizeof(S))
      .explore();
}

}  // namespace jackdaw::model
