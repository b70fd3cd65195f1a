#include <fmt/format.h>

#include <string>
#include <utility>

#include "papers/adws_page.hpp"

namespace jackdaw::cli::adws_page {

void add_wrong_hints(reproduction& to) {
  const std::string right = heat("4096", "interleave", "adws");
  for (const std::string kind : {"fixed", "random"}) {
    for (const std::string alpha : {"0.1", "0.5", "1"}) {
      kernels::request request;
      request.size = "4096";
      request.shape = "blocks";
      request.iterations = 6;
      request.hints = fmt::format("{}:{}", kind, alpha);
      const std::string program = fmt::format("heat2d 4096 hints {}", request.hints);
      to.programs.push_back({program, "heat2d", request, all_workers, heat2d_times});
      to.experiments.push_back({program, program, "interleave", "adws", all_workers});
    }
    const auto wrong = [=](const char* alpha) { return fmt::format("heat2d 4096 hints {}:{}", kind, alpha); };
    const auto slower = [=](const char* alpha) { return over(wrong(alpha), right); };
    const std::string what = "heat2d 4096, interleaved, hints wrong by up to {} ({}): time over right hints";
    to.add_claim(fmt::format(fmt::runtime(what), "10%", kind), "not more than about 30% (Fig. 16)", "<= 1.3",
                 slower("0.1"), [](double x) { return x <= 1.3; });
    for (const auto& [more, less] : {std::pair("0.5", "0.1"), std::pair("1", "0.5")}) {
      to.add_claim(
          fmt::format("heat2d 4096, interleaved, {} hints: time with alpha {} over that with {}", kind, more, less),
          "grows with alpha (Fig. 16)", "> 1", over(wrong(more), wrong(less)), [](double x) { return x > 1; });
    }
    to.add_claim(fmt::format("heat2d 4096, interleaved, hints wrong by up to 100% ({}): ADWS over random", kind),
                 "better than random (Fig. 16)", "> 1x", over(heat("4096", "interleave", "random"), wrong("1")),
                 [](double x) { return x > 1; });
  }
}

}  // namespace jackdaw::cli::adws_page
