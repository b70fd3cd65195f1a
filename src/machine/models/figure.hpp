#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/model.hpp"

/// The figures of a machine file as data: reading, writing, checking and changing them all go through these tables.
namespace jackdaw::models {

enum class dimension : std::uint8_t { count, ratio, size, rate, time, fill, supply, replacement };

/// One way to write a value of some dimension: `mib = 2`.
struct unit {
  std::string_view name;
  double scale = 1;  ///< in the model's unit of that dimension
};

/// The first unit is the model's own: bytes, bytes per ns, ns.
const std::vector<unit>& units_of(dimension what);
/// "one of bytes kib mib gib tib"
std::string unit_names(dimension what);

/// The words that a figure of this kind is one of, in the order of the values that they stand for: 0, 1, ...; empty if
/// it is a number.
const std::vector<std::string_view>& words_of(dimension what);
/// "one of victim inclusive exclusive"
std::string word_names(dimension what);
std::optional<double> word_called(dimension what, std::string_view name);

struct range {
  double least = 0;
  double most = 0;
};

/// A figure of T: the machine, a node or a link.
template <class T>
struct figure {
  std::string_view key;  ///< below the table or entry that holds it
  dimension what;
  range allowed;
  std::optional<double> absent;  ///< what `get` returns if the figure is not given; nullopt: it has to be given
  double (*get)(const T&);
  void (*set)(T&, double);
};

/// The figures of one table of the file; if the table is optional, all or none are given.
struct figure_table {
  std::string_view name;  ///< empty: the top level
  bool required = true;
  std::vector<figure<machine_model>> figures;
};

const std::vector<figure_table>& machine_tables();
const std::vector<figure<machine_model::memory_node>>& node_figures();
const std::vector<figure<machine_model::link>>& link_figures();

/// "private_cache.size"; a table without a name adds nothing.
std::string full_key(std::string_view table, std::string_view key);
std::string node_key(std::size_t node, std::string_view key);
std::string link_key(const machine_model::link& link, std::string_view key);

/// Empty if `value` can be a figure of this kind; else what was expected: "a number from 0.001 to 1000000".
std::optional<std::string> outside(dimension what, const range& allowed, double value);

/// The shortest text that reads back as the same number.
std::string number_text(double value);
/// The same, or the word that the value stands for.
std::string value_text(dimension what, double value);
/// The value with a unit in which it is easy to read: "22 mib"; `quiet` leaves out count and ratio.
struct amount {
  double number = 0;
  std::string_view unit;
};
amount readable(dimension what, double value);

machine_model::provenance* find_origin(machine_model& model, std::string_view key);
const machine_model::provenance* find_origin(const machine_model& model, std::string_view key);

/// A mistake in a model whose figures are each within their range, and the figure that shows it best.
struct mistake {
  std::string key;  ///< of a figure, or "node" or "link" if there is none of them
  std::string what;
};
std::optional<mistake> find_mistake(const machine_model& model);
/// A figure that no machine has beside the others: a core faster than every memory node, a memory-side cache larger
/// than what is behind it. Experiments may want it, so only files are checked for it. A measured figure is believed.
std::optional<mistake> find_impossible(const machine_model& model);

/// A user's text in quotes, fit for a one-line message.
std::string in_quotes(std::string_view text);

std::optional<machine_model::memory_kind> kind_called(std::string_view name);
std::optional<machine_model::origin> origin_called(std::string_view name);

}  // namespace jackdaw::models
