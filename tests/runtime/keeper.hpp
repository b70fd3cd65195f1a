#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

#include "jackdaw/access.hpp"
#include "jackdaw/memory/placed_memory.hpp"
#include "profile/fake_pages.hpp"
#include "runtime/memory_nodes.hpp"
#include "runtime/threads_data.hpp"

namespace jackdaw::test {

using detail::memory_nodes;
using detail::threads_data;
using numa::touch_policy;

/// Does what it is asked, with pages that need not exist.
class obedient_kernel final : public numa::numa_kernel {
 public:
  std::map<std::uintptr_t, int> homes;              // of pages by number
  int other_home = -ENOENT;                         // of all other pages
  std::map<std::uintptr_t, touch_policy> policies;  // of pages by number; of all others: the default
  touch_policy current;
  std::vector<touch_policy> asked;
  std::size_t room = SIZE_MAX;  // pages that can still be moved
  int refusal = 0;
  unsigned queries = 0, moves = 0;
  /// By how many threads at once it has to move pages before it moves any.
  std::ptrdiff_t movers = 1;

  int bind(void*, std::size_t, numa::kernel_policy, const std::vector<unsigned>&) override { return refusal; }

  int locate(const std::vector<void*>& pages, std::vector<int>& nodes) override {
    const std::lock_guard hold(mutex_);
    ++queries;
    nodes.clear();
    for (const void* each : pages) nodes.push_back(home(each));
    return 0;
  }

  int move(const std::vector<void*>& pages, unsigned node, std::vector<int>& states) override {
    states.assign(pages.size(), 0);
    std::unique_lock hold(mutex_);
    ++moves;
    if (--movers == 0) all_there_.notify_all();
    all_there_.wait(hold, [&] { return movers <= 0; });
    if (refusal != 0) return refusal;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (room == 0) {
        states[i] = -ENOMEM;
      } else {
        --room;
        homes[number(pages[i])] = static_cast<int>(node);
      }
    }
    return 0;
  }

  int set_policy(const touch_policy& wanted) override {
    asked.push_back(wanted);
    if (refusal == 0) current = wanted;
    return refusal;
  }

  int policy(touch_policy& now) override {
    now = current;
    return 0;
  }

  int policy_at(const void* at, touch_policy& now) override {
    const auto known = policies.find(number(at));
    now = known == policies.end() ? touch_policy{} : known->second;
    return 0;
  }

  static std::uintptr_t number(const void* at) { return reinterpret_cast<std::uintptr_t>(at) / base_page_size(); }
  int home(const void* at) const {
    const auto known = homes.find(number(at));
    return known == homes.end() ? other_home : known->second;
  }

 private:
  std::mutex mutex_;  // for what threads that move pages use
  std::condition_variable all_there_;
};

inline constexpr double no_limit = std::numeric_limits<double>::infinity();
inline constexpr unsigned dram = 0, far_dram = 3, hbm = 7;  // as the operating system calls them

/// What threads do with data on two squads and three nodes.
class keeper : public testing::Test {
 protected:
  static memory_nodes nodes() {
    memory_nodes all;
    all.nodes = {
        {.squad = 0, .bandwidth = 20}, {.squad = 1, .bandwidth = 20}, {.squad = 0, .fast = true, .bandwidth = 90}};
    all.os = {dram, far_dram, hbm};
    return all;
  }
  obedient_kernel kernel;
  fake_pages pages;
  threads_data keeping{nodes(), true, {0}, {{.workers = {0, 1}}, {.workers = {2, 2}}}, kernel, pages};
};

/// The same with an array on the first node, which is watched in four areas.
class keeper_of_an_array : public keeper {
 protected:
  static constexpr std::size_t count = 64;
  keeper_of_an_array() {
    pages.refused_from = 0;
    kernel.other_home = dram;
  }

  std::vector<sched::area> watch_and_declare() {
    keeping.watch(0, 4);
    keeping.declare(0, accesses(0, count), false);
    for (int i = 0; i < 2; ++i) keeping.declare(2, accesses(count / 2, count), false);
    return keeping.watched(0);
  }
  std::uint64_t move(std::uint32_t area, std::uint32_t node) {
    sched::area_move one{area, node};
    keeping.move_areas(0, {&one, 1}, no_limit);
    return one.bytes;
  }
  detail::declared_access accesses(std::size_t first, std::size_t last) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(array.data()) + first * base_page_size();
    return {.begin = begin, .length = (last - first) * base_page_size(), .write = true};
  }

  placed_memory array{count * base_page_size(), placement::first_touch().with_pages(page_choice::base)};
};

}  // namespace jackdaw::test
