#include "jackdaw/memory/placement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "jackdaw/error.hpp"
#include "jackdaw/memory/placement_report.hpp"
#include "numa/plan.hpp"

namespace jackdaw {
namespace {

void check_bandwidths(const std::vector<node_bandwidth>& bandwidths, const char* who) {
  for (std::size_t i = 0; i < bandwidths.size(); ++i) {
    const node_bandwidth& each = bandwidths[i];
    if (!(each.bandwidth > 0) || !std::isfinite(each.bandwidth)) {
      throw error(std::string(who) + ": node " + std::to_string(each.node) + " has a bandwidth of " +
                  std::to_string(each.bandwidth) + ", expected a number above 0");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (bandwidths[j].node == each.node) {
        throw error(std::string(who) + ": node " + std::to_string(each.node) + " is named twice, expected each once");
      }
    }
  }
}

}  // namespace

placement placement::on(unsigned node) {
  placement made(policy::on);
  made.nodes_ = {node};
  return made;
}

placement placement::interleave(std::vector<unsigned> nodes) {
  std::vector<unsigned> sorted = nodes;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    throw error("interleave: node " + std::to_string(*twice) + " is named twice, expected each once");
  }
  placement made(policy::interleave);
  made.nodes_ = std::move(nodes);
  return made;
}

placement placement::by_bandwidth(std::vector<node_bandwidth> bandwidths) {
  check_bandwidths(bandwidths, "by_bandwidth");
  placement made(policy::by_bandwidth);
  made.bandwidths_ = std::move(bandwidths);
  return made;
}

placement placement::fastest(std::size_t budget, std::vector<node_bandwidth> bandwidths) {
  check_bandwidths(bandwidths, "fastest");
  placement made(policy::fastest);
  made.budget_ = budget;
  made.bandwidths_ = std::move(bandwidths);
  return made;
}

placement placement::spread_by_kernel() const {
  if (kind_ != policy::by_bandwidth) {
    throw error("spread_by_kernel: the policy is '" + text() + "', expected by_bandwidth");
  }
  placement made = *this;
  made.by_kernel_ = true;
  return made;
}

placement placement::with_pages(page_choice pages) const {
  placement made = *this;
  made.pages_ = pages;
  return made;
}

placement placement::with_order(node_order order) const {
  placement made = *this;
  made.order_ = order;
  return made;
}

std::string placement::text() const {
  switch (kind_) {
    case policy::first_touch:
      return "first touch";
    case policy::on:
      return "on node " + std::to_string(nodes_.front());
    case policy::interleave:
      return nodes_.empty() ? "interleaved over all nodes" : "interleaved over " + numa::nodes_text(nodes_);
    case policy::by_bandwidth:
      return by_kernel_ ? "by the kernel's weights" : "by bandwidth";
    case policy::fastest:
      return budget_ == unlimited ? "fastest nodes first"
                                  : "fastest nodes first, at most " + std::to_string(budget_) + " B on each";
  }
  return "";
}

std::string_view name_of(bandwidth_source source) noexcept {
  switch (source) {
    case bandwidth_source::not_needed:
      return "not needed";
    case bandwidth_source::user:
      return "declared by the user";
    case bandwidth_source::firmware:
      return "declared by the firmware";
    case bandwidth_source::measured:
      return "measured";
    case bandwidth_source::not_known:
      return "unknown";
  }
  return "";
}

std::string_view name_of(placed_how how) noexcept {
  switch (how) {
    case placed_how::first_touch:
      return "by first touch";
    case placed_how::bound:
      return "bound";
    case placed_how::interleaved:
      return "interleaved";
    case placed_how::weighted:
      return "interleaved by weight";
    case placed_how::pinned_touch:
      return "touched by pinned threads";
    case placed_how::out_of_reach:
      return "out of reach";
    case placed_how::not_placed:
      return "not placed";
  }
  return "";
}

bool placement_report::as_asked() const noexcept {
  return notes.empty() && std::none_of(pieces.begin(), pieces.end(), [](const placed_piece& each) {
           return each.how == placed_how::out_of_reach || each.how == placed_how::not_placed;
         });
}

std::string placement_report::text() const {
  std::string lines;
  for (const placed_piece& each : pieces) {
    lines += "bytes " + std::to_string(each.offset) + " to " + std::to_string(each.offset + each.bytes - 1) + ": ";
    if (!each.nodes.empty()) lines += numa::nodes_text(each.nodes) + ", ";
    lines += std::string(name_of(each.how)) + "\n";
  }
  lines += "pages of " + std::to_string(page) + " B";
  if (bandwidth != bandwidth_source::not_needed) {
    lines += "; bandwidths: " + std::string(name_of(bandwidth));
  }
  lines += "\n";
  for (const std::string& note : notes) lines += "note: " + note + "\n";
  return lines;
}

}  // namespace jackdaw
