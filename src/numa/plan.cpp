#include "numa/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "jackdaw/error.hpp"
#include "numa/shares.hpp"

namespace jackdaw::numa {
namespace {

std::vector<unsigned> allowed_of(const memory_view& view) {
  std::vector<unsigned> allowed;
  for (const node_view& node : view.nodes) {
    if (node.allowed) allowed.push_back(node.os);
  }
  return allowed;
}

std::size_t pick_page(page_choice choice, std::size_t bytes, std::size_t smallest_part, const page_sizes& sizes) {
  if (sizes.huge == 0 || choice == page_choice::base) return sizes.base;
  if (choice == page_choice::huge) return bytes >= sizes.huge ? sizes.huge : sizes.base;
  return smallest_part >= least_huge_pages * sizes.huge ? sizes.huge : sizes.base;
}

/// The nodes that an object is divided among, in the order of its pieces.
struct divided {
  std::vector<const node_view*> nodes;
  std::vector<double> bandwidths;
  bandwidth_source source = bandwidth_source::not_known;
};

void sort_by(node_order order, bool backwards, std::vector<const node_view*>& nodes) {
  if (order == node_order::as_given) return;
  std::sort(nodes.begin(), nodes.end(), [&](const node_view* a, const node_view* b) {
    if (order == node_order::by_number) return a->os < b->os;
    if (a->socket != b->socket) return (a->socket < b->socket) != backwards;
    return a->cpu_less != b->cpu_less ? b->cpu_less : a->os < b->os;
  });
}

divided divide(const placement& how, const memory_view& view, bool backwards, const std::string& who) {
  divided among;
  if (how.bandwidths().empty()) {
    for (const node_view& node : view.nodes) {
      if (node.allowed) among.nodes.push_back(&node);
    }
    const bool known = std::all_of(among.nodes.begin(), among.nodes.end(),
                                   [](const node_view* node) { return node->bandwidth.value_or(0) > 0; });
    if (known) among.source = view.measured ? bandwidth_source::measured : bandwidth_source::firmware;
  } else {
    among.source = bandwidth_source::user;
    for (const node_bandwidth& each : how.bandwidths()) {
      check_node(each.node, view, who);
      among.nodes.push_back(&view.node(each.node));
    }
  }
  sort_by(how.order(), backwards, among.nodes);
  for (const node_view* const node : among.nodes) {
    double bandwidth = 1;
    if (how.bandwidths().empty() && among.source != bandwidth_source::not_known) bandwidth = *node->bandwidth;
    for (const node_bandwidth& each : how.bandwidths()) {
      if (each.node == node->os) bandwidth = each.bandwidth;
    }
    among.bandwidths.push_back(bandwidth);
  }
  return among;
}

std::vector<std::uint64_t> rooms_in(std::size_t page, const divided& among) {
  std::vector<std::uint64_t> rooms;
  rooms.reserve(among.nodes.size());
  for (const node_view* const node : among.nodes) {
    rooms.push_back(node->room == node_view::no_limit ? node_view::no_limit : node->room / page);
  }
  return rooms;
}

void note_what_is_left(const fitted_shares& shares, std::size_t page, plan& made) {
  if (shares.left == 0) return;
  made.notes.push_back(std::to_string(shares.left * page) +
                       " B are more than the nodes have room for now: the kernel chooses where the rest goes");
}

/// Consecutive pieces; the node with the most room gets the rest.
void lay_out(fitted_shares shares, const divided& among, plan& made) {
  note_what_is_left(shares, made.page, made);
  const auto roomiest = std::max_element(among.nodes.begin(), among.nodes.end(),
                                         [](const node_view* a, const node_view* b) { return a->room < b->room; });
  shares.units[static_cast<std::size_t>(roomiest - among.nodes.begin())] += shares.left;
  std::size_t offset = 0;
  for (std::size_t i = 0; i < shares.units.size(); ++i) {
    const std::size_t end = std::min<std::size_t>(made.bytes, offset + shares.units[i] * made.page);
    if (end == offset) continue;
    made.pieces.push_back({offset, end - offset, {among.nodes[i]->os}, planned_piece::way::prefer});
    offset = end;
  }
}

void note_unknown_bandwidths(const char* instead, plan& made) {
  if (made.bandwidth == bandwidth_source::not_known) {
    made.notes.push_back(
        std::string("the nodes' bandwidths are unknown (`jackdaw machine bandwidths` measures them): ") + instead);
  }
}

/// Pages, the last of which may hold the object's end and more.
std::uint64_t units_of(const plan& made) { return round_up(made.bytes, made.page) / made.page; }

void plan_by_bandwidth(const placement& how, std::size_t bytes, const memory_view& view, const page_sizes& sizes,
                       const users& by, plan& made) {
  const divided among = divide(how, view, by.backwards, "by_bandwidth");
  made.bandwidth = among.source;
  const double all = std::accumulate(among.bandwidths.begin(), among.bandwidths.end(), 0.0);
  const double least = *std::min_element(among.bandwidths.begin(), among.bandwidths.end());
  const auto smallest = static_cast<std::size_t>(static_cast<double>(made.bytes) * (least / all));
  made.page = pick_page(how.pages(), made.bytes, smallest, sizes);
  if (how.by_kernel()) {
    std::vector<unsigned> nodes;
    nodes.reserve(among.nodes.size());
    for (const node_view* const node : among.nodes) nodes.push_back(node->os);
    std::sort(nodes.begin(), nodes.end());
    made.bandwidth = bandwidth_source::not_needed;
    made.pieces.push_back({0, made.bytes, std::move(nodes), planned_piece::way::weighted});
    return;
  }
  note_unknown_bandwidths("all count alike", made);
  // Divides whole pages, so that every boundary is within one page of Eq. 1. A partial page belongs to the last piece.
  const std::uint64_t whole = std::max<std::uint64_t>(1, bytes / made.page);
  std::vector<std::uint64_t> shares = shares_by_bandwidth(whole, among.bandwidths);
  shares.back() += units_of(made) - whole;
  lay_out(fit(std::move(shares), among.bandwidths, rooms_in(made.page, among)), among, made);
}

/// The tiers when only the names of the nodes' kinds are known.
std::vector<unsigned> tiers_by_kind(const divided& among) {
  std::vector<unsigned> tiers;
  tiers.reserve(among.nodes.size());
  for (const node_view* const node : among.nodes) {
    tiers.push_back(calls_itself_fast(*node) ? 0 : node->kind.starts_with("CXL") ? 2 : 1);
  }
  return tiers;
}

void plan_fastest(const placement& how, const memory_view& view, const page_sizes& sizes, const users& by, plan& made) {
  if (how.budget() < sizes.base) {
    throw error("fastest: a budget of " + std::to_string(how.budget()) + " B, expected at least one page, " +
                std::to_string(sizes.base) + " B");
  }
  const divided among = divide(how, view, by.backwards, "fastest");
  made.bandwidth = among.source;
  made.page = pick_page(how.pages(), std::min(made.bytes, how.budget()),
                        std::min(made.bytes / among.nodes.size(), how.budget()), sizes);
  note_unknown_bandwidths("their kinds decide which come first", made);
  const std::vector<unsigned> tiers =
      among.source == bandwidth_source::not_known ? tiers_by_kind(among) : tiers_of(among.bandwidths);
  const unsigned slowest = *std::max_element(tiers.begin(), tiers.end());
  std::vector<std::uint64_t> rooms = rooms_in(made.page, among);
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    if (tiers[i] != slowest) rooms[i] = std::min<std::uint64_t>(rooms[i], how.budget() / made.page);
  }
  lay_out(fill_by_tiers(units_of(made), tiers, rooms), among, made);
}

void plan_on(const placement& how, const memory_view& view, const page_sizes& sizes, plan& made) {
  const unsigned node = how.nodes().front();
  check_node(node, view, "on");
  made.page = pick_page(how.pages(), made.bytes, made.bytes, sizes);
  if (const std::uint64_t room = view.node(node).room; made.bytes > room) {
    made.notes.push_back("node " + std::to_string(node) + " has room for " + std::to_string(room) + " of " +
                         std::to_string(made.bytes) + " B now: the kernel puts the rest on the nodes nearest to it");
  }
  made.pieces.push_back({0, made.bytes, {node}, planned_piece::way::prefer});
}

void plan_interleaved(const placement& how, const memory_view& view, const page_sizes& sizes, plan& made) {
  for (const unsigned node : how.nodes()) check_node(node, view, "interleave");
  std::vector<unsigned> nodes = how.nodes().empty() ? allowed_of(view) : how.nodes();
  std::sort(nodes.begin(), nodes.end());
  made.page = pick_page(how.pages(), made.bytes, made.bytes / nodes.size(), sizes);
  made.pieces.push_back({0, made.bytes, std::move(nodes), planned_piece::way::interleave});
}

}  // namespace

