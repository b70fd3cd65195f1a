#include "trace/trace_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "jackdaw/access.hpp"
#include "jackdaw/error.hpp"
#include "trace/recorded.hpp"
#include "trace/tree_summary.hpp"

namespace jackdaw::test {
namespace {

using trace::read_trace;
using trace::task_tree;
using trace::write_trace;

class trace_file : public testing::Test {
 public:
  trace_file() { std::filesystem::create_directory(folder_); }
  ~trace_file() override { std::filesystem::remove_all(folder_); }
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;

 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  static std::string text_of(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }

  static void compress(const std::string& text, const std::string& to) {
    const gzFile file = gzopen(to.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    EXPECT_EQ(gzclose(file), Z_OK);
  }

  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("jackdaw-traces-" + std::to_string(getpid()) + '-' +
                                                testing::UnitTest::GetInstance()->current_test_info()->name());
};

std::string complaint(const std::string& file) {
  try {
    read_trace(file);
  } catch (const error& e) {
    return e.what();
  }
  return "nothing";
}

/// A tree with every feature of a trace.
task_tree rich_tree() {
  std::vector<double> data(1000);
  task_tree tree = recorded([&] {
    for (int i = 0; i < 2; ++i) {
      reads(data);
      task_group outer(3.25);
      task_group inner(policy::help_first);
      outer.run([&] { invoke([&] { writes(data.data(), 10, 2, 5); }, work(0.1, [] {}), [] {}); }, 1e-9);
      inner.run([] {});
      outer.run([] { task_group().run([] {}); }, 1e300);
      inner.run([] {});
      outer.wait();
      inner.run([] {}, 0);
      inner.wait();
    }
  });
  tree.program = "a program --with options";
  return tree;
}

TEST_F(trace_file, what_is_written_is_read) {
  const task_tree tree = rich_tree();
  write_trace(tree, path("a.trace"));
  EXPECT_EQ(read_trace(path("a.trace")), tree);
  write_trace(read_trace(path("a.trace")), path("b.trace"));
  EXPECT_EQ(text_of(path("a.trace")), text_of(path("b.trace")));
  EXPECT_EQ(files(), 2u);
}

TEST_F(trace_file, keeps_which_tasks_are_marked) {
  const task_tree tree = recorded([] {
    task_group group;
    group.inter_spawn([] { task_group().inter_spawn([] {}); }, 2);
    group.run([] {});
    group.wait();
    task_group help(policy::help_first);
    help.inter_spawn([] {});
    help.wait();
  });
  const auto marks = [](const task_tree& of) {
    std::string found;
    for (const trace::op& each : of.ops) {
      if (each.what == trace::op::kind::fork) found += each.inter ? (each.help_first ? 'H' : 'F') : 'f';
    }
    return found;
  };
  EXPECT_EQ(marks(tree), "FFfH");
  write_trace(tree, path("a.trace"));
  const std::string text = text_of(path("a.trace"));
  EXPECT_TRUE(text.starts_with("jackdaw-trace 2\n"));
  for (const char* line : {"\nF 2\n", "\nF\n", "\nf\n", "\nH\n"}) EXPECT_NE(text.find(line), text.npos) << line;
  EXPECT_EQ(read_trace(path("a.trace")), tree);
  // A tree that the first version can express is written as the first version.
  write_trace(rich_tree(), path("b.trace"));
  EXPECT_TRUE(text_of(path("b.trace")).starts_with("jackdaw-trace 1\n"));
  // The second version of such a tree can be read too.
  std::string second = text_of(path("b.trace"));
  second[second.find('1')] = '2';
  EXPECT_EQ(read_trace(written("c.trace", second)), read_trace(path("b.trace")));
}

TEST_F(trace_file, an_empty_trace_is_valid) {
  const task_tree tree;
  write_trace(tree, path("a.trace"));
  EXPECT_EQ(read_trace(path("a.trace")), tree);
}

TEST_F(trace_file, tasks_may_be_in_any_order) {
  // Child first; the root's steps come last in the file all the same.
  task_tree tree;
  tree.ops = {{.what = trace::op::kind::compute, .amount = 5}, fork_of(0, 0, unknown), wait_for(0)};
  tree.tasks = {{0, 1}, {1, 2}};
  tree.groups = {{}};
  tree.roots = {{1, "run"}};
  validate(tree);
  write_trace(tree, path("a.trace"));
  const task_tree read = read_trace(path("a.trace"));
  EXPECT_EQ(read.roots[0].task, 0u);
  EXPECT_EQ(summarise(read).work, 5);
  EXPECT_EQ(forks_and_waits(read, 0), (steps{fork_of(1, 0, unknown), wait_for(0)}));
}

TEST_F(trace_file, work_in_vectors_and_instructions_come_back_in_a_later_version) {
  task_tree tree = rich_tree();
  tree.vector_rate = 0.875;
  tree.instructions = 7.25;
  const auto first = std::find_if(tree.ops.begin(), tree.ops.end(),
                                  [](const trace::op& each) { return each.what == trace::op::kind::compute; });
  ASSERT_NE(first, tree.ops.end());
  first->vector = true;
  write_trace(tree, path("a.trace"));
  const std::string text = text_of(path("a.trace"));
  EXPECT_TRUE(text.starts_with("jackdaw-trace 3\n"));
  EXPECT_NE(text.find("\nvector_rate 0.875\ninstructions 7.25\n"), std::string::npos);
  EXPECT_EQ(read_trace(path("a.trace")), tree);
}

TEST_F(trace_file, a_disturbed_recording_says_so_in_a_later_version) {
  trace::task_tree tree = trace::read_trace(written("plain.trace",
                                                    "jackdaw-trace 1\nprogram p\nworkers 1\ncompute_rate 1\n"
                                                    "root r\nc 1\ne\nend 1 0 0 1\n"));
  EXPECT_EQ(tree.lost, 0);
  tree.lost = 0.25;
  write_trace(tree, path("a.trace"));
  EXPECT_TRUE(
      text_of(path("a.trace")).starts_with("jackdaw-trace 5\nprogram p\nworkers 1\ncompute_rate 1\nlost 0.25\n"));
  EXPECT_EQ(read_trace(path("a.trace")), tree);
}

TEST_F(trace_file, named_memory_comes_back_in_a_later_version) {
  task_tree tree = rich_tree();
  tree.named = {{0x1000, 24, "a"}, {0x1018, 8, " two  words "}, {0xffffffffffffff00, 0xff, "a"}};
  write_trace(tree, path("a.trace"));
  const std::string text = text_of(path("a.trace"));
  EXPECT_TRUE(text.starts_with("jackdaw-trace 4\n"));
  EXPECT_NE(text.find("\narray 1000 24 a\narray 1018 8  two  words \narray ffffffffffffff00 255 a\n"), text.npos);
  EXPECT_EQ(read_trace(path("a.trace")), tree);
  tree.named[1].name = "two\nlines";
  write_trace(tree, path("a.trace"));
  EXPECT_EQ(read_trace(path("a.trace")).named[1].name, "two lines");
}

TEST_F(trace_file, compressed_ones_are_read) {
  const task_tree tree = rich_tree();
  write_trace(tree, path("a.trace"));
  compress(text_of(path("a.trace")), path("a.trace.gz"));
  EXPECT_EQ(read_trace(path("a.trace.gz")), tree);
}

TEST_F(trace_file, a_file_that_cannot_be_written_leaves_the_old_one) {
  const std::string old = written("a.trace", "old");
  EXPECT_THROW(write_trace({}, path("missing/a.trace")), error);
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_directory(path("folder/inside"));
  EXPECT_THROW(write_trace({}, path("folder")), error);
  EXPECT_EQ(text_of(old), "old");
  EXPECT_EQ(files(), 2u);
}

constexpr const char* head = "jackdaw-trace 1\nprogram p\nworkers 2\ncompute_rate 1\nsite nested\n";

TEST_F(trace_file, every_malformed_line_is_named) {
  const std::string marked = "jackdaw-trace 2" + std::string(head).substr(std::string(head).find('\n'));
  const std::string step = "expected a line that begins with c, r, w, s, g, f, h, j or e";
  const std::string vectors = "jackdaw-trace 3\nprogram p\nworkers 2\ncompute_rate 1\n";
  const std::string named = "jackdaw-trace 4\nprogram p\nworkers 2\ncompute_rate 1\nsite nested\n";
  const std::string disturbed = "jackdaw-trace 5\nprogram p\nworkers 2\ncompute_rate 1\n";
  const std::string no_root = "expected 'root LABEL' or 'end TASKS GROUPS ACCESSES ROOTS'";
  const struct {
    std::string text;
    int line;
    std::string says;
  } cases[] = {
      {"", 1, "not a trace, expected 'jackdaw-trace 1' in the first line"},
      {"\n", 1, "not a trace, expected 'jackdaw-trace 1' in the first line"},
      {"hello\n", 1, "not a trace, expected 'jackdaw-trace 1' in the first line"},
      {"jackdaw-trace one\n", 1, "not a trace, expected 'jackdaw-trace 1' in the first line"},
      {"jackdaw-trace 0\n", 1, "not a trace, expected 'jackdaw-trace 1' in the first line"},
      {"jackdaw-trace 6\nnew things\n", 1,
       "version 6 of the format, expected at most 5, the newest that this jackdaw reads"},
      {"jackdaw-trace 1\n", 1, "the file is truncated, expected more up to a line 'end ...'"},
      {"jackdaw-trace 1\nworkers 2\n", 2, "expected 'program NAME'"},
      {"jackdaw-trace 1\nprogram p\nworkers\n", 3, "expected 'workers NUMBER'"},
      {"jackdaw-trace 1\nprogram p\nworkers two\n", 3, "expected 'workers NUMBER'"},
      {"jackdaw-trace 1\nprogram p\nworkers 2 2\n", 3, "expected 'workers NUMBER'"},
      {"jackdaw-trace 1\nprogram p\nworkers 0\n", 3,
       "a number is out of range, expected 'workers NUMBER' with numbers from 1 to 4096"},
      {"jackdaw-trace 1\nprogram p\nworkers 99999999999\n", 3,
       "a number is out of range, expected 'workers NUMBER' with numbers from 1 to 4096"},
      {"jackdaw-trace 1\nprogram p\nworkers 2\ncompute_rate\n", 4, "expected 'compute_rate NUMBER'"},
      {std::string(head) + "task\n", 6, "expected 'root LABEL' or 'end TASKS GROUPS ACCESSES ROOTS'"},
      {std::string(head) + "c 1\n", 6, "expected 'root LABEL' or 'end TASKS GROUPS ACCESSES ROOTS'"},
      {std::string(head) + "root r\n\n", 7, step},
      {std::string(head) + "root r\nx 1\n", 7, step},
      {std::string(head) + "root r\nc\n", 7, "expected 'c NS'"},
      {std::string(head) + "root r\nc1\n", 7, "expected 'c NS'"},
      {std::string(head) + "root r\nc 1 2\n", 7, "expected 'c NS'"},
      {std::string(head) + "root r\nr 10\n", 7, "expected 'r ADDRESS LENGTH ROWS STRIDE'"},
      {std::string(head) + "root r\nw 10 8 2\n", 7, "expected 'w ADDRESS LENGTH ROWS STRIDE'"},
      {std::string(head) + "root r\nw xyz 8\n", 7, "expected 'w ADDRESS LENGTH ROWS STRIDE'"},
      {std::string(head) + "root r\nw 10 0\n", 7,
       "a number is out of range, expected 'w ADDRESS LENGTH ROWS STRIDE' with numbers from 1 to 18446744073709551615"},
      {std::string(head) + "root r\nr ffffffffffffffff 8\n", 7,
       "the access is out of range, expected it to end below 2^64"},
      {std::string(head) + "root r\nr 0 1000000000000000000\n", 7,
       "the access is out of range, expected it to end at most 2^48 bytes after its first one"},
      {std::string(head) + "root r\nc 1e308\n", 7,
       "a number is out of range, expected 'c NS' with numbers from 0 to 1e+15"},
      {"jackdaw-trace 1\nprogram p\nworkers 2\ncompute_rate 1e-308\n", 4,
       "a number is out of range, expected 'compute_rate NUMBER' with numbers from 0.001 to 1000"},
      {std::string(head) + "root r\nr 10 8\ne\n", 8, "expected the time of the work that accesses belong to"},
      {std::string(head) + "root r\ns 1 1\n", 7, "site 1 is out of range, expected one of the 1 that the head names"},
      {std::string(head) + "root r\ng\n", 7, "expected 'g TOTAL SITE'"},
      {std::string(head) + "root r\nf 1\n", 7, "expected an open group of the running task"},
      {std::string(head) + "root r\ng -\nf 1 1\n", 8, "expected an open group of the running task"},
      {std::string(head) + "root r\ng -\nf x\n", 8, "expected 'f HINT BACK'"},
      {std::string(head) + "root r\ng -\nh - -\n", 8, "expected 'h HINT BACK'"},
      {std::string(head) + "root r\ng -\nF\n", 8, step},
      {std::string(head) + "root r\ng -\nH 1\n", 8, step},
      {std::string(head) + "root r\nv 1\n", 7, step},
      {std::string(head) + "vector_rate 1\n", 6, "expected 'root LABEL' or 'end TASKS GROUPS ACCESSES ROOTS'"},
      {std::string(head) + "array 10 8 a\n", 6, no_root},
      {named + "array\n", 6, "expected 'array ADDRESS LENGTH NAME'"},
      {named + "arrays 10 8 a\n", 6, "expected 'array ADDRESS LENGTH NAME'"},
      {named + "array 10 8\n", 6, "expected 'array ADDRESS LENGTH NAME'"},
      {named + "array 10 8 \n", 6, "expected 'array ADDRESS LENGTH NAME'"},
      {named + "array 10 8a\n", 6, "expected 'array ADDRESS LENGTH NAME'"},
      {named + "array xyz 8 a\n", 6, "expected 'array ADDRESS LENGTH NAME'"},
      {named + "array 10 0 a\n", 6,
       "a number is out of range, expected 'array ADDRESS LENGTH NAME' with numbers from 1 to 281474976710656"},
      {named + "array fffffffffffffff8 8 a\n", 6, "the array is out of range, expected it to end below 2^64"},
      {named + "array 10 8 a\narray 17 8 b\n", 7,
       "the array begins too early, expected it to follow the end of the one before"},
      {named + "array 10 8 a\narray 8 4 b\n", 7,
       "the array begins too early, expected it to follow the end of the one before"},
      {named + "array 10 8 a\nsite late\n", 7, no_root},
      {named + "root r\nc 1\ne\narray 10 8 a\n", 9, no_root},
      {named + "lost 0.5\n", 6, no_root},
      {disturbed + "lost 1.5\n", 5, "a number is out of range, expected 'lost NUMBER' with numbers from 0 to 1"},
      {marked + "root r\nv 1\n", 7, "expected a line that begins with c, r, w, s, g, f, h, F, H, j or e"},
      {vectors + "vector_rate\n", 5, "expected 'vector_rate NUMBER'"},
      {vectors + "vector_rate 0\n", 5,
       "a number is out of range, expected 'vector_rate NUMBER' with numbers from 0.001 to 1000"},
      {vectors + "instructions 1 2\n", 5, "expected 'instructions NUMBER'"},
      {vectors + "instructions nan\n", 5,
       "a number is out of range, expected 'instructions NUMBER' with numbers from 0.001 to 1000"},
      {vectors + "instructions 8\nvector_rate 1\n", 6, "expected 'root LABEL' or 'end TASKS GROUPS ACCESSES ROOTS'"},
      {vectors + "root r\nv\n", 6, "expected 'v NS'"},
      {vectors + "root r\nv -1\n", 6, "a number is out of range, expected 'v NS' with numbers from 0 to 1e+15"},
      {vectors + "root r\ng -\nx\n", 7, "expected a line that begins with c, v, r, w, s, g, f, h, F, H, j or e"},
      {marked + "root r\ng -\nx\n", 8, "expected a line that begins with c, r, w, s, g, f, h, F, H, j or e"},
      {marked + "root r\ng -\nF x\n", 8, "expected 'F HINT BACK'"},
      {marked + "root r\ng -\nH 1 2 3\n", 8, "expected 'H HINT BACK'"},
      {marked + "root r\ng -\nF 1 1\n", 8, "expected an open group of the running task"},
      {marked + "root r\ns -\nF\n", 8, "expected the group of a task_group for an inter-socket task"},
      {std::string(head) + "root r\ng -\nj\n", 8, "expected a fork into the group before the wait for it"},
      {std::string(head) + "root r\nj\n", 7, "expected an open group of the running task"},
      {std::string(head) + "root r\ng -\nf\ne\ne\n", 10, "expected a wait for every group before its task ends"},
      {std::string(head) + "root r\ne e\n", 7, "expected 'e'"},
      {std::string(head) + "root r\ne\nend 1 0 0\n", 8, "expected 'end TASKS GROUPS ACCESSES ROOTS'"},
      {std::string(head) + "root r\ne\nend 2 0 0 1\n", 8,
       "lines are missing, expected 'end 1 0 0 1', which is what the lines above come to"},
      {std::string(head) + "root r\ne\nend 1 0 0 1\nroot\n", 9, "expected nothing after the line 'end ...'"},
      {std::string(head) + "root r\nc 5\n", 7, "the file is truncated, expected more up to a line 'end ...'"},
      {std::string(head) + "root r\nc 5", 7, "the file is truncated, expected more up to a line 'end ...'"},
      {std::string(head) + "root r\ne\nend 1 0 0 1", 8, "the file is truncated, expected more up to a line 'end ...'"},
      {std::string(head) + "root " + std::string(2'000'000, 'x') + "\n", 6,
       "expected a line of at most 1048576 characters"},
  };
  for (const auto& each : cases) {
    const std::string file = written("bad.trace", each.text);
    EXPECT_EQ(complaint(file), file + ':' + std::to_string(each.line) + ": " + each.says) << each.text.substr(0, 200);
  }
}

TEST_F(trace_file, no_prefix_of_a_trace_is_one) {
  write_trace(rich_tree(), path("a.trace"));
  const std::string whole = text_of(path("a.trace"));
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const std::string file = written("cut.trace", whole.substr(0, size));
    const std::string says = complaint(file);
    EXPECT_TRUE(says.starts_with(file + ':')) << says;
    EXPECT_EQ(says.find('\n'), says.npos);
  }
}

TEST_F(trace_file, a_damaged_compressed_file_is_named) {
  write_trace(rich_tree(), path("a.trace"));
  compress(text_of(path("a.trace")), path("a.gz"));
  const std::string whole = text_of(path("a.gz"));
  const std::string cut = written("cut.gz", whole.substr(0, whole.size() / 2));
  EXPECT_NE(complaint(cut).find("the file is truncated, expected more up to a line 'end ...'"), std::string::npos)
      << complaint(cut);
  std::string bits = whole;
  bits[bits.size() - 6] = static_cast<char>(bits[bits.size() - 6] ^ 1);  // of the checksum
  EXPECT_NE(complaint(written("bits.gz", bits)).find("expected undamaged gzip data"), std::string::npos);
}

TEST_F(trace_file, a_file_that_cannot_be_read_is_named) {
  EXPECT_EQ(complaint(path("none")), path("none") + ": cannot be read: No such file or directory");
  EXPECT_EQ(complaint(path("")), path("") + ": cannot be read: Is a directory");
}

}  // namespace
}  // namespace jackdaw::test
