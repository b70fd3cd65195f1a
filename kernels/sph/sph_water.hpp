#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace jackdaw::kernels {

/// A point or a direction in D dimensions. The last axis points up.
template <std::size_t D>
using sph_vector = std::array<double, D>;

template <std::size_t D>
double dot(const sph_vector<D>& a, const sph_vector<D>& b) {
  double sum = 0;
  for (std::size_t k = 0; k != D; ++k) sum += a[k] * b[k];
  return sum;
}

/// Lower and upper corner of a box.
template <std::size_t D>
struct sph_box {
  sph_vector<D> low, high;

  /// Returns whether a point of the other box can be nearer than `distance` to a point of this one.
  bool within(double distance, const sph_box& other) const {
    double squares = 0;
    for (std::size_t k = 0; k != D; ++k) {
      const double gap = std::max({0.0, low[k] - other.high[k], other.low[k] - high[k]});
      squares += gap * gap;
    }
    return squares < distance * distance;
  }

  void include(const sph_box& other) {
    for (std::size_t k = 0; k != D; ++k) {
      low[k] = std::min(low[k], other.low[k]);
      high[k] = std::max(high[k], other.high[k]);
    }
  }

  bool operator==(const sph_box&) const = default;
};

/// The tank, in metres: 4 long and 3 high; in 3D also 1 wide. Its walls are planes, and let water slip.
template <std::size_t D>
constexpr sph_box<D> sph_tank() {
  if constexpr (D == 2)
    return {{0, 0}, {4, 3}};
  else
    return {{0, 0, 0}, {4, 1, 3}};
}

/// Weakly compressible water (Becker and Teschner, SCA 2007) in particles of equal mass. SI units.
///
/// Density is the sum over neighbours, m W(r). Pressure follows Tait's equation with exponent 7; where the density is
/// below that of water at rest, pressure is 0. W is Wendland's C2 kernel, with which particles do not clump. Speed of
/// sound is ten times the largest speed that a column of 2 m reaches in free fall. Forces derive from a potential, but
/// for an artificial viscosity, which takes energy away.
template <std::size_t D>
class sph_water {
 public:
  static constexpr double rest_density = 1000, gravity = 9.81, column_height = 2;

 private:
  static inline const double sound_ = 10 * std::sqrt(2 * gravity * column_height);
  static inline const double stiffness_ = rest_density * sound_ * sound_ / 7;
  static constexpr double viscosity_ = 0.05;
  static constexpr double norm_of_one_ = D == 2 ? 7 / (4 * std::numbers::pi) : 21 / (16 * std::numbers::pi);

 public:
  const double spacing;    ///< the distance of particles at rest
  const double smoothing;  ///< the kernel's h
  const double support;    ///< beyond this distance particles do not act on each other: 2 h
  const double time_step;

 private:
  const double norm_, slope_;

 public:
  const double mass;  ///< of a particle, so that an endless lattice has the density of water at rest

  explicit sph_water(double particle_spacing)
      : spacing(particle_spacing),
        smoothing(1.3 * spacing),
        support(2 * smoothing),
        time_step(0.25 * smoothing / sound_),
        norm_(norm_of_one_ / std::pow(smoothing, D)),
        slope_(-5 * norm_ / (smoothing * smoothing)),
        mass(rest_density / lattice_sum()) {}

  static double sound() { return sound_; }

  /// No particle may be faster at the beginning: walls stop it, and density changes little.
  static double fastest_start() { return sound_ / 5; }

  /// The kernel W at a squared distance, which must be less than the squared support.
  double weight(double squared) const {
    const double q = std::sqrt(squared) / smoothing, t = 1 - q / 2;
    return norm_ * (t * t) * (t * t) * (2 * q + 1);
  }

  /// The factor by which a distance vector becomes the gradient of W. At most 0, and finite at distance 0.
  double slope(double squared) const {
    const double t = 1 - std::sqrt(squared) / smoothing / 2;
    return slope_ * t * t * t;
  }

  /// Returns pressure / density^2.
  static double push(double density) {
    const double s = std::max(density / rest_density, 1.0);
    return stiffness_ * (s * s * s * s * s * s * s - 1) / (density * density);
  }

  /// Returns the energy stored in a kilogram by compression; push() is its derivative by the density.
  static double stored(double density) {
    const double s = std::max(density / rest_density, 1.0);
    return stiffness_ / rest_density * ((s * s * s * s * s * s - 1) / 6 + 1 / s - 1);
  }

  /// Monaghan's artificial viscosity between two particles, in the unit of push(). `closing` is the product of their
  /// differences in velocity and place; above 0 they move apart.
  double friction(double closing, double squared, double density_sum) const {
    if (closing >= 0) return 0;
    const double mu = smoothing * closing / (squared + 0.01 * smoothing * smoothing);
    return -2 * viscosity_ * sound_ * mu / density_sum;
  }

  /// A wall pushes particles away that are nearer than this. It stops one at a quarter of the speed of sound.
  double wall_reach() const { return spacing / 2; }

  /// Returns a wall's acceleration of a particle at this distance, away from the wall.
  double wall_push(double distance) const {
    const double rate = sound_ / 4 / wall_reach();
    return rate * rate * std::max(wall_reach() - distance, 0.0);
  }

  /// Returns the energy per kilogram that belongs to wall_push().
  double wall_stored(double distance) const {
    const double rate = sound_ / 4 / wall_reach(), depth = std::max(wall_reach() - distance, 0.0);
    return rate * rate * depth * depth / 2;
  }

 private:
  /// Returns the sum of W over all points of a lattice.
  double lattice_sum() const {
    constexpr int reach = 3, side = 2 * reach + 1;
    double sum = 0;
    for (int i = 0, count = D == 2 ? side * side : side * side * side; i != count; ++i) {
      double squared = 0;
      for (int k = 0, rest = i; k != int(D); ++k, rest /= side) {
        const double offset = (rest % side - reach) * spacing;
        squared += offset * offset;
      }
      if (squared < support * support) sum += weight(squared);
    }
    return sum;
  }
};

/// One of the images that the tank's walls make of the water: on each axis none, or mirrored by the lower or the upper
/// wall. Image 0 is the water itself.
template <std::size_t D>
class sph_mirror {
 public:
  static constexpr unsigned count = D == 2 ? 9 : 27;

  explicit sph_mirror(unsigned image) {
    for (std::size_t k = 0; k != D; ++k, image /= 3) {
      sign_[k] = image % 3 == 0 ? 1 : -1;
      offset_[k] = image % 3 == 0 ? 0 : 2 * (image % 3 == 1 ? sph_tank<D>().low : sph_tank<D>().high)[k];
    }
  }

  sph_vector<D> place(const sph_vector<D>& x) const {
    sph_vector<D> result;
    for (std::size_t k = 0; k != D; ++k) result[k] = offset_[k] + sign_[k] * x[k];
    return result;
  }

  sph_vector<D> direction(const sph_vector<D>& v) const {
    sph_vector<D> result;
    for (std::size_t k = 0; k != D; ++k) result[k] = sign_[k] * v[k];
    return result;
  }

  sph_box<D> box(const sph_box<D>& b) const {
    const sph_vector<D> one = place(b.low), other = place(b.high);
    sph_box<D> result;
    for (std::size_t k = 0; k != D; ++k) {
      result.low[k] = std::min(one[k], other[k]);
      result.high[k] = std::max(one[k], other[k]);
    }
    return result;
  }

 private:
  sph_vector<D> sign_, offset_;
};

}  // namespace jackdaw::kernels
