#include "machine/measured_bandwidths.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/error_of.hpp"

namespace jackdaw {
namespace {

/// A cache folder of its own.
class measured_bandwidths : public testing::Test {
 protected:
  measured_bandwidths() {
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    file = bandwidth_file(two);
  }
  ~measured_bandwidths() override {
    unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(folder);
  }
  void keep(const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file) << text;
  }

  const std::string folder =
      testing::TempDir() + "jackdaw-" + testing::UnitTest::GetInstance()->current_test_info()->name();
  machine two = machine::from_synthetic("package:2 numa:1 core:2 pu:1");
  std::string file;
};

TEST_F(measured_bandwidths, are_taken_where_the_firmware_is_silent) {
  recall_bandwidths(two);
  EXPECT_FALSE(two.bandwidths_measured) << "there is no file";
  keep(bandwidth_text({{0, 21453}, {1, 96000.4}}, "2026-01-02"));
  recall_bandwidths(two);
  EXPECT_TRUE(two.bandwidths_measured);
  EXPECT_EQ(two.nodes[0].bandwidth, 21453);
  EXPECT_EQ(two.nodes[1].bandwidth, 96000);
}

TEST_F(measured_bandwidths, are_not_taken_where_it_declares_them) {
  keep(bandwidth_text({{0, 1}, {1, 2}}, "2026-01-02"));
  for (machine::node& node : two.nodes) node.bandwidth = 5000;
  recall_bandwidths(two);
  EXPECT_FALSE(two.bandwidths_measured);
  EXPECT_EQ(two.nodes[0].bandwidth, 5000);
}

TEST_F(measured_bandwidths, are_of_one_machine) {
  EXPECT_EQ(std::filesystem::path(file).parent_path(), folder + "/jackdaw");
  EXPECT_NE(bandwidth_file(machine::from_synthetic("package:4 numa:1 core:2 pu:1")), file);
  EXPECT_NE(bandwidth_file(machine::from_synthetic("package:2 numa:1 core:4 pu:1")), file);
}

TEST_F(measured_bandwidths, in_a_broken_file_are_refused_with_its_line) {
  const auto says = [&](const std::string& text) { return error_of([&] { parse_bandwidths(text, "f"); }); };
  const std::string begin = "jackdaw-bandwidths 1\n";
  const std::string anew = "; remove the file to measure anew";
  EXPECT_EQ(says(""), "f:1: '', expected 'jackdaw-bandwidths 1'" + anew);
  EXPECT_EQ(says("bandwidths\n"), "f:1: 'bandwidths', expected 'jackdaw-bandwidths 1'" + anew);
  for (const char* const line : {"node", "node x 1", "node 1", "node 1 ", "node 1 0", "node 1 -5", "node 1 nan",
                                 "node 1 5 6", "node -1 5", "knot 1 5"}) {
    EXPECT_EQ(says(begin + "# a remark\n" + line + "\n"),
              std::string("f:3: '") + line + "', expected 'node NUMBER MIB_PER_S'" + anew);
  }
  keep(bandwidth_text({{0, 21453}}, "2026-01-02"));
  EXPECT_EQ(error_of([&] { recall_bandwidths(two); }),
            file + ": no line for node 1, expected one for each node; remove the file to measure anew");
  EXPECT_FALSE(two.bandwidths_measured);
}

}  // namespace
}  // namespace jackdaw
