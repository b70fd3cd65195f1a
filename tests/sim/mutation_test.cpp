// Traces and machine files with a mistake or two: each one is refused in a line that names the place, or simulated.
#include <gtest/gtest.h>
#include <unistd.h>

#include <jackdaw/error.hpp>

#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine_files/small_machine.hpp"
#include "machines.hpp"
#include "sched/scheduler.hpp"
#include "sim/simulate.hpp"
#include "trace/trace_file.hpp"

namespace jackdaw::sim {
namespace {

constexpr const char* every_line = R"(jackdaw-trace 4
program p
workers 4
compute_rate 1.25
vector_rate 0.75
instructions 7.5
site nested
site loop
array 10000 4096 first
array 11000 32768 the rest
array 20000 64 first
root prepare
w 10000 65536
c 5000
e
root run
s 3 1
f 2
r 10000 256 64 576
w 20000 64
c 2765
e
f 1
c 863
e
j
g - 1
F 1
c 200
e
h -
r 10000 4096
v 300.5
e
g 7 1
f 3 1
c 10
e
f 4
e
j 1
j
c 12
e
end 8 3 4 2
)";

using generator = std::mt19937_64;

std::size_t below(generator& random, std::size_t end) {
  return std::uniform_int_distribution(std::size_t{0}, end - 1)(random);
}

/// What a number may be that nobody expects.
std::string odd_number(generator& random) {
  constexpr std::array odd = {"0",
                              "-1",
                              "1",
                              "63",
                              "4096",
                              "65537",
                              "4294967295",
                              "1e15",
                              "1e-308",
                              "1e308",
                              "1.8e19",
                              "nan",
                              "inf",
                              "0x10",
                              "9223372036854775808",
                              "4000000000",
                              "ffffffff",
                              "1e999",
                              "0.000001",
                              "18446744073709551615",
                              "",
                              "1 1",
                              "-",
                              "1000000000000000000"};
  return odd[below(random, odd.size())];
}

/// Where the lines of a text begin; its end comes last.
std::vector<std::size_t> lines_of(std::string_view text) {
  std::vector<std::size_t> begins = {0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') begins.push_back(i + 1);
  }
  return begins;
}

void replace_number(std::string& text, generator& random) {
  std::vector<std::pair<std::size_t, std::size_t>> numbers;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t begin = i;
    while (i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == '.')) ++i;
    if (i != begin) numbers.emplace_back(begin, i - begin);
  }
  if (numbers.empty()) return;
  const auto [begin, size] = numbers[below(random, numbers.size())];
  text.replace(begin, size, odd_number(random));
}

std::string mutated(std::string text, generator& random) {
  for (std::size_t left = 1 + below(random, 2); left != 0 && !text.empty(); --left) {
    const std::vector<std::size_t> lines = lines_of(text);
    const std::size_t at = below(random, text.size());
    const std::size_t line = below(random, lines.size());
    const auto rest = [&](std::size_t of) { return (of + 1 < lines.size() ? lines[of + 1] : text.size()) - lines[of]; };
    switch (below(random, 8)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.erase(lines[line], rest(line));
        break;
      case 2:
        text.insert(lines[line], text.substr(lines[line], rest(line)));
        break;
      case 3:
        text.insert(lines[line], text.substr(lines[below(random, lines.size())], rest(line)));
        break;
      case 4:
        text[at] = static_cast<char>(below(random, 256));
        break;
      default:
        replace_number(text, random);
    }
  }
  return text;
}

constexpr unsigned mutants = 1000;

/// Changes `text` in many ways. `read` gets each result, and throws error or returns what is to be simulated.
template <class Read>
void expect_refused_or_simulated(const std::string& text, const std::string& file, Read read) {
  unsigned refused = 0;
  for (unsigned seed = 0; seed < mutants; ++seed) {
    generator random(seed);
    const std::string wrong = mutated(text, random);
    SCOPED_TRACE(wrong);
    std::string says;
    try {
      const auto [tree, machine] = read(wrong);
      says = " expected";
      const std::vector<std::string> names = sched::names();
      simulate(tree, address_space(tree, machine), machine, {.scheduler = names[seed % names.size()]});
    } catch (const error& refusal) {
      if (says.empty()) {
        ++refused;
        EXPECT_TRUE(std::string_view(refusal.what()).starts_with(file + ':')) << refusal.what();
      }
      says = refusal.what();
    } catch (const std::exception& other) {
      ADD_FAILURE() << other.what();
    }
    EXPECT_EQ(says.find('\n'), says.npos) << says;
    EXPECT_TRUE(says.find("expected") != says.npos || says.find("but this jackdaw") != says.npos) << says;
  }
  EXPECT_GT(refused, mutants / 2);
  EXPECT_LT(refused, mutants);
}

class mutations : public testing::Test {
 protected:
  ~mutations() override { std::remove(file_.c_str()); }

  trace::task_tree read(const std::string& text) const {
    std::ofstream(file_, std::ios::binary) << text;
    return trace::read_trace(file_);
  }

  const std::string file_ = testing::TempDir() + "jackdaw-mutated-" + std::to_string(getpid()) + ".trace";
};

TEST_F(mutations, of_traces_are_refused_by_line_or_simulated) {
  machine_model machine = small_machine();
  for (auto& node : machine.nodes) node.capacity = 16 << 20;
  expect_refused_or_simulated(every_line, file_,
                              [&](const std::string& text) { return std::pair(read(text), machine); });
}

TEST_F(mutations, of_machine_files_are_refused_by_line_or_simulated) {
  const trace::task_tree tree = read(every_line);
  expect_refused_or_simulated(jackdaw::small_machine(), "m.toml", [&](const std::string& text) {
    return std::pair(tree, parse_machine_model(text, "m.toml"));
  });
}

}  // namespace
}  // namespace jackdaw::sim
