#include "cli/whole_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <jackdaw/error.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace jackdaw::cli {
namespace {

namespace fs = std::filesystem;

class whole_file_test : public testing::Test {
 public:
  whole_file_test() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~whole_file_test() override { fs::remove_all(folder); }

  std::string text() const {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  void put(const char* what) const { std::ofstream(path) << what; }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder), fs::directory_iterator()); }

  // One folder a test: tests run side by side.
  const fs::path folder = fs::path(testing::TempDir()) /
                          (std::string("jackdaw_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const std::string path = (folder / "out.toml").string();
};

TEST_F(whole_file_test, writes_a_new_file) {
  whole_file(path, false, "--output").write("text");
  EXPECT_EQ(text(), "text");
  EXPECT_EQ(files(), 1);
}

TEST_F(whole_file_test, leaves_nothing_when_nothing_was_written) {
  {
    const whole_file file(path, false, "--output");
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(whole_file_test, has_no_name_that_a_killed_program_would_leave) {
  const int unnamed = open(folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (unnamed < 0) GTEST_SKIP() << "this file system has no files without names";
  close(unnamed);
  whole_file file(path, false, "--output");
  EXPECT_EQ(files(), 0);
  file.write("text");
  EXPECT_EQ(files(), 1);
}

TEST_F(whole_file_test, keeps_what_is_there) {
  put("old");
  EXPECT_THROW(whole_file(path, false, "--output"), error);
  EXPECT_EQ(text(), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(whole_file_test, keeps_what_has_appeared_meanwhile) {
  {
    whole_file file(path, false, "--output");
    put("other");
    EXPECT_THROW(file.write("text"), error);
  }
  EXPECT_EQ(text(), "other");
  EXPECT_EQ(files(), 1);
}

TEST_F(whole_file_test, replaces_when_told_to) {
  put("old");
  whole_file(path, true, "--output").write("text");
  EXPECT_EQ(text(), "text");
  EXPECT_EQ(files(), 1);
}

TEST_F(whole_file_test, refuses_paths_that_cannot_be_written) {
  EXPECT_THROW(whole_file((folder / "nowhere" / "out.toml").string(), false, "--output"), error);
  EXPECT_THROW(whole_file(folder.string(), true, "--output"), error);
}

}  // namespace
}  // namespace jackdaw::cli
