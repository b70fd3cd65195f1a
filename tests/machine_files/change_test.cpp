#include "machine_files/small_machine.hpp"

namespace jackdaw {
namespace {

class set_figure_test : public testing::Test {
 public:
  machine_model model = parse_machine_model(small_machine(), "small.toml");
};

TEST_F(set_figure_test, says_that_a_cache_is_not_there) {
  model.private_cache = {};
  EXPECT_EQ(error_of([&] { set_figure(model, "private_cache.size", "x2"); }),
            "private_cache.size=x2: machine small does not give it, expected a number");
  EXPECT_EQ(error_of([&] { set_figure(model, "private_cache.latency", "3"); }),
            "private_cache.latency=3: machine small has no private_cache, expected one with a size");
  EXPECT_EQ(error_of([&] { set_figure(model, "private_cache.size", "1mib"); }),
            "private_cache.size=1mib: private_cache.rate: not given, expected a rate because the cache has a size");
}

TEST_F(set_figure_test, refuses_a_cache_below_a_block) {
  EXPECT_EQ(error_of([&] { set_figure(model, "private_cache.size", "256"); }),
            "private_cache.size=256: private_cache.size: 256 bytes, expected at least a block of 512");
}

TEST_F(set_figure_test, takes_numbers_with_and_without_units) {
  set_figure(model, "private_cache.size", "2mib");
  EXPECT_EQ(model.private_cache.size, 2u << 20);
  set_figure(model, "private_cache.size", "4096");
  EXPECT_EQ(model.private_cache.size, 4096u);
  set_figure(model, "cost.wake", "2.5us");
  EXPECT_EQ(model.cost.wake, 2500);
  set_figure(model, "local_rate", "9.5");
  EXPECT_EQ(model.local_rate, 9.5);
  set_figure(model, "shared_cache.total_rate", "80gb_per_s");
  EXPECT_EQ(model.shared_cache_total, 80);
  set_figure(model, "cores_per_socket", "8");
  EXPECT_EQ(model.cores(), 16u);
}

TEST_F(set_figure_test, takes_factors) {
  set_figure(model, "link.bandwidth", "x0.5");
  EXPECT_EQ(model.links[0].bandwidth, 8.5);
  EXPECT_EQ(model.links[1].bandwidth, 8.5);
  set_figure(model, "node.bandwidth", "x2");
  EXPECT_EQ(model.nodes[0].bandwidth, 100);
  EXPECT_EQ(model.nodes[1].bandwidth, 100);
  EXPECT_EQ(model.nodes[2].bandwidth, 40);
}

TEST_F(set_figure_test, names_single_nodes_kinds_and_links) {
  set_figure(model, "node.1.latency", "70");
  EXPECT_EQ(model.nodes[0].latency, 90);
  EXPECT_EQ(model.nodes[1].latency, 70);
  set_figure(model, "node.cxl.rate", "5");
  EXPECT_EQ(model.nodes[0].rate, 0);
  EXPECT_EQ(model.nodes[2].rate, 5);
  set_figure(model, "link.1-0.latency", "10");
  EXPECT_EQ(model.links[0].latency, 10);
  EXPECT_EQ(model.links[1].latency, 10);
}

TEST_F(set_figure_test, every_key_can_be_set_but_what_is_not_given_cannot_be_multiplied) {
  for (const std::string& key : figure_keys(model)) {
    const char* const value = key == "clean_lines"                ? "neighbours"
                              : key == "shared_cache.policy"      ? "exclusive"
                              : key == "shared_cache.replacement" ? "any"
                                                                  : "x1";
    // "node.bandwidth" is that of each node.
    const std::string one = key.starts_with("node.") ? "node.2" + key.substr(4) : key;
    const bool given = key.starts_with("link.") || std::any_of(model.origins.begin(), model.origins.end(),
                                                               [&](const auto& origin) { return origin.key == one; });
    if (given || value != std::string_view("x1")) {
      EXPECT_NO_THROW(set_figure(model, key, value)) << key;
    } else {
      EXPECT_EQ(error_of([&] { set_figure(model, key, value); }),
                key + "=x1: machine small does not give it, expected a number");
    }
  }
  EXPECT_EQ(model.clean_lines, machine_model::clean_source::neighbours);
  EXPECT_EQ(model.fill, machine_model::fill_policy::exclusive);
  EXPECT_EQ(model.drops, machine_model::replacement::any);
  EXPECT_EQ(error_of([&] { set_figure(model, "shared_cache.policy", "x1"); }),
            "shared_cache.policy: 'x1', expected one of victim inclusive exclusive");
}

TEST_F(set_figure_test, an_exclusive_cache_may_be_smaller_than_a_private_one) {
  const std::string says = error_of([&] { set_figure(model, "shared_cache.size", "256kib"); });
  EXPECT_NE(says.find("expected at least the 524288 of a private cache"), std::string::npos) << says;
  set_figure(model, "shared_cache.policy", "exclusive");
  set_figure(model, "shared_cache.size", "256kib");
  EXPECT_EQ(model.shared_cache.size, 256u << 10);
}

TEST_F(set_figure_test, becomes_an_assumption) {
  set_figure(model, "local_rate", "x2");
  const auto changed = std::find_if(model.origins.begin(), model.origins.end(),
                                    [](const auto& origin) { return origin.key == "local_rate"; });
  ASSERT_NE(changed, model.origins.end());
  EXPECT_EQ(changed->from, machine_model::origin::assumed);
  EXPECT_EQ(changed->note, "set to x2 by hand");
}

TEST_F(set_figure_test, refuses_and_leaves_the_model_alone) {
  const std::string before = to_toml(model);
  const auto says = [&](const char* key, const char* value) {
    return error_of([&] { set_figure(model, key, value); });
  };
  const std::string unknown = says("local_rat", "3");
  EXPECT_TRUE(unknown.starts_with("'local_rat': no such figure of machine small, expected one of sockets ")) << unknown;
  EXPECT_NE(unknown.find(" private_cache.size "), std::string::npos);
  EXPECT_NE(unknown.find(" node.bandwidth "), std::string::npos);
  for (const char* key : {"node.7.bandwidth", "node.hbm.bandwidth", "link.0-7.latency", "node..latency", "", ".",
                          "node.0.1.latency", "node", "private_cache"}) {
    EXPECT_NE(says(key, "3").find("no such figure"), std::string::npos) << key;
  }
  EXPECT_EQ(says("local_rate", "fast"),
            "local_rate: 'fast', expected a number, alone or with gb_per_s, or a factor like x0.5");
  for (const char* value : {"", "x", "3ns", "3 gb_per_s", "x2gb_per_s", "1e999"}) {
    EXPECT_NE(says("local_rate", value).find("expected a number"), std::string::npos) << value;
  }
  EXPECT_EQ(says("local_rate", "0"), "local_rate: 0, expected a number from 0.001 to 1000000 GB/s");
  EXPECT_EQ(says("local_rate", "nan"), "local_rate: nan, expected a number from 0.001 to 1000000 GB/s");
  EXPECT_EQ(says("overlap", "x5"), "overlap: 1.25, expected a number from 0 to 1");
  EXPECT_EQ(says("block", "500"), "block=500: block: 500 bytes, expected a power of two");
  EXPECT_EQ(says("write_rate", "x2"), "write_rate=x2: machine small does not give it, expected a number");
  EXPECT_EQ(says("sockets", "1"), "sockets=1: node.1.capacity: node on socket 1, expected a socket from 0 to 0");
  EXPECT_EQ(to_toml(model), before);
}

}  // namespace
}  // namespace jackdaw
