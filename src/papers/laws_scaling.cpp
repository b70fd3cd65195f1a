#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "papers/laws_page.hpp"

namespace jackdaw::cli::laws_page {
namespace {

const char* const cats_text =
    R"(Time that CATS saves against random stealing, in %: by first touch, with memory interleaved (the paper's CATS
allocates data evenly), with links of a hundred times the bandwidth, and with both. The last two columns are with
first touch and the links as they are. A squad that runs one subtree at a time has idle workers at its end.)";
const char* const nodes_text =
    "The part of the time saved against random stealing, as the machine is and with memory nodes of twice the "
    "bandwidth.";

// Of Figure 8.
constexpr std::array<unsigned, 14> shown_iterations{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100, 200};

// Figures 9 to 12.
struct scaling {
  bench of;
  std::vector<std::string> sizes;  ///< empty: the size of Figure 7
  double small, large;             ///< % of the time saved at the smallest and the largest size
  double growth;                   ///< the rows of the largest over those of the smallest
};

/// Adds a size: the smallest and the largest as other programs, those between with the links as they are.
void add_scaled(reproduction& to, const bench& one, bool end) {
  add_program(to, one, end ? std::vector<std::string>{"random", "laws"} : std::vector<std::string>{});
  if (!end) {
    for (const std::string scheduler : {"random", "laws"}) {
      add_once(to, one, one.with(scheduler), "first-touch", scheduler, "");
    }
  }
  add_once(to, one, one.with("cats"), "first-touch", "cats", "");
}

}  // namespace

// Figure 8: 200 iterations of a program on each server.
void add_curves(reproduction& to) {
  constexpr unsigned all = 200;
  reproduction::table made{.title = "200 iterations (Fig. 8)",
                           .text =
                               "Time of an iteration with LAWS over the mean of the last 100 of 200. The first is "
                               "profiled; in the next ones packings are tried.",
                           .columns = {"program"},
                           .rows = {}};
  for (const unsigned at : shown_iterations) made.columns.push_back(fmt::format("{}", at));
  for (const bench& one : {bench{amd, "heat", true}, bench{intel, "9p"}}) {
    kernels::request request;
    request.size = one.size_name();
    request.shape = one.irregular ? "irregular" : "regular";
    request.iterations = all;
    const std::string name = one.name() + ", 200 iterations";
    to.programs.push_back({name, one.kernel, request, one.on.workers, reference_times_of(one.kernel)});
    // Rows of 8 KiB and more are simulated as exactly, and several times as fast, in blocks of 4 KiB.
    reproduction::experiment experiment{name,   name,           "first-touch",
                                        "laws", one.on.workers, one.on.machine + " block=x8"};
    experiment.links_given = experiment.curve = true;
    to.experiments.push_back(experiment);
    const auto settled = [=](const outcomes& of) {
      const std::vector<double>& curve = of.at(name).curve;
      return std::accumulate(curve.end() - all / 2, curve.end(), 0.0) / (all / 2.0);
    };
    reproduction::table::row row{name, {}};
    for (const unsigned at : shown_iterations) {
      row.cells.push_back([=](const outcomes& of) { return of.at(name).curve.at(at - 1) / settled(of); });
    }
    made.rows.push_back(row);
    to.add_claim(
        fmt::format("{}: longest iteration from the 11th on over the mean of the last 100", name),
        "flat after several iterations (Fig. 8)", "<= 1.1",
        [=](const outcomes& of) {
          const std::vector<double>& curve = of.at(name).curve;
          return *std::max_element(curve.begin() + 10, curve.end()) / settled(of);
        },
        [](double x) { return x <= 1.1; }, "");
  }
  to.tables.push_back(made);
}

