#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/sph/sph_fluid.hpp"

namespace jackdaw::kernels {

/// The state of the water before a step, for pictures. Coordinates are x, y and z; in 2D z is 0, in 3D it points up.
struct sph_snapshot {
  using triple = std::array<float, 3>;

  unsigned step;
  std::size_t up;  ///< the axis that points up
  double time, spacing;
  std::vector<triple> places, velocities;
  std::vector<float> densities;
  std::vector<sph_index> numbers;
  std::vector<std::uint16_t> workers;  ///< that computed the forces
};

/// Copies the state. Densities and forces must have been computed.
template <std::size_t D>
sph_snapshot snapshot_of(const sph_fluid<D>& fluid, unsigned step);

extern template sph_snapshot snapshot_of(const sph_fluid<2>&, unsigned);
extern template sph_snapshot snapshot_of(const sph_fluid<3>&, unsigned);

/// Returns a file of VTK's legacy format, which ParaView and others read: points with density, velocity, number and
/// worker.
std::string vtk_text(const sph_snapshot& of);

/// What the colour of a particle shows: its speed, from 0 to that of a fall from the column's top; or its worker.
enum class sph_colour { speed, worker };

/// Returns the content of a PNG file: the tank from its long side. `workers` is how many there are.
std::string png_picture(const sph_snapshot& of, sph_colour colour, unsigned workers);

/// Writes into a folder, which it makes, for each snapshot the files water-STEP.vtk, water-STEP.png and
/// workers-STEP.png. Existing ones are replaced, each as a whole. Throws jackdaw::error that names the file.
void write_snapshots(const std::vector<sph_snapshot>& all, const std::filesystem::path& folder);

}  // namespace jackdaw::kernels
