#include "profile/hotness/sample_ring.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace jackdaw::profile {
namespace {

// What follows the header of a PERF_RECORD_SAMPLE, in the order of perf_event_open(2); the last only if asked for.
struct sample_words {
  std::uint64_t address, period, source;
};

// What follows the header of a PERF_RECORD_LOST.
struct lost_words {
  std::uint64_t event, count;
};

// Not from this or another processor's cache, and not from a device. A source that the kernel does not know counts as
// not from memory.
bool came_from_memory(std::uint64_t source) noexcept {
  perf_mem_data_src from{};
  from.val = source;
  constexpr auto memory = PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2;
  return (from.mem_lvl & memory) != 0 || from.mem_lvl_num == PERF_MEM_LVLNUM_RAM ||
         from.mem_lvl_num == PERF_MEM_LVLNUM_PMEM || from.mem_lvl_num == PERF_MEM_LVLNUM_CXL;
}

}  // namespace

void sample_ring::copy(std::uint64_t from, void* into, std::size_t bytes) const noexcept {
  const std::size_t begin = from & (bytes_ - 1), first = std::min(bytes, bytes_ - begin);
  std::memcpy(into, data_ + begin, first);
  std::memcpy(static_cast<std::byte*>(into) + first, data_, bytes - first);
}

bool sample_ring::take(const perf_event_header& header, std::uint64_t at, std::vector<address_sample>& into) {
  const std::size_t bytes = header.size - sizeof header;
  if (header.type == PERF_RECORD_LOST) {
    lost_words words{};
    if (bytes < sizeof words) return false;
    copy(at + sizeof header, &words, sizeof words);
    lost_ += words.count;
  } else if (header.type == PERF_RECORD_SAMPLE) {
    sample_words words{};
    const std::size_t wanted = with_source_ ? sizeof words : offsetof(sample_words, source);
    if (bytes < wanted) return false;
    copy(at + sizeof header, &words, wanted);
    if (!with_source_ || came_from_memory(words.source)) into.push_back({words.address, words.period});
  }
  return true;  // records of other kinds are ignored
}

void sample_ring::drain(std::vector<address_sample>& into) {
  // Acquire: the kernel writes a record before it advances data_head, so that the records read below are complete.
  const std::uint64_t head = std::atomic_ref(control_->data_head).load(std::memory_order_acquire);
  std::uint64_t at = control_->data_tail;  // only the reader writes it
  bool whole = head - at <= bytes_;
  while (whole && at != head) {
    perf_event_header header{};
    copy(at, &header, sizeof header);
    // A size of 0 would loop for ever, and one beyond the head would read a record that the kernel is writing; no size
    // is right if less than a header is left.
    whole = header.size >= sizeof header && header.size <= head - at && take(header, at, into);
    at += header.size;
  }
  if (!whole) ++lost_;  // the next record's beginning is unknown
  // Release: the kernel reads data_tail before it writes into the space that this frees, so the reads above come first.
  std::atomic_ref(control_->data_tail).store(head, std::memory_order_release);
}

}  // namespace jackdaw::profile
