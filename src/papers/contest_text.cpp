#include "papers/contest_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/text.hpp"
#include "papers/seeds.hpp"

namespace jackdaw::cli {
namespace {

using figures = reproduction::figures;
using outcomes = reproduction::outcomes;
using results = reproduction::results;

/// A contender with one program.
struct entrant {
  std::string name, experiment;
  over_seeds time;
};

/// One program's contenders.
struct heat {
  std::string program;
  std::vector<entrant> plain, own;

  static const entrant& best(const std::vector<entrant>& of) {
    return *std::min_element(of.begin(), of.end(),
                             [](const auto& a, const auto& b) { return a.time.median() < b.time.median(); });
  }
};

/// Returns a program's contenders, or nothing if it was left out.
std::optional<heat> heat_of(const reproduction::contest& on, const std::string& program, const results& found) {
  heat made{.program = program, .plain = {}, .own = {}};
  const auto enter = [&](const std::vector<std::string>& names, std::vector<entrant>& to) {
    for (const std::string& name : names) {
      const std::string experiment = reproduction::contest::name(on.title, program, name);
      const auto time = find_over_seeds([&](const outcomes& of) { return of.at(experiment).time; }, found);
      if (time) to.push_back({name, experiment, *time});
    }
  };
  enter(on.plain, made.plain);
  enter(on.own, made.own);
  if (made.plain.empty() || made.own.empty()) return std::nullopt;
  return made;
}

/// Returns the part of the time that one saves against another, in %, at each seed.
over_seeds saved(double figures::* what, const entrant& one, const entrant& against, const results& found) {
  return *find_over_seeds(
      [&](const outcomes& of) { return reproduction::saved(what, of, one.experiment, against.experiment); }, found);
}

/// Less than 1%, or either way at different seeds, is no difference.
std::string judged(const over_seeds& percent, const std::string& who) {
  if (percent.least() >= 1) return fmt::format("{} is ahead", who);
  if (percent.most() <= -1) return fmt::format("**{} loses**", who);
  return "no difference";
}

/// Counts of a judgement over the programs.
struct score {
  std::vector<double> ahead, behind;  // median %
  std::size_t all = 0;

  void add(const over_seeds& percent) {
    ++all;
    if (percent.least() >= 1) ahead.push_back(percent.median());
    if (percent.most() <= -1) behind.push_back(-percent.median());
  }
  std::string text() const {
    return fmt::format("ahead with {} of {} programs{}, no difference with {}, behind with {}{}", ahead.size(), all,
                       by(ahead, "less"), all - ahead.size() - behind.size(), behind.size(), by(behind, "more"));
  }

 private:
  static std::string by(std::vector<double> of, const char* which) {
    if (of.empty()) return "";
    std::sort(of.begin(), of.end());
    return of.size() == 1 ? fmt::format(" ({:.0f}% {} time)", of.front(), which)
                          : fmt::format(" ({:.0f}% to {:.0f}% {} time)", of.front(), of.back(), which);
  }
};

std::string winners(const std::vector<heat>& heats, const results& found) {
  score best, fixed;
  std::string rows;
  for (const heat& each : heats) {
    const entrant &plain = heat::best(each.plain), &own = heat::best(each.own), &standard = each.own.front();
    const over_seeds percent = saved(&figures::time, own, plain, found);
    const over_seeds of_standard = saved(&figures::time, standard, plain, found);
    best.add(percent);
    fixed.add(of_standard);
    rows +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", each.program, plain.name, own.name, percent.text(1),
                    judged(percent, "jackdaw"), of_standard.text(1), saved(&figures::total, own, plain, found).text(1));
  }
  const std::string standard = heats.front().own.front().name;
  return fmt::format(
      "- The best of jackdaw's schedulers against random stealing with its best placement: {}.\n"
      "- The default ({}) against random stealing with its best placement: {}.\n\n"
      "| program | random's best placement | jackdaw's best | saves, % | verdict | the default saves, % | whole run: "
      "jackdaw's best saves, % |\n|---|---|---|---:|---|---:|---:|\n{}\n",
      best.text(), standard, fixed.text(), rows);
}

std::string all_times(const std::vector<heat>& heats, const results& found) {
  std::string text = "| |";
  for (const heat& each : heats) text += fmt::format(" {} |", each.program);
  text += "\n|---|";
  for (std::size_t i = 0; i < heats.size(); ++i) text += "---:|";
  const std::string first = heats.front().plain.front().name;
  text += fmt::format("\n| {}: time, us |", first);
  for (const heat& each : heats) text += fmt::format(" {:.0f} |", each.plain.front().time.median() / 1000);
  text += "\n";
  const auto row = [&](std::size_t at, bool own) {
    std::string line = fmt::format("| {} |", (own ? heats.front().own : heats.front().plain)[at].name);
    for (const heat& each : heats) {
      const entrant& one = (own ? each.own : each.plain)[at];
      const double fastest = std::min(heat::best(each.plain).time.median(), heat::best(each.own).time.median());
      const std::string percent = saved(&figures::time, one, each.plain.front(), found).text(1);
      line += one.time.median() <= fastest ? fmt::format(" **{}** |", percent) : fmt::format(" {} |", percent);
    }
    return line + "\n";
  };
  for (std::size_t i = 1; i < heats.front().plain.size(); ++i) text += row(i, false);
  for (std::size_t i = 0; i < heats.front().own.size(); ++i) text += row(i, true);
  return fmt::format("Time saved against {}, %. The best of a column is bold.\n\n", first) + text + "\n";
}

}  // namespace

std::string contests_text(const reproduction& what, const results& found) {
  std::string text;
  for (const reproduction::contest& each : what.contests) {
    std::vector<heat> heats;
    for (const std::string& program : each.programs) {
      if (std::optional<heat> one = heat_of(each, program, found)) heats.push_back(std::move(*one));
    }
    if (heats.empty()) continue;
    text += fmt::format("## {}\n\n{}.\n\n", each.title, reproduction::load_machine(each.machine).description);
    text += winners(heats, found) + all_times(heats, found);
  }
  return text;
}

}  // namespace jackdaw::cli
