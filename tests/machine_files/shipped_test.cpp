#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "machine_files/small_machine.hpp"

namespace jackdaw {
namespace {

TEST(shipped_machines, are_those_of_the_folder) {
  std::vector<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(JACKDAW_SOURCE_MACHINES)) {
    if (entry.path().extension() == ".toml") there.push_back(entry.path().stem().string());
  }
  std::sort(there.begin(), there.end());
  EXPECT_FALSE(there.empty());
  EXPECT_EQ(shipped_machine_models(), there);
}

TEST(shipped_machines, load_under_their_names_with_an_origin_for_every_figure) {
  for (const std::string& name : shipped_machine_models()) {
    SCOPED_TRACE(name);
    const machine_model model = load_machine_model(name);
    EXPECT_EQ(model.name, name);
    const auto has = [&](const std::string& key) {
      return std::any_of(model.origins.begin(), model.origins.end(),
                         [&](const auto& origin) { return origin.key == key && !origin.note.empty(); });
    };
    for (const std::string& key : figure_keys(model)) {
      if (key.starts_with("node.") || key.starts_with("link.")) continue;
      if (key.starts_with("shared_cache.") && model.shared_cache.size == 0) continue;
      if (key.starts_with("ramp.") || key == "write_rate" || key == "shared_cache.overlap") continue;
      if (key == "threads_per_core" || key == "smt_rate" || key.starts_with("cost.turn_") || key == "cost.wake_call")
        continue;
      if (key == "clean_lines" || key == "shared_cache.cores" || key == "shared_cache.replacement") continue;
      EXPECT_TRUE(has(key)) << key;
    }
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
      for (const char* const key : {"capacity", "bandwidth", "latency"}) {
        EXPECT_TRUE(has(fmt::format("node.{}.{}", i, key))) << i << key;
      }
    }
    for (const machine_model::link& link : model.links) {
      for (const char* const key : {"bandwidth", "latency"}) {
        EXPECT_TRUE(has(fmt::format("link.{}-{}.{}", link.from, link.to, key))) << link.from << link.to << key;
      }
    }
  }
}

// What cannot be in any computer, whatever its figures.
TEST(shipped_machines, are_plausible) {
  for (const std::string& name : shipped_machine_models()) {
    SCOPED_TRACE(name);
    const machine_model model = load_machine_model(name);
    EXPECT_LE(model.remote_rate, model.local_rate);
    EXPECT_GT(model.private_cache.rate, model.local_rate);
    EXPECT_LE(model.cost.steal_local, model.cost.steal_remote);
    EXPECT_LE(model.cost.look_local, model.cost.look_remote);
    if (model.shared_cache.size != 0) {
      EXPECT_GE(model.private_cache.rate, model.shared_cache.rate);
      EXPECT_GE(model.shared_cache.rate, model.local_rate);
      EXPECT_LE(model.shared_cache_total, model.shared_cache.rate * model.group_size());
      EXPECT_LT(model.private_cache.latency, model.shared_cache.latency);
    }
    for (const machine_model::memory_node& node : model.nodes) {
      EXPECT_GT(node.latency, model.private_cache.latency);
      EXPECT_GE(node.bandwidth, node.rate > 0 ? node.rate : model.local_rate);
    }
  }
}

TEST(shipped_machines, survive_to_toml) {
  for (const std::string& name : shipped_machine_models()) {
    const machine_model model = load_machine_model(name);
    const std::string text = to_toml(model);
    EXPECT_EQ(to_toml(parse_machine_model(text, "again.toml")), text) << name;
  }
}

TEST(shipped_machines, are_listed_for_an_unknown_name) {
  const std::string says = error_of([] { load_machine_model("abacus"); });
  EXPECT_TRUE(says.starts_with("unknown machine 'abacus', expected a file's path or one of ")) << says;
  EXPECT_NE(says.find("xeon-gold-6130"), std::string::npos) << says;
}

}  // namespace
}  // namespace jackdaw
