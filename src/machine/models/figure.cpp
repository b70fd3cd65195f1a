#include "machine/models/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>

#include "machine/machine_file.hpp"

namespace jackdaw {
namespace {

constexpr std::array origins = {std::pair{machine_model::origin::paper, std::string_view("paper")},
                                std::pair{machine_model::origin::datasheet, std::string_view("datasheet")},
                                std::pair{machine_model::origin::measured, std::string_view("measured")},
                                std::pair{machine_model::origin::assumed, std::string_view("assumed")}};

constexpr std::array kinds = {std::pair{machine_model::memory_kind::dram, std::string_view("dram")},
                              std::pair{machine_model::memory_kind::hbm, std::string_view("hbm")},
                              std::pair{machine_model::memory_kind::cxl, std::string_view("cxl")}};

template <class Table, class Value>
std::string_view name_in(const Table& table, Value value) noexcept {
  for (const auto& [known, name] : table) {
    if (known == value) return name;
  }
  return "unknown";
}

template <class Table>
auto value_in(const Table& table, std::string_view name) -> std::optional<decltype(table[0].first)> {
  for (const auto& [value, known] : table) {
    if (known == name) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(machine_model::origin origin) noexcept { return name_in(origins, origin); }
std::string_view name_of(machine_model::memory_kind kind) noexcept { return name_in(kinds, kind); }
std::string_view name_of(machine_model::fill_policy fill) noexcept {
  return models::words_of(models::dimension::fill)[static_cast<std::size_t>(fill)];
}
std::string_view name_of(machine_model::clean_source from) noexcept {
  return models::words_of(models::dimension::supply)[static_cast<std::size_t>(from)];
}

namespace models {
namespace {

constexpr double most_bytes = 1ULL << 50;
constexpr range some_bytes{1, most_bytes};
constexpr range some_rate{0.001, 1e6};
constexpr range some_time{0, 1e9};
constexpr range some_cores{1, 4096};
constexpr range any_word{0, 1e6};

// The member that a path of member pointers leads to.
template <auto First, auto... Rest, class T>
auto& member(T& of) {
  if constexpr (sizeof...(Rest) == 0) {
    return of.*First;
  } else {
    return member<Rest...>(of.*First);
  }
}

// A required figure that is a member of T reached in this way.
template <class T, auto... Path>
figure<T> of_member(std::string_view key, dimension what, range allowed) {
  return {key,
          what,
          allowed,
          std::nullopt,
          [](const T& of) { return static_cast<double>(member<Path...>(of)); },
          [](T& of, double value) {
            auto& to = member<Path...>(of);
            to = static_cast<std::remove_reference_t<decltype(to)>>(value);
          }};
}

// The same for a figure that need not be given; the member is `absent` then.
template <class T, auto... Path>
figure<T> optional_member(std::string_view key, dimension what, range allowed, double absent = 0) {
  figure<T> made = of_member<T, Path...>(key, what, allowed);
  made.absent = absent;
  return made;
}

// A figure of a node's memory-side cache.
template <auto Member>
figure<machine_model::memory_node> of_cache(std::string_view key, dimension what, range allowed) {
  return optional_member<machine_model::memory_node, &machine_model::memory_node::cached, Member>(key, what, allowed);
}

/// How values of a dimension are written: as a number of some unit, or as one of the words.
struct notation {
  std::vector<unit> units;
  std::vector<std::string_view> words;
};

const notation& notation_of(dimension what) {
  static const std::map<dimension, notation> all = {
      {dimension::count, {.units = {{"count", 1}}, .words = {}}},
      {dimension::ratio, {.units = {{"ratio", 1}}, .words = {}}},
      {dimension::size,
       {.units = {{"bytes", 1}, {"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1ULL << 40}},
        .words = {}}},
      {dimension::rate, {.units = {{"gb_per_s", 1}}, .words = {}}},
      {dimension::time, {.units = {{"ns", 1}, {"us", 1000}}, .words = {}}},
      {dimension::fill, {.units = {{"fill", 1}}, .words = {"victim", "inclusive", "exclusive"}}},
      {dimension::supply, {.units = {{"come_from", 1}}, .words = {"memory", "neighbours", "sockets"}}},
      {dimension::replacement, {.units = {{"drops", 1}}, .words = {"oldest", "any"}}},
  };
  return all.at(what);
}

}  // namespace

const std::vector<unit>& units_of(dimension what) { return notation_of(what).units; }

const std::vector<std::string_view>& words_of(dimension what) { return notation_of(what).words; }

std::string word_names(dimension what) { return fmt::format("one of {}", fmt::join(words_of(what), " ")); }

std::optional<double> word_called(dimension what, std::string_view name) {
  const std::vector<std::string_view>& words = words_of(what);
  const auto found = std::find(words.begin(), words.end(), name);
  if (found == words.end()) return std::nullopt;
  return static_cast<double>(found - words.begin());
}

std::string unit_names(dimension what) {
  const std::vector<unit>& units = units_of(what);
  std::string text = units.size() > 1 ? "one of" : "";
  for (const unit& unit : units) text += fmt::format("{}{}", text.empty() ? "" : " ", unit.name);
  return text;
}

const std::vector<figure_table>& machine_tables() {
  using m = machine_model;
  static const std::vector<figure_table> tables = {
      {"",
       true,
       {of_member<m, &m::sockets>("sockets", dimension::count, some_cores),
        of_member<m, &m::cores_per_socket>("cores_per_socket", dimension::count, some_cores),
        optional_member<m, &m::threads_per_core>("threads_per_core", dimension::count, range{1, 16}, 1),
        optional_member<m, &m::smt_rate>("smt_rate", dimension::ratio, range{1, 16}, 1),
        of_member<m, &m::compute_rate>("compute_rate", dimension::ratio, range{0.001, 1000}),
        optional_member<m, &m::vector_rate>("vector_rate", dimension::ratio, range{0.001, 1000}),
        of_member<m, &m::overlap>("overlap", dimension::ratio, range{0, 1}),
        of_member<m, &m::block>("block", dimension::size, range{64, 4096}),
        of_member<m, &m::page>("page", dimension::size, range{1, 1 << 30}),
        of_member<m, &m::local_rate>("local_rate", dimension::rate, some_rate),
        of_member<m, &m::remote_rate>("remote_rate", dimension::rate, some_rate),
        optional_member<m, &m::write_rate>("write_rate", dimension::rate, some_rate),
        optional_member<m, &m::clean_lines>("clean_lines", dimension::supply, any_word)}},
      {"ramp",
       false,
       {optional_member<m, &m::slow_start, &m::ramp::length>("length", dimension::size, range{64, 1 << 20}),
        optional_member<m, &m::slow_start, &m::ramp::rate>("rate", dimension::rate, some_rate),
        optional_member<m, &m::slow_start, &m::ramp::line_rate>("line_rate", dimension::rate, some_rate),
        optional_member<m, &m::slow_start, &m::ramp::overlap>("overlap", dimension::ratio, range{0, 1}, -1)}},
      {"private_cache",
       false,
       {of_member<m, &m::private_cache, &m::cache::size>("size", dimension::size, some_bytes),
        of_member<m, &m::private_cache, &m::cache::rate>("rate", dimension::rate, some_rate),
        of_member<m, &m::private_cache, &m::cache::latency>("latency", dimension::time, some_time)}},
      {"shared_cache",
       false,
       {of_member<m, &m::shared_cache, &m::cache::size>("size", dimension::size, some_bytes),
        of_member<m, &m::shared_cache, &m::cache::rate>("rate", dimension::rate, some_rate),
        of_member<m, &m::shared_cache_total>("total_rate", dimension::rate, some_rate),
        of_member<m, &m::shared_cache, &m::cache::latency>("latency", dimension::time, some_time),
        optional_member<m, &m::shared_cache, &m::cache::overlap>("overlap", dimension::ratio, range{0, 1}, -1),
        optional_member<m, &m::fill>("policy", dimension::fill, any_word),
        optional_member<m, &m::drops>("replacement", dimension::replacement, any_word),
        optional_member<m, &m::shared_cache_cores>("cores", dimension::count, some_cores)}},
      {"cost",
       true,
       {of_member<m, &m::cost, &m::costs::spawn>("spawn", dimension::time, some_time),
        of_member<m, &m::cost, &m::costs::join>("join", dimension::time, some_time),
        of_member<m, &m::cost, &m::costs::place>("place", dimension::time, some_time),
        of_member<m, &m::cost, &m::costs::suspend>("suspend", dimension::time, some_time),
        of_member<m, &m::cost, &m::costs::steal_local>("steal_local", dimension::time, some_time),
        of_member<m, &m::cost, &m::costs::steal_remote>("steal_remote", dimension::time, some_time),
        of_member<m, &m::cost, &m::costs::look_local>("look_local", dimension::time, some_time),
        of_member<m, &m::cost, &m::costs::look_remote>("look_remote", dimension::time, some_time),
        of_member<m, &m::cost, &m::costs::wake>("wake", dimension::time, some_time),
        optional_member<m, &m::cost, &m::costs::wake_call>("wake_call", dimension::time, some_time, -1),
        optional_member<m, &m::cost, &m::costs::turn_local>("turn_local", dimension::time, some_time, -1),
        optional_member<m, &m::cost, &m::costs::turn_remote>("turn_remote", dimension::time, some_time, -1)}},
  };
  return tables;
}

const std::vector<figure<machine_model::memory_node>>& node_figures() {
  using n = machine_model::memory_node;
  using c = machine_model::side_cache;
  static const std::vector<figure<n>> figures = {of_member<n, &n::capacity>("capacity", dimension::size, some_bytes),
                                                 of_member<n, &n::bandwidth>("bandwidth", dimension::rate, some_rate),
                                                 of_member<n, &n::latency>("latency", dimension::time, some_time),
                                                 optional_member<n, &n::rate>("rate", dimension::rate, some_rate),
                                                 of_cache<&c::size>("cache_size", dimension::size, some_bytes),
                                                 of_cache<&c::bandwidth>("cache_bandwidth", dimension::rate, some_rate),
                                                 of_cache<&c::latency>("cache_latency", dimension::time, some_time),
                                                 of_cache<&c::rate>("cache_rate", dimension::rate, some_rate)};
  return figures;
}

const std::vector<figure<machine_model::link>>& link_figures() {
  using l = machine_model::link;
  static const std::vector<figure<l>> figures = {of_member<l, &l::bandwidth>("bandwidth", dimension::rate, some_rate),
                                                 of_member<l, &l::latency>("latency", dimension::time, some_time)};
  return figures;
}

std::string full_key(std::string_view table, std::string_view key) {
  return table.empty() ? std::string(key) : fmt::format("{}.{}", table, key);
}

std::string node_key(std::size_t node, std::string_view key) { return fmt::format("node.{}.{}", node, key); }

std::string link_key(const machine_model::link& link, std::string_view key) {
  return fmt::format("link.{}-{}.{}", link.from, link.to, key);
}

std::optional<std::string> outside(dimension what, const range& allowed, double value) {
  if (!words_of(what).empty()) return std::nullopt;  // no word, no value
  const bool whole = what == dimension::count || what == dimension::size;
  // False for NaN as well.
  if (value >= allowed.least && value <= allowed.most && (!whole || value == std::floor(value))) return std::nullopt;
  std::string expected =
      whole ? (what == dimension::size ? "a whole number of bytes " : "a whole number ") : "a number ";
  expected += fmt::format("from {} to {}", number_text(allowed.least), number_text(allowed.most));
  if (what == dimension::rate) expected += " GB/s";
  if (what == dimension::time) expected += " ns";
  return expected;
}

std::string number_text(double value) {
  // Whole numbers in full: a size of 1e+06 bytes is hard to read.
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{}", static_cast<long long>(value));
  return fmt::format("{}", value);
}

std::string value_text(dimension what, double value) {
  const std::vector<std::string_view>& words = words_of(what);
  return words.empty() ? number_text(value) : std::string(words.at(static_cast<std::size_t>(value)));
}

amount readable(dimension what, double value) {
  const std::vector<unit>& units = units_of(what);
  amount best{value, units.front().name};
  if (what != dimension::size) return best;
  for (const unit& unit : units) {
    const double number = value / unit.scale;
    if (number >= 1 && number == std::floor(number)) best = {number, unit.name};
  }
  return best;
}

const machine_model::provenance* find_origin(const machine_model& model, std::string_view key) {
  const auto found = std::find_if(model.origins.begin(), model.origins.end(),
                                  [&](const machine_model::provenance& origin) { return origin.key == key; });
  return found != model.origins.end() ? &*found : nullptr;
}

machine_model::provenance* find_origin(machine_model& model, std::string_view key) {
  return const_cast<machine_model::provenance*>(find_origin(std::as_const(model), key));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string line = "'";
  for (const char c : text.substr(0, longest)) line += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return line + (text.size() > longest ? "...'" : "'");
}

std::optional<machine_model::memory_kind> kind_called(std::string_view name) { return value_in(kinds, name); }
std::optional<machine_model::origin> origin_called(std::string_view name) { return value_in(origins, name); }

}  // namespace models
}  // namespace jackdaw
