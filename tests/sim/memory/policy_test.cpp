#include "sim/memory/policy.hpp"

#include <gtest/gtest.h>

#include <jackdaw/error.hpp>

#include "sim/machines.hpp"

namespace jackdaw::sim {
namespace {

using nodes = std::vector<unsigned>;

machine_model with_hbm() {
  machine_model m = small_machine();
  m.nodes.push_back({.socket = 1, .kind = machine_model::memory_kind::hbm, .capacity = 1 << 20, .bandwidth = 96});
  return m;
}

TEST(parse_policy, reads_each_form) {
  const machine_model m = with_hbm();
  EXPECT_EQ(parse_policy("first-touch", m).what, policy::kind::first_touch);
  EXPECT_EQ(parse_policy("first-touch", m).nodes, nodes{});
  EXPECT_EQ(parse_policy("interleave:all", m).what, policy::kind::interleave);
  EXPECT_EQ(parse_policy("interleave:all", m).nodes, nodes{});
  EXPECT_EQ(parse_policy("interleave:dram", m).nodes, (nodes{0, 1}));
  EXPECT_EQ(parse_policy("weighted:hbm", m).what, policy::kind::weighted);
  EXPECT_EQ(parse_policy("weighted:hbm", m).nodes, nodes{2});
  EXPECT_EQ(parse_policy("first-touch:2,0", m).nodes, (nodes{2, 0}));
  EXPECT_EQ(parse_policy("bind:2", m).what, policy::kind::bind);
  EXPECT_EQ(parse_policy("bind:2", m).nodes, nodes{2});
  EXPECT_EQ(parse_policy("serial:1", m).what, policy::kind::serial);
  EXPECT_EQ(parse_policy("serial:1", m).nodes, nodes{1});
}

TEST(parse_policy, refuses_the_rest_in_one_line) {
  const machine_model m = with_hbm();
  for (const char* text : {"",
                           "first",
                           "first-touch:",
                           "interleave:0,",
                           "interleave:0,0",
                           "interleave:,",
                           "bind",
                           "bind:",
                           "bind:all",
                           "bind:3",
                           "bind:-1",
                           "bind:1x",
                           "bind:0,1",
                           "serial",
                           "serial:all",
                           "weighted:cxl",
                           "interleave:7",
                           "Interleave",
                           "weighted:dram,hbm",
                           "interleave:99999999999"}) {
    try {
      parse_policy(text, m);
      ADD_FAILURE() << text;
    } catch (const error& e) {
      const std::string what = e.what();
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      EXPECT_NE(what.find("'" + std::string(text) + "'"), std::string::npos) << what;
      EXPECT_NE(what.find("expected"), std::string::npos) << what;
    }
  }
}

}  // namespace
}  // namespace jackdaw::sim
