// Smoothed particle hydrodynamics beside sums over all pairs, conservation laws and measured dam breaks.

#include "kernels/sph/sph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <jackdaw/jackdaw.hpp>

#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {
namespace {

/// A number in [0, 1).
double fraction(std::uint64_t i) { return static_cast<double>(mix(i) >> 11) * 0x1p-53; }

/// Particles anywhere in the tank: some in a clump, some at walls and in corners, some in the same place.
template <std::size_t D>
sph_start<D> scattered(std::size_t count, std::uint64_t seed) {
  sph_start<D> start{0.1, {}, {}};
  for (std::size_t i = 0; i != count; ++i) {
    sph_vector<D> x, v;
    for (std::size_t k = 0; k != D; ++k) {
      const std::uint64_t draw = mix(seed) + 2 * (i * D + k);
      const double edge = sph_tank<D>().high[k];
      x[k] = fraction(draw) * (i % 3 == 0 ? edge : i % 3 == 1 ? 0.5 * edge : 0.3);
      if (i % 7 == 6) x[k] = start.places.back()[k];
      v[k] = fraction(draw + 1) - 0.5;
    }
    start.places.push_back(x);
    start.velocities.push_back(v);
  }
  return start;
}

/// Computes densities and forces, as a step does before it moves particles.
template <std::size_t D>
void interact(sph_fluid<D>& fluid) {
  fluid.locate(0, fluid.size());
  std::ranges::sort(fluid.keys);
  fluid.gather(0, fluid.size());
  fluid.turn();
  fluid.tree.plant(fluid.size());
  fluid.grow_all(fluid.tree.root());
  fluid.densities(fluid.tree.root());
  fluid.forces(fluid.tree.root());
}

/// A particle's density and acceleration, by sums over all pairs and all images, with formulas of their own.
template <std::size_t D>
class all_pairs {
 public:
  explicit all_pairs(const sph_fluid<D>& fluid) : fluid_(fluid) {
    for (sph_index i = 0; i != fluid.size(); ++i) density.push_back(density_of(i));
  }

  std::vector<double> density;

  sph_vector<D> acceleration(sph_index i) const {
    sph_vector<D> sum{};
    sum[D - 1] = -9.81;
    const double reach = fluid_.water.spacing / 2, rate = c_ / 4 / reach;
    for (std::size_t k = 0; k != D; ++k) {
      const double x = fluid_.places()[i][k], top = sph_tank<D>().high[k];
      if (x < reach) sum[k] += rate * rate * (reach - x);
      if (top - x < reach) sum[k] -= rate * rate * (reach - (top - x));
    }
    for_images([&](sph_index j, const sph_vector<D>& x, const sph_vector<D>& v) {
      const auto [r, apart] = difference(fluid_.places()[i], x);
      if (r == 0 || r >= 2 * h_) return;
      double closing = 0;
      for (std::size_t k = 0; k != D; ++k) closing += apart[k] * (fluid_.velocities()[i][k] - v[k]);
      const double mu = h_ * closing / (r * r + 0.01 * h_ * h_);
      const double friction = closing < 0 ? -0.05 * c_ * mu / ((density[i] + density[j]) / 2) : 0;
      const double factor = pressure(i) / std::pow(density[i], 2) + pressure(j) / std::pow(density[j], 2) + friction;
      // The kernel's derivative, by a difference.
      const double step = 1e-6 * h_, derivative = (kernel(r + step) - kernel(r - step)) / (2 * step);
      for (std::size_t k = 0; k != D; ++k) sum[k] -= fluid_.water.mass * factor * derivative * apart[k] / r;
    });
    return sum;
  }

 private:
  const sph_fluid<D>& fluid_;
  const double h_ = 1.3 * fluid_.water.spacing;
  const double c_ = 10 * std::sqrt(2 * 9.81 * 2);

  double kernel(double r) const {
    const double q = r / h_;
    if (q >= 2) return 0;
    const double norm = D == 2 ? 7 / (4 * std::numbers::pi * h_ * h_) : 21 / (16 * std::numbers::pi * h_ * h_ * h_);
    return norm * std::pow(1 - q / 2, 4) * (2 * q + 1);
  }

  double pressure(sph_index i) const {
    return std::max(0.0, 1000 * c_ * c_ / 7 * (std::pow(density[i] / 1000, 7) - 1));
  }

  static std::pair<double, sph_vector<D>> difference(const sph_vector<D>& a, const sph_vector<D>& b) {
    sph_vector<D> apart;
    double squares = 0;
    for (std::size_t k = 0; k != D; ++k) {
      apart[k] = a[k] - b[k];
      squares += apart[k] * apart[k];
    }
    return {std::sqrt(squares), apart};
  }

