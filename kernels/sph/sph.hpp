#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"
#include "kernels/sph/sph_fluid.hpp"
#include "kernels/sph/sph_snapshot.hpp"
#include "kernels/sph/sph_start.hpp"

namespace jackdaw::kernels {

struct sph_size {
  std::size_t particles;
  unsigned steps;  ///< unless the request says otherwise
};

/// The last three are those of the ADWS paper (Fig. 14), the first two in 2D, the third in 3D.
inline constexpr auto sph_sizes = std::to_array<choice<sph_size>>({{"16k", {16'384, 100}},
                                                                   {"tiny", {400, 10}},
                                                                   {"4k", {4096, 100}},
                                                                   {"64k", {65'536, 100}},
                                                                   {"256k", {262'144, 50}},
                                                                   {"1m", {1'048'576, 20}},
                                                                   {"35888", {35'888, 1000}},
                                                                   {"138968", {138'968, 1000}},
                                                                   {"182364", {182'364, 1000}}});
enum class sph_shape { flat, solid };
inline constexpr auto sph_shapes =
    std::to_array<choice<sph_shape>>({{"2d", sph_shape::flat}, {"3d", sph_shape::solid}});

/// A dam breaks: water in a tank, in particles (smoothed particle hydrodynamics; ADWS section 5.3). A time step builds
/// a tree of particles and computes, by recursion over it, first densities and then forces. The work of a part of the
/// tree is its number of particles. As the water moves, so does the load.
template <std::size_t D>
class sph_problem : public problem {
 public:
  explicit sph_problem(const request& wanted);

  void prepare() override;

  /// Compares every bit with a serial run. Every particle must be there once, in the tank, and slower than sound.
  /// Energy must not grow. The momentum must not exceed what the energy at the beginning allows. After the first run it
  /// also writes the snapshots, if they are asked for: of the beginning, of every tenth of the steps, and of the end.
  void check() override;

  double items() const override { return static_cast<double>(start.places.size()) * steps; }
  std::string_view unit() const override { return "particle steps"; }

 protected:
  /// Particles are sorted anew every so many steps. In between they move by less than half of their distance.
  static constexpr unsigned steps_between_sorts = 8;
  /// A task computes the densities or forces of at most that many particles, and builds or moves as many times 16.
  static constexpr sph_index group_size = 32, block_size = 512;

  const sph_start<D> start;
  const unsigned steps;
  sph_fluid<D> fluid;
  std::vector<sph_energy> energies;  ///< before each step

  /// Forgets the last run, but for its particles.
  void forget() {
    energies.clear();
    pictures_.clear();
  }

  /// Whether the run makes snapshots: the first one, if they are asked for.
  bool pictured() const { return !snapshots_.empty(); }

  /// Called in each step between forces and move.
  void picture(unsigned step) {
    if (pictured() && (step % std::max(steps / 10, 1U) == 0 || step + 1 == steps))
      pictures_.push_back(snapshot_of(fluid, step));
  }

  static bool sorts(unsigned step) { return step % steps_between_sorts == 0; }

  /// Makes a step without forks, but for the moves.
  static void interact_serially(sph_fluid<D>& fluid, unsigned step);

  /// Makes a step without forks.
  static void step_serially(sph_fluid<D>& fluid, unsigned step, std::vector<sph_energy>& energies) {
    interact_serially(fluid, step);
    energies.push_back(fluid.move(step == 0, 0, fluid.size()));
  }

 private:
  std::optional<std::uint64_t> expected_;
  std::filesystem::path snapshots_;  ///< empty once they are written
  std::vector<sph_snapshot> pictures_;

  static std::uint64_t fingerprint(const sph_fluid<D>& of);
  void check_particles() const;
  void check_energies() const;
};

extern template class sph_problem<2>;
extern template class sph_problem<3>;

/// A problem of class Version<2> or Version<3>, as the request's shape says.
template <template <std::size_t> class Version>
side make_sph_side(std::string_view name) {
  return {name, [](const request& wanted) -> std::unique_ptr<problem> {
            if (choose(sph_shapes, "sph", "shape", wanted.shape) == sph_shape::flat)
              return std::make_unique<Version<2>>(wanted);
            return std::make_unique<Version<3>>(wanted);
          }};
}

}  // namespace jackdaw::kernels
