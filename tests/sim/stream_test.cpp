// STREAM-like loops on machines of machines/: all cores together get what the nodes have, except at the end, when not
// every node has work left.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "machine/model.hpp"
#include "program.hpp"
#include "sim/simulate.hpp"

namespace jackdaw::sim {
namespace {

constexpr std::uint64_t mib = 1 << 20;
constexpr std::uint64_t origin = 1 << 30;

/// `leaves` leaves that each read 1 MiB of their own.
test::body stream(std::uint64_t leaves, std::uint64_t first = 0) {
  if (leaves == 1) return {test::compute(0, {{.address = origin + first * mib, .length = mib}})};
  return {
      test::invoke({{.does = stream(leaves / 2, first)}, {.does = stream(leaves - leaves / 2, first + leaves / 2)}})};
}

struct where {
  const char* machine;
  const char* placement;
  double gb_per_s;  ///< of the nodes that have pages, together
};

class streams_on : public testing::TestWithParam<where> {};

TEST_P(streams_on, get_the_bandwidth_of_the_nodes_they_read) {
  machine_model machine = load_machine_model(GetParam().machine);
  machine.cost = {};  // of waking and steals at the beginning: only memory is tested here
  const std::uint64_t leaves = std::uint64_t{4} * machine.cores();
  const trace::task_tree tree = test::record(stream(leaves));
  const outcome o = simulate(tree, address_space(tree, machine), machine,
                             {.scheduler = "adws:no-steal", .placement = GetParam().placement});
  const double gb_per_s = static_cast<double>(leaves * mib) / o.time;
  EXPECT_LE(gb_per_s, GetParam().gb_per_s);
  EXPECT_GE(gb_per_s, 0.97 * GetParam().gb_per_s);
}

INSTANTIATE_TEST_SUITE_P(machines, streams_on,
                         testing::Values(where{"knl-snc4", "interleave:dram", 90},
                                         where{"knl-snc4", "interleave:hbm", 384},
                                         where{"knl-quadrant", "weighted", 474}),
                         [](const auto& of) {
                           std::string name = std::string(of.param.machine) + '_' + of.param.placement;
                           for (char& each : name) each = each == '-' || each == ':' ? '_' : each;
                           return name;
                         });

}  // namespace
}  // namespace jackdaw::sim
