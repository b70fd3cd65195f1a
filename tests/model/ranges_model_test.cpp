// A reader of a steal range gets the values with which the range was opened, even while its place is reused.
#include <gtest/gtest.h>

#include "model/report.hpp"
#include "sched/range_node.hpp"

namespace jackdaw::model {
namespace {

using sched::worker_range;

/// A node whose fields are stored as a careless open() would: the version first.
template <class P>
struct careless_node {
  using version = std::uint32_t;
  version open(std::uint64_t parent, worker_range workers) {
    const auto made = static_cast<version>(state.load(std::memory_order_relaxed) + 1);
    state.store(made, std::memory_order_release);
    fields[0].store(parent, std::memory_order_release);
    fields[1].store(static_cast<std::uint64_t>(workers.first) << 32 | workers.last, std::memory_order_release);
    return made;
  }
  void close(version of) { state.store(of + 1, std::memory_order_release); }
  void activate(version) {}
  bool active(version) const { return false; }
  bool alive(version of) const { return state.load(std::memory_order_relaxed) == of; }
  bool read(version of, std::uint64_t& parent, worker_range& workers) const {
    if (state.load(std::memory_order_acquire) != of) {
      return false;
    }
    parent = fields[0].load(std::memory_order_acquire);
    const std::uint64_t packed = fields[1].load(std::memory_order_acquire);
    workers = {static_cast<std::uint32_t>(packed >> 32), static_cast<std::uint32_t>(packed)};
    return alive(of);
  }
  typename P::template atomic<std::uint64_t> state{0};
  typename P::template atomic<std::uint64_t> fields[2];
};

/// Thread 0 closes the node and opens it for two more groups; the others activate and read by all possible names.
/// Version v was opened with v throughout.
template <class Node>
struct ranges_play : scenario {
  ranges_play(unsigned readers, unsigned reopened) : readers(readers), reopened(reopened) { open(1); }
  unsigned threads() const override { return 1 + readers; }

  void run(unsigned self) override {
    if (self == 0) {
      for (std::uint32_t version = 1; version <= 2 * reopened - 1; version += 2) {
        node.close(version);
        open(version + 2);
      }
    } else {
      for (std::uint32_t version = 1; version <= 2 * reopened + 1; version += 2) {
        if (self == 1) {
          node.activate(version);
        }
        const bool last_and_open = version == 2 * reopened + 1 && node.alive(version);
        std::uint64_t parent = 0;
        worker_range workers;
        if (node.read(version, parent, workers)) {
          expect(parent == version && workers == worker_range{version, version}, "another group's fields were read");
        } else {
          expect(!last_and_open, "an open range reads as closed");
        }
      }
    }
  }

  void open(std::uint32_t version) {
    expect(node.open(version, {version, version}) == version, "a version was left out");
  }

  void finish(ended who) override {
    expect(all(who), "a thread waits for ever");
    expect(node.alive(2 * reopened + 1), "the last range is not open");
    expect(!node.active(2 * reopened - 1), "a closed range is active");
  }

  const unsigned readers, reopened;
  Node node;
};

class ranges : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, ranges, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

using checked = ranges_play<sched::basic_range_node<policy>>;

TEST_P(ranges, a_name_never_reads_another_groups_fields) { expect_holds(explore<checked>({.on = GetParam()}, 1u, 2u)); }
TEST_P(ranges, also_with_two_readers) { expect_holds(explore<checked>({.on = GetParam()}, 2u, 1u)); }
TEST_P(ranges, version_before_fields_is_found) {
  expect_violated(explore<ranges_play<careless_node<policy>>>({.on = GetParam()}, 1u, 1u));
}

TEST(model, ranges_without_release_are_found) {
  for (const machine on : {machine::pso, machine::views}) {
    expect_violated(explore<checked>({.on = on, .release_is_relaxed = true}, 1u, 1u));
  }
}
TEST(model, ranges_without_acquire_are_found) {
  expect_violated(explore<checked>({.on = machine::views, .acquire_is_relaxed = true}, 1u, 1u));
}

}  // namespace
}  // namespace jackdaw::model
