#include "machine/models/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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

namespace models {
namespace {

constexpr double most_bytes = 1ULL << 50;
constexpr range some_bytes{1, false, most_bytes};
constexpr range some_rate{0, true, 1e6};
constexpr range some_time{0, false, 1e9};
constexpr range some_cores{1, false, 4096};

template <class T>
void assign(T& to, double value) {
  to = static_cast<T>(value);
}

}  // namespace

// One figure that is the member WHERE of an object of type T.
#define JACKDAW_FIGURE(T, KEY, WHAT, ALLOWED, WHERE)          \
  {KEY,                                                       \
   dimension::WHAT,                                           \
   ALLOWED,                                                   \
   true,                                                      \
   [](const T& of) { return static_cast<double>(of.WHERE); }, \
   [](T& of, double value) { assign(of.WHERE, value); }}

const std::vector<unit>& units_of(dimension what) {
  static const std::vector<unit> count = {{"count", 1}};
  static const std::vector<unit> ratio = {{"ratio", 1}};
  static const std::vector<unit> size = {
      {"bytes", 1}, {"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1ULL << 40}};
  static const std::vector<unit> rate = {{"gb_per_s", 1}};
  static const std::vector<unit> time = {{"ns", 1}, {"us", 1000}};
  switch (what) {
    case dimension::count:
      return count;
    case dimension::ratio:
      return ratio;
    case dimension::size:
      return size;
    case dimension::rate:
      return rate;
    case dimension::time:
      return time;
  }
  return ratio;
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
       {JACKDAW_FIGURE(m, "sockets", count, some_cores, sockets),
        JACKDAW_FIGURE(m, "cores_per_socket", count, some_cores, cores_per_socket),
        JACKDAW_FIGURE(m, "compute_rate", ratio, (range{0, true, 1000}), compute_rate),
        JACKDAW_FIGURE(m, "overlap", ratio, (range{0, false, 1}), overlap),
        JACKDAW_FIGURE(m, "block", size, (range{1, false, 4096}), block),
        JACKDAW_FIGURE(m, "page", size, (range{1, false, 1 << 30}), page),
        JACKDAW_FIGURE(m, "local_rate", rate, some_rate, local_rate),
        JACKDAW_FIGURE(m, "remote_rate", rate, some_rate, remote_rate)}},
      {"private_cache",
       false,
       {JACKDAW_FIGURE(m, "size", size, some_bytes, private_cache.size),
        JACKDAW_FIGURE(m, "rate", rate, some_rate, private_cache.rate),
        JACKDAW_FIGURE(m, "latency", time, some_time, private_cache.latency)}},
      {"shared_cache",
       false,
       {JACKDAW_FIGURE(m, "size", size, some_bytes, shared_cache.size),
        JACKDAW_FIGURE(m, "rate", rate, some_rate, shared_cache.rate),
        JACKDAW_FIGURE(m, "total_rate", rate, some_rate, shared_cache_total),
        JACKDAW_FIGURE(m, "latency", time, some_time, shared_cache.latency)}},
      {"cost",
       true,
       {JACKDAW_FIGURE(m, "spawn", time, some_time, cost.spawn), JACKDAW_FIGURE(m, "join", time, some_time, cost.join),
        JACKDAW_FIGURE(m, "place", time, some_time, cost.place),
        JACKDAW_FIGURE(m, "suspend", time, some_time, cost.suspend),
        JACKDAW_FIGURE(m, "steal_local", time, some_time, cost.steal_local),
        JACKDAW_FIGURE(m, "steal_remote", time, some_time, cost.steal_remote),
        JACKDAW_FIGURE(m, "look_local", time, some_time, cost.look_local),
        JACKDAW_FIGURE(m, "look_remote", time, some_time, cost.look_remote),
        JACKDAW_FIGURE(m, "wake", time, some_time, cost.wake)}},
  };
  return tables;
}

const std::vector<figure<machine_model::memory_node>>& node_figures() {
  using n = machine_model::memory_node;
  static const std::vector<figure<n>> figures = [] {
    std::vector<figure<n>> all = {JACKDAW_FIGURE(n, "capacity", size, some_bytes, capacity),
                                  JACKDAW_FIGURE(n, "bandwidth", rate, some_rate, bandwidth),
                                  JACKDAW_FIGURE(n, "latency", time, some_time, latency),
                                  JACKDAW_FIGURE(n, "rate", rate, some_rate, rate)};
    all.back().required = false;
    return all;
  }();
  return figures;
}

const std::vector<figure<machine_model::link>>& link_figures() {
  using l = machine_model::link;
  static const std::vector<figure<l>> figures = {JACKDAW_FIGURE(l, "bandwidth", rate, some_rate, bandwidth),
                                                 JACKDAW_FIGURE(l, "latency", time, some_time, latency)};
  return figures;
}

#undef JACKDAW_FIGURE

std::string full_key(std::string_view table, std::string_view key) {
  return table.empty() ? std::string(key) : fmt::format("{}.{}", table, key);
}

std::string node_key(std::size_t node, std::string_view key) { return fmt::format("node.{}.{}", node, key); }

std::string link_key(const machine_model::link& link, std::string_view key) {
  return fmt::format("link.{}-{}.{}", link.from, link.to, key);
}

std::optional<std::string> outside(dimension what, const range& allowed, double value) {
  const bool whole = what == dimension::count || what == dimension::size;
  const bool enough = allowed.open ? value > allowed.least : value >= allowed.least;
  // False for NaN as well.
  if (enough && value <= allowed.most && (!whole || value == std::floor(value))) return std::nullopt;
  std::string expected =
      whole ? (what == dimension::size ? "a whole number of bytes " : "a whole number ") : "a number ";
  expected += allowed.open
                  ? fmt::format("above {} and at most {}", number_text(allowed.least), number_text(allowed.most))
                  : fmt::format("from {} to {}", number_text(allowed.least), number_text(allowed.most));
  if (what == dimension::rate) expected += " GB/s";
  if (what == dimension::time) expected += " ns";
  return expected;
}

std::string number_text(double value) {
  // Whole numbers in full: a size of 1e+06 bytes is hard to read.
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{}", static_cast<long long>(value));
  return fmt::format("{}", value);
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

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string line = "'";
  for (const char c : text.substr(0, longest)) line += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return line + (text.size() > longest ? "...'" : "'");
}

std::optional<machine_model::memory_kind> kind_called(std::string_view name) { return value_in(kinds, name); }
std::optional<machine_model::origin> origin_called(std::string_view name) { return value_in(origins, name); }

}  // namespace models
}  // namespace jackdaw
