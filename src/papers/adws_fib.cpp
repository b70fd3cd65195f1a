#include <fmt/format.h>

#include <array>
#include <string>

#include "papers/adws_page.hpp"
#include "papers/made_trees.hpp"

namespace jackdaw::cli::adws_page {
namespace {

const reproduction::reference_times fib_times{0, 1, "measured: a call of the serial program"};
constexpr double call = 4.7;  // ns of the reference core: fib 30 on one simulated core takes 8.26 ns a call
const reproduction::reference_times coarse_times{
    0, call, "a call with its fork and wait: simulated on one core with the times of fib 30; other: a call"};

std::string named(const std::string& size, const std::string& scheduler) {
  return fmt::format("fib {} {}", size, scheduler);
}

void add_program(reproduction& to, const std::string& name, const std::string& size,
                 const reproduction::reference_times& times, unsigned below) {
  kernels::request request;
  request.size = size;
  request.shape = "group";
  reproduction::program made{"fib " + name, "fib", request, all_workers, times};
  if (below != 0) {
    made.make = [n = static_cast<unsigned>(std::stoul(size)), below] { return coarse_fib(n, below, call); };
  }
  to.programs.push_back(made);
  for (const std::string scheduler : {"random", "adws"}) {
    to.experiments.push_back({named(name, scheduler), "fib " + name, "interleave", scheduler, all_workers});
  }
}

}  // namespace

void add_fib(reproduction& to) {
  add_program(to, "20", "20", fib_times, 0);
  add_program(to, "30", "30", fib_times, 0);
  // What a thief could still take inside of these steps is at most one step for each worker, of many thousands.
  add_program(to, "30 coarse", "30", coarse_times, 7);
  add_program(to, "40", "40", coarse_times, 15);
  add_program(to, "50", "50", coarse_times, 25);

  reproduction::table coarse{.title = "Calls of fib in groups",
                             .text =
                                 "fib 30 with calls of fib 7 and smaller ones as single steps, over fib 30 as it is: "
                                 "what the groups of fib 40 "
                                 "(below 15) and fib 50 (below 25) leave out.",
                             .columns = {"", "random", "adws"},
                             .rows = {{"time with groups over time without", {}}},
                             .digits = 3};
  for (const char* const scheduler : {"random", "adws"})
    coarse.rows.front().cells.push_back(over(named("30 coarse", scheduler), named("30", scheduler)));
  to.tables.push_back(coarse);

  const auto more = [](const std::string& name) { return over(named(name, "adws"), named(name, "random")); };
  to.add_claim(
      "fib 20: time with ADWS over random", "0.63 (Table 2)", "<= 0.8", more("20"), [](double x) { return x <= 0.8; },
      "Tasks spread over the workers in about 10 us here, in 335 us in the paper, which explains its gain by the lock "
      "contention of random stealing. Here a thief waits for no lock but for its turn at a deque. With steals from "
      "other sockets four times as costly ADWS takes 0.48 of random's time; with placing at a tenth of its cost, 0.79 "
      "(medians of 9 seeds).");
  for (const auto& [size, paper] : {std::pair("40", "1.091 (Table 2)"), std::pair("50", "1.092 (Table 2)")}) {
    to.add_claim(fmt::format("fib {}: time with ADWS over random", size), paper, "<= 1.1", more(size),
                 [](double x) { return x <= 1.1; });
  }
  to.add_claim("fib 30: time with ADWS over random", "1.09 for fib 40 and 50 (Table 2)", "<= 1.1", more("30"),
               [](double x) { return x <= 1.1; });
}

}  // namespace jackdaw::cli::adws_page
