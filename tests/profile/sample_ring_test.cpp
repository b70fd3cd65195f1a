// Reading a buffer of samples, with any contents.
#include "profile/hotness/sample_ring.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "profile/hotness/sampled_heat.hpp"

namespace jackdaw::test {
namespace {

using profile::address_sample;
using profile::sample_ring;
using profile::sampled_heat;
using words = std::vector<std::uint64_t>;

constexpr std::uint64_t plain = PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD, with_source = plain | PERF_SAMPLE_DATA_SRC;

/// Writes records like the kernel's, and malformed ones.
class ring : public testing::Test {
 protected:
  static constexpr std::size_t bytes = 256;

  void write(const void* from, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      data[(control.data_head + i) % bytes] = static_cast<const std::byte*>(from)[i];
    }
    control.data_head += size;
  }
  void record(std::uint32_t type, const words& body) {
    const auto size = sizeof(perf_event_header) + body.size() * sizeof(std::uint64_t);
    record(type, body, static_cast<std::uint16_t>(size));
  }
  void record(std::uint32_t type, const words& body, std::uint16_t said_size) {
    const perf_event_header header{.type = type, .misc = 0, .size = said_size};
    write(&header, sizeof header);
    write(body.data(), body.size() * sizeof body[0]);
  }
  void sample(std::uint64_t address, std::uint64_t period) { record(PERF_RECORD_SAMPLE, {address, period}); }

  std::vector<address_sample> drained(sample_ring& from) const {
    std::vector<address_sample> into;
    from.drain(into);
    EXPECT_EQ(control.data_tail, control.data_head) << "the kernel does not get the room back";
    return into;
  }

