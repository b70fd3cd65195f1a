#include "kernels/ga/ga_island.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {

/// Random numbers that depend on their seed alone.
class ga_island::random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : next_(mix(seed)) {}

  /// Returns a number in [0, 1).
  double fraction() { return static_cast<double>(mix(next_++) >> 11) * 0x1p-53; }

  std::size_t below(std::size_t limit) { return mix(next_++) % limit; }

  /// Returns a number with mean 0 and variance 1 (the sum of twelve fractions, less 6).
  double normal() {
    double sum = -6;
    for (int i = 0; i != 12; ++i) sum += fraction();
    return sum;
  }

 private:
  std::uint64_t next_;
};

namespace {

constexpr std::size_t contestants = 3;
constexpr double mutation_size = 0.3;

void appraise(std::span<double> individual) { individual[0] = rastrigin(individual.subspan(1)); }

}  // namespace

double rastrigin(std::span<const double> at) {
  double sum = 10 * static_cast<double>(at.size());
  for (const double x : at) sum += x * x - 10 * std::cos(2 * std::numbers::pi * x);
  return sum;
}

ga_island::ga_island(std::span<double> rows, std::size_t individuals, std::size_t genes)
    : rows_(rows), individuals_(individuals), width_(genes + 1) {}

void ga_island::settle(std::uint64_t seed) {
  random_numbers random(seed);
  for (std::size_t i = 0; i != individuals_; ++i) {
    for (double& gene : row(i).subspan(1)) gene = ga_gene_limit * (2 * random.fraction() - 1);
    appraise(row(i));
  }
  std::ranges::fill(rows_.subspan(individuals_ * width_), 0.0);
}

std::size_t ga_island::best() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i != individuals_; ++i)
    if (row(i)[0] < row(best)[0]) best = i;
  return best;
}

void ga_island::admit(std::span<const double> migrant) {
  std::size_t worst = 0;
  for (std::size_t i = 1; i != individuals_; ++i)
    if (row(i)[0] > row(worst)[0]) worst = i;
  std::ranges::copy(migrant, row(worst).begin());
}

std::span<const double> ga_island::tournament(random_numbers& random) const {
  std::size_t winner = random.below(individuals_);
  for (std::size_t i = 1; i != contestants; ++i)
    if (const std::size_t other = random.below(individuals_); row(other)[0] < row(winner)[0]) winner = other;
  return row(winner);
}

/// Takes every gene from one of the parents, and changes about one gene slightly.
void ga_island::breed(std::span<double> child, random_numbers& random) const {
  const auto mother = tournament(random), father = tournament(random);
  const double rarity = static_cast<double>(width_ - 1);
  for (std::size_t gene = 1; gene != width_; ++gene) {
    child[gene] = random.below(2) == 0 ? mother[gene] : father[gene];
    if (random.fraction() * rarity < 1)
      child[gene] = std::clamp(child[gene] + mutation_size * random.normal(), -ga_gene_limit, ga_gene_limit);
  }
  appraise(child);
}

void ga_island::evolve(unsigned generations, std::uint64_t seed) {
  random_numbers random(seed);
  for (unsigned generation = 0; generation != generations; ++generation) {
    std::ranges::copy(row(best()), cradle(0).begin());
    for (std::size_t i = 1; i != individuals_; ++i) breed(cradle(i), random);
    std::ranges::copy(rows_.subspan(individuals_ * width_), rows_.begin());
  }
}

}  // namespace jackdaw::kernels