  /// Calls f(j, place, velocity) for every particle and its images: on each axis itself, below, and above.
  template <class F>
  void for_images(const F& f) const {
    for (sph_index j = 0; j != fluid_.size(); ++j)
      for (int image = 0; image != (D == 2 ? 9 : 27); ++image) {
        sph_vector<D> x = fluid_.places()[j], v = fluid_.velocities()[j];
        for (std::size_t k = 0, rest = static_cast<std::size_t>(image); k != D; ++k, rest /= 3) {
          if (rest % 3 == 0) continue;
          x[k] = (rest % 3 == 1 ? 0 : 2 * sph_tank<D>().high[k]) - x[k];
          v[k] = -v[k];
        }
        f(j, x, v);
      }
  }

  double density_of(sph_index i) const {
    double sum = 0;
    for_images([&](sph_index, const sph_vector<D>& x, const sph_vector<D>&) {
      sum += fluid_.water.mass * kernel(difference(fluid_.places()[i], x).first);
    });
    return sum;
  }
};

template <class Dimensions>
class sph_in : public testing::Test {};

template <std::size_t D>
struct dimensions {
  static constexpr std::size_t value = D;
};
struct dimension_names {
  template <class T>
  static std::string GetName(int) {
    return std::to_string(T::value) + "D";
  }
};
using both = testing::Types<dimensions<2>, dimensions<3>>;
TYPED_TEST_SUITE(sph_in, both, dimension_names);

template <std::size_t D>
unsigned depth_of(const sph_tree<D>& tree, const typename sph_tree<D>::node& at, std::vector<unsigned>& seen,
                  const sph_fluid<D>& fluid) {
  for (sph_index i = at.first; i != at.last; ++i)
    EXPECT_TRUE(at.box.within(1e-100, {fluid.places()[i], fluid.places()[i]}));
  if (at.count == 0) {
    EXPECT_TRUE(at.size() <= sph_tree<D>::leaf_size || fluid.keys[at.first].cell == fluid.keys[at.last - 1].cell);
    for (sph_index i = at.first; i != at.last; ++i) ++seen[i];
    return 1;
  }
  EXPECT_GE(at.count, 2U);
  unsigned deepest = 0;
  for (const auto& child : tree.children(at)) deepest = std::max(deepest, depth_of(tree, child, seen, fluid));
  return deepest + 1;
}

TYPED_TEST(sph_in, a_tree_holds_each_particle_once) {
  constexpr std::size_t D = TypeParam::value;
  for (const std::size_t count : {0, 1, 2, 16, 17, 18, 1000}) {
    const sph_start<D> start = scattered<D>(count, count);
    sph_fluid<D> fluid(start);
    fluid.fill(start, 0, fluid.size());
    interact(fluid);
    std::vector<unsigned> seen(count);
    EXPECT_LE(depth_of(fluid.tree, fluid.tree.root(), seen, fluid), 64 / D + 1);
    EXPECT_EQ(std::ranges::count(seen, 1U), std::ssize(seen));
  }
}

TYPED_TEST(sph_in, particles_of_one_place_end_in_one_leaf) {
  constexpr std::size_t D = TypeParam::value;
  sph_start<D> start{0.1, std::vector<sph_vector<D>>(1000), std::vector<sph_vector<D>>(1000)};
  for (auto& place : start.places) place.fill(0.5);
  sph_fluid<D> fluid(start);
  fluid.fill(start, 0, fluid.size());
  interact(fluid);
  EXPECT_EQ(fluid.tree.root().count, 0U);
  const double alone = fluid.water.mass * fluid.water.weight(0);
  for (sph_index i = 0; i != fluid.size(); ++i) {
    EXPECT_NEAR(fluid.densities()[i], 1000 * alone, 1e-6 * alone);
    EXPECT_EQ(fluid.accelerations()[i], fluid.accelerations()[0]);
  }
  EXPECT_EQ(fluid.accelerations()[0][D - 1], -9.81);
}

TYPED_TEST(sph_in, two_places_side_by_side_are_told_apart_without_a_deep_tree) {
  constexpr std::size_t D = TypeParam::value;
  sph_start<D> start{0.1, std::vector<sph_vector<D>>(100), std::vector<sph_vector<D>>(100)};
  for (auto& place : start.places) place.fill(0.5);
  for (std::size_t i = 0; i != 40; ++i) start.places[i][0] = 0.5 + 1e-5;
  sph_fluid<D> fluid(start);
  fluid.fill(start, 0, fluid.size());
  interact(fluid);
  std::vector<unsigned> seen(100);
  EXPECT_EQ(depth_of(fluid.tree, fluid.tree.root(), seen, fluid), 2U);
}

TYPED_TEST(sph_in, densities_and_forces_are_those_of_all_pairs) {
  constexpr std::size_t D = TypeParam::value;
  for (const std::size_t count : {1, 2, 3, 40, 300}) {
    const sph_start<D> start = scattered<D>(count, 17 + count);
    sph_fluid<D> fluid(start);
    fluid.fill(start, 0, fluid.size());
    interact(fluid);
    const all_pairs<D> expected(fluid);
    for (sph_index i = 0; i != fluid.size(); ++i) {
      EXPECT_NEAR(fluid.densities()[i], expected.density[i], 1e-9 * expected.density[i]) << i;
      const sph_vector<D> force = expected.acceleration(i);
      const double size = std::sqrt(dot<D>(force, force));
      for (std::size_t k = 0; k != D; ++k) EXPECT_NEAR(fluid.accelerations()[i][k], force[k], 1e-5 * size) << i;
    }
  }
}

TYPED_TEST(sph_in, an_endless_lattice_has_the_density_of_water) {
  constexpr std::size_t D = TypeParam::value;
  const sph_start<D> start = broken_dam<D>(2048);
  sph_fluid<D> fluid(start);
  fluid.fill(start, 0, fluid.size());
  interact(fluid);
  // Walls continue the lattice; only its free surfaces have less.
  std::size_t inside = 0;
  const double top = start.places.back()[D - 1] - start.spacing;
  for (sph_index i = 0; i != fluid.size(); ++i) {
    const sph_vector<D>& x = fluid.places()[i];
    if (x[0] > 1 - fluid.water.support || x[D - 1] > top - fluid.water.support) continue;
    EXPECT_NEAR(fluid.densities()[i], 1000, 1e-6);
    ++inside;
  }
  EXPECT_GT(inside, fluid.size() / 4);
}

TYPED_TEST(sph_in, a_dam_has_as_many_particles_as_asked_for) {
  constexpr std::size_t D = TypeParam::value;
  for (const std::size_t count : {0, 1, 2, 3, 7, 100, 35'888, 138'968}) {
    const sph_start<D> start = broken_dam<D>(count);
    EXPECT_EQ(start.places.size(), count);
    EXPECT_EQ(start.velocities.size(), count);
    for (const auto& place : start.places)
      for (std::size_t k = 0; k != D; ++k) {
        ASSERT_GT(place[k], sph_tank<D>().low[k]);
        ASSERT_LT(place[k], k == D - 1 ? 2 : 1);
      }
  }
}

/// A simulation that tests can look into, run serially for a time.
template <std::size_t D>
class simulation {
 public:
  explicit simulation(const sph_start<D>& start) : fluid(start) { fluid.fill(start, 0, fluid.size()); }

