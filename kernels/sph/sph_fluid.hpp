#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <jackdaw/access.hpp>

#include "kernels/common/buffer.hpp"
#include "kernels/sph/sph_start.hpp"
#include "kernels/sph/sph_tree.hpp"
#include "kernels/sph/sph_water.hpp"

namespace jackdaw::kernels {

/// Energies, J.
struct sph_energy {
  double kinetic = 0, potential = 0, stored = 0;  ///< stored: by compression

  double total() const { return kinetic + potential + stored; }

  friend sph_energy operator+(const sph_energy& a, const sph_energy& b) {
    return {a.kinetic + b.kinetic, a.potential + b.potential, a.stored + b.stored};
  }
};

/// Water in a tank, and the parts of a time step of it; a driver calls them in this order:
///
///     sort, every few steps:  locate(all), sort keys, gather(all), turn
///     each step:              tree.plant, grow and enclose of its nodes; densities(groups); forces(groups); move(all)
///
/// Each part may be called for disjoint particles at the same time, and writes only what belongs to these particles.
/// Each particle sums over its neighbours itself, in the order in which they are sorted; this order depends on places
/// alone. So results are the same, bit for bit, however the parts are cut and scheduled.
template <std::size_t D>
class sph_fluid {
 public:
  using node = typename sph_tree<D>::node;

  explicit sph_fluid(const sph_start<D>& start)
      : water(start.spacing),
        tree(start.places.size()),
        keys(start.places.size()),
        state_{start.places.size()},
        spare_{start.places.size()},
        density_(start.places.size()),
        push_(start.places.size()),
        acceleration_(start.places.size()),
        ran_on_(start.places.size()) {}

  const sph_water<D> water;
  sph_tree<D> tree;
  buffer<sph_key> keys;

  sph_index size() const { return static_cast<sph_index>(state_.place.size()); }
  const sph_vector<D>* places() const { return state_.place.data(); }
  const sph_vector<D>* velocities() const { return state_.velocity.data(); }
  const sph_vector<D>* accelerations() const { return acceleration_.data(); }
  const double* densities() const { return density_.data(); }
  const sph_index* numbers() const { return state_.number.data(); }
  const std::uint16_t* ran_on() const { return ran_on_.data(); }

  /// Sets particles first..last-1 to the beginning of the simulation.
  void fill(const sph_start<D>& start, sph_index first, sph_index last) {
    const sph_index count = last - first;
    for (particles* const s : {&state_, &spare_}) {
      jackdaw::writes(s->place.data() + first, count);
      jackdaw::writes(s->velocity.data() + first, count);
      jackdaw::writes(s->number.data() + first, count);
    }
    jackdaw::writes(density_.data() + first, count);
    jackdaw::writes(push_.data() + first, count);
    jackdaw::writes(acceleration_.data() + first, count);
    jackdaw::writes(keys.data() + first, count);
    for (sph_index i = first; i != last; ++i) {
      state_.place[i] = spare_.place[i] = start.places[i];
      state_.velocity[i] = spare_.velocity[i] = start.velocities[i];
      state_.number[i] = spare_.number[i] = i;
      density_[i] = push_[i] = 0;
      acceleration_[i] = {};
      keys[i] = {};
      ran_on_[i] = 0;
    }
  }

  /// Finds the cells of particles first..last-1.
  void locate(sph_index first, sph_index last) {
    jackdaw::reads(places() + first, last - first);
    jackdaw::writes(keys.data() + first, last - first);
    for (sph_index i = first; i != last; ++i) keys[i] = {sph_cell<D>(state_.place[i]), i};
  }