  perf_event_mmap_page control{};
  std::array<std::byte, bytes> data{};
  sample_ring reader{control, data.data(), bytes, plain};
};

using samples = std::vector<address_sample>;

TEST_F(ring, has_nothing_at_first) { EXPECT_EQ(drained(reader), samples{}); }

TEST_F(ring, reports_each_sample_once) {
  sample(0x7000, 3);
  sample(0x9000, 70);
  EXPECT_EQ(drained(reader), (samples{{0x7000, 3}, {0x9000, 70}}));
  EXPECT_EQ(drained(reader), samples{});
  sample(0x8000, 1);
  EXPECT_EQ(drained(reader), (samples{{0x8000, 1}}));
}

TEST_F(ring, goes_round_in_the_middle_of_a_record) {
  // Samples have 24 bytes, and 256 is not a multiple of 24, so the end falls on each of three places in some round.
  for (std::uint64_t i = 0; i < 200; ++i) {
    sample(0x1000 * i, i);
    sample(0x1000 * i + 8, i);
    ASSERT_EQ(drained(reader), (samples{{0x1000 * i, i}, {0x1000 * i + 8, i}})) << i;
  }
  EXPECT_EQ(reader.lost(), 0u);
}

TEST_F(ring, goes_round_in_the_middle_of_a_header) {
  control.data_head = control.data_tail = bytes - 4;
  sample(0x7000, 3);
  EXPECT_EQ(drained(reader), (samples{{0x7000, 3}}));
}

TEST_F(ring, can_be_full) {
  for (std::uint64_t i = 0; i < 10; ++i) sample(i, 1);
  record(PERF_RECORD_LOST, {});  // leaves 8 bytes
  record(PERF_RECORD_SWITCH, {});
  ASSERT_EQ(control.data_head, bytes);
  std::vector<address_sample> into;
  reader.drain(into);
  EXPECT_EQ(into.size(), 10u);
}

TEST_F(ring, counts_lost_samples) {
  record(PERF_RECORD_LOST, {1, 40});
  sample(0x7000, 3);
  record(PERF_RECORD_LOST, {1, 2});
  EXPECT_EQ(drained(reader), (samples{{0x7000, 3}}));
  EXPECT_EQ(reader.lost(), 42u);
}

TEST_F(ring, leaves_out_records_of_other_kinds) {
  record(PERF_RECORD_THROTTLE, {1, 2, 3});
  sample(0x7000, 3);
  record(4711, {7, 7});
  record(PERF_RECORD_SAMPLE, {0x8000, 4, 5, 6});  // longer than it has to be
  EXPECT_EQ(drained(reader), (samples{{0x7000, 3}, {0x8000, 4}}));
  EXPECT_EQ(reader.lost(), 0u);
}

TEST_F(ring, skips_malformed_records_and_continues_later) {
  const std::vector<std::pair<std::uint32_t, std::uint16_t>> corrupt = {
      {PERF_RECORD_SAMPLE, 0},       // read again for ever
      {PERF_RECORD_SAMPLE, 7},       // less than a header
      {PERF_RECORD_SAMPLE, 16},      // no room for a period
      {PERF_RECORD_SAMPLE, 48},      // goes beyond what follows it
      {PERF_RECORD_SAMPLE, 0xffff},  // and beyond the buffer
      {PERF_RECORD_LOST, 16},        // no room for a count
      {4711, 4},
  };
  std::uint64_t lost = 0;
  for (const auto& [type, size] : corrupt) {
    sample(0x7000, 3);
    record(type, {0x8000, 4}, size);
    sample(0x9000, 5);
    record(PERF_RECORD_SWITCH, {}, 8);
    samples wanted = {{0x7000, 3}};
    if (size == 48) wanted = {{0x7000, 3}, {0x8000, 4}};  // and what follows it is its own
    EXPECT_EQ(drained(reader), wanted) << type << ' ' << size;
    lost += size == 48 ? 0 : 1;
    EXPECT_EQ(reader.lost(), lost) << type << ' ' << size;
    sample(0xa000, 6);
    EXPECT_EQ(drained(reader), (samples{{0xa000, 6}})) << type << ' ' << size;
  }
}

TEST_F(ring, with_a_record_that_goes_beyond_the_head) {
  record(PERF_RECORD_SAMPLE, {0x8000, 4}, 32);
  EXPECT_EQ(drained(reader), samples{});
  EXPECT_EQ(reader.lost(), 1u);
}

TEST_F(ring, with_a_head_in_the_middle_of_a_header) {
  sample(0x7000, 3);
  control.data_head += 4;
  EXPECT_EQ(drained(reader), (samples{{0x7000, 3}}));
  EXPECT_EQ(reader.lost(), 1u);
}

TEST_F(ring, with_a_head_too_far_ahead_or_behind) {
  for (std::size_t i = 0; i < bytes / sizeof(perf_event_header); ++i) record(PERF_RECORD_SWITCH, {});  // no end of them
  EXPECT_EQ(drained(reader), samples{});
  for (const std::uint64_t head : {std::size_t{1} << 60, std::size_t{8}, 2 * bytes}) {
    control.data_head = head;
    EXPECT_EQ(drained(reader), samples{});
  }
  EXPECT_EQ(reader.lost(), 3u);
}

std::uint64_t source(std::uint64_t op, std::uint64_t level, std::uint64_t number = PERF_MEM_LVLNUM_NA) {
  perf_mem_data_src from{};
  from.mem_op = op;
  from.mem_lvl = level;
  from.mem_lvl_num = number;
  return from.val;
}

TEST_F(ring, with_sources_reports_memory_only) {
  sample_ring filtered(control, data.data(), bytes, with_source);
  const auto told = [&](std::uint64_t of) {
    record(PERF_RECORD_SAMPLE, {0x7000, 3, of});
    return drained(filtered) == samples{{0x7000, 3}};
  };
  constexpr std::uint64_t load = PERF_MEM_OP_LOAD, hit = PERF_MEM_LVL_HIT;
  EXPECT_TRUE(told(source(load, PERF_MEM_LVL_LOC_RAM | hit)));
  EXPECT_TRUE(told(source(load, PERF_MEM_LVL_REM_RAM1 | hit)));
  EXPECT_TRUE(told(source(load, PERF_MEM_LVL_REM_RAM2 | hit)));
  EXPECT_TRUE(told(source(load, 0, PERF_MEM_LVLNUM_RAM)));
  EXPECT_TRUE(told(source(load, 0, PERF_MEM_LVLNUM_PMEM)));
  EXPECT_TRUE(told(source(load, 0, PERF_MEM_LVLNUM_CXL)));
  EXPECT_FALSE(told(source(load, PERF_MEM_LVL_L1 | hit, PERF_MEM_LVLNUM_L1)));
  EXPECT_FALSE(told(source(load, PERF_MEM_LVL_L2 | hit, PERF_MEM_LVLNUM_L2)));
  EXPECT_FALSE(told(source(load, PERF_MEM_LVL_L3 | hit, PERF_MEM_LVLNUM_L3)));
  EXPECT_FALSE(told(source(load, PERF_MEM_LVL_LFB | hit, PERF_MEM_LVLNUM_LFB)));
  EXPECT_FALSE(told(source(load, PERF_MEM_LVL_REM_CCE1 | hit, PERF_MEM_LVLNUM_ANY_CACHE)));
  EXPECT_FALSE(told(source(load, PERF_MEM_LVL_IO, PERF_MEM_LVLNUM_IO)));
  EXPECT_FALSE(told(source(PERF_MEM_OP_NA, PERF_MEM_LVL_NA)));
  EXPECT_FALSE(told(0));
  EXPECT_EQ(filtered.lost(), 0u);
}

TEST_F(ring, with_sources_needs_them) {
  sample_ring filtered(control, data.data(), bytes, with_source);
  sample(0x7000, 3);
  EXPECT_EQ(drained(filtered), samples{});
  EXPECT_EQ(filtered.lost(), 1u);
}

TEST(sampled_heat, adds_up_the_periods_of_an_areas_samples) {
  sampled_heat heat;
  heat.add({0x5000, 0x7000, 0x1000});
  heat.add({0x1000, 0x3000, 0x1000});
  heat.add({0x3000, 0x4000, 0x1000});
  heat.see(samples{{0xfff, 1},  // before the first
                   {0x1000, 2},
                   {0x2fff, 3},
                   {0x3000, 10},
                   {0x4000, 100},  // between two
                   {0x4fff, 100},
                   {0x6fff, 20},
                   {0x7000, 100},  // behind the last
                   {~std::uintptr_t{0}, 100}});
  EXPECT_EQ(heat.heat(), (std::vector<double>{20, 5, 10}));
  EXPECT_EQ(heat.samples(), 4u);
  heat.forget();
  EXPECT_TRUE(heat.heat().empty());
  heat.see(samples{{0x1000, 2}});
  EXPECT_EQ(heat.samples(), 0u);
}

TEST(sampled_heat, tells_when_there_are_enough_samples_for_the_areas) {
  sampled_heat heat;
  EXPECT_FALSE(heat.tells());
  heat.add({0x1000, 0x2000, 0x1000});
  heat.add({0x2000, 0x3000, 0x1000});
  heat.see(samples(2 * sampled_heat::few_samples - 1, {0x1000, 1000000}));
  EXPECT_FALSE(heat.tells());
  heat.see(samples{{0x9000, 1}});
  EXPECT_FALSE(heat.tells());
  heat.see(samples{{0x1000, 1}});
  EXPECT_TRUE(heat.tells());
  heat.add({0x3000, 0x4000, 0x1000});
  EXPECT_FALSE(heat.tells());
}

}  // namespace
}  // namespace jackdaw::test