  sph_fluid<D> fluid;
  std::vector<sph_energy> energies;

  void run(double seconds) {
    for (double end = time_ + seconds; time_ < end; time_ += fluid.water.time_step)
      stepper::step_serially(fluid, steps_++, energies);
  }

  sph_vector<D> momentum() const {
    sph_vector<D> sum{};
    for (sph_index i = 0; i != fluid.size(); ++i)
      for (std::size_t k = 0; k != D; ++k) sum[k] += fluid.water.mass * fluid.velocities()[i][k];
    return sum;
  }

  unsigned steps() const { return steps_; }

 private:
  struct stepper : sph_problem<D> {
    using sph_problem<D>::step_serially;
  };

  double time_ = 0;
  unsigned steps_ = 0;
};

TYPED_TEST(sph_in, drops_that_collide_in_the_air_keep_their_momentum_and_lose_energy) {
  constexpr std::size_t D = TypeParam::value;
  sph_start<D> start{0.05, {}, {}};
  for (const double side : {-1, 1})
    for (int i = 0; i != (D == 2 ? 36 : 216); ++i) {
      sph_vector<D> x;
      for (int k = 0, rest = i; k != int(D); ++k, rest /= 6) x[static_cast<std::size_t>(k)] = 0.05 * (rest % 6 - 2.5);
      x[0] += 2 + side * 0.2;
      x[D - 1] += 1.5;
      if (D == 3) x[1] += 0.5;
      start.places.push_back(x);
      sph_vector<D> v{};
      v[0] = side > 0 ? -2 : 3;
      start.velocities.push_back(v);
    }
  simulation<D> drops(start);
  const sph_vector<D> before = drops.momentum();
  drops.run(0.1);
  const sph_vector<D> after = drops.momentum();
  const double mass = drops.fluid.water.mass * drops.fluid.size(), most = 3 * mass;
  for (std::size_t k = 0; k + 1 != D; ++k) EXPECT_NEAR(after[k], before[k], 1e-10 * most);
  // Velocities are half a step behind.
  const double fallen = (drops.steps() - 0.5) * drops.fluid.water.time_step;
  EXPECT_NEAR(after[D - 1], -9.81 * fallen * mass, 1e-10 * most);
  for (std::size_t i = 1; i != drops.energies.size(); ++i)
    EXPECT_LE(drops.energies[i].total(), drops.energies[i - 1].total() * (1 + 1e-6));
  EXPECT_LT(drops.energies.back().total(), drops.energies.front().total() - 0.01 * drops.energies.front().kinetic);
}

TYPED_TEST(sph_in, a_lone_particle_falls_as_a_stone_and_bounces_off_the_floor) {
  constexpr std::size_t D = TypeParam::value;
  sph_start<D> start{0.1, {{}}, {{}}};
  start.places[0].fill(0.5);
  simulation<D> stone(start);
  stone.run(0.25);
  const double now = stone.steps() * stone.fluid.water.time_step;
  EXPECT_NEAR(stone.fluid.places()[0][D - 1], 0.5 - 9.81 / 2 * now * now, 1e-9);
  double highest = 0;
  while (stone.fluid.velocities()[0][D - 1] < 0) stone.run(0.01);
  for (int i = 0; i != 20; ++i) {
    stone.run(0.05);
    EXPECT_GE(stone.fluid.places()[0][D - 1], 0);
    highest = std::max(highest, stone.fluid.places()[0][D - 1]);
    EXPECT_EQ(stone.fluid.places()[0][0], 0.5);
  }
  // What it loses is friction with its image in the floor.
  EXPECT_LE(highest, 0.5);
  EXPECT_GE(highest, 0.2);
}

/// Still water stays still but for its surface, where the sum over neighbours lacks half of them. The mean pressure
/// carries half of the weight. (From layer to layer it is alternately too high and too low, as is known of sums over
/// few layers.)
TEST(sph, still_water_stays_and_weighs_on_the_floor) {
  sph_start<2> start{0.1, {}, {}};
  for (int i = 0; i != 40 * 6; ++i) {
    start.places.push_back({0.05 + 0.1 * (i % 40), 0.05 + 0.1 * (i / 40)});
    start.velocities.push_back({});
  }
  simulation<2> pool(start);
  pool.run(1);
  double pressure = 0;
  constexpr int looks = 25;
  for (int look = 0; look != looks; ++look) {
    pool.run(0.02);
    for (sph_index i = 0; i != pool.fluid.size(); ++i) {
      const double density = pool.fluid.densities()[i];
      pressure += pool.fluid.water.push(density) * density * density / pool.fluid.size() / looks;
    }
  }
  for (sph_index i = 0; i != pool.fluid.size(); ++i) {
    const sph_index number = pool.fluid.numbers()[i];
    EXPECT_LT(std::hypot(pool.fluid.velocities()[i][0], pool.fluid.velocities()[i][1]), 0.1);
    EXPECT_NEAR(pool.fluid.places()[i][0], start.places[number][0], 0.05);
    EXPECT_NEAR(pool.fluid.places()[i][1], start.places[number][1], 0.05);
  }
  const double weight = pool.fluid.water.mass * pool.fluid.size() * 9.81 / 4;
  EXPECT_NEAR(pressure, weight / 2, 0.05 * weight);
}

/// The front of a column of water 1 wide and 2 high by t sqrt(2 g), as measured by Martin and Moyce (1952): 99 of 100
/// particles are behind it.
TEST(sph, a_dam_breaks_as_measured) {
  simulation<2> dam(broken_dam<2>(200));
  double time = 0;
  for (const auto& [t, front] : {std::pair{1.19, 1.44}, {1.63, 1.89}, {1.98, 2.33}, {2.51, 3.0}, {2.98, 3.67}}) {
    dam.run(t / std::sqrt(2 * 9.81) - time);
    time = t / std::sqrt(2 * 9.81);
    std::vector<double> found;
    for (sph_index i = 0; i != dam.fluid.size(); ++i) found.push_back(dam.fluid.places()[i][0]);
    std::ranges::sort(found);
    EXPECT_NEAR(found[found.size() * 99 / 100], front, 0.05 * front) << t;
  }
}

template <std::size_t D>
class visible_sph : public sph_problem<D> {
 public:
  using sph_problem<D>::sph_problem;
  using sph_problem<D>::energies;

