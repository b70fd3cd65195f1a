#include "profile/counters/counter_events.hpp"

#include <linux/perf_event.h>

#include <utility>

namespace jackdaw::profile {
namespace {

using reason = counter_failure::reason;

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Nullopt: the processor has no such events. If only libpfm4 does not know them, the other events still count.
std::optional<counter_events::memory_codes> find_memory_codes(std::string_view pmu) {
  for (const memory_events& row : known_memory_events()) {
    if (row.pmu != pmu) continue;
    const auto local = encode_event(pmu, row.local), remote = encode_event(pmu, row.remote);
    const auto* const near = std::get_if<event_code>(&local);
    const auto* const far = std::get_if<event_code>(&remote);
    if (near == nullptr || far == nullptr) return {};
    return counter_events::memory_codes{std::string(row.local), std::string(row.remote), *near, *far};
  }
  return {};
}

}  // namespace

event_code retired_instructions() { return {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS}; }

std::variant<const miss_events*, counter_failure> choose_miss_events(std::span<const std::string> present_pmus) {
  for (const std::string& pmu : present_pmus) {
    for (const miss_events& row : known_miss_events()) {
      if (row.pmu == pmu) return &row;
    }
  }
  if (present_pmus.empty()) {
    return counter_failure{reason::unknown_processor, 0, "libpfm4 does not know this processor",
                           "build jackdaw with a newer libpfm4, if one knows it"};
  }
  return counter_failure{reason::unknown_processor, 0,
                         "no event is known for misses of the last private cache of this processor (libpfm4: " +
                             joined(present_pmus) + ")",
                         ""};
}

std::variant<counter_events, counter_failure> find_counter_events() {
  auto present = present_core_pmus();
  if (auto* failure = std::get_if<counter_failure>(&present)) return std::move(*failure);
  auto chosen = choose_miss_events(std::get<0>(present));
  if (auto* failure = std::get_if<counter_failure>(&chosen)) return std::move(*failure);
  const miss_events& row = *std::get<0>(chosen);
  counter_events events{.pmu = std::string(row.pmu),
                        .cache = std::string(row.cache),
                        .miss_names = {},
                        .misses = {},
                        .memory = find_memory_codes(row.pmu)};
  for (const std::string_view name : row.used_names()) {
    auto code = encode_event(row.pmu, name);
    if (auto* failure = std::get_if<counter_failure>(&code)) return std::move(*failure);
    events.miss_names.emplace_back(name);
    events.misses.push_back(std::get<0>(code));
  }
  return events;
}

}  // namespace jackdaw::profile
