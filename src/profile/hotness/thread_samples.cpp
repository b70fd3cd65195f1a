#include "profile/hotness/thread_samples.hpp"

#include <utility>

namespace jackdaw::profile {

void thread_samples::open(std::span<const pid_t> threads) {
  close();
  if (threads.empty() || failure_) return;
  if (!event_) {
    auto found = find_();
    if (auto* failure = std::get_if<counter_failure>(&found)) {
      failure_ = std::move(*failure);
      return;
    }
    event_ = std::move(std::get<address_event>(found));
  }
  samplers_.reserve(threads.size());
  for (const pid_t thread : threads) {
    auto opened = address_sampler::open(event_->attributes, thread, *kernel_);
    if (auto* failure = std::get_if<counter_failure>(&opened)) {
      failure_ = std::move(*failure);
      close();
      return;
    }
    samplers_.push_back(std::move(std::get<address_sampler>(opened)));
  }
}

std::span<const address_sample> thread_samples::drain() {
  drained_.clear();
  for (address_sampler& each : samplers_) each.ring().drain(drained_);
  return drained_;
}

std::uint64_t thread_samples::lost() const noexcept {
  std::uint64_t sum = 0;
  for (const address_sampler& each : samplers_) sum += each.ring().lost();
  return sum;
}

std::variant<std::string, counter_failure> survey_address_samples(const address_event_finder& find,
                                                                  perf_calls& kernel) {
  auto found = find();
  if (auto* failure = std::get_if<counter_failure>(&found)) return std::move(*failure);
  address_event& event = std::get<address_event>(found);
  auto opened = address_sampler::open(event.attributes, 0, kernel);
  if (auto* failure = std::get_if<counter_failure>(&opened)) {
    failure->what = event.name + ": " + failure->what;
    return std::move(*failure);
  }
  return std::move(event.name);
}

}  // namespace jackdaw::profile
