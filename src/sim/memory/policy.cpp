#include "sim/memory/policy.hpp"

#include <algorithm>
#include <charconv>
#include <jackdaw/error.hpp>

namespace jackdaw::sim {
namespace {

constexpr std::string_view forms =
    "expected first-touch, interleave or weighted, alone or with dram, hbm, cxl, all or numbers of nodes after a colon "
    "(interleave:0,2), or bind:NODE or serial:NODE";

error bad(std::string_view text, const std::string& what) {
  return error{"placement '" + std::string(text) + "': " + what};
}

unsigned parse_node(std::string_view number, std::string_view text, const machine_model& machine) {
  unsigned node = 0;
  const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), node);
  if (number.empty() || code != std::errc{} || end != number.data() + number.size())
    throw bad(text, std::string(forms));
  if (node >= machine.nodes.size())
    throw bad(text, "machine '" + machine.name + "' has no memory node " + std::to_string(node) + ": expected 0 to " +
                        std::to_string(machine.nodes.size() - 1));
  return node;
}

std::vector<unsigned> parse_nodes(std::string_view list, std::string_view text, const machine_model& machine) {
  using kind = machine_model::memory_kind;
  std::vector<unsigned> nodes;
  if (list == "all") return nodes;
  if (list == "dram" || list == "hbm" || list == "cxl") {
    const kind wanted = list == "dram" ? kind::dram : list == "hbm" ? kind::hbm : kind::cxl;
    for (unsigned node = 0; node < machine.nodes.size(); ++node)
      if (machine.nodes[node].kind == wanted) nodes.push_back(node);
    if (nodes.empty())
      throw bad(text, "machine '" + machine.name + "' has no " + std::string(list) +
                          " node: expected a kind of memory that it has");
    return nodes;
  }
  while (true) {
    const std::size_t comma = list.find(',');
    const unsigned node = parse_node(list.substr(0, comma), text, machine);
    if (std::find(nodes.begin(), nodes.end(), node) != nodes.end())
      throw bad(text, "node " + std::to_string(node) + " is there twice: expected each node once");
    nodes.push_back(node);
    if (comma == std::string_view::npos) return nodes;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

policy parse_policy(std::string_view text, const machine_model& machine) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const bool has_nodes = colon != std::string_view::npos;
  const std::string_view list = has_nodes ? text.substr(colon + 1) : std::string_view("all");
  policy result;
  if (name == "bind" || name == "serial") {
    if (!has_nodes) throw bad(text, std::string(forms));
    result.what = name == "bind" ? policy::kind::bind : policy::kind::serial;
    result.nodes = {parse_node(list, text, machine)};
    return result;
  }
  if (name == "first-touch") {
    result.what = policy::kind::first_touch;
  } else if (name == "interleave") {
    result.what = policy::kind::interleave;
  } else if (name == "weighted") {
    result.what = policy::kind::weighted;
  } else {
    throw bad(text, std::string(forms));
  }
  result.nodes = parse_nodes(list, text, machine);
  return result;
}

}  // namespace jackdaw::sim
