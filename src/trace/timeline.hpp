#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jackdaw/observer.hpp"
#include "trace/event_ring.hpp"

namespace jackdaw::trace {

/// What a runtime's workers did, and what is needed to show it.
struct timeline_view {
  struct track {
    std::string name;              ///< of the worker
    std::int64_t thread = 0;       ///< the kernel's number; 0: unknown
    event_ring::contents content;  ///< in order of time
  };
  std::string program;
  std::int64_t process = 0;
  std::string scheduler;
  std::uint64_t begin = 0, end = 0;  ///< ns of std::chrono::steady_clock
  std::vector<track> workers;
};

/// Keeps what a runtime's workers do, the latest events of each, and writes it as a Perfetto trace when it ends.
class timeline final : public observer {
 public:
  /// The path must have been checked (check_replaceable). `workers`: a name for each.
  timeline(std::filesystem::path file, std::string scheduler, std::vector<std::string> workers);
  /// Called when the workers have ended.
  ~timeline() override { write(true); }
  timeline(const timeline&) = delete;
  timeline& operator=(const timeline&) = delete;

  void see(const worker_event& what) noexcept override;
  /// Returns what has been seen so far. Throws std::bad_alloc.
  timeline_view view() const;
  /// Writes the file, once; later calls do nothing. Reports a failure in a line on stderr. While workers run, as after
  /// exit() in a task, their latest events may be missing.
  void write() noexcept { write(false); }

 private:
  struct alignas(64) seat {
    explicit seat(std::size_t most) : ring(most) {}
    event_ring ring;
    std::atomic<std::int64_t> thread{0};  // kept apart from the ring, which forgets its first event
  };

  void write(bool ended) noexcept;
  timeline_view empty_view() const;
  void add_worker(timeline_view& to, std::uint32_t id) const;

  const std::filesystem::path file_;
  const std::string scheduler_;
  const std::vector<std::string> names_;
  const std::uint64_t begin_;
  std::vector<std::unique_ptr<seat>> seats_;
  std::atomic<bool> written_{false};
};

}  // namespace jackdaw::trace
