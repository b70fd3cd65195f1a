#include "jackdaw/memory/placement.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "jackdaw/detail/sanitizers.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/memory.hpp"
#include "support/error_of.hpp"

namespace jackdaw {
namespace {

TEST(placement, is_a_value) {
  EXPECT_EQ(placement(), placement::first_touch());
  EXPECT_EQ(placement::on(3), placement::on(3));
  EXPECT_NE(placement::on(3), placement::on(2));
  EXPECT_NE(placement::by_bandwidth(), placement::by_bandwidth().spread_by_kernel());
  EXPECT_NE(placement::fastest(), placement::fastest(4096));
}

TEST(placement, has_a_name) {
  EXPECT_EQ(placement().text(), "first touch");
  EXPECT_EQ(placement::on(4).text(), "on node 4");
  EXPECT_EQ(placement::interleave().text(), "interleaved over all nodes");
  EXPECT_EQ(placement::interleave({1, 0}).text(), "interleaved over nodes 1, 0");
  EXPECT_EQ(placement::by_bandwidth().text(), "by bandwidth");
  EXPECT_EQ(placement::by_bandwidth().spread_by_kernel().text(), "by the kernel's weights");
  EXPECT_EQ(placement::fastest(8192).text(), "fastest nodes first, at most 8192 B on each");
}

TEST(placement, bad_input_is_one_line) {
  EXPECT_EQ(error_of([] { placement::interleave({2, 1, 2}); }),
            "interleave: node 2 is named twice, expected each once");
  EXPECT_EQ(error_of([] { placement::by_bandwidth({{0, 1}, {0, 2}}); }),
            "by_bandwidth: node 0 is named twice, expected each once");
  EXPECT_EQ(error_of([] { placement::by_bandwidth({{0, 0}}); }),
            "by_bandwidth: node 0 has a bandwidth of 0.000000, expected a number above 0");
  EXPECT_EQ(error_of([] { placement::fastest(4096, {{1, std::numeric_limits<double>::infinity()}}); }),
            "fastest: node 1 has a bandwidth of inf, expected a number above 0");
  EXPECT_EQ(error_of([] { placement::on(0).spread_by_kernel(); }),
            "spread_by_kernel: the policy is 'on node 0', expected by_bandwidth");
}

TEST(report, is_readable_text) {
  const placement_report report{
      .page = 4096,
      .pieces = {{0, 8192, {4}, placed_how::bound}, {8192, 4096, {0, 1}, placed_how::interleaved}},
      .bandwidth = bandwidth_source::not_known,
      .notes = {"so it is"}};
  EXPECT_EQ(report.text(),
            "bytes 0 to 8191: node 4, bound\n"
            "bytes 8192 to 12287: nodes 0, 1, interleaved\n"
            "pages of 4096 B; bandwidths: unknown\n"
            "note: so it is\n");
  EXPECT_FALSE(report.as_asked());
  EXPECT_TRUE((placement_report{.page = 4096, .pieces = {{0, 4096, {}, placed_how::first_touch}}}).as_asked());
  EXPECT_FALSE((placement_report{.page = 4096, .pieces = {{0, 4096, {4}, placed_how::out_of_reach}}}).as_asked());
}

TEST(placed_memory, bad_sizes_are_one_line) {
  EXPECT_EQ(error_of([] { placed_memory none(0, placement::on(0)); }),
            "placed memory: 0 B, expected 1 to 4611686018427387904");
  EXPECT_EQ(error_of([] { placed_memory odd(1, placement::on(0), 48); }),
            "placed memory: an alignment of 48 B, expected a power of two up to 4611686018427387904");
  EXPECT_EQ(error_of([] { placed_array<double> none(0, placement::on(0)); }),
            "placed memory: 0 B, expected 1 to 4611686018427387904");
  EXPECT_EQ(error_of([] { placed_array<double> huge(SIZE_MAX / 4, placement::on(0)); }),
            "placed_array: 4611686018427387903 elements of 8 B, expected at most 576460752303423487");
  EXPECT_NE(error_of([] { placed_array<double> nowhere(1, placement::on(4000)); }).find("no such memory node: 4000"),
            std::string::npos);
  EXPECT_NE(error_of([] { migrate(nullptr, 0, 4000); }).find("migrate: no such memory node: 4000"), std::string::npos);
}

#if !defined(JACKDAW_ASAN) && !defined(JACKDAW_TSAN)
TEST(placed_memory, that_cannot_be_had_is_bad_alloc) {
  EXPECT_THROW(placed_memory(std::size_t{1} << 61, placement::interleave()), std::bad_alloc);
}
#endif

TEST(placed_memory, is_aligned_zeroed_and_moved) {
  placed_memory memory(10000, placement::interleave(), std::size_t{1} << 24);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % (1 << 24), 0u);
  EXPECT_EQ(memory.size() % base_page_size(), 0u);
  EXPECT_GE(memory.size(), 10000u);
  for (std::size_t i = 0; i < memory.size(); ++i) ASSERT_EQ(memory.data()[i], std::byte{0});
  std::byte* const at = memory.data();
  placed_memory other(std::move(memory));
  EXPECT_EQ(other.data(), at);
  other = placed_memory(1, placement::interleave());
  EXPECT_NE(other.data(), nullptr);
  EXPECT_EQ(other.size(), base_page_size());
}

TEST(placed_memory, of_a_described_machine_is_placed_nowhere_and_reports_that) {
  setenv("HWLOC_SYNTHETIC", "numa:4 core:1 pu:1", 1);
  const placed_memory memory(100, placement::on(3));
  EXPECT_EQ(error_of([] { placed_memory(100, placement::on(4)); }),
            "on: no such memory node: 4, expected one of nodes 0, 1, 2, 3");
  unsetenv("HWLOC_SYNTHETIC");
  ASSERT_EQ(memory.report().pieces.size(), 1u);
  EXPECT_EQ(memory.report().pieces[0].how, placed_how::not_placed);
  EXPECT_FALSE(memory.report().as_asked());
  EXPECT_NE(memory.report().text().find("this machine exists only as a description"), std::string::npos);
  memory.data()[99] = std::byte{1};
}

}  // namespace
}  // namespace jackdaw
