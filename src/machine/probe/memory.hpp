#pragma once

#include <jackdaw/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace jackdaw::probe {

/// Memory in pages of its own, unmapped by the destructor.
class buffer {
 public:
  /// `bytes` bytes, not touched yet, in the pages that a program gets that asks for no others. Throws std::bad_alloc.
  explicit buffer(std::size_t bytes);
  /// The same, bound to a node; nullopt if the system does not permit that.
  static std::optional<buffer> on_node(std::size_t bytes, unsigned os_node);

  std::uint64_t* data() const noexcept { return data_; }
  std::size_t words() const noexcept { return bytes_ / sizeof(std::uint64_t); }

 private:
  struct unmap {
    std::size_t bytes = 0;
    void operator()(void* begin) const noexcept;
  };
  std::size_t bytes_;
  std::unique_ptr<void, unmap> mapping_;  // larger, so that it holds a place for data_ where huge pages begin
  std::uint64_t* data_;
};

/// Calls f on a thread that is pinned to a CPU, and waits for it. Rethrows what f throws.
void on_cpu(unsigned os_cpu, const std::function<void()>& f);

/// The memory that one CPU reads, or reads and writes, repeatedly.
struct stream_job {
  unsigned os_cpu = 0;
  std::uint64_t* data = nullptr;
  std::size_t words = 0;
};
enum class stream_of { reads, updates };

/// Runs all jobs at once for about `ns`; returns their total bytes per ns. An update counts once.
double stream_rate(const std::vector<stream_job>& jobs, double ns, stream_of what = stream_of::reads);

/// ns per access of a chain (make_chain) through `chain`, followed on a CPU for about `ns`.
double chase_latency(unsigned os_cpu, const buffer& chain, double ns);

/// ns per access of the number of such chains, at most `most`, whose accesses take the least time when they are
/// followed at once; about `ns` for all numbers together.
struct scattered {
  double each = 0;      ///< ns per access
  unsigned chains = 0;  ///< the number
};
scattered chase_scattered(unsigned os_cpu, const buffer& chain, unsigned most, double ns);

/// ns of the fastest of the calls of `once` on a CPU, which are repeated for about `ns` after a first one.
double fastest_call(unsigned os_cpu, const std::function<void()>& once, double ns);

/// ns since a fixed moment.
double now() noexcept;

}  // namespace jackdaw::probe
