#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "kernels/common/mix.hpp"
#include "kernels/sph/sph.hpp"

namespace jackdaw::kernels {
namespace {

/// Energy may grow by this part of what there is at the beginning, because time steps are not infinitely short.
constexpr double energy_tolerance = 1e-2;

template <std::size_t D>
sph_start<D> requested_start(const request& wanted) {
  const sph_size size = choose(sph_sizes, "sph", "size", wanted.size);
  return wanted.input.empty() ? broken_dam<D>(size.particles) : read_particles<D>(wanted.input);
}

template <class Node, class Tree, class F>
void for_groups(const Tree& tree, const Node& at, sph_index group_size, const F& f) {
  if (at.size() <= group_size || at.count == 0) return f(at);
  for (const Node& child : tree.children(at)) for_groups(tree, child, group_size, f);
}

}  // namespace

template <std::size_t D>
sph_problem<D>::sph_problem(const request& wanted)
    : start(requested_start<D>(wanted)),
      steps(wanted.iterations != 0 ? wanted.iterations : choose(sph_sizes, "sph", "size", wanted.size).steps),
      fluid(start),
      snapshots_(wanted.snapshots) {
  choose(sph_shapes, "sph", "shape", wanted.shape);
}

template <std::size_t D>
void sph_problem<D>::prepare() {
  fluid.fill(start, 0, fluid.size());
  forget();
}

template <std::size_t D>
void sph_problem<D>::interact_serially(sph_fluid<D>& fluid, unsigned step) {
  const sph_index n = fluid.size();
  if (sorts(step)) {
    fluid.locate(0, n);
    std::ranges::sort(fluid.keys);
    fluid.gather(0, n);
    fluid.turn();
  }
  fluid.tree.plant(n);
  fluid.grow_all(fluid.tree.root());
  for_groups(fluid.tree, fluid.tree.root(), group_size, [&](const auto& group) { fluid.densities(group); });
  for_groups(fluid.tree, fluid.tree.root(), group_size, [&](const auto& group) { fluid.forces(group); });
}

/// Returns a number that changes with every bit of places and velocities, and with the particles' order.
template <std::size_t D>
std::uint64_t sph_problem<D>::fingerprint(const sph_fluid<D>& of) {
  std::uint64_t sum = 0;
  for (sph_index i = 0; i != of.size(); ++i) {
    std::uint64_t particle = mix(std::uint64_t{i} << 32 | of.numbers()[i]);
    for (const sph_vector<D>& v : {of.places()[i], of.velocities()[i]})
      for (const double component : v) particle = mix(particle ^ std::bit_cast<std::uint64_t>(component));
    sum += particle;
  }
  return sum;
}

template <std::size_t D>
void sph_problem<D>::check() {
  if (!expected_) {
    sph_fluid<D> other(start);
    other.fill(start, 0, other.size());
    std::vector<sph_energy> found;
    for (unsigned step = 0; step != steps; ++step) step_serially(other, step, found);
    expected_ = fingerprint(other);
  }
  if (fingerprint(fluid) != *expected_) throw check_failed("the particles differ from those of a serial run");
  check_particles();
  check_energies();
  if (pictured()) write_snapshots(pictures_, snapshots_);
  pictures_.clear();
  snapshots_.clear();
}

template <std::size_t D>
void sph_problem<D>::check_particles() const {
  std::vector<bool> seen(fluid.size());
  for (sph_index i = 0; i != fluid.size(); ++i) {
    const sph_index number = fluid.numbers()[i];
    const std::string name = "particle " + std::to_string(number);
    if (number >= seen.size() || seen[number]) throw check_failed(name + " is there twice, so that mass is not kept");
    seen[number] = true;
    // Written so that a NaN fails.
    for (std::size_t k = 0; k != D; ++k)
      if (!(fluid.places()[i][k] >= sph_tank<D>().low[k] && fluid.places()[i][k] <= sph_tank<D>().high[k]))
        throw check_failed(name + " has left the tank");
    const double speed = std::sqrt(dot<D>(fluid.velocities()[i], fluid.velocities()[i]));
    if (!(speed < fluid.water.sound()))
      throw check_failed(name + " is as fast as " + std::to_string(speed) + " m/s, expected less than sound");
  }
}

template <std::size_t D>
void sph_problem<D>::check_energies() const {
  if (fluid.size() == 0) return;
  const double at_first = energies.front().total(), mass = fluid.water.mass * fluid.size();
  const double allowance = energy_tolerance * std::max(at_first, mass * fluid.water.gravity * start.spacing);
  double least = at_first;
  for (std::size_t step = 0; step != energies.size(); ++step) {
    const double now = energies[step].total();
    if (!(now <= least + allowance))
      throw check_failed("energy grew from " + std::to_string(least) + " to " + std::to_string(now) +
                         " J before step " + std::to_string(step) + ", expected no growth");
    least = std::min(least, now);
  }

  sph_vector<D> momentum{};
  double height = 0;
  for (sph_index i = 0; i != fluid.size(); ++i) {
    for (std::size_t k = 0; k != D; ++k) momentum[k] += fluid.water.mass * fluid.velocities()[i][k];
    height += fluid.places()[i][D - 1] / fluid.size();
  }
  const double fallen = at_first + allowance - mass * fluid.water.gravity * height;
  if (!(dot<D>(momentum, momentum) <= 2 * mass * std::max(fallen, 0.0)))
    throw check_failed("the water moves faster than its energy allows");
}

template class sph_problem<2>;
template class sph_problem<3>;

}  // namespace jackdaw::kernels
