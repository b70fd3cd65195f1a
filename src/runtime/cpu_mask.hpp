#pragma once

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <iterator>
#include <vector>

namespace jackdaw::detail {

/// A set of processors, with room for every number that a kernel may use; a cpu_set_t ends at 1024. Uninitialised
/// unless of_this_thread() or a vector fills it.
class cpu_mask {
 public:
  cpu_mask() noexcept = default;
  explicit cpu_mask(const std::vector<unsigned>& cpus) noexcept : words_{} {
    for (const unsigned cpu : cpus) add(cpu);
  }
  void add(unsigned cpu) noexcept {
    if (cpu < most) words_[cpu / bits] |= 1UL << cpu % bits;
  }

  /// Fills it with the processors that the calling thread may use; false if the system does not tell. The C library's
  /// function would fill the rest of a cpu_set_t only.
  bool of_this_thread() noexcept {
    const long filled = syscall(SYS_sched_getaffinity, 0, sizeof words_, words_.data());
    if (filled <= 0) return false;
    std::fill(words_.begin() + filled / static_cast<long>(sizeof(unsigned long)), words_.end(), 0);
    return true;
  }
  /// Lets the calling thread run on these processors only. Keeps errno.
  bool give_to_this_thread() const noexcept {
    const int before = errno;
    const bool given = sched_setaffinity(0, sizeof words_, reinterpret_cast<const cpu_set_t*>(words_.data())) == 0;
    errno = before;
    return given;
  }

  /// Those of its processors that are among these.
  cpu_mask part(const std::vector<unsigned>& cpus) const noexcept {
    cpu_mask found(cpus);
    for (std::size_t i = 0; i < std::size(words_); ++i) found.words_[i] &= words_[i];
    return found;
  }
  bool empty() const noexcept {
    return std::all_of(words_.begin(), words_.end(), [](unsigned long each) { return each == 0; });
  }
  friend bool operator==(const cpu_mask&, const cpu_mask&) noexcept = default;

 private:
  static constexpr unsigned most = 8192;  // NR_CPUS can be no larger
  static constexpr unsigned bits = CHAR_BIT * sizeof(unsigned long);
  std::array<unsigned long, most / bits> words_;
};

}  // namespace jackdaw::detail
