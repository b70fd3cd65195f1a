#include "kernels/sph/sph_start.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/common/data_file.hpp"
#include "kernels/common/line_reader.hpp"

namespace jackdaw::kernels {
namespace {

constexpr double least_spacing = 0.0005, most_spacing = 1;

/// Advances to the next line that is neither blank nor a comment. False at the end of the text.
bool next_data_line(line_reader& lines) {
  while (lines.next())
    if (!lines.blank() && !lines.line().starts_with('#')) return true;
  return false;
}

template <std::size_t D>
std::optional<sph_vector<D>> vector_field(line_reader& lines) {
  sph_vector<D> result;
  for (double& component : result) {
    const auto number = lines.number_field<double>();
    if (!number || !std::isfinite(*number)) return std::nullopt;
    component = *number;
  }
  return result;
}

/// Returns a number as messages show it.
std::string text_of(double number) {
  const std::string text = std::to_string(number);
  const std::size_t last = text.find_last_not_of('0');
  return text.substr(0, text[last] == '.' ? last : last + 1);
}

/// Where particles may begin: half of their distance from walls, which push nearer ones away.
template <std::size_t D>
sph_box<D> room_for(double spacing) {
  sph_box<D> room = sph_tank<D>();
  for (std::size_t k = 0; k != D; ++k) {
    room.low[k] += spacing / 2;
    room.high[k] -= spacing / 2;
  }
  return room;
}

template <std::size_t D>
std::string text_of(const sph_box<D>& room) {
  std::string text;
  for (std::size_t k = 0; k != D; ++k)
    text += (k == 0 ? "" : ", ") + std::string(1, "xyz"[k]) + " from " + text_of(room.low[k]) + " to " +
            text_of(room.high[k]);
  return text;
}

/// Coordinates may be rounded.
template <std::size_t D>
bool in_room(const sph_vector<D>& x, const sph_box<D>& room, double spacing) {
  for (std::size_t k = 0; k != D; ++k)
    if (x[k] < room.low[k] - spacing / 100 || x[k] > room.high[k] + spacing / 100) return false;
  return true;
}

}  // namespace

template <std::size_t D>
sph_start<D> broken_dam(std::size_t particles) {
  constexpr double volume = sph_water<D>::column_height;  // 1 m long and, in 3D, 1 m wide
  const auto count = static_cast<double>(std::max<std::size_t>(particles, 1));
  const auto across = static_cast<std::size_t>(std::ceil(std::pow(count / volume, 1.0 / D)));
  sph_start<D> start{1.0 / static_cast<double>(across), {}, {}};
  start.places.reserve(particles);
  for (std::size_t i = 0; i != particles; ++i) {
    sph_vector<D> at;
    std::size_t rest = i;
    for (std::size_t k = 0; k != D; ++k) {
      const std::size_t column = k == D - 1 ? rest : rest % across;
      at[k] = (static_cast<double>(column) + 0.5) * start.spacing;
      rest /= across;
    }
    start.places.push_back(at);
  }
  start.velocities.assign(particles, {});
  return start;
}

template <std::size_t D>
sph_start<D> parse_particles(std::string_view text, const std::string& name) {
  line_reader lines(text, name);
  const std::string form =
      "'spacing S' with S from " + text_of(least_spacing) + " to " + text_of(most_spacing) + " m before the particles";
  if (!next_data_line(lines)) lines.fail("the end", form);
  const std::string_view head = lines.line();
  const bool named = lines.field() == "spacing";
  const auto spacing = lines.number_field<double>();
  if (!named || !spacing || !(*spacing >= least_spacing && *spacing <= most_spacing) || !lines.blank())
    lines.fail(line_reader::quoted(head), form);

  sph_start<D> start{*spacing, {}, {}};
  const sph_box<D> room = room_for<D>(*spacing);
  while (next_data_line(lines)) {
    const std::string_view line = lines.line();
    const auto place = vector_field<D>(lines), velocity = vector_field<D>(lines);
    if (!place || !velocity || !lines.blank())
      lines.fail(line_reader::quoted(line),
                 std::to_string(2 * D) + " finite numbers: a place and a velocity in " + std::to_string(D) + "D");
    if (!in_room<D>(*place, room, *spacing))
      lines.fail(line_reader::quoted(line),
                 "a place in the tank, half of the spacing from its walls: " + text_of(room));
    if (const double most = sph_water<D>::fastest_start(); dot<D>(*velocity, *velocity) > most * most)
      lines.fail(line_reader::quoted(line),
                 "a velocity of at most " + text_of(most) + " m/s, a fifth of that of sound");
    start.places.push_back(*place);
    start.velocities.push_back(*velocity);
  }
  if (start.places.empty()) lines.fail("the end", "a particle");
  return start;
}

template <std::size_t D>
sph_start<D> read_particles(const std::filesystem::path& file) {
  return parse_particles<D>(read_file(file), file.string());
}

template sph_start<2> broken_dam(std::size_t);
template sph_start<3> broken_dam(std::size_t);
template sph_start<2> read_particles(const std::filesystem::path&);
template sph_start<3> read_particles(const std::filesystem::path&);
template sph_start<2> parse_particles(std::string_view, const std::string&);
template sph_start<3> parse_particles(std::string_view, const std::string&);

}  // namespace jackdaw::kernels
