#include "base/replacement.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <jackdaw/error.hpp>
#include <string>

namespace {

namespace fs = std::filesystem;
using jackdaw::detail::check_replaceable;
using jackdaw::detail::numbered;
using jackdaw::detail::replacement;

class replacement_test : public testing::Test {
 protected:
  replacement_test() {
    std::string made = (fs::temp_directory_path() / "jackdaw.XXXXXX").string();
    folder = mkdtemp(made.data());
  }
  ~replacement_test() override { fs::remove_all(folder); }

  static void write(const fs::path& to) {
    replacement made(check_replaceable(to, "here"));
    made.write("text");
    made.keep();
  }
  static std::string text(const fs::path& of) {
    std::ifstream in(of);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder;
};

TEST_F(replacement_test, follows_links) {
  fs::create_directory(folder / "there");
  std::ofstream(folder / "there" / "file") << "old";
  fs::create_symlink("there/file", folder / "link");
  fs::create_symlink("link", folder / "link_to_link");
  write(folder / "link_to_link");
  EXPECT_TRUE(fs::is_symlink(folder / "link_to_link") && fs::is_symlink(folder / "link"));
  EXPECT_EQ(text(folder / "there" / "file"), "text");
  fs::create_symlink("there/fresh", folder / "link_to_nothing");
  write(folder / "link_to_nothing");
  EXPECT_EQ(text(folder / "there" / "fresh"), "text");
}

TEST_F(replacement_test, writes_into_pipes) {
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(write(pipe), jackdaw::error);  // it has no reader
  const int reads = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reads, 0);
  write(pipe);
  char got[8] = {};
  EXPECT_EQ(read(reads, got, sizeof got), 4);
  EXPECT_STREQ(got, "text");
  close(reads);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(replacement_test, leaves_devices_and_open_files_where_they_are) {
  // Uses a name that nothing can replace, in case this fails.
  const int device = open("/dev/null", O_WRONLY | O_CLOEXEC);
  write("/proc/self/fd/" + std::to_string(device));
  close(device);
  EXPECT_EQ(check_replaceable("/dev/null", "here"), "/dev/null");
  EXPECT_EQ(numbered("/dev/null"), "/dev/null");
  EXPECT_EQ(numbered("/dev/null"), "/dev/null");
  const int open_file = open((folder / "open").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::write(open_file, "before ", 7), 7);
  write("/proc/self/fd/" + std::to_string(open_file));
  EXPECT_EQ(text(folder / "open"), "before text");
  close(open_file);
}

TEST_F(replacement_test, numbers_the_files_of_one_name) {
  EXPECT_EQ(numbered(folder / "file"), folder / "file");
  EXPECT_EQ(numbered(folder / "file"), folder / "file.2");
  EXPECT_EQ(numbered(folder / "file"), folder / "file.3");
}

}  // namespace
