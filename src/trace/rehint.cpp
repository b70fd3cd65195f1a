#include "trace/rehint.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <jackdaw/error.hpp>
#include <string>
#include <vector>

namespace jackdaw::trace {
namespace {

enum class hints : std::uint8_t { none, exact, fixed, random };
struct new_hints {
  hints kind = hints::none;
  double wrong = 0;
};

new_hints parse(std::string_view text) {
  if (text == "none") return {};
  if (text == "exact") return {hints::exact, 0};
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  new_hints parsed{name == "fixed" ? hints::fixed : hints::random, -1};
  const char* const last = text.data() + text.size();
  if (colon != text.npos && (name == "fixed" || name == "random")) {
    const auto [end, code] = std::from_chars(text.data() + colon + 1, last, parsed.wrong);
    if (code != std::errc() || end != last) parsed.wrong = -1;
  }
  if (!(parsed.wrong >= 0 && parsed.wrong <= 1)) {
    std::string shown(text.substr(0, 60));
    std::ranges::replace_if(shown, [](unsigned char each) { return each < ' ' || each > '~'; }, '?');
    throw error("--rehint: '" + shown + "', expected none, exact, fixed:ALPHA or random:ALPHA with ALPHA from 0 to 1");
  }
  return parsed;
}

/// Returns a number in [-1, 1) that depends on the seed alone.
double drawn(std::uint64_t seed) {
  seed = (seed + 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((seed ^ (seed >> 31)) >> 11) * 0x1p-52 - 1;
}

/// Returns the work of each task with all that it forks, in ns.
std::vector<double> work_below(const task_tree& tree) {
  std::vector<double> work(tree.tasks.size());
  std::vector<std::uint32_t> order;  // parents first
  for (const root& each : tree.roots) order.push_back(each.task);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const task& at = tree.tasks[order[i]];
    for (std::uint64_t step = at.first_op; step < at.first_op + at.ops; ++step) {
      if (tree.ops[step].what == op::kind::fork) order.push_back(tree.ops[step].first);
    }
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    const task& at = tree.tasks[order[i]];
    double& sum = work[order[i]];
    sum = 0;
    for (std::uint64_t step = at.first_op; step < at.first_op + at.ops; ++step) {
      const op& each = tree.ops[step];
      if (each.what == op::kind::compute) sum += each.amount;
      if (each.what == op::kind::fork) sum += work[each.first];
    }
  }
  return work;
}

}  // namespace

void check_rehint(std::string_view how) { parse(how); }

void rehint(task_tree& tree, std::string_view how) {
  const new_hints want = parse(how);
  tree.program += " --rehint " + std::string(how);
  const std::vector<double> work = want.kind == hints::none ? std::vector<double>() : work_below(tree);
  std::vector<std::uint32_t> children(tree.groups.size()), seen(tree.groups.size());
  for (const op& each : tree.ops) {
    if (each.what == op::kind::fork) ++children[each.count];
  }
  for (group& each : tree.groups) each.total = want.kind == hints::none && !each.structured ? -1 : 0;
  for (std::uint64_t i = 0; i < tree.ops.size(); ++i) {
    op& fork = tree.ops[i];
    if (fork.what != op::kind::fork) continue;
    group& of = tree.groups[fork.count];
    const std::uint32_t index = seen[fork.count]++, last = children[fork.count] - 1;
    switch (want.kind) {
      case hints::none:
        fork.amount = of.structured ? 1 : -1;
        break;
      case hints::exact:
        fork.amount = work[fork.first];
        break;
      case hints::fixed:
        fork.amount = work[fork.first] * (last == 0 ? 1 : 1 + want.wrong * (2.0 * index / last - 1));
        break;
      case hints::random:
        fork.amount = work[fork.first] * (1 + want.wrong * drawn(i));
        break;
    }
    if (of.total >= 0) of.total += fork.amount;
  }
}

}  // namespace jackdaw::trace
