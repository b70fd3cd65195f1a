#include "kernels/sph/sph_snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <system_error>
#include <utility>

#include <png.h>

#include <jackdaw/error.hpp>

#include "base/replacement.hpp"

namespace jackdaw::kernels {
namespace {

using colour = std::array<std::uint8_t, 3>;

/// A raster that shows the tank from its long side.
class raster {
 public:
  static constexpr int scale = 300, width = 4 * scale, height = 3 * scale;  // pixels a metre

  raster() : pixels_(static_cast<std::size_t>(width) * height, colour{255, 255, 255}) {}

  /// Draws a disc around a place in metres.
  void disc(double x, double up, double radius, colour c) {
    const double at = x * scale, down = height - up * scale, reach = std::max(radius * scale, 0.75);
    const auto clipped = [](double d, int limit) {
      return static_cast<int>(std::clamp(std::floor(d), 0.0, limit - 1.0));
    };
    for (int j = clipped(down - reach, height); j <= clipped(down + reach, height); ++j)
      for (int i = clipped(at - reach, width); i <= clipped(at + reach, width); ++i)
        if (std::hypot(i + 0.5 - at, j + 0.5 - down) <= reach) pixels_[static_cast<std::size_t>(j) * width + i] = c;
  }

  std::string png() const {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB;
    std::string result(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
    png_alloc_size_t size = result.size();
    if (png_image_write_to_memory(&image, result.data(), &size, 0, pixels_.data(), 0, nullptr) == 0)
      throw error("a picture cannot be made: " + std::string(image.message));
    result.resize(size);
    return result;
  }

 private:
  std::vector<colour> pixels_;
};

/// Returns the colour at a place from 0 to 1 between the first and the last of some colours.
template <std::size_t Stops>
colour between(const std::array<colour, Stops>& stops, double at) {
  const double place = std::clamp(at, 0.0, 1.0) * (Stops - 1);
  const auto below = std::min(static_cast<std::size_t>(place), Stops - 2);
  const double part = place - static_cast<double>(below);
  colour result;
  for (std::size_t k = 0; k != 3; ++k) {
    const double from = stops[below][k], to = stops[below + 1][k];
    result[k] = static_cast<std::uint8_t>(std::lround(std::lerp(from, to, part)));
  }
  return result;
}

/// Of a palette that is equally bright for all kinds of sight (viridis).
colour colour_of_speed(const sph_snapshot::triple& velocity) {
  static constexpr std::array<colour, 5> stops{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  static const double fastest = std::sqrt(2 * sph_water<3>::gravity * sph_water<3>::column_height);
  return between(stops, std::hypot(velocity[0], velocity[1], velocity[2]) / fastest);
}

/// Neighbouring workers have similar colours.
colour colour_of_worker(unsigned worker, unsigned workers) {
  static constexpr std::array<colour, 6> stops{
      {{200, 40, 40}, {220, 180, 40}, {60, 160, 60}, {50, 180, 190}, {50, 80, 190}, {160, 60, 170}}};
  return between(stops, double(worker) / std::max(workers - 1, 1U));
}

template <class... Numbers>
void append(std::string& text, const char* format, Numbers... numbers) {
  std::array<char, 128> line;
  const int length = std::snprintf(line.data(), line.size(), format, numbers...);
  text.append(line.data(), static_cast<std::size_t>(length));
}

void write(const std::filesystem::path& file, std::string_view content) {
  jackdaw::detail::replacement made(file);
  made.write(content);
  made.keep();
}

}  // namespace

template <std::size_t D>
sph_snapshot snapshot_of(const sph_fluid<D>& fluid, unsigned step) {
  sph_snapshot result{.step = step,
                      .up = D - 1,
                      .time = step * fluid.water.time_step,
                      .spacing = fluid.water.spacing,
                      .places = {},
                      .velocities = {},
                      .densities = {},
                      .numbers = {fluid.numbers(), fluid.numbers() + fluid.size()},
                      .workers = {fluid.ran_on(), fluid.ran_on() + fluid.size()}};
  const auto triple_of = [](const sph_vector<D>& v) {
    sph_snapshot::triple t{};
    std::ranges::transform(v, t.begin(), [](double component) { return static_cast<float>(component); });
    return t;
  };
  for (sph_index i = 0; i != fluid.size(); ++i) {
    result.places.push_back(triple_of(fluid.places()[i]));
    result.velocities.push_back(triple_of(fluid.velocities()[i]));
    result.densities.push_back(static_cast<float>(fluid.densities()[i]));
  }
  return result;
}

template sph_snapshot snapshot_of(const sph_fluid<2>&, unsigned);
template sph_snapshot snapshot_of(const sph_fluid<3>&, unsigned);

std::string vtk_text(const sph_snapshot& of) {
  const std::size_t n = of.places.size();
  std::string text = "# vtk DataFile Version 3.0\n";
  append(text, "jackdaw sph, before step %u, after %.9g s\nASCII\nDATASET POLYDATA\n", of.step, of.time);
  const auto triples = [&text](const std::vector<sph_snapshot::triple>& all) {
    for (const auto& t : all) append(text, "%.9g %.9g %.9g\n", double(t[0]), double(t[1]), double(t[2]));
  };
  append(text, "POINTS %zu float\n", n);
  triples(of.places);
  append(text, "VERTICES %zu %zu\n", n, 2 * n);
  for (std::size_t i = 0; i != n; ++i) append(text, "1 %zu\n", i);
  append(text, "POINT_DATA %zu\nSCALARS density float 1\nLOOKUP_TABLE default\n", n);
  for (const float density : of.densities) append(text, "%.9g\n", double(density));
  text += "SCALARS number int 1\nLOOKUP_TABLE default\n";
  for (const sph_index number : of.numbers) append(text, "%u\n", number);
  text += "SCALARS worker int 1\nLOOKUP_TABLE default\n";
  for (const std::uint16_t worker : of.workers) append(text, "%u\n", unsigned(worker));
  text += "VECTORS velocity float\n";
  triples(of.velocities);
  return text;
}

std::string png_picture(const sph_snapshot& of, sph_colour colour, unsigned workers) {
  // In 3D the nearest last, and at the same depth by their numbers, so that the picture is always the same.
  std::vector<std::size_t> order(of.places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&of](std::size_t i) { return std::pair(of.up == 2 ? -of.places[i][1] : 0, of.numbers[i]); };
  std::ranges::sort(order, {}, rank);
  raster shown;
  for (const std::size_t i : order)
    shown.disc(
        of.places[i][0], of.places[i][of.up], of.spacing / 2,
        colour == sph_colour::speed ? colour_of_speed(of.velocities[i]) : colour_of_worker(of.workers[i], workers));
  return shown.png();
}

void write_snapshots(const std::vector<sph_snapshot>& all, const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) throw error(folder.string() + ": cannot be made: " + code.message() + ", expected a folder for snapshots");
  unsigned workers = 1;
  for (const sph_snapshot& each : all)
    for (const std::uint16_t worker : each.workers) workers = std::max(workers, worker + 1U);
  for (const sph_snapshot& each : all) {
    std::string number = std::to_string(each.step);
    number.insert(0, number.size() < 6 ? 6 - number.size() : 0, '0');
    write(folder / ("water-" + number + ".vtk"), vtk_text(each));
    write(folder / ("water-" + number + ".png"), png_picture(each, sph_colour::speed, workers));
    write(folder / ("workers-" + number + ".png"), png_picture(each, sph_colour::worker, workers));
  }
}

}  // namespace jackdaw::kernels
