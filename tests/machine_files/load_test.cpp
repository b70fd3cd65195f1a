#include "machine_files/small_machine.hpp"

namespace jackdaw {
namespace {

TEST(machine_file, every_figure_arrives_in_the_model) {
  const machine_model model = parse_machine_model(small_machine(), "small.toml");
  EXPECT_EQ(model.name, "small");
  EXPECT_EQ(model.description, "two sockets for tests");
  EXPECT_EQ(model.file, "small.toml");
  EXPECT_EQ(model.sockets, 2u);
  EXPECT_EQ(model.cores_per_socket, 4u);
  EXPECT_EQ(model.cores(), 8u);
  EXPECT_EQ(model.socket_of(4), 1u);
  EXPECT_EQ(model.compute_rate, 0.5);
  EXPECT_EQ(model.overlap, 0.25);
  EXPECT_EQ(model.block, 512u);
  EXPECT_EQ(model.page, 4096u);
  EXPECT_EQ(model.local_rate, 12);
  EXPECT_EQ(model.remote_rate, 7.5);
  EXPECT_EQ(model.private_cache.size, 512u << 10);
  EXPECT_EQ(model.private_cache.rate, 60);
  EXPECT_EQ(model.private_cache.latency, 5);
  EXPECT_EQ(model.shared_cache.size, 22u << 20);
  EXPECT_EQ(model.shared_cache.rate, 15);
  EXPECT_EQ(model.shared_cache_total, 100);
  EXPECT_EQ(model.shared_cache.latency, 20);
  EXPECT_EQ(model.cost.spawn, 8);
  EXPECT_EQ(model.cost.join, 5);
  EXPECT_EQ(model.cost.place, 400);
  EXPECT_EQ(model.cost.suspend, 70);
  EXPECT_EQ(model.cost.steal_local, 200);
  EXPECT_EQ(model.cost.steal_remote, 500);
  EXPECT_EQ(model.cost.look_local, 50);
  EXPECT_EQ(model.cost.look_remote, 120);
  EXPECT_EQ(model.cost.wake, 5000);
}

TEST(machine_file, cores_rates_and_ranges_arrive_and_are_written_again) {
  const machine_model plain = parse_machine_model(small_machine(), "small.toml");
  EXPECT_EQ(plain.threads(), 8u);
  EXPECT_EQ(plain.rate_of(true), 0.5) << "as compute_rate";
  const std::string text = with(small_machine(), "compute_rate = { ratio = 0.5,",
                                "threads_per_core = { count = 2, from = \"datasheet\", note = \"t\" }\n"
                                "smt_rate = { ratio = 1.25, range = [1.1, 1.5], from = \"assumed\", note = \"t\" }\n"
                                "vector_rate = { ratio = 0.75, from = \"datasheet\", note = \"t\" }\ncompute_rate = { "
                                "ratio = 0.5, range = [0.4, 0.6],");
  for (const std::string& each : {text, to_toml(parse_machine_model(text, "small.toml"))}) {
    const machine_model model = parse_machine_model(each, "small.toml");
    EXPECT_EQ(model.threads(), 16u);
    EXPECT_EQ(model.smt_rate, 1.25);
    EXPECT_EQ(model.rate_of(true), 0.75);
    EXPECT_EQ(model.rate_of(false), 0.5);
    for (const auto& origin : model.origins) {
      if (origin.key == "compute_rate") {
        EXPECT_EQ(origin.range, (std::array{0.4, 0.6}));
      }
      if (origin.key == "overlap") {
        EXPECT_FALSE(origin.range);
      }
    }
  }
  machine_model changed = parse_machine_model(text, "small.toml");
  set_figure(changed, "compute_rate", "x2");
  for (const auto& origin : changed.origins) {
    if (origin.key == "compute_rate") {
      EXPECT_FALSE(origin.range) << "it was set by hand";
    }
  }
}

TEST(machine_file, nodes_are_numbered_in_the_order_of_the_file) {
  const machine_model model = parse_machine_model(small_machine(), "small.toml");
  ASSERT_EQ(model.nodes.size(), 3u);
  EXPECT_EQ(model.nodes[0].socket, 0u);
  EXPECT_EQ(model.nodes[1].socket, 1u);
  EXPECT_EQ(model.nodes[1].kind, machine_model::memory_kind::dram);
  EXPECT_EQ(model.nodes[1].capacity, std::uint64_t{16} << 30);
  EXPECT_EQ(model.nodes[1].bandwidth, 50);
  EXPECT_EQ(model.nodes[1].latency, 90);
  EXPECT_EQ(model.nodes[1].rate, 0);
  EXPECT_EQ(model.nodes[2].socket, 1u);
  EXPECT_EQ(model.nodes[2].kind, machine_model::memory_kind::cxl);
  EXPECT_EQ(model.nodes[2].rate, 4);
}

TEST(machine_file, a_node_may_have_a_memory_side_cache) {
  const std::string text =
      with(small_machine(), "[[node]]\nsocket = 1", R"(cache_size = { gib = 4, from = "paper", note = "s" }
cache_bandwidth = { gb_per_s = 96, from = "paper", note = "s" }
cache_latency = { ns = 143, from = "paper", note = "s" }
[[node]]
socket = 1)");
  const machine_model model = parse_machine_model(text, "cached.toml");
  EXPECT_EQ(model.nodes[1].cached.size, std::uint64_t{4} << 30);
  EXPECT_EQ(model.nodes[1].cached.bandwidth, 96);
  EXPECT_EQ(model.nodes[1].cached.latency, 143);
  EXPECT_EQ(model.nodes[1].cached.rate, 0);
  EXPECT_EQ(model.nodes[2].cached.size, 0u);
  EXPECT_EQ(to_toml(parse_machine_model(to_toml(model), "again.toml")), to_toml(model));
}

TEST(machine_file, a_link_goes_both_ways_unless_it_says_otherwise) {
  const machine_model both = parse_machine_model(small_machine(), "small.toml");
  ASSERT_EQ(both.links.size(), 2u);
  EXPECT_EQ(both.links[0].from, 0u);
  EXPECT_EQ(both.links[0].to, 1u);
  EXPECT_EQ(both.links[1].from, 1u);
  EXPECT_EQ(both.links[1].to, 0u);
  EXPECT_EQ(both.links[1].bandwidth, 17);
  EXPECT_EQ(both.links[1].latency, 60);

  const std::string uneven = with(small_machine(), "between = [0, 1]", "one_way = true\nbetween = [0, 1]") + R"(
[[link]]
one_way = true
between = [1, 0]
bandwidth = { gb_per_s = 3, from = "assumed", note = "slow way back" }
latency = { ns = 61, from = "assumed", note = "l" }
)";
  const machine_model model = parse_machine_model(uneven, "uneven.toml");
  ASSERT_EQ(model.links.size(), 2u);
  EXPECT_EQ(model.links[0].bandwidth, 17);
  EXPECT_EQ(model.links[1].bandwidth, 3);
}

TEST(machine_file, caches_may_be_absent) {
  std::string text = small_machine();
  const std::size_t begin = text.find("[shared_cache]");
  text.erase(begin, text.find("[cost]") - begin);
  const machine_model model = parse_machine_model(text, "small.toml");
  EXPECT_EQ(model.shared_cache.size, 0u);
  EXPECT_EQ(model.shared_cache_total, 0);
}

TEST(machine_file, a_shared_cache_takes_what_leaves_the_private_ones_of_its_socket_unless_it_says_otherwise) {
  const machine_model usual = parse_machine_model(small_machine(), "small.toml");
  EXPECT_EQ(usual.fill, machine_model::fill_policy::victim);
  EXPECT_EQ(usual.clean_lines, machine_model::clean_source::memory);
  EXPECT_EQ(usual.groups(), 2u);

  const std::string text =
      with(with(small_machine(), "[cost]", R"(cores = { count = 2, from = "datasheet", note = "L3" }
policy = { fill = "inclusive", from = "datasheet", note = "L3" }
[cost])"),
           "[private_cache]", R"(clean_lines = { come_from = "neighbours", from = "assumed", note = "c" }
[private_cache])");
  const machine_model model = parse_machine_model(text, "small.toml");
  EXPECT_EQ(model.fill, machine_model::fill_policy::inclusive);
  EXPECT_EQ(model.clean_lines, machine_model::clean_source::neighbours);
  EXPECT_EQ(model.groups(), 4u);
  EXPECT_EQ(model.group_of(5), 2u);
  EXPECT_EQ(model.socket_of_group(2), 1u);
  const std::string again = to_toml(model);
  EXPECT_NE(again.find("policy = { fill = \"inclusive\", from = \"datasheet\", note = \"L3\" }"), std::string::npos);
  EXPECT_EQ(to_toml(parse_machine_model(again, "again.toml")), again);
}

TEST(machine_file, every_figure_has_its_origin_in_the_order_of_the_file) {
  const machine_model model = parse_machine_model(small_machine(), "small.toml");
  // 8 + 3 + 4 + 9 of the machine, 3 of each node and one more, 2 of each direction.
  EXPECT_EQ(model.origins.size(), 24u + 10 + 4);
  EXPECT_EQ(model.origins.front().key, "sockets");
  EXPECT_EQ(model.origins.front().from, machine_model::origin::paper);
  EXPECT_EQ(model.origins.front().note, "Table 1");
  EXPECT_EQ(model.origins.front().file, "small.toml");
  EXPECT_EQ(model.origins.front().line, 3);
  EXPECT_TRUE(std::is_sorted(model.origins.begin(), model.origins.end(),
                             [](const auto& a, const auto& b) { return a.line < b.line; }));
  EXPECT_EQ(model.origins.back().key, "link.1-0.latency");
}

TEST(machine_file, to_toml_gives_the_same_model_back) {
  machine_model model = parse_machine_model(small_machine(), "small.toml");
  model.description = "quotes \" and \\ and a tab\tand \x01";
  set_figure(model, "local_rate", "12.3456789012345");
  set_figure(model, "private_cache.size", "1000");
  set_figure(model, "link.1-0.latency", "61");
  const std::string text = to_toml(model);
  const machine_model again = parse_machine_model(text, "small.toml");
  EXPECT_EQ(to_toml(again), text);
  EXPECT_EQ(again.description, model.description);
  EXPECT_EQ(again.local_rate, model.local_rate);
  EXPECT_EQ(again.private_cache.size, 1000u);
  EXPECT_EQ(again.cost.wake, model.cost.wake);
  ASSERT_EQ(again.nodes.size(), model.nodes.size());
  EXPECT_EQ(again.nodes[2].rate, model.nodes[2].rate);
  ASSERT_EQ(again.origins.size(), model.origins.size());
}

TEST(machine_file, to_toml_writes_alike_neighbours_as_one_entry) {
  const std::string text = to_toml(parse_machine_model(small_machine(), "small.toml"));
  EXPECT_NE(text.find("socket = [0, 1]\nkind = \"dram\"\ncapacity = { gib = 16, from = \"assumed\""),
            std::string::npos);
  EXPECT_NE(text.find("between = [0, 1]\nbandwidth"), std::string::npos);
}

TEST(machine_file, a_model_without_origins_is_written_as_assumed) {
  machine_model model;
  model.name = model.description = "bare";
  model.local_rate = model.remote_rate = 10;
  model.nodes.push_back({0, machine_model::memory_kind::hbm, 1 << 20, 20, 100, 0});
  const machine_model again = parse_machine_model(to_toml(model), "bare.toml");
  EXPECT_EQ(again.nodes[0].kind, machine_model::memory_kind::hbm);
  for (const auto& origin : again.origins) EXPECT_EQ(origin.from, machine_model::origin::assumed) << origin.key;
}

}  // namespace
}  // namespace jackdaw
