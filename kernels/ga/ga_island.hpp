#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace jackdaw::kernels {

/// The largest distance of genes from 0, the usual domain of Rastrigin's function.
inline constexpr double ga_gene_limit = 5.12;

/// Rastrigin's function: 0 if all numbers are 0, with a local minimum near every point of whole numbers.
double rastrigin(std::span<const double> at);

/// A population of a genetic algorithm that minimises Rastrigin's function. An individual is a row of doubles: its
/// function value, then its genes.
class ga_island {
 public:
  /// `rows` holds the population, and as many rows in which the next one is bred: doubles_for() in all.
  ga_island(std::span<double> rows, std::size_t individuals, std::size_t genes);

  static constexpr std::size_t doubles_for(std::size_t individuals, std::size_t genes) {
    return 2 * individuals * (genes + 1);
  }

  /// Makes random individuals, which depend only on the seed.
  void settle(std::uint64_t seed);

  /// Breeds that many generations, each with the best individual of the one before. Random choices depend only on the
  /// seed.
  void evolve(unsigned generations, std::uint64_t seed);

  std::span<const double> individual(std::size_t i) const { return row(i); }
  std::size_t best() const;
  double least() const { return individual(best())[0]; }

  /// Replaces the worst individual by a migrant.
  void admit(std::span<const double> migrant);

  /// The doubles of all individuals.
  std::span<const double> population() const { return rows_.first(individuals_ * width_); }

 private:
  class random_numbers;

  std::span<double> rows_;
  std::size_t individuals_, width_;

  std::span<double> row(std::size_t i) const { return rows_.subspan(i * width_, width_); }
  std::span<double> cradle(std::size_t i) const { return row(individuals_ + i); }
  std::span<const double> tournament(random_numbers& random) const;
  void breed(std::span<double> child, random_numbers& random) const;
};

}  // namespace jackdaw::kernels
