#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "machine_files/small_machine.hpp"

namespace jackdaw {
namespace {

namespace fs = std::filesystem;

class extends_test : public testing::Test {
 public:
  extends_test() {
    fs::remove_all(folder);
    fs::create_directories(folder);
    write("base.toml", small_machine());
  }
  ~extends_test() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  // One folder a test: tests run side by side.
  const fs::path folder = fs::path(testing::TempDir()) /
                          (std::string("jackdaw_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

constexpr const char* head = "name = \"variant\"\ndescription = \"what if\"\n";

TEST_F(extends_test, changes_the_given_figures_and_keeps_the_rest) {
  write("variant.toml", std::string(head) + R"(extends = "base.toml"
compute_rate = { ratio = 2, from = "assumed", note = "twice" }
[private_cache]
size = { mib = 2, from = "assumed", note = "more" }
[set]
"link.bandwidth" = { times = 0.5, from = "assumed", note = "half" }
"node.cxl.bandwidth" = { gb_per_s = 40, from = "assumed", note = "two devices" }
"node.0.latency" = { ns = 80, from = "assumed", note = "nearer" }
)");
  const machine_model model = load_machine_model(path("variant.toml"));
  EXPECT_EQ(model.name, "variant");
  EXPECT_EQ(model.file, path("variant.toml"));
  EXPECT_EQ(model.compute_rate, 2);
  EXPECT_EQ(model.private_cache.size, 2u << 20);
  EXPECT_EQ(model.private_cache.rate, 60);
  EXPECT_EQ(model.sockets, 2u);
  EXPECT_EQ(model.links[0].bandwidth, 8.5);
  EXPECT_EQ(model.links[1].bandwidth, 8.5);
  EXPECT_EQ(model.nodes[1].bandwidth, 50);
  EXPECT_EQ(model.nodes[2].bandwidth, 40);
  EXPECT_EQ(model.nodes[0].latency, 80);
  EXPECT_EQ(model.nodes[1].latency, 90);
  // Those of the base first, then the variant's; each once.
  EXPECT_EQ(model.origins.size(), load_machine_model(path("base.toml")).origins.size());
  EXPECT_EQ(model.origins.front().file, path("base.toml"));
  EXPECT_EQ(model.origins.back().file, path("variant.toml"));
  EXPECT_EQ(model.origins.back().line, 10);
}

TEST_F(extends_test, replaces_nodes_and_links_as_a_whole) {
  write("variant.toml", std::string(head) + R"(extends = "base.toml"
[[node]]
socket = 0
kind = "hbm"
capacity = { gib = 4, from = "assumed", note = "n" }
bandwidth = { gb_per_s = 96, from = "assumed", note = "n" }
latency = { ns = 150, from = "assumed", note = "n" }
)");
  const machine_model model = load_machine_model(path("variant.toml"));
  ASSERT_EQ(model.nodes.size(), 1u);
  EXPECT_EQ(model.nodes[0].kind, machine_model::memory_kind::hbm);
  EXPECT_EQ(model.links.size(), 2u);
  for (const auto& origin : model.origins) EXPECT_FALSE(origin.key.starts_with("node.1")) << origin.key;
}

TEST_F(extends_test, a_mistake_is_reported_at_its_place) {
  write("variant.toml", std::string(head) + "extends = \"base.toml\"\n[set]\n" +
                            R"("link.bandwidth" = { times = 0, from = "assumed", note = "none" })");
  EXPECT_EQ(error_of([&] { load_machine_model(path("variant.toml")); }),
            path("variant.toml") + ":5: link.0-1.bandwidth: 0, expected a number from 1e-06 to 1000000");
  write("base.toml", with(small_machine(), "{ gb_per_s = 12,", "{ gb_per_s = 0,"));
  EXPECT_EQ(error_of([&] { load_machine_model(path("variant.toml")); }),
            path("base.toml") + ":9: local_rate: 0, expected a number from 0.001 to 1000000 GB/s");
}

TEST_F(extends_test, a_product_out_of_range_is_refused) {
  write("variant.toml", std::string(head) + "extends = \"base.toml\"\n[set]\n" +
                            R"("overlap" = { times = 8, from = "assumed", note = "too much" })");
  EXPECT_EQ(error_of([&] { load_machine_model(path("variant.toml")); }),
            path("variant.toml") + ":5: overlap: 2, expected a number from 0 to 1");
}

TEST_F(extends_test, what_is_not_given_cannot_be_multiplied) {
  write("variant.toml", std::string(head) + "extends = \"base.toml\"\n[set]\n" +
                            R"("write_rate" = { times = 0.5, from = "assumed", note = "half" })");
  EXPECT_EQ(
      error_of([&] { load_machine_model(path("variant.toml")); }),
      path("variant.toml") + ":5: set: the machine does not give 'write_rate', expected a number instead of a factor");
}

TEST_F(extends_test, a_change_may_ask_for_what_no_machine_has) {
  write("variant.toml", std::string(head) + "extends = \"base.toml\"\n[set]\n" +
                            R"("node.bandwidth" = { times = 0.1, from = "assumed", note = "starved" })");
  const machine_model model = load_machine_model(path("variant.toml"));
  EXPECT_EQ(model.nodes[0].bandwidth, 5);
  EXPECT_EQ(model.local_rate, 12);
}

TEST_F(extends_test, a_cycle_names_its_files) {
  const auto extends = [&](const std::string& name) { return std::string(head) + "extends = \"" + name + "\"\n"; };
  write("self.toml", extends("self.toml"));
  EXPECT_EQ(error_of([&] { load_machine_model(path("self.toml")); }),
            path("self.toml") + ":3: extends: a cycle " + path("self.toml") + " -> " + path("self.toml") +
                ", expected a machine that does not extend this one");
  write("a.toml", extends("b.toml"));
  write("b.toml", extends("./c.toml"));
  write("c.toml", extends("b.toml"));
  const std::string says = error_of([&] { load_machine_model(path("a.toml")); });
  EXPECT_TRUE(says.starts_with(path("./c.toml") + ":3: extends: a cycle " + path("b.toml") + " -> ")) << says;
  EXPECT_NE(says.find("c.toml -> " + path("b.toml") + ", expected"), std::string::npos) << says;
}

TEST_F(extends_test, a_missing_base) {
  write("variant.toml", std::string(head) + "extends = \"nothing.toml\"\n");
  EXPECT_EQ(error_of([&] { load_machine_model(path("variant.toml")); }),
            path("variant.toml") + ":3: extends: '" + path("nothing.toml") +
                "' cannot be found, expected a machine file or the name of a shipped one");
  write("variant.toml", std::string(head) + "extends = \"nothing\"\n");
  const std::string says = error_of([&] { load_machine_model(path("variant.toml")); });
  EXPECT_TRUE(says.starts_with(path("variant.toml") + ":3: extends: unknown machine 'nothing', expected")) << says;
}

TEST_F(extends_test, the_users_folder_comes_first) {
  write("xeon-gold-6130.toml", small_machine());
  write("mine.toml", small_machine());
  ASSERT_EQ(setenv("JACKDAW_MACHINES", folder.c_str(), 1), 0);
  EXPECT_EQ(load_machine_model("xeon-gold-6130").name, "small");
  EXPECT_EQ(load_machine_model("mine").file, path("mine.toml"));
  const std::vector<std::string> names = shipped_machine_models();
  EXPECT_NE(std::find(names.begin(), names.end(), "mine"), names.end());
  EXPECT_EQ(std::count(names.begin(), names.end(), "xeon-gold-6130"), 1);
  ASSERT_EQ(setenv("JACKDAW_MACHINES", path("nowhere").c_str(), 1), 0);
  EXPECT_EQ(error_of([] { shipped_machine_models(); }),
            "JACKDAW_MACHINES: '" + path("nowhere") + "', expected a folder of machine files");
  ASSERT_EQ(unsetenv("JACKDAW_MACHINES"), 0);
  EXPECT_EQ(load_machine_model("xeon-gold-6130").name, "xeon-gold-6130");
}

}  // namespace
}  // namespace jackdaw
