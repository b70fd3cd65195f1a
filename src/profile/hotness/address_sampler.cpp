#include "profile/hotness/address_sampler.hpp"

#include <algorithm>
#include <utility>

#include "jackdaw/memory/page_locations.hpp"
#include "profile/counters/address_events.hpp"

namespace jackdaw::profile {
namespace {

// A control page, and the buffer: a power of two of pages, at least one.
std::size_t mapped_bytes() { return base_page_size() + std::max(address_sampler::buffer_bytes, base_page_size()); }

}  // namespace

std::variant<address_sampler, counter_failure> address_sampler::open(const perf_event_attr& event, pid_t thread,
                                                                     perf_calls& kernel) {
  const int descriptor = kernel.open_for(event, thread);
  if (descriptor < 0) return explain_sampling_refusal(event, -descriptor, kernel.paranoid());
  void* mapped = nullptr;
  const std::size_t bytes = mapped_bytes();
  if (const int status = kernel.map(descriptor, bytes, mapped); status < 0) {
    kernel.close(descriptor);
    return explain_buffer_refusal(-status, bytes);
  }
  const sample_ring ring(*static_cast<perf_event_mmap_page*>(mapped),
                         static_cast<const std::byte*>(mapped) + base_page_size(), bytes - base_page_size(),
                         event.sample_type);
  return address_sampler(kernel, descriptor, mapped, ring);
}

address_sampler::address_sampler(address_sampler&& other) noexcept
    : kernel_(other.kernel_),
      descriptor_(other.descriptor_),
      mapped_(std::exchange(other.mapped_, nullptr)),
      ring_(other.ring_) {}

address_sampler::~address_sampler() {
  if (mapped_ == nullptr) return;
  kernel_->unmap(mapped_, mapped_bytes());
  kernel_->close(descriptor_);
}

}  // namespace jackdaw::profile
