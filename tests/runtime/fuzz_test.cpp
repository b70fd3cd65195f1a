// Random task trees against a serial count, under every scheduler and with more workers than processors.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>

#include "jackdaw/jackdaw.hpp"
#include "support/sanitized.hpp"
#include "support/schedulers.hpp"

namespace {

// Sanitizers make it some 50 times slower.
constexpr std::uint64_t seeds = jackdaw::test::under_tsan ? 10 : jackdaw::test::sanitized ? 20 : 60;

struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A tree grown from a seed: what a node does depends on its own number only, so that a serial walk and a parallel one
/// agree on it.
class tree {
 public:
  tree(std::uint64_t seed, unsigned depth, bool throwing) : seed_(seed), depth_(depth), throwing_(throwing) {}

  std::uint64_t serial() const { return count(seed_, depth_); }
  std::uint64_t parallel() const { return walk(seed_, depth_); }

 private:
  struct shape {
    unsigned children;
    unsigned how;  // invoke, work-first group, help-first group, a loop, groups in a row
    double hints[8];
    bool with_hints;
    bool fails;
  };

  shape at(std::uint64_t node, unsigned depth) const {
    std::minstd_rand random(static_cast<unsigned>(node ^ (node >> 32)) + 1);
    random.discard(4);
    shape s{};
    s.children = depth == 0 ? 0 : 1 + random() % (depth == depth_ ? 6 : 4);
    s.how = random() % 5;
    s.with_hints = random() % 3 != 0;
    const unsigned kind = random() % 4;
    for (unsigned i = 0; i < 8; ++i) {
      // All the work in one child, none at all, equal, or anything.
      s.hints[i] = kind == 0   ? (i == 0 ? 1.0 : 0.0)
                   : kind == 1 ? 0.0
                   : kind == 2 ? 1.0
                               : static_cast<double>(random() % 100);
    }
    s.fails = throwing_ && depth == 0 && random() % 64 == 0;
    return s;
  }

  static std::uint64_t child(std::uint64_t node, unsigned i) {
    std::uint64_t x = node + 0x9e3779b97f4a7c15ull * (i + 1);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    return x ^ (x >> 27);
  }

  std::uint64_t count(std::uint64_t node, unsigned depth) const {
    const shape s = at(node, depth);
    std::uint64_t sum = 1;
    const unsigned rounds = s.how == 4 ? 2 : 1;
    for (unsigned round = 0; round < rounds; ++round) {
      for (unsigned i = 0; i < s.children; ++i) {
        sum += count(child(node, round * 8 + i), depth - 1);
      }
    }
    return sum;
  }

  void in_group(const shape& s, std::uint64_t node, unsigned depth, unsigned round, jackdaw::task_group& group,
                std::array<std::uint64_t, 8>& sums) const {
    for (unsigned i = 0; i < s.children; ++i) {
      const auto body = [this, &sums, node, depth, round, i] {
        sums[i] += walk(child(node, round * 8 + i), depth - 1);
      };
      if (s.with_hints) {
        group.run(body, s.hints[i]);
      } else {
        group.run(body);
      }
    }
    group.wait();
  }

  std::uint64_t walk(std::uint64_t node, unsigned depth) const {
    const shape s = at(node, depth);
    if (s.fails) {
      throw failure(std::to_string(node));
    }
    if (s.children == 0) {
      // Leaves of unequal length, so that thieves come at odd moments.
      std::atomic<unsigned> spun{0};
      for (unsigned i = static_cast<unsigned>(node % 512); i > 0; --i) {
        spun.fetch_add(1, std::memory_order_relaxed);
      }
      return 1;
    }
    std::array<std::uint64_t, 8> sums{};
    const auto part = [&](unsigned i) {
      return jackdaw::work(s.with_hints ? s.hints[i] : 1.0, [this, &sums, &s, node, depth, i] {
        if (i < s.children) {
          sums[i] = walk(child(node, i), depth - 1);
        }
      });
    };
    double total = 0;
    for (unsigned i = 0; i < s.children; ++i) {
      total += s.hints[i];
    }
    switch (s.how) {
      case 0:
        if (s.children <= 2) {
          jackdaw::invoke(part(0), part(1));
        } else {
          jackdaw::invoke(part(0), part(1), part(2), part(3), part(4), part(5));
        }
        break;
      case 1: {
        jackdaw::task_group group(s.with_hints ? total : jackdaw::unknown);
        in_group(s, node, depth, 0, group, sums);
        break;
      }
      case 2: {
        jackdaw::task_group group(jackdaw::policy::help_first);
        in_group(s, node, depth, 0, group, sums);
        break;
      }
      case 3:
        jackdaw::for_index(
            0u, s.children, [&](unsigned i) { sums[i] = walk(child(node, i), depth - 1); }, jackdaw::grain{1});
        break;
      default: {
        jackdaw::task_group group(total);
        in_group(s, node, depth, 0, group, sums);
        in_group(s, node, depth, 1, group, sums);  // again: groups in a row
      }
    }
    std::uint64_t sum = 1;
    for (const std::uint64_t each : sums) {
      sum += each;
    }
    return sum;
  }

  std::uint64_t seed_;
  unsigned depth_;
  bool throwing_;
};

class fuzz : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  jackdaw::runtime rt{{.scheduler = std::get<0>(GetParam()), .workers = std::get<1>(GetParam())}};
};

TEST_P(fuzz, counts_what_a_serial_walk_counts) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const tree grown(seed * 7919, 2 + seed % 7, false);
    EXPECT_EQ(rt.run([&] { return grown.parallel(); }), grown.serial()) << "seed " << seed;
  }
}

TEST_P(fuzz, throws_what_a_leaf_threw_and_continues) {
  unsigned thrown = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const tree grown(seed * 104729, 2 + seed % 7, true);
    try {
      EXPECT_EQ(rt.run([&] { return grown.parallel(); }), grown.serial()) << "seed " << seed;
    } catch (const failure&) {
      ++thrown;
    }
  }
  EXPECT_GT(thrown, 0u);
  EXPECT_LT(thrown, seeds);
}

INSTANTIATE_TEST_SUITE_P(all, fuzz,
                         testing::Combine(testing::ValuesIn(jackdaw::test::every_scheduler()),
                                          testing::Values(1u, 2u, 3u, 7u, 16u)),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param);
                           for (char& c : name) {
                             c = c == ':' || c == '-' ? '_' : c;
                           }
                           return name + "_" + std::to_string(std::get<1>(info.param));
                         });

}  // namespace
