#include "sched/span.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using jackdaw::sched::span;
using jackdaw::sched::worker_range;
using jackdaw::sched::workers_of;

TEST(span, splits_without_losing_anything) {
  span rest;
  const span first = rest.split(0.25);
  const span second = rest.split(1.0 / 3.0);
  EXPECT_EQ(first.begin, 0u);
  EXPECT_EQ(first.end, second.begin);
  EXPECT_EQ(second.end, rest.begin);
  EXPECT_EQ(rest.end, span::one);
  EXPECT_EQ(first.length(), span::one / 4);
}

TEST(span, takes_any_share) {
  for (const double share : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    span rest;
    EXPECT_EQ(rest.split(share).length(), 0u);
    EXPECT_EQ(rest.length(), span::one);
  }
  for (const double share : {1.0, 2.0, std::numeric_limits<double>::infinity()}) {
    span rest;
    EXPECT_EQ(rest.split(share).length(), span::one);
    EXPECT_EQ(rest.length(), 0u);
  }
}

TEST(span, stays_ordered_down_to_nothing) {
  span part;
  for (int depth = 0; depth < 200; ++depth) {
    const span before = part;
    span rest = part;
    part = rest.split(0.5);
    ASSERT_LE(part.begin, part.end);
    ASSERT_EQ(part.begin, before.begin);
    ASSERT_EQ(part.end, rest.begin);
    ASSERT_EQ(rest.end, before.end);
  }
}

TEST(workers_of, puts_the_first_leaves_on_the_last_worker) {
  EXPECT_EQ(workers_of({0, span::one}, 8), (worker_range{0, 7}));
  EXPECT_EQ(workers_of({0, span::one / 2}, 8), (worker_range{4, 7}));
  EXPECT_EQ(workers_of({span::one / 2, span::one}, 8), (worker_range{0, 3}));
  EXPECT_EQ(workers_of({0, span::one / 8}, 8), (worker_range{7, 7}));
  EXPECT_EQ(workers_of({span::one / 8 * 7, span::one}, 8), (worker_range{0, 0}));
}

TEST(workers_of, shares_a_worker_where_a_boundary_lies_inside_it) {
  EXPECT_EQ(workers_of({0, span::one / 2}, 3), (worker_range{1, 2}));
  EXPECT_EQ(workers_of({span::one / 2, span::one}, 3), (worker_range{0, 1}));
}

TEST(workers_of, knows_a_third_of_three_workers) {
  span rest;
  const span first = rest.split(1.0 / 3.0);
  const span second = rest.split(1.0 / 2.0);
  EXPECT_EQ(workers_of(first, 3), (worker_range{2, 2}));
  EXPECT_EQ(workers_of(second, 3), (worker_range{1, 1}));
  EXPECT_EQ(workers_of(rest, 3), (worker_range{0, 0}));
}

TEST(workers_of, stays_within_the_machine_for_every_span) {
  for (const unsigned count : {1u, 2u, 3u, 7u, 64u, 1000u, 4096u}) {
    for (std::uint64_t i = 0; i <= 1000; ++i) {
      const std::uint64_t at = span::one / 1000 * i;
      for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1}, span::one / 4096, span::one / 3}) {
        const worker_range found = workers_of({at, std::min(at + length, span::one)}, count);
        ASSERT_LE(found.first, found.last);
        ASSERT_LT(found.last, count);
      }
    }
  }
}

}  // namespace
