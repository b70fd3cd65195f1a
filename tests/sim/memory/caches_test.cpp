#include "sim/memory/caches.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "naive_caches.hpp"
#include "sim/machines.hpp"
#include "support/sanitized.hpp"

namespace jackdaw::sim {
namespace {

constexpr std::uint64_t whole = 0xff;  // of a block of 512 bytes

using fill_policy = machine_model::fill_policy;
using clean_source = machine_model::clean_source;

machine_model two_by_two(fill_policy fill) {
  machine_model m = small_machine(2, 2);
  m.fill = fill;
  return m;
}

struct two_sockets : testing::Test {
  explicit two_sockets(fill_policy fill = fill_policy::victim) : machine(two_by_two(fill)), at(machine, 100000) {}
  const supply& read(unsigned core, std::uint32_t block, std::uint64_t lines = whole) {
    at.access(core, block, lines, false, out);
    return out;
  }
  const supply& write(unsigned core, std::uint32_t block, std::uint64_t lines = whole) {
    at.access(core, block, lines, true, out);
    return out;
  }
  /// Reads `count` other blocks, never used before, with a core.
  void flush(unsigned core, unsigned count) {
    while (count-- > 0) read(core, next++);
  }

  machine_model machine;
  caches at;
  supply out;
  std::uint32_t next = 1000;
};

TEST_F(two_sockets, first_from_memory_then_from_the_private_cache) {
  EXPECT_EQ(read(0, 7).memory, whole);
  EXPECT_EQ(read(0, 7).own, whole);
  EXPECT_EQ(out.memory, 0);
}

TEST_F(two_sockets, a_part_of_a_block_installs_that_part_only) {
  EXPECT_EQ(read(0, 7, 0b1).memory, 0b1);
  EXPECT_EQ(at.private_of(0).resident(), 64);
  read(0, 7, 0b11);
  EXPECT_EQ(out.own, 0b01);
  EXPECT_EQ(out.memory, 0b10);
  EXPECT_EQ(at.private_of(0).resident(), 128);
}

TEST_F(two_sockets, what_leaves_a_private_cache_is_in_its_sockets_shared_one) {
  read(0, 7);
  flush(0, 128);
  EXPECT_EQ(at.private_of(0).find(7), nullptr);
  EXPECT_EQ(read(1, 7).shared, whole);
  EXPECT_EQ(read(2, 7).memory, whole);
  EXPECT_EQ(read(0, 7).shared, whole);
  at.check();
}

TEST_F(two_sockets, a_write_makes_copies_elsewhere_stale_line_by_line) {
  for (unsigned core = 0; core < 4; ++core) read(core, 7);
  write(3, 7, 0b11);
  read(0, 7);
  EXPECT_EQ(out.own, whole & ~0b11U);
  ASSERT_EQ(out.remote.size(), 1);
  EXPECT_EQ(out.remote[0].group, 1);
  EXPECT_EQ(out.remote[0].lines, 0b11);
  EXPECT_EQ(read(3, 7).own, whole);
  at.check();
}

TEST_F(two_sockets, a_write_makes_copies_in_shared_caches_stale) {
  read(0, 7);
  flush(0, 128);
  ASSERT_NE(at.shared_of(0).find(7), nullptr);
  write(0, 7);
  EXPECT_EQ(out.shared, whole);
  EXPECT_EQ(at.shared_of(0).find(7), nullptr);
  EXPECT_EQ(at.private_of(0).find(7)->dirty, whole);
  at.check();
}

TEST_F(two_sockets, dirty_lines_of_the_own_socket_come_at_its_rate) {
  write(1, 7);
  EXPECT_EQ(read(0, 7).shared, whole);
  EXPECT_EQ(out.memory, 0);
}

TEST_F(two_sockets, dirty_lines_stay_with_their_owner_until_written_elsewhere) {
  write(0, 7);
  read(2, 7);
  EXPECT_EQ(at.private_of(0).find(7)->dirty, whole);
  EXPECT_EQ(at.private_of(2).find(7)->dirty, 0);
  EXPECT_EQ(read(3, 7).remote.at(0).lines, whole);  // not from core 2, which has a copy only
  write(2, 7, 0b1);
  EXPECT_EQ(at.private_of(0).find(7)->dirty, whole & ~1U);
  EXPECT_EQ(at.private_of(2).find(7)->dirty, 0b1);
  read(3, 7);
  EXPECT_EQ(out.shared, 0b1);
  EXPECT_EQ(out.own, whole & ~1U);
  at.check();
}

TEST_F(two_sockets, dirty_lines_of_one_block_may_be_in_several_places) {
  write(0, 7, 0x0f);
  write(2, 7, 0x30);
  read(3, 7);
  EXPECT_EQ(out.shared, 0x30);
  EXPECT_EQ(out.remote.at(0).lines, 0x0f);
  EXPECT_EQ(out.memory, 0xc0);
  at.check();
}

TEST_F(two_sockets, dirty_lines_are_served_from_the_other_sockets_shared_cache) {
  write(0, 7);
  flush(0, 128);
  ASSERT_EQ(at.shared_of(0).find(7)->dirty, whole);
  EXPECT_EQ(read(2, 7).remote.at(0).lines, whole);
  EXPECT_EQ(at.shared_of(0).find(7)->dirty, whole);
  at.check();
}

TEST_F(two_sockets, dirty_lines_are_written_back_when_they_leave_the_shared_cache) {
  write(0, 7, 0b101);
  std::uint64_t written = 0;
  for (int i = 0; i < 128 + 512 + 1; ++i) {
    flush(0, 1);
    for (const supply::dirty_lines& each : out.evicted) {
      EXPECT_EQ(each.block, 7);
      written |= each.lines;
    }
  }
  EXPECT_EQ(written, 0b101);
  EXPECT_EQ(read(0, 7).memory, whole);
  at.check();
}

TEST(caches, without_shared_ones_dirty_lines_leave_from_the_private_ones) {
  machine_model m = small_machine(2, 2);
  m.shared_cache.size = 0;
  caches at(m, 1000);
  supply out;
  at.access(0, 7, 0b11, true, out);
  at.access(1, 7, 0b10, false, out);
  EXPECT_EQ(out.shared, 0b10);
  std::uint64_t written = 0;
  for (std::uint32_t i = 0; i < 128; ++i) {
    at.access(0, 100 + i, whole, false, out);
    for (const supply::dirty_lines& each : out.evicted) written += each.lines;
  }
  EXPECT_EQ(written, 0b11);
  at.access(0, 7, 0b11, false, out);
  EXPECT_EQ(out.memory, 0b11);
  at.check();
}

struct inclusive_sockets : two_sockets {
  inclusive_sockets() : two_sockets(fill_policy::inclusive) {}
};

TEST_F(inclusive_sockets, what_comes_from_memory_is_in_both) {
  read(0, 7);
  EXPECT_EQ(at.private_of(0).find(7)->lines, whole);
  ASSERT_NE(at.shared_of(0).find(7), nullptr);
  EXPECT_EQ(at.shared_of(0).find(7)->lines, whole);
  EXPECT_EQ(read(1, 7).shared, whole);  // a clean line of core 0
  EXPECT_EQ(read(2, 7).memory, whole);
  at.check();
}

TEST_F(inclusive_sockets, a_clean_line_leaves_a_private_cache_for_nowhere) {
  for (std::uint32_t block = 0; block < 200; ++block) read(0, block);
  EXPECT_EQ(at.private_of(0).resident(), 128 * 512);
  EXPECT_EQ(at.shared_of(0).resident(), 200 * 512);
  at.check();
}

TEST_F(inclusive_sockets, what_leaves_the_shared_cache_leaves_the_private_ones) {
  write(0, 7, 0b11);
  read(1, 7, 0b100);
  // Core 0 uses the block all the time, but the shared cache does not hear of it.
  std::uint64_t written = 0;
  for (int i = 0; i < 512; ++i) {
    if (at.private_of(0).find(7) != nullptr) {
      EXPECT_EQ(read(0, 7, 0b11).own, 0b11);
    }
    flush(1, 1);
    for (const supply::dirty_lines& each : out.evicted) {
      EXPECT_EQ(each.block, 7);
      written |= each.lines;
    }
  }
  EXPECT_EQ(written, 0b11);
  for (const unsigned core : {0, 1}) EXPECT_EQ(at.private_of(core).find(7), nullptr);
  EXPECT_EQ(read(0, 7).memory, whole);
  at.check();
}

TEST_F(inclusive_sockets, a_written_line_stays_in_the_own_shared_cache_and_is_dirty_once) {
  read(0, 7);
  read(2, 7);
  write(0, 7);
  EXPECT_EQ(at.shared_of(0).find(7)->lines, whole);
  EXPECT_EQ(at.shared_of(0).find(7)->dirty, 0);
  EXPECT_EQ(at.shared_of(1).find(7), nullptr);
  EXPECT_EQ(at.private_of(2).find(7), nullptr);
  EXPECT_EQ(read(3, 7).remote.at(0).lines, whole);
  flush(0, 128);
  EXPECT_EQ(at.shared_of(0).find(7)->dirty, whole);
  write(1, 7);  // takes the dirty lines over
  EXPECT_EQ(at.shared_of(0).find(7)->dirty, 0);
  EXPECT_EQ(at.private_of(1).find(7)->dirty, whole);
  at.check();
}

struct exclusive_sockets : two_sockets {
  exclusive_sockets() : two_sockets(fill_policy::exclusive) {}
};

TEST_F(exclusive_sockets, a_hit_takes_the_line_out) {
  read(0, 7);
  flush(0, 128);
  ASSERT_NE(at.shared_of(0).find(7), nullptr);
  EXPECT_EQ(read(1, 7, 0b1).shared, 0b1);
  EXPECT_EQ(at.shared_of(0).find(7)->lines, whole & ~1U);
  EXPECT_EQ(read(1, 7).shared, whole & ~1U);
  EXPECT_EQ(at.shared_of(0).find(7), nullptr);
  at.check();
}

TEST_F(exclusive_sockets, dirty_lines_stay_dirty_on_their_way) {
  write(0, 7, 0b11);
  flush(0, 128);
  ASSERT_EQ(at.shared_of(0).find(7)->dirty, 0b11);
  read(1, 7, 0b11);
  EXPECT_EQ(at.shared_of(0).find(7), nullptr);
  EXPECT_EQ(at.private_of(1).find(7)->dirty, 0b11);
  EXPECT_EQ(read(2, 7, 0b11).remote.at(0).lines, 0b11);
  at.check();
}

TEST_F(exclusive_sockets, a_clean_line_that_a_neighbour_has_does_not_go_into_the_shared_cache) {
  read(0, 7);
  EXPECT_EQ(read(1, 7).shared, whole);  // from core 0
  flush(0, 128);
  EXPECT_EQ(at.shared_of(0).find(7), nullptr);
  flush(1, 128);
  EXPECT_EQ(at.shared_of(0).find(7)->lines, whole);
  at.check();
}

TEST_F(exclusive_sockets, a_dirty_line_that_a_neighbour_shares_stays) {
  write(0, 7);
  read(1, 7);
  flush(0, 128);
  ASSERT_EQ(at.shared_of(0).find(7)->dirty, whole);
  EXPECT_EQ(read(0, 7).shared, whole);
  EXPECT_EQ(at.shared_of(0).find(7)->dirty, whole);
  EXPECT_EQ(at.private_of(0).find(7)->dirty, 0);
  at.check();
}

TEST_F(exclusive_sockets, keep_as_much_as_all_caches_together) {
  // 64 KiB and 256 KiB: a round of 320 KiB misses only once, and a block more misses always.
  for (const unsigned blocks : {640, 641}) {
    caches fresh(machine, 100000);
    std::uint64_t from_memory = 0;
    for (int round = 0; round < 3; ++round)
      for (std::uint32_t block = 0; block < blocks; ++block) {
        fresh.access(0, block, whole, false, out);
        from_memory += count_lines(out.memory);
      }
    EXPECT_EQ(from_memory, 8 * blocks * (blocks == 640 ? 1 : 3));
    fresh.check();
  }
}

TEST(caches, clean_lines_come_from_neighbours_if_the_machine_forwards_them) {
  machine_model m = small_machine(2, 2);
  for (const clean_source from : {clean_source::memory, clean_source::neighbours, clean_source::sockets}) {
    m.clean_lines = from;
    caches at(m, 1000);
    supply out;
    at.access(0, 7, whole, false, out);
    at.access(1, 7, whole, false, out);
    EXPECT_EQ(out.shared, from == clean_source::memory ? 0 : whole);
    EXPECT_EQ(out.memory, from == clean_source::memory ? whole : 0);
    at.access(2, 7, whole, false, out);  // in another socket
    EXPECT_EQ(out.memory, from == clean_source::sockets ? 0 : whole);
    ASSERT_EQ(out.remote.size(), from == clean_source::sockets ? 1 : 0);
    at.check();
  }
}

TEST(caches, of_a_part_of_a_socket_are_another_groups) {
  machine_model m = small_machine(1, 4);
  m.shared_cache_cores = 2;
  caches at(m, 1000);
  supply out;
  at.access(0, 7, whole, true, out);
  at.access(1, 7, whole, false, out);
  EXPECT_EQ(out.shared, whole);
  at.access(2, 7, whole, false, out);
  ASSERT_EQ(out.remote.size(), 1);
  EXPECT_EQ(out.remote[0].group, 0);
  at.access(3, 8, whole, false, out);
  at.access(2, 8, whole, false, out);
  EXPECT_EQ(out.memory, whole);
  at.check();
}

struct shape {
  const char* name;
  unsigned sockets, cores_per_socket;
  unsigned block;
  std::uint64_t private_size, shared_size;
  unsigned blocks;
  unsigned group = 0;
};
/// Each shape under each fill policy, with clean lines from memory or from neighbours.
using tested_shape = std::tuple<shape, fill_policy, clean_source>;

std::string name_of_shape(const testing::TestParamInfo<tested_shape>& tested) {
  const auto& [of, fill, clean] = tested.param;
  const char* const fills[] = {"victim", "inclusive", "exclusive"};
  return std::string(of.name) + "_" + fills[static_cast<int>(fill)] +
         (clean == clean_source::neighbours ? "_forwarding"
          : clean == clean_source::sockets  ? "_forwarding_far"
                                            : "");
}

void expect_same(const cache& at, const naive_caches::list& expected, int step) {
  auto next = expected.begin();
  at.for_each([&](const cache::entry& each) {
    ASSERT_TRUE(next != expected.end()) << step;
    EXPECT_EQ(each.block, next->block) << step;
    EXPECT_EQ(each.lines, next->lines) << step;
    EXPECT_EQ(each.dirty, next->dirty) << step;
    ++next;
  });
  EXPECT_TRUE(next == expected.end()) << step;
}

class caches_against_naive : public testing::TestWithParam<tested_shape> {};

TEST_P(caches_against_naive, random_accesses_get_the_same_answers) {
  const auto& [of, fill, clean] = GetParam();
  machine_model m = small_machine(of.sockets, of.cores_per_socket);
  m.block = of.block;
  m.private_cache.size = of.private_size;
  m.shared_cache.size = of.shared_size;
  m.shared_cache_cores = of.group;
  m.fill = fill;
  m.clean_lines = clean;
  caches at(m, of.blocks);
  naive_caches naive(m);
  supply out;
  std::mt19937_64 random(5);
  const std::uint64_t all = of.block == 4096 ? ~std::uint64_t{0} : (std::uint64_t{1} << of.block / 64) - 1;
  for (int step = 0; step < (jackdaw::test::sanitized ? 1500 : 8000); ++step) {
    const auto core = static_cast<unsigned>(random() % m.cores());
    const auto block = static_cast<std::uint32_t>(random() % of.blocks);
    std::uint64_t lines = random() % 2 == 0 ? all : all & random() & random();
    if (lines == 0) lines = 1;
    const bool write = random() % 4 == 0;
    at.access(core, block, lines, write, out);
    const naive_caches::answer expected = naive.access(core, block, lines, write);
    ASSERT_EQ(out.own, expected.own) << step;
    ASSERT_EQ(out.shared, expected.shared) << step;
    ASSERT_EQ(out.memory, expected.memory) << step;
    std::map<unsigned, std::uint64_t> dirty;
    std::uint64_t far = 0;
    for (const supply::group_lines& each : out.remote) {
      const std::uint64_t clean = each.lines & expected.far;
      if (clean != 0) {
        ASSERT_EQ(clean & ~expected.clean.at(each.group), 0) << step;
      }
      far |= clean;
      if (clean != each.lines) dirty[each.group] = each.lines & ~clean;
    }
    ASSERT_EQ(far, expected.far) << step;
    ASSERT_EQ(dirty, expected.remote) << step;
    ASSERT_EQ(out.evicted.size(), expected.evicted.size()) << step;
    for (std::size_t i = 0; i < out.evicted.size(); ++i) {
      ASSERT_EQ(out.evicted[i].block, expected.evicted[i].first) << step;
      ASSERT_EQ(out.evicted[i].lines, expected.evicted[i].second) << step;
    }
    std::uint64_t sum = out.own | out.shared | out.memory;
    for (const supply::group_lines& each : out.remote) sum |= each.lines;
    ASSERT_EQ(sum, lines) << step;
    ASSERT_EQ(at.private_of(core).resident(), naive.resident(core)) << step;
    if (step % 200 != 0) continue;
    at.check();
    for (unsigned each = 0; each < m.cores(); ++each) expect_same(at.private_of(each), naive.private_of(each), step);
    for (unsigned each = 0; each < m.groups(); ++each) expect_same(at.shared_of(each), naive.shared_of(each), step);
    if (HasFailure()) return;
  }
  at.check();
}

INSTANTIATE_TEST_SUITE_P(
    shapes, caches_against_naive,
    testing::Combine(
        testing::Values(shape{"usual", 2, 3, 512, 4096, 16384, 90}, shape{"four_sockets", 4, 2, 512, 2048, 8192, 60},
                        shape{"hot", 2, 4, 512, 65536, 65536, 6}, shape{"one_line", 2, 2, 64, 512, 2048, 80},
                        shape{"large_blocks", 2, 2, 4096, 16384, 65536, 30},
                        shape{"middle_blocks", 3, 2, 2048, 8192, 16384, 30},
                        shape{"many_cores", 2, 50, 512, 2048, 65536, 200},
                        shape{"many_sockets", 20, 2, 512, 2048, 4096, 60},
                        shape{"many_of_all", 40, 4, 2048, 2048, 4096, 60}, shape{"no_private", 2, 3, 512, 0, 8192, 40},
                        shape{"no_shared", 3, 2, 512, 4096, 0, 40}, shape{"none", 2, 2, 512, 0, 0, 10},
                        shape{"smaller_than_a_block", 2, 2, 512, 256, 1024, 10},
                        shape{"both_smaller_than_a_block", 2, 2, 512, 256, 320, 10},
                        shape{"two_caches_a_socket", 2, 6, 512, 4096, 8192, 90, 3},
                        shape{"many_caches_a_socket", 2, 60, 512, 2048, 8192, 120, 3}),
        testing::Values(fill_policy::victim, fill_policy::inclusive, fill_policy::exclusive),
        testing::Values(clean_source::memory, clean_source::neighbours, clean_source::sockets)),
    name_of_shape);

}  // namespace
}  // namespace jackdaw::sim
