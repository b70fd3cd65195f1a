#pragma once

#include <jackdaw/statistics.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/counter_page.hpp"

namespace jackdaw::cli {

/// The counts of a runtime at a moment.
struct counts_at {
  std::uint64_t ns = 0;                             ///< counting_clock
  std::vector<statistics> workers;                  ///< since the runtime began, or reset_stats()
  std::vector<detail::worker_counts::doing> doing;  ///< what each worker was doing
};

/// A runtime of another process, seen through its counter_page.
class counter_reader {
 public:
  /// Opens the pages of all runtimes of a process. Throws jackdaw::error if there is no such process, its files may not
  /// be seen, or it offers no page that this version can read.
  static std::vector<counter_reader> of_process(pid_t process);

  std::string scheduler() const;
  std::uint32_t workers() const noexcept { return workers_; }
  std::uint64_t began_ns() const noexcept { return about().began; }
  counts_at read() const;
  bool has_ended() const noexcept;

 private:
  counter_reader(std::shared_ptr<const void> memory, std::uint32_t workers) noexcept
      : memory_(std::move(memory)), workers_(workers) {}
  const detail::counter_page::header& about() const noexcept {
    return *static_cast<const detail::counter_page::header*>(memory_.get());
  }
  const detail::worker_counts& of(std::uint32_t worker) const noexcept;

  std::shared_ptr<const void> memory_;
  std::uint32_t workers_;  // as checked: the header is in memory that the other process can change
};

/// Whether the process exists and has not ended.
bool is_running(pid_t process);

}  // namespace jackdaw::cli
