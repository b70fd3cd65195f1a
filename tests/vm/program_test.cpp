// The program `jackdaw`, run as a user of the machine would.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#include "jackdaw/machine.hpp"
#include "vm/expected_machine.hpp"

namespace {

using jackdaw::test::expected_machine;

/// What `jackdaw ARGUMENTS` prints, and its status.
struct run {
  std::string output;
  int status = 0;

  explicit run(const std::string& arguments) {
    const std::string command = "/bin/jackdaw " + arguments + " 2>&1";
    // The shell inside is the image's own. NOLINTNEXTLINE(bugprone-command-processor,cert-env33-c)
    FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("popen: " + command);
    std::array<char, 4096> part{};
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe)) output.append(part.data(), count);
    status = pclose(pipe);
  }
};

class program : public testing::Test {
 protected:
  void SetUp() override {
    const auto described = expected_machine::here();
    if (!described) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
    expected = *described;
  }

  expected_machine expected;
};

TEST_F(program, doctor_describes_the_nodes) {
  const run doctor("doctor");
  ASSERT_EQ(doctor.status, 0) << doctor.output;
  std::ostringstream counts;
  counts << expected.packages << " packages, " << expected.packages << " NUMA domains, " << expected.cores << " cores";
  EXPECT_NE(doctor.output.find(counts.str()), std::string::npos) << doctor.output;
  for (std::size_t i = 0; i < expected.nodes.size(); ++i) {
    std::istringstream lines(doctor.output);
    std::optional<std::string> own;
    for (std::string line; std::getline(lines, line);) {
      if (line.find("node " + std::to_string(i) + ": ") != std::string::npos &&
          line.find("MiB/s") != std::string::npos) {
        own = line;
      }
    }
    ASSERT_TRUE(own) << "node " << i << " in\n" << doctor.output;
    std::ostringstream speed;
    speed << expected.nodes[i].bandwidth << " MiB/s, " << expected.nodes[i].latency << " ns";
    EXPECT_NE(own->find(speed.str()), std::string::npos) << *own;
    EXPECT_EQ(own->find("no CPU") != std::string::npos, expected.nodes[i].cpu_less) << *own;
  }
  EXPECT_NE(doctor.output.find("declared by the firmware"), std::string::npos) << doctor.output;
}

TEST_F(program, bench_checks_a_kernel_under_two_schedulers) {
  const run bench("bench fib --size tiny --scheduler adws,laws --repeat 1 --pause 0 --db /tmp/jackdaw.db");
  EXPECT_EQ(bench.status, 0) << bench.output;
  EXPECT_NE(bench.output.find("laws"), std::string::npos) << bench.output;
}

TEST_F(program, machine_here_measures_a_file_that_can_be_read) {
  if (expected.packages > 2) GTEST_SKIP() << "the smaller machine does, in half the time";
  const run here("machine here --force -o /tmp/here.toml");
  ASSERT_EQ(here.status, 0) << here.output;
  const run check("machine check /tmp/here.toml");
  EXPECT_EQ(check.status, 0) << check.output;
  std::ifstream file("/tmp/here.toml");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(text.find("sockets = { count = " + std::to_string(expected.packages) + ","), std::string::npos) << text;
  std::size_t nodes = 0;
  for (std::size_t at = 0; (at = text.find("[[node]]", at)) != std::string::npos; ++at) ++nodes;
  EXPECT_EQ(nodes, expected.nodes.size()) << text;
}

}  // namespace
