#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/own_mapping.hpp"
#include "runtime/worker_counts.hpp"

namespace jackdaw::detail {

/// The counts of a runtime's workers, in memory that other processes may read while it runs (`jackdaw top`). The memory
/// belongs to an open file without a name in any folder, so that nothing is left behind, whatever ends the program.
/// Readers find it among /proc/PID/fd and need the permission that gdb would need, but they neither stop nor slow the
/// program. If the system refuses such a file, the counts are in private memory.
class counter_page {
 public:
  /// What the file begins with. Its reader checks the first three members before it reads anything else.
  struct header {
    std::uint64_t magic;    ///< header::expected; 0: the runtime has ended
    std::uint32_t version;  ///< of all that follows
    std::uint32_t each;     ///< sizeof(worker_counts)
    std::uint32_t workers;
    pid_t process;
    std::uint64_t began;  ///< counting_clock
    char scheduler[40];   ///< ends with 0

    static constexpr std::uint64_t expected = 0x31544e434b434a4a;  // "JJCKCNT1"
  };
  static constexpr std::uint32_t version = 1;
  static constexpr std::string_view file_name = "jackdaw-counters";
  static_assert(sizeof(header) <= 2 * alignof(worker_counts));
  static constexpr std::size_t first = 2 * alignof(worker_counts);  ///< where the first worker's counts begin

  /// Throws std::bad_alloc.
  counter_page(std::uint32_t workers, std::string_view scheduler);
  ~counter_page();
  counter_page(const counter_page&) = delete;
  counter_page& operator=(const counter_page&) = delete;

  worker_counts& of(std::uint32_t worker) noexcept { return counts_[worker]; }
  const worker_counts& of(std::uint32_t worker) const noexcept { return counts_[worker]; }

  /// Called in the child of a fork(), which has no workers: what it counts from now on is its own. Async-signal-safe.
  void leave_to_parent() noexcept;

 private:
  own_mapping memory_;
  worker_counts* counts_ = nullptr;
  int file_ = -1;
  ino_t inode_ = 0;  // of file_: the program may have closed it, and have another file under its number
  dev_t device_ = 0;
};

}  // namespace jackdaw::detail
