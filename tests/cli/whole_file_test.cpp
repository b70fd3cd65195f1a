#include "cli/whole_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <jackdaw/error.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/refuse_calls.hpp"

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

  // One folder per test, because tests run in parallel.
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

TEST_F(whole_file_test, a_killed_program_leaves_no_file) {
  const int unnamed = open(folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (unnamed < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
    GTEST_SKIP() << "this file system, or kernel, has no files without names";
  }
  ASSERT_GE(unnamed, 0) << std::strerror(errno);
  close(unnamed);
  whole_file file(path, false, "--output");
  EXPECT_EQ(files(), 0);
  file.write("text");
  EXPECT_EQ(files(), 1);
}

// In a process of its own, because a refusal is permanent.
TEST_F(whole_file_test, works_without_unnamed_files) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto write = [this] {
    // O_TMPFILE without O_DIRECTORY's bit, which many other calls have.
    if (!test::refuse_calls({{.number = SYS_openat, .error = EOPNOTSUPP, .flags = O_TMPFILE & ~O_DIRECTORY}})) return 2;
    {
      const whole_file unused(path, false, "--output");
      if (files() != 1) return 3;
    }
    if (files() != 0) return 4;
    whole_file(path, false, "--output").write("first");
    if (text() != "first") return 5;
    whole_file(path, true, "--output").write("second");
    return text() == "second" && files() == 1 ? 0 : 6;
  };
  EXPECT_EXIT(_exit(write()), testing::ExitedWithCode(0), "");
}

TEST_F(whole_file_test, keeps_an_existing_file) {
  put("old");
  EXPECT_THROW(whole_file(path, false, "--output"), error);
  EXPECT_EQ(text(), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(whole_file_test, keeps_a_file_created_meanwhile) {
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
