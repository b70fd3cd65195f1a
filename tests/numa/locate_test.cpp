// where() and migrate() with a fake kernel.
#include "numa/locate.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace jackdaw::numa {
namespace {

constexpr std::size_t page = 4096;

void* at_page(std::uintptr_t number) { return reinterpret_cast<void*>(number * page); }

/// Pages are on the nodes where the test put them. Like Linux, it skips the pages after a failure.
class pretended final : public numa_kernel {
 public:
  std::map<std::uintptr_t, int> nodes;  // of pages by number
  std::size_t room = SIZE_MAX;          // pages that still fit on the target
  std::set<std::uintptr_t> busy;        // for ever
  std::set<std::uintptr_t> busy_once;
  int refusal = 0;
  bool tells_why = true;
  unsigned calls = 0;

  int bind(void*, std::size_t, kernel_policy, const std::vector<unsigned>&) override { return refusal; }

  int set_policy(const touch_policy&) override { return refusal; }
  int policy(touch_policy&) override { return refusal; }
  int policy_at(const void*, touch_policy&) override { return refusal; }

  int locate(const std::vector<void*>& pages, std::vector<int>& found) override {
    if (query_refusal != 0) return query_refusal;
    found.clear();
    for (void* const each : pages) {
      const auto known = nodes.find(number(each));
      found.push_back(known == nodes.end() ? -ENOENT : known->second);
    }
    return 0;
  }

  int move(const std::vector<void*>& pages, unsigned node, std::vector<int>& states) override {
    ++calls;
    states.assign(pages.size(), 0);
    if (refusal != 0) return refusal;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const auto known = nodes.find(number(pages[i]));
      if (known == nodes.end()) {
        states[i] = -ENOENT;
      } else if (busy.contains(number(pages[i])) || busy_once.erase(number(pages[i])) != 0) {
        states[i] = tells_why ? -EBUSY : 0;
        return 0;
      } else if (room == 0) {
        states[i] = tells_why ? -ENOMEM : 0;
        return 0;
      } else {
        --room;
        known->second = static_cast<int>(node);
      }
    }
    return 0;
  }

  int query_refusal = 0;

 private:
  static std::uintptr_t number(void* at) { return reinterpret_cast<std::uintptr_t>(at) / page; }
};

pretended all_on(int node, std::uintptr_t first, std::size_t count) {
  pretended kernel;
  for (std::size_t i = 0; i < count; ++i) kernel.nodes[first + i] = node;
  return kernel;
}

TEST(where, counts_the_bytes_of_the_range_only) {
  pretended kernel;
  kernel.nodes = {{10, 0}, {11, 4}, {13, 4}};
  const auto found = locate(kernel, static_cast<char*>(at_page(10)) + 100, 3 * page, page);
  EXPECT_EQ(found.nodes, (std::vector<int>{0, 4, -1, 4}));
  EXPECT_EQ(found.on(0), page - 100);
  EXPECT_EQ(found.on(4), page + 100);
  EXPECT_EQ(found.on(7), 0u);
  EXPECT_EQ(found.untouched, page);
  EXPECT_EQ(found.unknown, 0u);
  EXPECT_EQ(found.text(), "node 0: 3996 B, node 4: 4196 B, untouched: 4096 B");
  EXPECT_EQ(locate(kernel, at_page(10), 0, page).nodes.size(), 0u);
  EXPECT_EQ(locate(kernel, at_page(10), 0, page).text(), "nothing");
}

TEST(where, many_pages_are_asked_for_in_parts) {
  pretended kernel = all_on(2, 1, 10000);
  EXPECT_EQ(locate(kernel, at_page(1), 10000 * page, page).on(2), 10000 * page);
}

TEST(where, reports_that_the_kernel_does_not_tell) {
  pretended kernel = all_on(0, 1, 3);
  kernel.query_refusal = EPERM;
  const auto found = locate(kernel, at_page(1), 3 * page, page);
  EXPECT_EQ(found.unknown, 3 * page);
  EXPECT_EQ(found.refusal, EPERM);
  EXPECT_EQ(found.text(), "unknown (Operation not permitted): 12288 B");
}

TEST(migrate, moves_all_pages) {
  pretended kernel = all_on(0, 100, 2000);
  kernel.nodes[100] = 4;
  kernel.nodes.erase(101);
  const migration result = move(kernel, at_page(100), 2000 * page, 4, page);
  EXPECT_TRUE(result.complete());
  EXPECT_EQ(result.moved, 1998 * page);
  EXPECT_EQ(result.already_there, page);
  EXPECT_EQ(result.untouched, page);
  EXPECT_EQ(result.error, 0);
  EXPECT_EQ(result.text(), "8183808 B moved to node 4, 4096 B were there, 4096 B have no memory yet");
}

TEST(migrate, to_a_full_node_stops_and_reports_how_far) {
  for (const bool tells_why : {true, false}) {
    pretended kernel = all_on(1, 0x1000, 5000);
    kernel.room = 700;
    kernel.tells_why = tells_why;
    const migration result = move(kernel, at_page(0x1000), 5000 * page, 5, page);
    EXPECT_FALSE(result.complete());
    EXPECT_EQ(result.moved, 700 * page);
    EXPECT_EQ(result.failed, 4300 * page);
    ASSERT_EQ(result.stayed.size(), 1u);
    EXPECT_EQ(result.stayed[0], (migration::left_behind{700 * page, 4300 * page, 1}));
    EXPECT_TRUE(result.error == ENOMEM || (!tells_why && result.error == EBUSY)) << result.error;
    EXPECT_LE(kernel.calls, 16u) << "a full node is not tried for ever";
  }
}

TEST(migrate, skips_pages_that_are_in_use) {
  pretended kernel = all_on(0, 1, 2048);
  kernel.busy = {700};     // all but the batch that it is in gets moved
  kernel.busy_once = {5};  // moved by the second try
  const migration result = move(kernel, at_page(1), 2048 * page, 3, page);
  EXPECT_EQ(result.error, EBUSY);
  EXPECT_EQ(kernel.nodes[1], 3);
  EXPECT_EQ(kernel.nodes[5], 3);
  EXPECT_EQ(kernel.nodes[2048], 3);
  EXPECT_EQ(kernel.nodes[700], 0);
  EXPECT_EQ(result.moved + result.failed, 2048 * page);
  ASSERT_FALSE(result.stayed.empty());
  EXPECT_EQ(result.stayed[0].node, 0);
}

TEST(migrate, reports_a_refusal) {
  pretended kernel = all_on(0, 1, 4);
  kernel.refusal = EPERM;
  const migration result = move(kernel, static_cast<char*>(at_page(1)) + 8, 3 * page, 1, page);
  EXPECT_EQ(result.failed, 4 * page);
  EXPECT_EQ(result.error, EPERM);
  EXPECT_EQ(kernel.calls, 1u);
  EXPECT_EQ(result.text(),
            "0 B moved to node 1, 16384 B could not be moved: Operation not permitted; 16384 B from byte 0 on stay on "
            "node 0");
}

}  // namespace
}  // namespace jackdaw::numa
