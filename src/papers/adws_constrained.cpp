#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "papers/adws_page.hpp"

namespace jackdaw::cli::adws_page {

void add_constrained(reproduction& to) {
  const auto add = [&](const std::string& size, const std::string& placement, unsigned relaxed) {
    kernels::request request;
    request.size = size;
    request.shape = "blocks";
    request.iterations = std::max(12U, 2 * (1 + relaxed));  // the second half is measured
    const std::string program = fmt::format("heat2d {}, {} iterations", size, request.iterations);
    if (std::ranges::find(to.programs, program, &reproduction::program::name) == to.programs.end()) {
      to.programs.push_back({program, "heat2d", request, all_workers, heat2d_times});
    }
    const std::string scheduler = fmt::format("constrained:relws={}", relaxed);
    to.experiments.push_back({heat(size, placement, scheduler), program, placement, scheduler, all_workers});
    return heat(size, placement, scheduler);
  };
  for (const std::string size : {"2048", "4096", "8192"}) {
    const bool small = size == "8192";
    const std::string part = size == "2048" ? "a" : size == "4096" ? "b" : "c";
    std::map<std::string, std::string> own;
    for (const std::string placement : {"interleave", "first-touch"}) {
      const std::string figure = placement == "interleave" ? "Fig. 11" + part : "Fig. 12" + part;
      own[placement] = add(size, placement, 5);
      const std::string what = fmt::format("heat2d {}, {}: constrained over ", size, placement);
      for (const std::string other : {"random", "hierarchical"}) {
        to.add_claim(
            what + other, (small ? "the difference became small, " : "better, ") + figure,
            small ? "0.9x to 1.1x" : "> 1.05x", over(heat(size, placement, other), own[placement]),
            [=](double x) { return small ? x >= 0.9 && x <= 1.1 : x > 1.05; },
            small ? "Hierarchical stealing is slower than random here (above), so constrained is ahead of it."
                  : "Its time does not depend on the links as random's does: its workers idle for a third to a half of "
                    "it. With links of twice the bandwidth random stealing is faster.");
      }
      if (small && placement == "interleave") continue;
      to.add_claim(what + "ADWS", "worse, " + figure, "< 0.95x", over(heat(size, placement, "adws"), own[placement]),
                   [](double x) { return x < 0.95; });
      to.add_claim(what + "static", "worse, " + figure, "< 0.95x",
                   over(heat(size, placement, "static"), own[placement]), [](double x) { return x < 0.95; });
    }
    to.add_claim(fmt::format("heat2d {}, constrained: first touch over interleaved", size), "did not change (Fig. 12)",
                 "0.9x to 1.1x", over(own["interleave"], own["first-touch"]),
                 [](double x) { return x >= 0.9 && x <= 1.1; });
  }
  const std::string five = heat("4096", "interleave", "constrained:relws=5");
  for (const unsigned relaxed : {0U, 1U, 20U}) {
    to.add_claim(
        fmt::format("heat2d 4096, interleave: time with RelWS in 5 iterations over that in {}", relaxed),
        "five \"showed the best performance\" (5.1)", "<= 1.05", over(five, add("4096", "interleave", relaxed)),
        [](double x) { return x <= 1.05; },
        "The number of steals in the record, and what is near what after five random changes of it, differ from seed "
        "to seed.");
  }
  for (const std::string scheduler : {"constrained:relws=5", "adws"}) {
    const bool idles = scheduler != "adws";
    to.add_claim(
        fmt::format("heat2d 4096, interleave, {}: part of the time that workers idle",
                    idles ? "constrained" : scheduler),
        idles ? "\"not negligible\" (5.1)" : "\"negligible\" (5.1)", idles ? "> 10%" : "<= 10%",
        [=](const outcomes& of) { return 100 * of.at(heat("4096", "interleave", scheduler)).idle; },
        [=](double x) { return idles ? x > 10 : x <= 10; });
  }
}

}  // namespace jackdaw::cli::adws_page
