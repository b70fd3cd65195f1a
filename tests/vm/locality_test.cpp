// The part of a loop's memory, in later iterations, that lies on the nodes of the workers that access it.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/memory.hpp"
#include "vm/expected_machine.hpp"
#include "vm/memory_pages.hpp"
#include "vm/test_name.hpp"

namespace {

using jackdaw::test::expected_machine;
using jackdaw::test::memory_pages;
using jackdaw::test::nodes_of;
using jackdaw::test::whereabouts;

constexpr std::size_t pages_of_a_leaf = 2, leaves_of_a_worker = 64;
constexpr unsigned iterations = 4;
/// BATS watches data in the second one, and tries each part on each of up to four sockets after that.
constexpr unsigned tries_of_bats = 6, iterations_of_bats = 9;
constexpr unsigned most_attempts = 5;
/// Under auto a worker that has nothing 0.25 ms after the first iteration began takes what it finds, for good
/// (sched/confinement). The host holds one of the eight processors up for longer, as a rule for some ms, in half or
/// three quarters of the starts. When workers waited for 20 ms, none took anything in six starts. So short a time
/// cannot be seen from within the machine, and any start that misses its aim is repeated. Where it is not the host,
/// each of these starts misses it: plain stealing leaves about half of the bytes or fewer.
constexpr unsigned most_starts = 30;
constexpr std::chrono::seconds no_start_after(90);
/// By chance all of an iteration may be local, or nothing.
constexpr unsigned iterations_of_chance = 10;

/// What a leaf does beside its accesses takes this long, in us. It is a wait, for the machine's eight processors share
/// one or two real ones: leaves that compute would take as long as the computer outside happens to let them, and
/// stealing would even that out. Waiting, they are equally long on all eight, as on a machine that has them.
constexpr unsigned leaf_us = 10000;

struct locality {
  std::uint64_t local = 0, all = 0;  ///< bytes
  double part() const { return static_cast<double>(local) / static_cast<double>(all); }
};

constexpr std::size_t page_bytes = memory_pages::page_bytes;

/// Adds one to every byte; where the pages were, and where the worker.
locality sweep(std::span<std::byte> over, const expected_machine& machine) {
  std::atomic<std::uint64_t> local{0}, all{0};
  jackdaw::for_range(
      std::size_t{0}, over.size() / page_bytes,
      [&](std::size_t first, std::size_t last) {
        const auto bytes = over.subspan(first * page_bytes, (last - first) * page_bytes);
        jackdaw::writes(bytes.data(), bytes.size());
        for (std::byte& each : bytes) each = std::byte(std::to_integer<unsigned>(each) + 1);
        usleep(leaf_us);
        const unsigned here = whereabouts::now().node;
        for (const int node : nodes_of(bytes)) {
          if (node >= 0 && machine.socket_of(static_cast<unsigned>(node)) == here) local += page_bytes;
          all += page_bytes;
        }
      },
      jackdaw::grain{pages_of_a_leaf});
  return {local, all};
}

class locality_of : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    described = expected_machine::here();
    if (!described) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
    packages = described->packages;
    pages = pages_of_a_leaf * leaves_of_a_worker * described->cores;
  }

  /// The local part of what `times - first` iterations touch, after `first` ones; the first of all places the pages.
  /// `wanted` is the part that is aimed at, where a scheduler places tasks.
  double again(double wanted, unsigned times, unsigned first = 1) const {
    return of_attempts(wanted, times, first, "", [&](jackdaw::runtime&, const auto& use) {
      const memory_pages over(pages);
      use(over.bytes(0, pages), false);
    });
  }

  /// The same of a container, whose constructor places the pages.
  double again_in_a_container(double wanted, unsigned times, unsigned first = 1) const {
    return of_attempts(wanted, times, first, " in a placed_vector", [&](jackdaw::runtime& workers, const auto& use) {
      const held_up since(workers);
      jackdaw::placed_vector<std::byte> over(pages * page_bytes);
      use(std::span(over), since.now());
    });
  }

  std::optional<expected_machine> described;
  unsigned packages = 0;
  std::size_t pages = 0;

 private:
  /// Whether the host has run something else on a worker's processor for a while, since this was made: an iteration
  /// took `slow` times as long as its leaves wait, or a worker has not come for 0.2 s to what was placed with it. Other
  /// workers then take its tasks (docs/roots.md), and pages that it should have touched first lie elsewhere. The
  /// machines that these tests are about do not do that.
  class held_up {
   public:
    explicit held_up(const jackdaw::runtime& workers) : workers_(workers), before_(workers.stats().rescues) {}
    bool now() const { return workers_.stats().rescues != before_; }
    bool now_after_an_iteration() const {
      constexpr double slow = 1.2;
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - began_;
      return now() || took.count() > slow * leaf_us * leaves_of_a_worker;
    }

   private:
    const jackdaw::runtime& workers_;
    std::uint64_t before_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  };

  /// Random stealing places nothing: whichever worker comes is the right one.
  bool places() const { return GetParam() != "random"; }

  /// What misses its aim is excused if a worker was held up: an iteration then does not count, and after a disturbed
  /// start all begins again, with new memory and a new runtime. What reaches its aim all the same counts.
  double of_attempts(double wanted, unsigned times, unsigned first, const char* what, const auto& with_bytes) const {
    locality sum;
    std::vector<double> parts;
    bool excused = true;
    std::string each_one;
    const auto until = std::chrono::steady_clock::now() + no_start_after;
    for (unsigned start = 0; start != most_starts && excused && std::chrono::steady_clock::now() < until; ++start) {
      if (start != 0) each_one += " again:";
      sum = {};
      parts.clear();
      // LAWS gets the size of the data: it would otherwise measure bytes per ns, and times mean nothing here.
      jackdaw::runtime workers({.scheduler = GetParam(), .data_size = pages * page_bytes});
      workers.run([&] {
        with_bytes(workers, [&](std::span<std::byte> bytes, bool disturbed_start) {
          unsigned done = 0;
          for (unsigned counted = 0; counted != times - first && done != most_attempts * times; ++done) {
            const held_up since(workers);
            const locality one = sweep(bytes, *described);
            const bool disturbed = places() && since.now_after_an_iteration();
            each_one += ' ' + std::to_string(std::lround(100 * one.part())) + (disturbed ? "*" : "");
            if (done < first) {
              disturbed_start = disturbed_start || disturbed;
            } else if (!disturbed || one.part() >= wanted) {
              ++counted;
              sum.local += one.local;
              sum.all += one.all;
              parts.push_back(one.part());
            }
          }
          excused = places() && (disturbed_start || GetParam() == "auto") && whole(sum, parts) < wanted;
          for (const std::byte each : bytes) EXPECT_EQ(std::to_integer<unsigned>(each), done);
        });
      });
    }
    // tests/vm/run.py shows these lines.
    std::printf("figure: %s%s: %.1f%% of the bytes were local, by iteration (* a worker was held up):%s\n",
                GetParam().c_str(), what, 100 * whole(sum, parts), each_one.c_str());
    EXPECT_EQ(sum.all, (times - first) * pages * page_bytes) << "workers were held up too often";
    return whole(sum, parts);
  }

  /// Of all iterations the median, for a worker may be held up for too short a time to be noticed; the mean where each
  /// is a matter of chance.
  double whole(const locality& sum, std::vector<double> parts) const {
    if (!places() || parts.empty()) return sum.part();
    std::sort(parts.begin(), parts.end());
    return parts[parts.size() / 2];
  }
};