// What takes the causes away.
void add_causes(reproduction& to) {
  reproduction::table packing{.title = "What takes the cause away: CATS",
                              .text = cats_text,
                              .columns = {"program", "first touch", "interleaved", "first touch, links x100",
                                          "interleaved, links x100", "idle with CATS, %", "idle with random, %"},
                              .rows = {}};
  for (const bench& one : {bench{amd, "heat"}, bench{amd, "sor"}, bench{amd, "9p"}, bench{amd, "25p"},
                           bench{intel, "heat"}, bench{intel, "sor"}}) {
    reproduction::table::row row{one.name(), {saved(one.time(), one, "cats")}};
    const auto add = [&](const std::string& placement, const std::string& links) {
      const auto name = [=](const std::string& scheduler) {
        return one.with(fmt::format("{}, {}{}", scheduler, placement, links.empty() ? "" : ", links " + links));
      };
      for (const std::string scheduler : {"random", "cats"}) {
        add_once(to, one, name(scheduler), placement, scheduler, links.empty() ? "" : " link.bandwidth=" + links);
      }
      row.cells.push_back(
          [=](const outcomes& of) { return reproduction::saved(one.time(), of, name("cats"), name("random")); });
    };
    add("interleave", "");
    add("first-touch", "x100");
    add("interleave", "x100");
    for (const std::string scheduler : {"cats", "random"}) {
      row.cells.push_back([name = one.with(scheduler)](const outcomes& of) { return 100 * of.at(name).idle; });
    }
    packing.rows.push_back(row);
  }
  to.tables.push_back(packing);

  reproduction::table nodes{.title = "What takes the cause away: the Intel server's memory nodes",
                            .text = nodes_text,
                            .columns = {"program", "LAWS saves, %", "nodes x2", "LAWS-NC saves, %", "nodes x2",
                                        "later iterations save against the first, %", "nodes x2"},
                            .rows = {}};
  for (const std::string kernel : {"heat", "sor", "9p", "6p", "25p"}) {
    const bench one{intel, kernel};
    const auto named = [=](const std::string& scheduler) { return one.with(scheduler + ", nodes x2"); };
    for (const std::string scheduler : {"random", "laws:nc", "laws"}) {
      add_once(to, one, named(scheduler), "first-touch", scheduler, " node.bandwidth=x2");
    }
    const auto twice = [=](const std::string& scheduler) {
      return [=](const outcomes& of) { return reproduction::saved(one.time(), of, named(scheduler), named("random")); };
    };
    const auto later = [](const std::string& name) {
      return [=](const outcomes& of) { return 100 * (1 - of.at(name).time / of.at(name).first); };
    };
    nodes.rows.push_back({one.name(),
                          {saved(one.time(), one, "laws"), twice("laws"), saved(one.time(), one, "laws:nc"),
                           twice("laws:nc"), later(one.with("laws")), later(named("laws"))}});
  }
  to.tables.push_back(nodes);
}