  void run() override {
    for (unsigned step = 0; step != this->steps; ++step) this->step_serially(this->fluid, step, energies);
  }
  sph_vector<D>& place() { return const_cast<sph_vector<D>&>(this->fluid.places()[5]); }
};

TYPED_TEST(sph_in, check_finds_one_wrong_bit_and_energy_from_nowhere) {
  visible_sph<TypeParam::value> p({.size = "tiny"});
  p.prepare();
  p.run();
  EXPECT_NO_THROW(p.check());
  p.energies[5].stored += 0.05 * p.energies[0].total();
  EXPECT_THROW(p.check(), check_failed);
  p.energies[5].stored = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(p.check(), check_failed);
  p.prepare();
  p.run();
  EXPECT_NO_THROW(p.check());
  p.place()[0] = std::nextafter(p.place()[0], 9);
  EXPECT_THROW(p.check(), check_failed);
}

std::string message_of(std::string_view text, bool solid = false) {
  try {
    solid ? static_cast<void>(parse_particles<3>(text, "water.txt"))
          : static_cast<void>(parse_particles<2>(text, "water.txt"));
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

TEST(sph_file, particles_are_read) {
  const sph_start<2> start =
      parse_particles<2>("# water\n\nspacing 0.5\r\n0.25 2.75 -1 2e0\n  3.75\t.25 0 0\n", "water.txt");
  EXPECT_EQ(start.spacing, 0.5);
  EXPECT_EQ(start.places, (std::vector<sph_vector<2>>{{0.25, 2.75}, {3.75, 0.25}}));
  EXPECT_EQ(start.velocities, (std::vector<sph_vector<2>>{{-1, 2}, {0, 0}}));
  EXPECT_EQ(parse_particles<3>("spacing 1\n1 .5 1 1 1 1", "water.txt").places.size(), 1U);
}

TEST(sph_file, mistakes_are_named_with_their_line) {
  const std::string head = "water.txt:1: found ";
  const std::string spacing = ", expected 'spacing S' with S from 0.0005 to 1 m before the particles";
  EXPECT_EQ(message_of(""), head + "the end" + spacing);
  EXPECT_EQ(message_of("1 2 3 4\n"), head + "'1 2 3 4'" + spacing);
  for (const char* line :
       {"spacing", "spacing nan", "spacing 0", "spacing -1", "spacing 2", "spacing 0.1 m", "space 0.1"})
    EXPECT_EQ(message_of(line), head + "'" + line + "'" + spacing);
  EXPECT_EQ(message_of("spacing 1\n#\n"), "water.txt:3: found the end, expected a particle");

  const std::string numbers = ", expected 4 finite numbers: a place and a velocity in 2D";
  for (const char* line :
       {"1 1 0", "1 1 0 0 0", "nan 1 0 0", "1 1 0 inf", "1 1 0 1e999", "1 1 0 x", "1,1,0,0", "1 1 0 0x"})
    EXPECT_EQ(message_of(std::string("spacing 1\n1 1 0 0\n") + line + "\n0 0 0 0\n"),
              std::string("water.txt:3: found '") + line + "'" + numbers);
  EXPECT_EQ(message_of("spacing 1\n1 1 0 0", true),
            "water.txt:2: found '1 1 0 0', expected 6 finite numbers: a place and a velocity in 3D");

  const std::string place = ", expected a place in the tank, half of the spacing from its walls: x from 0.1 to 3.9, ";
  for (const char* line : {"3.91 1 0 0", "-1e-9 1 0 0", "1 3.5 0 0", "1 0.05 0 0"})
    EXPECT_EQ(message_of(std::string("spacing 0.2\n") + line),
              std::string("water.txt:2: found '") + line + "'" + place + "y from 0.1 to 2.9");
  EXPECT_EQ(message_of("spacing 0.2\n1 1.5 1 0 0 0", true),
            "water.txt:2: found '1 1.5 1 0 0 0'" + place + "y from 0.1 to 0.9, z from 0.1 to 2.9");
  EXPECT_EQ(message_of("spacing 1\n1 1 9 9"),
            "water.txt:2: found '1 1 9 9', expected a velocity of at most 12.528368 m/s, a fifth of that of sound");
}

}  // namespace
}  // namespace jackdaw::kernels
