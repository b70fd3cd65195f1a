#include "profile/counters/thread_counters.hpp"

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace jackdaw::profile {
namespace {

using reason = counter_failure::reason;

constexpr std::size_t most_events = miss_events::most + 3;  // plus instructions and memory's two

// The layout that read(2) returns for a group with PERF_FORMAT_GROUP and both times.
struct group_values {
  std::uint64_t events, enabled, running;  // times in ns
  std::array<std::uint64_t, most_events> values;
};

constexpr std::size_t bytes_of(std::size_t events) {
  return offsetof(group_values, values) + events * sizeof(std::uint64_t);
}

counter_failure taken_away() {
  return {reason::busy, 0, "the kernel took the counters away for another use",
          "end other programs that count (perf, a debugger); as root: sysctl -w kernel.nmi_watchdog=0"};
}

std::optional<counter_failure> find_gap(const group_values& got) {
  const std::uint64_t lost = got.enabled > got.running ? got.enabled - got.running : 0;
  if (lost <= got.enabled / 100) return {};
  return counter_failure{
      reason::incomplete, 0,
      "the counters ran for " + std::to_string(got.running) + " of " + std::to_string(got.enabled) + " ns only",
      "end other programs that count (perf, a debugger); use processors of one kind"};
}

perf_event_attr attributes(const event_code& code, bool leader) {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = code.type;
  event.config = code.config;
  event.config1 = code.config1;
  event.config2 = code.config2;
  event.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  event.disabled = leader ? 1 : 0;
  event.pinned = leader ? 1 : 0;  // counts all the time or fails; never multiplexed
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  return event;
}

}  // namespace

std::variant<thread_counters, counter_failure> thread_counters::open(const counter_events& events, perf_calls& kernel) {
  if (events.misses.empty() || events.misses.size() > miss_events::most) {
    return counter_failure{reason::other, 0,
                           "there are " + std::to_string(events.misses.size()) + " events for misses, expected 1 to " +
                               std::to_string(miss_events::most),
                           ""};
  }
  thread_counters opened(kernel, events.misses.size());
  int status = 0;
  for (const event_code& code : events.misses) {
    if (status >= 0) status = opened.add(code);
  }
  if (status >= 0) status = opened.add(events.instructions);
  if (events.memory) {
    if (status >= 0) status = opened.add(events.memory->local);
    if (status >= 0) status = opened.add(events.memory->remote);
  }
  if (status >= 0) status = kernel.enable(opened.descriptors.front());
  if (status < 0) return explain_refusal(-status, kernel.paranoid());
  // The kernel accepts a group that does not fit beside others; only reading it shows that.
  auto first = opened.read();
  if (auto* failure = std::get_if<counter_failure>(&first)) return std::move(*failure);
  return opened;
}

thread_counters::thread_counters(thread_counters&& other) noexcept
    : kernel(other.kernel), misses(other.misses), descriptors(std::exchange(other.descriptors, {})) {}

thread_counters& thread_counters::operator=(thread_counters&& other) noexcept {
  if (this != &other) {
    close();
    kernel = other.kernel;
    misses = other.misses;
    descriptors = std::exchange(other.descriptors, {});
  }
  return *this;
}

thread_counters::~thread_counters() { close(); }

void thread_counters::close() noexcept {
  // members before their leader
  for (auto each = descriptors.rbegin(); each != descriptors.rend(); ++each) kernel->close(*each);
  descriptors.clear();
}

int thread_counters::add(const event_code& code) {
  const bool leader = descriptors.empty();
  descriptors.reserve(descriptors.size() + 1);  // before there is something to lose
  const int opened = kernel->open(attributes(code, leader), leader ? -1 : descriptors.front());
  if (opened >= 0) descriptors.push_back(opened);
  return opened;
}

std::variant<counter_reading, counter_failure> thread_counters::read() const {
  if (descriptors.empty()) return counter_failure{reason::other, 0, "the counters are closed", ""};
  group_values got{};
  const std::size_t events = descriptors.size();
  const ssize_t bytes = kernel->read(descriptors.front(), &got, bytes_of(events));
  if (bytes < 0) return explain_refusal(static_cast<int>(-bytes), kernel->paranoid());
  if (bytes == 0) return taken_away();
  if (static_cast<std::size_t>(bytes) != bytes_of(events) || got.events != events) {
    return counter_failure{reason::other, 0,
                           "a reading of " + std::to_string(bytes) + " bytes and " + std::to_string(got.events) +
                               " counters, expected " + std::to_string(bytes_of(events)) + " and " +
                               std::to_string(events),
                           ""};
  }
  if (auto gap = find_gap(got)) return std::move(*gap);
  counter_reading reading{.instructions = got.values[misses]};
  for (std::size_t i = 0; i < misses; ++i) reading.misses += got.values[i];
  if (events == misses + 3) {
    reading.local = got.values[misses + 1];
    reading.remote = got.values[misses + 2];
  }
  return reading;
}

bool counts_instructions(perf_calls& kernel) {
  const int opened = kernel.open(attributes(retired_instructions(), true), -1);
  if (opened >= 0) kernel.close(opened);
  return opened >= 0;
}

counter_survey survey_counters(perf_calls& kernel) {
  auto events = find_counter_events();
  if (auto* failure = std::get_if<counter_failure>(&events)) return {std::nullopt, std::move(*failure)};
  counter_survey survey{std::move(std::get<counter_events>(events)), std::nullopt};
  auto opened = thread_counters::open(*survey.events, kernel);
  if (std::holds_alternative<thread_counters>(opened)) return survey;
  survey.failure = std::move(std::get<counter_failure>(opened));
  if (survey.events->memory) {
    // Too many events at once, or events that this virtual machine lacks: the other events matter more.
    counter_events fewer = *survey.events;
    fewer.memory.reset();
    if (std::holds_alternative<thread_counters>(thread_counters::open(fewer, kernel))) return {std::move(fewer), {}};
  }
  return survey;
}

}  // namespace jackdaw::profile
