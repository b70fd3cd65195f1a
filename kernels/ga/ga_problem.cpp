#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "kernels/common/same_bits.hpp"
#include "kernels/ga/ga.hpp"

namespace jackdaw::kernels {

ga_problem::ga_problem(const request& wanted)
    : extent(choose(ga_sizes, "ga", "size", wanted.size)),
      epochs(wanted.iterations != 0 ? wanted.iterations : 8),
      rows_(extent.islands * stride()) {
  choose(ga_shapes, "ga", "shape", wanted.shape);
}

void ga_problem::prepare() {
  for (std::size_t i = 0; i != extent.islands; ++i) settle(i);
}

std::span<const double> ga_problem::best_individual() {
  std::size_t best = 0;
  for (std::size_t i = 1; i != extent.islands; ++i)
    if (island(i).least() < island(best).least()) best = i;
  return island(best).individual(island(best).best());
}

void ga_problem::migrate() {
  migrants_.clear();
  for (std::size_t i = 0; i != extent.islands; ++i) {
    const auto migrant = island(i).individual(island(i).best());
    migrants_.insert(migrants_.end(), migrant.begin(), migrant.end());
  }
  const std::size_t width = extent.genes + 1;
  for (std::size_t i = 0; i != extent.islands; ++i)
    island((i + 1) % extent.islands).admit(std::span<const double>(migrants_).subspan(i * width, width));
}

void ga_problem::run_serially(unsigned epoch) {
  for (std::size_t i = 0; i != extent.islands; ++i) evolve(i, epoch);
  migrate();
}

void ga_problem::compute_expected() {
  buffer<double> found = std::exchange(rows_, buffer<double>(rows_.size()));
  ga_problem::prepare();
  to_beat_ = best_individual()[0];
  for (unsigned epoch = 0; epoch != epochs; ++epoch) {
    run_serially(epoch);
    if (epoch == 0 && epochs > 1) to_beat_ = best_individual()[0];
  }
  expected_.assign(rows_.begin(), rows_.end());
  rows_ = std::move(found);
}

void ga_problem::check() {
  if (expected_.empty()) compute_expected();
  const std::size_t wrong = first_difference({rows_.data(), rows_.size()}, expected_);
  if (wrong != expected_.size())
    throw check_failed("island " + std::to_string(wrong / stride()) + " differs from a serial run's");

  const auto best = best_individual();
  double value = 0;
  for (const double x : best.subspan(1)) value += x * x + 20 * std::pow(std::sin(std::numbers::pi * x), 2);
  if (!(std::abs(value - best[0]) <= 1e-9 * (1 + value)))
    throw check_failed("the best individual is stored with the value " + std::to_string(best[0]) + ", but is worth " +
                       std::to_string(value));
  if (!(best[0] < to_beat_))
    throw check_failed("the best value, " + std::to_string(best[0]) + ", is no better than the first epoch's");
}

}  // namespace jackdaw::kernels