  /// Copies what is known of particles to where their keys are now. turn() makes that the state.
  void gather(sph_index first, sph_index last) {
    const sph_index count = last - first;
    jackdaw::reads(keys.data() + first, count);
    // Particles move by a few places: most come from about here.
    jackdaw::reads(places() + first, count);
    jackdaw::reads(velocities() + first, count);
    jackdaw::reads(numbers() + first, count);
    jackdaw::writes(spare_.place.data() + first, count);
    jackdaw::writes(spare_.velocity.data() + first, count);
    jackdaw::writes(spare_.number.data() + first, count);
    for (sph_index i = first; i != last; ++i) {
      const sph_index from = keys[i].particle;
      spare_.place[i] = state_.place[from];
      spare_.velocity[i] = state_.velocity[from];
      spare_.number[i] = state_.number[from];
    }
  }

  void turn() { std::swap(state_, spare_); }

  /// Gives a node its children, if it is no leaf.
  void grow(node& of) { tree.grow(of, {keys.data(), size()}); }

  /// Makes a whole subtree.
  void grow_all(node& of) {
    tree.grow(of, {keys.data(), size()});
    for (node& child : tree.children(of)) grow_all(child);
    tree.enclose(of, places());
  }

  /// Computes densities of the particles in a subtree, which has few.
  void densities(const node& group) {
    const double reach = water.support * water.support;
    jackdaw::writes(density_.data() + group.first, group.size());
    jackdaw::writes(push_.data() + group.first, group.size());
    for (sph_index i = group.first; i != group.last; ++i) density_[i] = 0;
    const auto add = [&](sph_index i, const sph_vector<D>& at, const node& leaf) {
      double sum = 0;
      for (sph_index j = leaf.first; j != leaf.last; ++j) {
        const double squared = squared_distance(at, state_.place[j]);
        if (squared < reach) sum += water.weight(squared);
      }
      density_[i] += water.mass * sum;
    };
    for_neighbours(
        group, [&](const sph_mirror<D>&, sph_index i, const sph_vector<D>& at, const node& leaf) { add(i, at, leaf); },
        [&](sph_index first, sph_index last) { jackdaw::reads(places() + first, last - first); });
    for (sph_index i = group.first; i != group.last; ++i) push_[i] = water.push(density_[i]);
  }

  /// Computes accelerations of the particles in a subtree, which has few. All densities must be known.
  void forces(const node& group) {
    jackdaw::writes(acceleration_.data() + group.first, group.size());
    for (sph_index i = group.first; i != group.last; ++i) acceleration_[i] = outer_forces(state_.place[i]);
    for_neighbours(
        group,
        [&](const sph_mirror<D>& mirror, sph_index i, const sph_vector<D>& at, const node& leaf) {
          pull(i, mirror, at, leaf);
        },
        [&](sph_index first, sph_index last) {
          const sph_index count = last - first;
          jackdaw::reads(places() + first, count);
          jackdaw::reads(velocities() + first, count);
          jackdaw::reads(density_.data() + first, count);
          jackdaw::reads(push_.data() + first, count);
        });
  }

  /// Notes on which worker a group's forces were computed, for pictures.
  void note_worker(const node& group, unsigned worker) {
    for (sph_index i = group.first; i != group.last; ++i) ran_on_[i] = static_cast<std::uint16_t>(worker);
  }

  /// Moves particles first..last-1 to the next step (leapfrog: velocities are half a step ahead of places). Returns
  /// their energy before that.
  sph_energy move(bool first_step, sph_index first, sph_index last) {
    const sph_index count = last - first;
    jackdaw::reads(places() + first, count);
    jackdaw::reads(velocities() + first, count);
    jackdaw::reads(density_.data() + first, count);
    jackdaw::reads(acceleration_.data() + first, count);
    jackdaw::writes(places() + first, count);
    jackdaw::writes(velocities() + first, count);
    const double half = water.time_step / 2, before = first_step ? 0 : half;
    sph_energy sum;
    for (sph_index i = first; i != last; ++i) {
      sph_vector<D>& x = state_.place[i];
      sph_vector<D>& v = state_.velocity[i];
      for (std::size_t k = 0; k != D; ++k) v[k] += before * acceleration_[i][k];
      sum = sum + energy(i);
      for (std::size_t k = 0; k != D; ++k) {
        v[k] += half * acceleration_[i][k];
        x[k] += water.time_step * v[k];
      }
    }
    return sum;
  }