using schedulers_that_place = locality_of;

TEST_P(schedulers_that_place, find_memory_where_they_left_it) { EXPECT_GE(again(0.95, iterations), 0.95); }

TEST_P(schedulers_that_place, find_the_blocks_of_a_container_where_its_constructor_left_them) {
  EXPECT_GE(again_in_a_container(0.95, iterations), 0.95);
}

INSTANTIATE_TEST_SUITE_P(locality, schedulers_that_place, testing::Values("adws", "laws", "auto"),
                         jackdaw::test::test_name);

/// No memory of a virtual machine is faster than another, so times tell nothing, and data move once that is cheap.
TEST(data_of_one_thread, move_to_memory_beside_their_users_under_auto) {
  const auto described = expected_machine::here();
  if (!described) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
  jackdaw::runtime workers({.scheduler = "auto:hints"});  // here stealing plainly may well save time
  std::uint64_t caches = 0;
  for (const auto& each : workers.where().l3_groups) caches += each.bytes;
  const memory_pages all((caches + (8 << 20)) / page_bytes);  // what caches hold is not moved
  const auto bytes = all.bytes(0, all.count());
  for (std::size_t page = 0; page < all.count(); ++page) bytes[page * page_bytes] = std::byte{1};
  const std::vector<int> before = all.nodes(0, all.count());
  std::vector<unsigned> user(all.count());
  const auto sweep = [&] {
    jackdaw::for_range(std::size_t{0}, all.count(), [&](std::size_t first, std::size_t last) {
      jackdaw::writes(bytes.data() + first * page_bytes, (last - first) * page_bytes);
      for (std::size_t page = first; page < last; ++page) bytes[page * page_bytes] = std::byte{2};
      std::fill(user.begin() + static_cast<std::ptrdiff_t>(first), user.begin() + static_cast<std::ptrdiff_t>(last),
                whereabouts::now().node);
    });
  };
  const auto part_beside_users = [&] {
    const std::vector<int> nodes = all.nodes(0, all.count());
    std::size_t near = 0;
    for (std::size_t page = 0; page < all.count(); ++page) {
      near += nodes[page] >= 0 && described->socket_of(static_cast<unsigned>(nodes[page])) == user[page] ? 1 : 0;
    }
    return static_cast<double>(near) / static_cast<double>(all.count());
  };
  // All but the part that the first node's own socket uses.
  const double elsewhere = static_cast<double>(bytes.size()) * (described->packages - 1) / described->packages;
  const auto all_moved = [&] { return static_cast<double>(workers.data().moved) >= 0.75 * elsewhere; };
  const auto began = std::chrono::steady_clock::now(), until = began + std::chrono::seconds(100);
  unsigned sweeps = 0;
  const auto sweep_on = [&] {
    workers.run([&] {
      for (int i = 0; i < 20; ++i) sweep();
    });
    sweeps += 20;
  };
  while (!all_moved() && std::chrono::steady_clock::now() < until) sweep_on();
  const unsigned swept = sweeps;
  // A sweep in which the host ran something else on a worker's processor tells little: others took its tasks.
  double part = part_beside_users();
  for (int i = 0; i < 10 && part < 0.9; ++i) {
    sweep_on();
    part = std::max(part, part_beside_users());
  }
  const jackdaw::data_report moved = workers.data();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("figure: %llu of %zu MiB that one thread touched first (on node %d) were moved in %.2f s, in %u sweeps\n",
              static_cast<unsigned long long>(moved.moved >> 20), bytes.size() >> 20, before[0], moved.move_seconds,
              swept);
  std::printf("figure: then %.0f%% of them are beside their users, after %.1f s\n", 100 * part, seconds);
  // Some move as a trial, for a few iterations' time. The rest follows when that takes a small part of the time so far,
  // which it may never do where the host runs something else.
  ASSERT_GT(moved.moved, 0u);
  const double rest = moved.move_seconds * (elsewhere / static_cast<double>(moved.moved) - 1);
  EXPECT_TRUE(all_moved() || rest > 0.01 * seconds) << "it was cheap, but stayed";
  EXPECT_TRUE(!all_moved() || part >= 0.75) << part;
}

