#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// A program's forks and joins, recorded in one serial run: enough to run them again on another machine.
namespace jackdaw::trace {

/// A leaf's declared read or write: `rows` runs of `length` bytes each, the beginnings `stride` bytes apart. A plain
/// range has one row.
struct access {
  std::uint64_t address = 0;
  std::uint64_t length = 0;
  std::uint64_t stride = 0;
  std::uint32_t rows = 1;
  bool write = false;

  bool operator==(const access&) const = default;
};

/// One step of a task, in the order in which the task makes them.
struct op {
  enum class kind : std::uint8_t {
    compute,  ///< `amount` ns of the task's own work that touches the accesses [first, first + count)
    fork,     ///< child `first` of group `count`, work hint `amount` (negative: none)
    wait,     ///< for group `count`
  };
  kind what = kind::compute;
  bool help_first = false;  ///< of a fork: the parent continues, the child can be stolen
  bool inter = false;       ///< of a fork: the program calls the child an inter-socket task (task_group::inter_spawn)
  bool vector = false;      ///< of work: it is done in the processor's widest vectors (computes_in_vectors)
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  double amount = 0;

  bool operator==(const op&) const = default;
};

/// Children that one wait waits for. A task_group that is used again after a wait is another group here.
struct group {
  double total = -1;        ///< work of all children, in the unit of their hints; negative: not given
  bool structured = false;  ///< of an invoke: thieves can take branches, the last one first, but not the continuation
  std::uint32_t site = 0;   ///< which call site opened it: index into task_tree::sites

  bool operator==(const group&) const = default;
};

/// A task's steps are ops [first_op, first_op + ops).
struct task {
  std::uint64_t first_op = 0;
  std::uint32_t ops = 0;

  bool operator==(const task&) const = default;
};

/// A task that was started from outside, such as by runtime::run.
struct root {
  std::uint32_t task = 0;
  std::string label;  ///< "prepare" and "run" for a kernel's, else "root"

  bool operator==(const root&) const = default;
};

/// Memory that the recorded program has named (name_memory).
struct named_memory {
  std::uint64_t address = 0;
  std::uint64_t length = 0;  ///< at least 1
  std::string name;

  bool operator==(const named_memory&) const = default;
};

/// The instructions in a ns of work of a core whose rates are 1, for recordings on computers that count none: the
/// median of 13 loops in the caches of a Zen 3 core, counted by valgrind. Sorting has 3, a search 22, stencils 9 to 13.
inline constexpr double assumed_instructions = 12;
/// What a recording can have counted; anything else is a disturbed measurement.
inline constexpr double fewest_instructions = 1e-3, most_instructions = 1e3;

/// A whole recording. Tasks are in no particular order; each, except the roots', is the child of one fork, and exactly
/// one task forks into and waits for each group. A group that its task opens at its top level (one of a root's own) is
/// an iteration of the region that its site names.
struct task_tree {
  std::string program;      ///< name of the recorded program, for reports
  unsigned workers = 1;     ///< the number of workers that the program was told
  double compute_rate = 1;  ///< of the core that ran it, in the unit of machine_model::compute_rate
  double vector_rate = 0;   ///< of that core, in the unit of machine_model::vector_rate; 0: as compute_rate
  double instructions = 0;  ///< counted in a ns of work of a core whose rates are 1; 0: none were counted
  double lost = 0;          ///< part of the time in which the recording had no processor, if times are too long for it
  std::vector<op> ops;
  std::vector<task> tasks;
  std::vector<group> groups;
  std::vector<access> accesses;
  std::vector<root> roots;
  std::vector<std::string> sites;
  std::vector<named_memory> named;  ///< ascending, apart from each other; parts of an array may have one name each

  bool operator==(const task_tree&) const = default;

  /// The rate of the core that ran it at work of either kind.
  double rate_of(bool vector) const noexcept { return vector && vector_rate > 0 ? vector_rate : compute_rate; }
  /// The instructions of a ns of recorded work. They depend on the work, not on the machine that runs it.
  double instructions_per_ns(bool vector) const noexcept {
    return (instructions > 0 ? instructions : assumed_instructions) * rate_of(vector);
  }
};

}  // namespace jackdaw::trace
