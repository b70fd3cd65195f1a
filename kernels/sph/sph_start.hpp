#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/sph/sph_water.hpp"

namespace jackdaw::kernels {

/// Where a simulation begins: particles at places, with velocities, and their distance at rest, in metres.
template <std::size_t D>
struct sph_start {
  double spacing;
  std::vector<sph_vector<D>> places, velocities;
};

/// A dam that has just broken: a lattice of `particles` at rest at the tank's left wall, 1 m long and about 2 m high.
template <std::size_t D>
sph_start<D> broken_dam(std::size_t particles);

/// Reads particles from a file, compressed by gzip or not. Blank lines and those that begin with '#' are skipped. The
/// first other line is "spacing S"; each after it has D coordinates and D components of a velocity. Throws
/// jackdaw::error in the form "file:line: found this, expected that" for what is no number or no finite one, places
/// outside the tank or at its walls, velocities above a fifth of that of sound, spacings out of range, and a file
/// without particles.
template <std::size_t D>
sph_start<D> read_particles(const std::filesystem::path& file);

/// The same for a text in memory; `name` replaces the file's name in messages.
template <std::size_t D>
sph_start<D> parse_particles(std::string_view text, const std::string& name);

extern template sph_start<2> broken_dam(std::size_t);
extern template sph_start<3> broken_dam(std::size_t);
extern template sph_start<2> read_particles(const std::filesystem::path&);
extern template sph_start<3> read_particles(const std::filesystem::path&);
extern template sph_start<2> parse_particles(std::string_view, const std::string&);
extern template sph_start<3> parse_particles(std::string_view, const std::string&);

}  // namespace jackdaw::kernels
