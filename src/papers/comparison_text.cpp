#include "papers/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "papers/seeds.hpp"

namespace jackdaw::cli {
namespace {

constexpr double no_difference = 5;  // %

using named = std::pair<double, std::string>;  // % saved, by program

/// Returns "34%", or "3% (heat) to 45% (sor)".
std::string range(double low, const std::string& low_at, double high, const std::string& high_at) {
  const std::string from = fmt::format("{:.0f}%", low), to = fmt::format("{:.0f}%", high);
  if (low_at == high_at) return from;
  return fmt::format("{} ({}) to {} ({})", from, low_at, to, high_at);
}

/// `saved`: ascending, not empty.
std::string worded(const std::vector<named>& saved) {
  const auto& [least, least_at] = saved.front();
  const auto& [most, most_at] = saved.back();
  // A negative saving says how much longer it takes.
  if (least > no_difference) return fmt::format("saves {} of the time", range(least, least_at, most, most_at));
  if (most < -no_difference) return fmt::format("takes {} longer", range(-most, most_at, -least, least_at));
  if (std::max(-least, most) <= no_difference) {
    if (saved.size() == 1) return fmt::format("no difference beyond 5%: {:.1f}% saved", most);
    return fmt::format("no difference beyond 5%: from {:.1f}% ({}) to {:.1f}% ({}) saved", least, least_at, most,
                       most_at);
  }
  std::size_t ahead = 0, behind = 0;
  for (const auto& [percent, program] : saved) {
    ahead += percent > no_difference ? 1 : 0;
    behind += percent < -no_difference ? 1 : 0;
  }
  const std::string best = most > 0 ? fmt::format("saves {:.0f}% at best ({})", most, most_at)
                                    : fmt::format("takes {:.0f}% longer at best ({})", -most, most_at);
  const std::string worst = least < 0 ? fmt::format("takes {:.0f}% longer at worst ({})", -least, least_at)
                                      : fmt::format("saves {:.0f}% at worst ({})", least, least_at);
  return fmt::format("{}, {}: ahead by more than 5% in {} of {}, behind in {}", best, worst, ahead, saved.size(),
                     behind);
}

}  // namespace

std::string comparisons_text(const reproduction& what, const reproduction::results& found) {
  std::string text;
  for (const reproduction::comparison& each : what.comparisons) {
    std::vector<named> saved;
    for (const auto& [program, figure] : each.of) {
      const std::optional<over_seeds> of = find_over_seeds(figure, found);
      if (of) saved.emplace_back(of->median(), program);
    }
    if (saved.empty()) continue;
    std::sort(saved.begin(), saved.end());
    text += fmt::format("- {}: {}.\n", each.what, worded(saved));
  }
  return text.empty() ? text : "In short:\n\n" + text + "\n";
}

std::string tables_text(const reproduction& what, const reproduction::results& found) {
  std::string text;
  for (const reproduction::table& each : what.tables) {
    std::string rows;
    for (const reproduction::table::row& row : each.rows) {
      std::string line = fmt::format("| {} |", row.name);
      bool known = true;
      for (const reproduction::figure& cell : row.cells) {
        const std::optional<over_seeds> of = find_over_seeds(cell, found);
        known = known && of;
        if (of) line += fmt::format(" {} |", std::isnan(of->median()) ? "-" : of->text(each.digits));
      }
      if (known) rows += line + "\n";
    }
    if (rows.empty()) continue;
    text += fmt::format("## {}\n\n{}\n\n|", each.title, each.text);
    for (const std::string& column : each.columns) text += fmt::format(" {} |", column);
    text += "\n|---|";
    for (std::size_t i = 1; i < each.columns.size(); ++i) text += "---:|";
    text += "\n" + rows + "\n";
  }
  return text;
}

}  // namespace jackdaw::cli
