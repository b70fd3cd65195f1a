#include "kernels/ga/ga.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace jackdaw::kernels {
namespace {

constexpr std::size_t individuals = 20, genes = 6;

struct settled {
  std::vector<double> rows;
  ga_island island;

  explicit settled(std::uint64_t seed)
      : rows(ga_island::doubles_for(individuals, genes)), island(rows, individuals, genes) {
    island.settle(seed);
  }

  std::vector<double> population() const { return {island.population().begin(), island.population().end()}; }
};

void expect_consistent(const ga_island& island) {
  for (std::size_t i = 0; i != individuals; ++i) {
    const auto individual = island.individual(i);
    EXPECT_EQ(individual[0], rastrigin(individual.subspan(1)));
    for (const double gene : individual.subspan(1)) EXPECT_LE(std::abs(gene), ga_gene_limit);
    EXPECT_LE(island.least(), individual[0]);
  }
}

TEST(ga, rastrigins_function_has_its_known_values) {
  EXPECT_EQ(rastrigin(std::vector<double>(7, 0.0)), 0);
  EXPECT_NEAR(rastrigin(std::vector<double>{1, -2}), 5, 1e-12);
  EXPECT_NEAR(rastrigin(std::vector<double>{0.5}), 20.25, 1e-12);
}

TEST(ga, individuals_depend_on_the_seed_alone) {
  expect_consistent(settled(1).island);
  EXPECT_EQ(settled(1).population(), settled(1).population());
  EXPECT_NE(settled(1).population(), settled(2).population());
}

TEST(ga, generations_depend_on_their_seed_and_never_lose_the_best) {
  settled a(1), b(1), c(1);
  double least = a.island.least();
  const double at_first = least;
  for (unsigned epoch = 0; epoch != 10; ++epoch) {
    a.island.evolve(1, epoch);
    expect_consistent(a.island);
    EXPECT_LE(a.island.least(), least);
    least = a.island.least();
    b.island.evolve(1, epoch);
    c.island.evolve(1, epoch + 1);
  }
  EXPECT_LT(least, at_first);
  EXPECT_EQ(a.population(), b.population());
  EXPECT_NE(a.population(), c.population());
}

TEST(ga, a_migrant_replaces_the_worst) {
  settled home(3);
  const auto before = home.population();
  const std::vector<double> migrant(genes + 1, 0.0);
  home.island.admit(migrant);
  EXPECT_EQ(home.island.least(), 0);
  std::size_t replaced = 0;
  double worst = 0;
  for (std::size_t i = 0; i != individuals; ++i) worst = std::max(worst, before[i * (genes + 1)]);
  for (std::size_t i = 0; i != individuals; ++i) {
    const auto now = home.island.individual(i);
    if (std::ranges::equal(now, std::span(before).subspan(i * (genes + 1), genes + 1))) continue;
    ++replaced;
    EXPECT_TRUE(std::ranges::equal(now, migrant));
    EXPECT_EQ(before[i * (genes + 1)], worst);
  }
  EXPECT_EQ(replaced, 1u);
}

class serial_ga : public ga_problem {
 public:
  using ga_problem::ga_problem;
  void run() override {
    for (unsigned epoch = 0; epoch != epochs; ++epoch) run_serially(epoch);
  }
  void migrate_once() { migrate(); }
  double& first_gene() { return rows_of(5)[1]; }
  double least(std::size_t i) { return island(i).least(); }
  std::size_t islands() const { return extent.islands; }
};

TEST(ga, the_best_go_round_the_ring) {
  serial_ga p({.size = "tiny"});
  p.prepare();
  std::vector<double> before;
  for (std::size_t i = 0; i != p.islands(); ++i) before.push_back(p.least(i));
  p.migrate_once();
  for (std::size_t i = 0; i != p.islands(); ++i)
    EXPECT_EQ(p.least(i), std::min(before[i], before[(i + p.islands() - 1) % p.islands()])) << i;
}

TEST(ga, any_number_of_epochs_passes_the_check) {
  for (const unsigned epochs : {1, 2, 5}) {
    serial_ga p({.size = "tiny", .iterations = epochs});
    p.prepare();
    p.run();
    EXPECT_NO_THROW(p.check()) << epochs;
    EXPECT_EQ(p.items(), 16 * 16 * 3 * epochs);
  }
}

TEST(ga, check_finds_one_wrong_bit) {
  serial_ga p({.size = "tiny"});
  p.prepare();
  p.run();
  EXPECT_NO_THROW(p.check());
  p.first_gene() = std::nextafter(p.first_gene(), 9);
  EXPECT_THROW(p.check(), check_failed);
}

}  // namespace
}  // namespace jackdaw::kernels
