#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"
#include "kernels/ga/ga_island.hpp"

namespace jackdaw::kernels {

/// `islands`: a loop over islands in every epoch.
enum class ga_shape { islands };
inline constexpr auto ga_shapes = std::to_array<choice<ga_shape>>({{"islands", ga_shape::islands}});

/// The size of a genetic algorithm.
struct ga_extent {
  std::size_t islands, individuals, genes;
  unsigned generations;  ///< in an epoch
};

/// Named by the number of islands.
inline constexpr auto ga_sizes =
    std::to_array<choice<ga_extent>>({{"64", {.islands = 64, .individuals = 64, .genes = 32, .generations = 10}},
                                      {"tiny", {.islands = 16, .individuals = 16, .genes = 8, .generations = 3}},
                                      {"256", {.islands = 256, .individuals = 64, .genes = 32, .generations = 10}}});

/// The island model of genetic algorithms: populations evolve apart. After each epoch the best individual of each
/// island replaces the worst on the next island of a ring. There are request::iterations epochs, 8 by default. Random
/// numbers depend only on island and epoch, so the result does not depend on which worker computes it.
class ga_problem : public problem {
 public:
  explicit ga_problem(const request& wanted);

  void prepare() override;

  /// Compares every bit with a serial run, and the best individual's value with another computation of it. The last
  /// epoch's best must be better than the first's (with one epoch: better than the best at the beginning).
  void check() override;

  double items() const override {
    return static_cast<double>(extent.islands * extent.individuals * extent.generations) * epochs;
  }
  std::string_view unit() const override { return "individuals"; }

 protected:
  const ga_extent extent;
  const unsigned epochs;

  ga_island island(std::size_t i) { return {rows_of(i), extent.individuals, extent.genes}; }
  std::span<double> rows_of(std::size_t i) { return {rows_.data() + i * stride(), stride()}; }

  void settle(std::size_t i) { island(i).settle(i); }
  void evolve(std::size_t i, unsigned epoch) { island(i).evolve(extent.generations, extent.islands * (epoch + 1) + i); }

  /// After each epoch: sends migrants round the ring.
  void migrate();

  void run_serially(unsigned epoch);

 private:
  buffer<double> rows_;
  std::vector<double> migrants_;
  std::vector<double> expected_;
  double to_beat_ = 0;

  std::size_t stride() const { return ga_island::doubles_for(extent.individuals, extent.genes); }
  std::span<const double> best_individual();
  void compute_expected();
};

}  // namespace jackdaw::kernels
