#include "trace/near_data.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <new>

#include "machine/prefetch.hpp"

namespace jackdaw::trace {
namespace {

constexpr std::uint64_t line = 64;

std::uint64_t page_size() noexcept {
  static const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::uint64_t private_cache() noexcept {
#ifdef _SC_LEVEL2_CACHE_SIZE
  static const long size = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (size > 0) return static_cast<std::uint64_t>(size);
#endif
  return std::uint64_t{1} << 20;
}

/// Populates all pages, so that the operating system's work at a first touch does not count as the program's. Returns
/// whether all of them can be read: false if a declared access is to unmapped memory, or before Linux 5.14.
bool populate(const access& what) noexcept {
  const bool sparse = what.stride > page_size();
  const std::uint64_t pieces = sparse ? what.rows : 1;
  const std::uint64_t length = sparse ? what.length : (what.rows - 1) * what.stride + what.length;
  bool all = true;
  for (std::uint64_t piece = 0; piece < pieces; ++piece) {
    const std::uint64_t first = (what.address + piece * what.stride) / page_size() * page_size();
    const std::uint64_t end = what.address + piece * what.stride + length;
    all &= madvise(reinterpret_cast<void*>(first), end - first,
                   what.write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) == 0;
  }
  return all;
}

/// Uses prefetches, which never fault, whatever address a program declares. A processor drops some prefetches when many
/// are under way, so data that fits is prefetched repeatedly.
void prefetch(const access& what) noexcept {
  const int times = what.length * what.rows <= private_cache() ? 12 : 1;
  for (int time = 0; time < times; ++time) {
    for (std::uint64_t row = 0; row < what.rows; ++row) {
      const std::uint64_t first = what.address + row * what.stride;
      for (std::uint64_t at = first / line * line; at < first + what.length; at += line) {
        jackdaw::detail::prefetch(reinterpret_cast<const void*>(at));
      }
    }
  }
}

/// Returns how long f takes, in ns.
template <class F>
double time_of(F f) noexcept {
  const auto began = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

void near_data::add(const access& what) noexcept {
  if (what.length == 0 || what.rows == 0) return;
  readable_ &= populate(what);
  bytes_ += what.length * what.rows;
  try {
    insert(what);
    // Measured anew when the data have grown by half, so that many small declarations take no quadratic time.
    if (readable_ && bytes_ > private_cache() && bytes_ - measured_ >= measured_ / 2) return measure_stall();
  } catch (const std::bad_alloc&) {
    readable_ = false;
  }
  prefetch(what);
}

/// Adds the rows as runs: one for all of them if no page lies between two.
void near_data::insert(const access& what) {
  const bool sparse = what.rows > 1 && what.stride >= what.length + page_size();
  const std::uint64_t pieces = sparse ? what.rows : 1;
  const std::uint64_t length = sparse ? what.length : (what.rows - 1) * what.stride + what.length;
  for (std::uint64_t piece = 0; piece < pieces; ++piece) {
    const std::uint64_t first = what.address + piece * what.stride;
    runs_.push_back({first, first + length});
  }
}

/// What is declared twice is read once.
void near_data::measure_stall() {
  std::ranges::sort(runs_, {}, &run::first);
  std::size_t last = 0;
  for (std::size_t i = 1; i < runs_.size(); ++i) {
    if (runs_[i].first <= runs_[last].end)
      runs_[last].end = std::max(runs_[last].end, runs_[i].end);
    else
      runs_[++last] = runs_[i];
  }
  runs_.resize(last + 1);
  measured_ = bytes_;
  stall_ = 0;
  std::uint64_t bytes = 0;
  for (const run& each : runs_) {
    bytes += each.end - each.first;
    // The program may have unmapped since what it declared before.
    readable_ &=
        populate({.address = each.first, .length = each.end - each.first, .stride = 0, .rows = 1, .write = false});
  }
  if (!readable_) return;
  read(runs_);
  if (bytes <= private_cache()) return;
  static const double ns_per_byte = [] {
    static std::array<char, 1 << 16> data{};
    const auto first = reinterpret_cast<std::uintptr_t>(data.data());
    const std::array<run, 1> whole{{{first, first + data.size()}}};
    double best = time_of([&] { read(whole); });
    for (int again = 0; again < 20; ++again) best = std::min(best, time_of([&] { read(whole); }));
    return best / data.size();
  }();
  const double passed = time_of([this] { read(runs_); });
  stall_ = std::max(0.0, passed - ns_per_byte * static_cast<double>(bytes));
}

/// Loads a word of each line. Other threads may write it meanwhile, and a sanitizer may know better than to read it:
/// nobody uses what is loaded.
#if defined(__clang__) || defined(__GNUC__)
__attribute__((no_sanitize("address", "thread")))
#endif
void near_data::read(std::span<const run> what) noexcept {
  for (const run& each : what) {
    for (std::uint64_t at = each.first / line * line; at < each.end; at += line) {
      static_cast<void>(*reinterpret_cast<const volatile std::uint64_t*>(at));
    }
  }
}

void near_data::clear() noexcept {
  runs_.clear();
  bytes_ = measured_ = 0;
  stall_ = 0;
  readable_ = true;
}

}  // namespace jackdaw::trace