using schedulers_that_balance = locality_of;

/// The part of all data, laid out by bandwidth, that sockets with equally many processors run when none of them waits:
/// where one has more than its part beside it, the others help.
double attainable(const expected_machine& machine) {
  double all = 0, sum = 0;
  for (const auto& node : machine.nodes) all += node.bandwidth;
  for (unsigned socket = 0; socket < machine.packages; ++socket) {
    double beside = 0;
    for (unsigned node = 0; node < machine.nodes.size(); ++node) {
      if (machine.socket_of(node) == socket) beside += machine.nodes[node].bandwidth / all;
    }
    sum += std::min(beside, 1.0 / machine.packages);
  }
  return sum;
}

TEST_P(schedulers_that_balance, find_memory_of_both_kinds_beside_their_sockets) {
  const double wanted = 0.95 * attainable(*described);
  EXPECT_GE(again(wanted, iterations_of_bats, tries_of_bats), wanted);
}

TEST_P(schedulers_that_balance, find_the_blocks_of_a_container_beside_their_sockets) {
  const double wanted = 0.95 * attainable(*described);
  EXPECT_GE(again_in_a_container(wanted, iterations_of_bats, tries_of_bats), wanted);
}

INSTANTIATE_TEST_SUITE_P(locality, schedulers_that_balance, testing::Values("bats"), jackdaw::test::test_name);

using schedulers_that_do_not = locality_of;

TEST_P(schedulers_that_do_not, find_it_by_chance) { EXPECT_LT(again(0, iterations_of_chance), 1.0 / packages + 0.35); }

TEST_P(schedulers_that_do_not, find_the_blocks_of_a_container_by_chance) {
  EXPECT_LT(again_in_a_container(0, iterations_of_chance), 1.0 / packages + 0.35);
}

INSTANTIATE_TEST_SUITE_P(locality, schedulers_that_do_not, testing::Values("random"), jackdaw::test::test_name);

}  // namespace
