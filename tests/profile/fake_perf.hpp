#pragma once

#include <linux/perf_event.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "profile/counters/perf_calls.hpp"

namespace jackdaw::test {

/// A fake kernel that returns the counts that a test chooses, and refuses the calls that it chooses.
class fake_perf final : public profile::perf_calls {
 public:
  struct opened_event {
    perf_event_attr attributes;
    int group;
    pid_t thread;  // 0: the thread that opened it
  };

  int open(const perf_event_attr& event, int group) override { return opened({event, group, 0}); }

  int open_for(const perf_event_attr& event, pid_t thread) override { return opened({event, -1, thread}); }

  int map(int descriptor, std::size_t bytes, void*& at) override {
    const std::lock_guard hold(mutex);
    if (refused_map != 0) return -refused_map;
    std::vector<std::uint64_t>& pages = buffers[descriptor];
    pages.resize(bytes / sizeof pages[0]);
    at = pages.data();
    return 0;
  }

  void unmap(void* at, std::size_t bytes) override {
    const std::lock_guard hold(mutex);
    unmapped_unknown = unmapped_unknown || std::erase_if(buffers, [=](const auto& each) {
                                             return each.second.data() == at && each.second.size() * 8 == bytes;
                                           }) != 1;
  }

  int enable(int group) override {
    const std::lock_guard hold(mutex);
    enabled.push_back(group);
    return -refused_enable;
  }

  ssize_t read(int descriptor, void* into, std::size_t bytes) override {
    const std::lock_guard hold(mutex);
    ++reads;
    if (refused_read != 0 && reads >= refused_from) return -refused_read;
    if (unscheduled) return 0;
    std::vector<std::uint64_t> words = {0, time_enabled, time_running};
    for (const auto& [number, event] : events) {
      if (number != descriptor && event.group != descriptor) continue;
      words.push_back(counted[words[0]++]);
    }
    words[0] += extra_events;
    const std::size_t size = words.size() * sizeof words[0];
    if (size > bytes) return -ENOSPC;
    std::memcpy(into, words.data(), size);
    return static_cast<ssize_t>(size);
  }

  void close(int descriptor) override {
    const std::lock_guard hold(mutex);
    closed_unknown = closed_unknown || events.erase(descriptor) == 0;
  }

  std::optional<int> paranoid() override { return level; }

  std::map<int, int> refused_opens;  ///< by the number of the call, from 1: errno
  int refused_enable = 0;            ///< errno
  int refused_map = 0;               ///< errno
  int refused_read = 0;              ///< errno
  int refused_from = 1;              ///< the first call of read that is refused
  bool unscheduled = false;          ///< the group is in error: read returns nothing
  std::uint64_t extra_events = 0;    ///< a reading pretends to have as many more
  std::uint64_t time_enabled = 1000, time_running = 1000;
  std::vector<std::uint64_t> counted = {10, 20, 30, 40, 50};  ///< by the place in the group
  std::optional<int> level = 2;

  std::map<int, opened_event> events;  ///< those that are open, by descriptor
  std::vector<int> enabled;
  int opens = 0, reads = 0;
  bool closed_unknown = false, unmapped_unknown = false;
  std::map<int, std::vector<std::uint64_t>> buffers;  ///< those that are mapped, by descriptor

 private:
  int opened(const opened_event& event) {
    const std::lock_guard hold(mutex);
    ++opens;
    const auto refusal = refused_opens.find(opens);
    if (refusal != refused_opens.end()) return -refusal->second;
    const int descriptor = next++;
    events[descriptor] = event;
    return descriptor;
  }

  std::mutex mutex;
  int next = 100;
};

}  // namespace jackdaw::test
