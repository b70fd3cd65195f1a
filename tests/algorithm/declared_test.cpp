// The reads and writes that algorithms declare, in a recorded run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "trace/recorded.hpp"

namespace jackdaw::test {
namespace {

constexpr std::size_t count = 10'000;

/// The least and the greatest number of such declarations of any element of `array`.
struct times {
  int least = 0, most = 0;
  bool operator==(const times&) const = default;
};
constexpr times never{0, 0}, once{1, 1}, twice{2, 2};

times declared(const trace::task_tree& tree, std::span<const std::int32_t> array, bool write) {
  std::vector<int> seen(array.size());
  const auto begin = reinterpret_cast<std::uintptr_t>(array.data()), end = begin + array.size_bytes();
  for (const trace::access& each : tree.accesses) {
    if (each.write != write || each.address < begin || each.address >= end) continue;
    EXPECT_EQ(each.rows, 1u);
    const std::size_t first = (each.address - begin) / sizeof(std::int32_t);
    const std::size_t size = std::min(each.length / sizeof(std::int32_t), array.size() - first);
    for (std::size_t i = first; i != first + size; ++i) ++seen[i];
  }
  const auto [least, most] = std::minmax_element(seen.begin(), seen.end());
  return {*least, *most};
}

class declares : public ::testing::Test {
 protected:
  declares() { std::iota(in.begin(), in.end(), 0); }
  template <class F>
  void run(F&& f) {
    tree = recorded(std::forward<F>(f));
  }
  times read(std::span<const std::int32_t> array) const { return declared(tree, array, false); }
  times written(std::span<const std::int32_t> array) const { return declared(tree, array, true); }

  std::vector<std::int32_t> in = std::vector<std::int32_t>(count), out = std::vector<std::int32_t>(count);
  trace::task_tree tree;
};

TEST_F(declares, elements_that_for_each_visits) {
  run([this] { jackdaw::for_each(in.begin(), in.end(), [](std::int32_t& each) { ++each; }); });
  EXPECT_EQ(read(in), once);
  EXPECT_EQ(written(in), once);
  run([this] { jackdaw::for_each(in.cbegin(), in.cend(), [](std::int32_t) {}); });
  EXPECT_EQ(read(in), once);
  EXPECT_EQ(written(in), never);
}

TEST_F(declares, elements_that_a_reduction_reads) {
  run([this] {
    EXPECT_EQ(jackdaw::reduce(in.begin(), in.end(), std::int64_t{0}), std::int64_t{count} * (count - 1) / 2);
  });
  EXPECT_EQ(read(in), once);
  EXPECT_EQ(written(in), never);
  run([this] {
    jackdaw::transform_reduce(in.begin(), in.end(), 0, std::plus<>{}, [](std::int32_t each) { return each % 2; });
  });
  EXPECT_EQ(read(in), once);
  run([this] { jackdaw::transform_reduce(in.begin(), in.end(), out.begin(), std::int64_t{0}); });
  EXPECT_EQ(read(in), once);
  EXPECT_EQ(read(out), once);
  EXPECT_EQ(written(out), never);
}

TEST_F(declares, both_sweeps_of_a_scan) {
  run([this] { jackdaw::exclusive_scan(in.begin(), in.end(), out.begin(), 0); });
  EXPECT_EQ(read(in), twice);
  EXPECT_EQ(written(in), never);
  EXPECT_EQ(written(out), once);
  run([this] { jackdaw::inclusive_scan(in.begin(), in.end(), out.begin(), grain{count}); });
  EXPECT_EQ(read(in), once) << "a single leaf";
  EXPECT_EQ(written(out), once);
}

TEST_F(declares, elements_that_copy_if_keeps) {
  for (const grain leaf : {grain{0}, grain{count}}) {
    run([&] {
      jackdaw::copy_if(in.begin(), in.end(), out.begin(), [](std::int32_t each) { return each % 2 == 0; }, leaf);
    });
    const std::span all(out);
    EXPECT_EQ(read(in), leaf.size == 0 ? twice : once);
    EXPECT_EQ(written(all.first(count / 2)), once);
    EXPECT_EQ(written(all.subspan(count / 2)), never);
  }
}

TEST_F(declares, elements_that_a_transformation_reads_and_writes) {
  run([this] { jackdaw::transform(in, out.begin(), std::negate<>{}); });
  EXPECT_EQ(read(in), once);
  EXPECT_EQ(written(in), never);
  EXPECT_EQ(read(out), never);
  EXPECT_EQ(written(out), once);
  run([this] { jackdaw::adjacent_difference(in, out.begin(), grain{1000}); });
  EXPECT_EQ(read(in), once);
  EXPECT_EQ(written(out), once);
  run([this] { jackdaw::fill(out, 7); });
  EXPECT_EQ(read(out), never);
  EXPECT_EQ(written(out), once);
}

TEST_F(declares, elements_that_a_search_looks_at) {
  run([this] { EXPECT_EQ(jackdaw::find(in, -1), in.end()); });
  EXPECT_EQ(read(in), once);
  run([this] { EXPECT_EQ(jackdaw::find(in, 5, grain{count / 16}), in.begin() + 5); });
  EXPECT_EQ(read(std::span(in).first(count / 16)), once) << "the leaf of the match";
  EXPECT_EQ(read(std::span(in).subspan(count / 16)), never);
  run([this] { EXPECT_EQ(jackdaw::max_element(in), in.end() - 1); });
  EXPECT_EQ(read(in), once);
  EXPECT_EQ(written(in), never);
}

TEST_F(declares, both_inputs_of_a_merge) {
  std::vector<std::int32_t> merged(2 * count);
  const std::vector<std::int32_t> other = in;
  run([&] { jackdaw::merge(in, other, merged.begin(), grain{1000}); });
  EXPECT_EQ(read(in), once);
  EXPECT_EQ(read(other), once);
  EXPECT_EQ(written(merged), once);
  run([&] { jackdaw::set_intersection(in, other, out.begin(), grain{2 * count}); });
  EXPECT_EQ(read(in), once);
  EXPECT_EQ(read(other), once);
  EXPECT_EQ(written(out), once);
}

TEST_F(declares, elements_that_a_partition_moves) {
  run([this] { jackdaw::partition(in, [](std::int32_t each) { return each % 2 == 0; }, grain{2 * count}); });
  EXPECT_EQ(read(in), once);
  EXPECT_EQ(written(in), once);
}

TEST_F(declares, nothing_of_non_contiguous_ranges) {
  std::deque<std::int32_t> scattered(in.begin(), in.end());
  run([&] { jackdaw::for_each(scattered.begin(), scattered.end(), [](std::int32_t& each) { ++each; }); });
  EXPECT_TRUE(tree.accesses.empty());
}

}  // namespace
}  // namespace jackdaw::test