std::string nodes_text(const std::vector<unsigned>& nodes) {
  std::string text = nodes.size() == 1 ? "node " : "nodes ";
  for (std::size_t i = 0; i < nodes.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(nodes[i]);
  return text;
}

void check_node(unsigned node, const memory_view& view, const std::string& who) {
  const auto found =
      std::find_if(view.nodes.begin(), view.nodes.end(), [&](const node_view& each) { return each.os == node; });
  const std::string expected = ", expected one of " + nodes_text(allowed_of(view));
  if (found == view.nodes.end()) throw error(who + ": no such memory node: " + std::to_string(node) + expected);
  if (!found->allowed) {
    throw error(who + ": memory node " + std::to_string(node) + " has no memory or is not allowed here" + expected);
  }
}

plan make_plan(const placement& how, std::size_t bytes, const memory_view& view, const page_sizes& sizes,
               const users& by) {
  if (allowed_of(view).empty()) {
    throw error("placement: no memory node is allowed here, expected a cpuset with at least one");
  }
  plan made{.bytes = round_up(bytes, sizes.base), .page = sizes.base};
  switch (how.kind()) {
    case placement::policy::first_touch:
      made.page = pick_page(how.pages(), made.bytes, made.bytes / std::max(1u, by.workers), sizes);
      made.pieces.push_back({0, made.bytes, {}, planned_piece::way::first_touch});
      break;
    case placement::policy::on:
      plan_on(how, view, sizes, made);
      break;
    case placement::policy::interleave:
      plan_interleaved(how, view, sizes, made);
      break;
    case placement::policy::by_bandwidth:
      plan_by_bandwidth(how, bytes, view, sizes, by, made);
      break;
    case placement::policy::fastest:
      plan_fastest(how, view, sizes, by, made);
      break;
  }
  return made;
}

}  // namespace jackdaw::numa
