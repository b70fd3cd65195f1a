#include "sim/memory/caches.hpp"

#include <gtest/gtest.h>

#include <random>

#include "naive_caches.hpp"
#include "sim/machines.hpp"

namespace jackdaw::sim {
namespace {

constexpr std::uint64_t whole = 0xff;  // of a block of 512 bytes

struct two_sockets : testing::Test {
  two_sockets() : machine(small_machine(2, 2)), at(machine, 100000) {}
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
  EXPECT_EQ(out.remote[0].socket, 1);
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

struct shape {
  const char* name;
  unsigned sockets, cores_per_socket;
  unsigned block;
  std::uint64_t private_size, shared_size;
  unsigned blocks;
};
std::ostream& operator<<(std::ostream& to, const shape& of) { return to << of.name; }

class caches_against_naive : public testing::TestWithParam<shape> {};

TEST_P(caches_against_naive, random_accesses_get_the_same_answers) {
  const shape& of = GetParam();
  machine_model m = small_machine(of.sockets, of.cores_per_socket);
  m.block = of.block;
  m.private_cache.size = of.private_size;
  m.shared_cache.size = of.shared_size;
  caches at(m, of.blocks);
  naive_caches naive(m);
  supply out;
  std::mt19937_64 random(5);
  const std::uint64_t all = of.block == 4096 ? ~std::uint64_t{0} : (std::uint64_t{1} << of.block / 64) - 1;
  for (int step = 0; step < 8000; ++step) {
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
    ASSERT_EQ(out.remote.size(), expected.remote.size()) << step;
    for (const supply::socket_lines& each : out.remote) ASSERT_EQ(each.lines, expected.remote.at(each.socket)) << step;
    ASSERT_EQ(out.evicted.size(), expected.evicted.size()) << step;
    for (std::size_t i = 0; i < out.evicted.size(); ++i) {
      ASSERT_EQ(out.evicted[i].block, expected.evicted[i].first) << step;
      ASSERT_EQ(out.evicted[i].lines, expected.evicted[i].second) << step;
    }
    ASSERT_EQ(at.private_of(core).resident(), naive.resident(core)) << step;
    if (step % 200 == 0) at.check();
  }
  at.check();
}

INSTANTIATE_TEST_SUITE_P(
    shapes, caches_against_naive,
    testing::Values(shape{"usual", 2, 3, 512, 4096, 16384, 90}, shape{"four_sockets", 4, 2, 512, 2048, 8192, 60},
                    shape{"hot", 2, 4, 512, 65536, 65536, 6}, shape{"one_line", 2, 2, 64, 512, 2048, 80},
                    shape{"large_blocks", 2, 2, 4096, 16384, 65536, 30},
                    shape{"middle_blocks", 3, 2, 2048, 8192, 16384, 30},
                    shape{"many_cores", 2, 50, 512, 2048, 65536, 200},
                    shape{"many_sockets", 20, 2, 512, 2048, 4096, 60},
                    shape{"many_of_all", 40, 4, 2048, 2048, 4096, 60}, shape{"no_private", 2, 3, 512, 0, 8192, 40},
                    shape{"no_shared", 3, 2, 512, 4096, 0, 40}, shape{"none", 2, 2, 512, 0, 0, 10},
                    shape{"smaller_than_a_block", 2, 2, 512, 256, 1024, 10}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace jackdaw::sim