void add_scaling(reproduction& to) {
  const std::vector<std::string> on_amd{"1k", "2k", "4k", "", "16k"}, on_intel{"2k", "4k", "", "16k", "32k"};
  for (const scaling& each :
       {scaling{{amd, "heat", true}, on_amd, 30.4, 43.6, 16}, scaling{{amd, "6p", false}, on_amd, 36.6, 45.8, 16},
        scaling{{intel, "sor", true}, on_intel, 52.5, 42.7, 16},
        scaling{{intel, "9p", false}, on_intel, 34.9, 24.7, 16}}) {
    std::vector<bench> all;
    for (const std::string& size : each.sizes) {
      all.push_back(each.of);
      all.back().size = size;
      if (!size.empty()) add_scaled(to, all.back(), size == each.sizes.front() || size == each.sizes.back());
    }
    const std::string shown = each.of.on.name == "amd" ? "Fig. 9" : "Fig. 10";
    for (const auto& [one, paper] : {std::pair(all.front(), each.small), std::pair(all.back(), each.large)}) {
      to.add_claim(fmt::format("{}, scaled: time that LAWS saves, %", one.name()),
                   fmt::format("{}% ({})", paper, shown), fmt::format("{:.1f} to {:.1f}", paper - 15, paper + 15),
                   saved(&figures::time, one, "laws"), [paper = paper](double x) { return std::abs(x - paper) <= 15; });
    }
    for (std::size_t i = 1; i + 1 < all.size(); ++i) {
      const double low = std::min(each.small, each.large) - 15, high = std::max(each.small, each.large) + 15;
      to.add_claim(
          fmt::format("{}, scaled: time that LAWS saves, %", all[i].name()),
          fmt::format("between {}% and {}% ({})", each.small, each.large, shown),
          fmt::format("{:.1f} to {:.1f}", low, high), saved(&figures::time, all[i], "laws"),
          [=](double x) { return x >= low && x <= high; }, each.of.on.name == "amd" ? "" : nodes_bound);
    }
    to.add_claim(fmt::format("{}: the least that LAWS saves against CATS at any size, %", each.of.name()),
                 fmt::format("the best at all sizes ({})", shown), "> 0",
                 least(each_of(all,
                               [](const bench& one) -> figure {
                                 return [=](const outcomes& of) {
                                   return reproduction::saved(&figures::time, of, one.with("laws"), one.with("cats"));
                                 };
                               })),
                 [](double x) { return x > 0; });
    to.add_claim(
        fmt::format("{}: what CATS saves at the smallest size less what it saves at the largest, points",
                    each.of.name()),
        "efficient if data are small, poor if they are large (6.4)", "> 0",
        [small = saved(&figures::time, all.front(), "cats"),
         large = saved(&figures::time, all.back(), "cats")](const outcomes& of) { return small(of) - large(of); },
        [](double x) { return x > 0; }, one_link);
    to.add_claim(fmt::format("{}: the least that LAWS saves at any size, %", each.of.name()),
                 fmt::format("always faster ({})", shown), "> 0",
                 least(each_of(all, [](const bench& one) { return saved(&figures::time, one, "laws"); })),
                 [](double x) { return x > 0; });
    to.add_claim(
        fmt::format("{}: time of LAWS at the largest size over that at the smallest", each.of.name()),
        fmt::format("linear: {} ({})", each.growth, shown), "within 25% of it",
        [first = all.front(), last = all.back()](const outcomes& of) {
          return of.at(last.with("laws")).time / of.at(first.with("laws")).time;
        },
        [growth = each.growth](double x) { return std::abs(x / growth - 1) <= 0.25; }, in_caches);
  }
  // The text gives one number for each size and does not say which of the two programs it is for.
  for (const std::string kernel : {"heat", "6p"}) {
    const bench small{amd, kernel, kernel == "heat", "1k"}, large{amd, kernel, kernel == "heat", "16k"};
    to.add_claim(
        fmt::format("{}, scaled: shared cache misses that LAWS saves, %", small.name()), "82% (Fig. 11)", "67 to 97",
        saved(&figures::shared_misses, small, "laws"), [](double x) { return x >= 67 && x <= 97; }, in_caches);
    to.add_claim(
        fmt::format("{}, scaled: shared cache misses that LAWS saves, %", large.name()), "17.3% (Fig. 11)",
        "7.3 to 27.3", saved(&figures::shared_misses, large, "laws"), [](double x) { return x >= 7.3 && x <= 27.3; },
        no_sharing);
    for (const auto& [one, paper] : {std::pair(small, 132.1), std::pair(large, 70.6)}) {
      to.add_claim(
          fmt::format("{}, scaled: local accesses of the straggler beyond random's, %", one.name()),
          fmt::format("{}% (Fig. 11)", paper), fmt::format(">= {:.1f}", paper / 2),
          [one = one](const outcomes& of) { return -saved(&figures::straggler_bytes, one, "laws")(of); },
          [paper = paper](double x) { return x >= paper / 2; });
    }
  }
  for (const std::string size : {"2k", "4k", ""}) {
    for (const std::string kernel : {"heat", "6p"}) {
      const bench one{amd, kernel, kernel == "heat", size};
      to.add_claim(
          fmt::format("{}, scaled: shared cache misses that LAWS saves, %", one.name()),
          "between 17.3% and 82% (Fig. 11)", "17.3 to 82", saved(&figures::shared_misses, one, "laws"),
          [](double x) { return x >= 17.3 && x <= 82; }, no_sharing);
    }
  }
  for (const std::string size : {"2k", "4k", "", "16k", "32k"}) {
    const bench one{intel, "sor", true, size};
    to.add_claim(
        fmt::format("{}, scaled: shared cache misses that LAWS saves, %", one.name()), "reduced (Fig. 12)", "> 0",
        saved(&figures::shared_misses, one, "laws"), [](double x) { return x > 0; }, no_sharing);
  }
  const bench largest{intel, "9p", false, "32k"};
  to.add_claim("9p intel-32k, scaled: shared cache misses that LAWS saves, %", "none (Fig. 12)", "-5 to 5",
               saved(&figures::shared_misses, largest, "laws"), [](double x) { return std::abs(x) <= 5; });
}

}  // namespace jackdaw::cli::laws_page
