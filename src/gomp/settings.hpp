#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "gomp/task.hpp"

namespace jackdaw::gomp {

struct member;

/// omp_proc_bind_t
enum class binding : unsigned char { off = 0, on = 1, primary = 2, close = 3, spread = 4 };

/// What the environment says, and what holds for the whole process. Read when a program that is linked with libgomp is
/// loaded, otherwise when it is first wanted; afterwards only what is atomic changes.
struct settings {
  static constexpr unsigned most_levels = 255;

  unsigned processors = 1;                    ///< that the process may use, when it began
  control initial;                            ///< of threads from outside
  std::vector<unsigned> threads;              ///< OMP_NUM_THREADS, one per level
  std::vector<binding> bindings;              ///< OMP_PROC_BIND, one per level
  std::vector<std::vector<unsigned>> places;  ///< OMP_PLACES: processors; empty if nothing is bound
  std::size_t stack_size = 0;                 ///< OMP_STACKSIZE in bytes; 0: as the system has it
  bool cancellation = false;
  int wait_policy = -1;  ///< 0: passive, 1: active
  unsigned looks = 0;    ///< before a thread sleeps
  unsigned looks_when_crowded = 0;
  int most_priority = 0;
  bool shows_affinity = false;
  std::string affinity_format = "level %L thread %i affinity %A";
  std::atomic<int> default_device{0};
  std::atomic<int> teams{0};
  std::atomic<int> teams_thread_limit{0};
  std::atomic<std::uintptr_t> allocator{1};  ///< omp_default_mem_alloc

  settings();
  static settings& of_process() noexcept;
  /// The calling thread is inside of its first call: reading the machine asks for OpenMP's places.
  static constinit thread_local bool are_being_read;

  /// Writes them if OMP_DISPLAY_ENV says so.
  static void show_if_asked();

  /// How many members a region gets that begins at that level and asks for `wanted`; 0: it does not ask.
  unsigned team_size(unsigned wanted, const control& vars, unsigned active_level) const noexcept;
  binding binding_at(unsigned level) const noexcept;
};

/// Writes them to stderr.
void show_settings(bool verbose);
/// Writes where the member is, to stderr.
void show_affinity(const member& self);

}  // namespace jackdaw::gomp
