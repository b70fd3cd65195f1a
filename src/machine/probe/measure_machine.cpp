#include <fmt/format.h>
#include <unistd.h>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <cmath>

#include "machine/probe/machine_probe.hpp"
#include "machine/probe/sockets.hpp"

namespace jackdaw::probe {
namespace {

// More digits would claim more precision than the measurement has.
double three_digits(double value) {
  if (!(value > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  // Through text, so that 0.7 is not written as 0.7000000000000001.
  return std::stod(fmt::format("{:.10g}", std::round(value / unit) * unit));
}

}  // namespace

void report::measured(const std::string& key, double& figure, double value, const std::string& how) {
  figure = three_digits(value);
  put(model, key, machine_model::origin::measured, fmt::format("{}: {}", date, how));
}

void report::derived(const std::string& key, double& figure, double value, const std::string& how) {
  figure = three_digits(value);
  put(model, key, machine_model::origin::assumed, how);
}

machine_model measure_machine(const machine& found, const std::string& date) {
  if (!found.is_this_computer) {
    throw error(fmt::format("{}: describes another machine, expected this computer", found.source));
  }
  machine_model model = outline_machine(found);
  const std::vector<socket> sockets = sockets_of(found);
  model.page = static_cast<unsigned>(sysconf(_SC_PAGESIZE));
  put(model, "page", machine_model::origin::measured, "the operating system");
  report to{model, date};
  constexpr double for_memory = 2.5e9;
  constexpr double for_leaves = 1e9;
  probe_memory(found, sockets, to, for_memory);
  probe_leaves(sockets, to, for_leaves);
  probe_tasks(sockets, to);
  return model;
}

}  // namespace jackdaw::probe
