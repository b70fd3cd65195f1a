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

#include "support/error_of.hpp"
#include "support/in_child.hpp"

namespace {

namespace fs = std::filesystem;
using jackdaw::error_of;
using jackdaw::detail::check_replaceable;
using jackdaw::detail::is_same_file;
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
  EXPECT_EQ(error_of([&] { check_replaceable(pipe, "here"); }),
            "here: '" + pipe.string() + "' cannot be written: no process reads this pipe");
  const int reads = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reads, 0);
  check_replaceable(pipe, "here");
  char got[8] = {};
  EXPECT_EQ(read(reads, got, sizeof got), -1);  // and no end: what is written later is read
  write(pipe);
  EXPECT_EQ(read(reads, got, sizeof got), 4);
  EXPECT_EQ(read(reads, got + 4, 1), 0);
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

TEST_F(replacement_test, paths_that_root_may_write_to_but_not_make_files_in) {
  for (const char* const path : {"/proc/new", "/proc/self/new", "/proc/self/status"}) {
    const std::string said = error_of([&] { check_replaceable(path, "here"); });
    EXPECT_TRUE(said.starts_with("here: '" + std::string(path) + "' cannot be written: ")) << said;
  }
  EXPECT_TRUE(fs::is_empty(folder));
  check_replaceable(folder / "file", "here");
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(replacement_test, knows_two_paths_of_one_file) {
  fs::create_directory(folder / "there");
  fs::create_symlink("there/file", folder / "link");
  EXPECT_TRUE(is_same_file(folder / "link", folder / "there" / ".." / "there" / "file"));
  std::ofstream(folder / "there" / "file") << "old";
  EXPECT_TRUE(is_same_file(folder / "link", folder / "there" / "file"));
  EXPECT_FALSE(is_same_file(folder / "link", folder / "file"));
  EXPECT_FALSE(is_same_file("/dev/null", "/dev/null"));
}

TEST_F(replacement_test, numbers_the_files_of_a_child) {
  const auto how = jackdaw::test::in_child([&] {
    const std::string own = "file." + std::to_string(getpid());
    return numbered(folder / "file") == folder / own && numbered(folder / "file") == folder / (own + ".2") ? 0 : 1;
  });
  EXPECT_EQ(how.status, 0);
}

TEST_F(replacement_test, numbers_the_files_of_one_name) {
  EXPECT_EQ(numbered(folder / "file"), folder / "file");
  EXPECT_EQ(numbered(folder / "file"), folder / "file.2");
  EXPECT_EQ(numbered(folder / "file"), folder / "file.3");
}

}  // namespace