 private:
  struct particles {
    explicit particles(std::size_t count) : place(count), velocity(count), number(count) {}

    buffer<sph_vector<D>> place, velocity;
    buffer<sph_index> number;  ///< as in sph_start
  };

  particles state_, spare_;
  buffer<double> density_, push_;
  buffer<sph_vector<D>> acceleration_;
  buffer<std::uint16_t> ran_on_;

  static double squared_distance(const sph_vector<D>& a, const sph_vector<D>& b) {
    double sum = 0;
    for (std::size_t k = 0; k != D; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
  }

  /// Calls f(mirror, i, place, leaf) for particles i of a group, their places in a mirror, and leaves that hold all
  /// neighbours of such a place. What an image behind a wall feels, mirrored back, is what the particle feels of its
  /// neighbours' images. Calls used(first, last) for ranges of all particles in these leaves.
  template <class F, class Used>
  void for_neighbours(const node& group, const F& f, const Used& used) const {
    for (unsigned image = 0; image != sph_mirror<D>::count; ++image) {
      const sph_mirror<D> mirror(image);
      const auto on_leaf = [&](const node& leaf) {
        for (sph_index i = group.first; i != group.last; ++i)
          if (const sph_vector<D> at = mirror.place(state_.place[i]); leaf.box.within(water.support, {at, at}))
            f(mirror, i, at, leaf);
      };
      tree.near(mirror.box(group.box), water.support, on_leaf, used);
    }
  }

  /// Adds to particle i's acceleration what it feels, at a place in a mirror, of the particles of a leaf.
  void pull(sph_index i, const sph_mirror<D>& mirror, const sph_vector<D>& at, const node& leaf) {
    const double reach = water.support * water.support;
    const sph_vector<D> speed = mirror.direction(state_.velocity[i]);
    sph_vector<D> sum{};
    for (sph_index j = leaf.first; j != leaf.last; ++j) {
      const double squared = squared_distance(at, state_.place[j]);
      if (squared >= reach) continue;
      sph_vector<D> apart;
      double closing = 0;
      for (std::size_t k = 0; k != D; ++k) {
        apart[k] = at[k] - state_.place[j][k];
        closing += apart[k] * (speed[k] - state_.velocity[j][k]);
      }
      const double both = push_[i] + push_[j] + water.friction(closing, squared, density_[i] + density_[j]);
      const double factor = both * water.slope(squared);
      for (std::size_t k = 0; k != D; ++k) sum[k] += factor * apart[k];
    }
    const sph_vector<D> felt = mirror.direction(sum);
    for (std::size_t k = 0; k != D; ++k) acceleration_[i][k] -= water.mass * felt[k];
  }

  sph_vector<D> outer_forces(const sph_vector<D>& x) const {
    sph_vector<D> result{};
    result[D - 1] = -water.gravity;
    for (std::size_t k = 0; k != D; ++k)
      result[k] += water.wall_push(x[k] - sph_tank<D>().low[k]) - water.wall_push(sph_tank<D>().high[k] - x[k]);
    return result;
  }

  sph_energy energy(sph_index i) const {
    const sph_vector<D>& x = state_.place[i];
    double walls = 0;
    for (std::size_t k = 0; k != D; ++k)
      walls += water.wall_stored(x[k] - sph_tank<D>().low[k]) + water.wall_stored(sph_tank<D>().high[k] - x[k]);
    const sph_vector<D>& v = state_.velocity[i];
    return {water.mass * dot<D>(v, v) / 2, water.mass * (water.gravity * x[D - 1] + walls),
            water.mass * water.stored(density_[i])};
  }
};

}  // namespace jackdaw::kernels
