#include "machine/models/reader.hpp"

#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <algorithm>

namespace jackdaw::models {
namespace {

// A node's description, for "X, expected Y".
std::string called(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return in_quotes(*text);
  if (const auto number = node.value_exact<std::int64_t>()) return fmt::format("{}", *number);
  if (const auto number = node.value_exact<double>()) return number_text(*number);
  if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
  if (node.is_table()) return "a table";
  if (node.is_array()) return "an array";
  return "a date or time";
}

std::string figure_form(dimension what) {
  const std::vector<unit>& units = units_of(what);
  return fmt::format("{{ {} = {}, from = \"...\", note = \"...\" }}", units.front().name,
                     words_of(what).empty() ? "NUMBER" : "\"WORD\"");
}

}  // namespace

void refuse(const place& where, const std::string& what) {
  if (where.line == 0) throw error(fmt::format("{}: {}", where.file, what));
  throw error(fmt::format("{}:{}: {}", where.file, where.line, what));
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::optional<std::string> reader::text(std::string_view key) const {
  const toml::node* const node = document_.get(key);
  if (node == nullptr) return std::nullopt;
  auto value = node->value_exact<std::string>();
  if (!value) refuse(where(*node), fmt::format("{}: {}, expected text in quotes", key, called(*node)));
  if (value->empty() || value->find('\n') != std::string::npos) {
    refuse(where(*node), fmt::format("{}: {}, expected one line of text", key, in_quotes(*value)));
  }
  return value;
}

double reader::word(const toml::node& node, const std::string& key, dimension what) const {
  const auto text = node.value_exact<std::string>();
  const auto value = text ? word_called(what, *text) : std::nullopt;
  if (!value) refuse(where(node), fmt::format("{}: {}, expected {}", key, called(node), word_names(what)));
  return *value;
}

double reader::number(const toml::node& node, const std::string& key) const {
  if (const auto value = node.value_exact<std::int64_t>()) return static_cast<double>(*value);
  if (const auto value = node.value_exact<double>()) return *value;
  refuse(where(node), fmt::format("{}: {}, expected a number", key, called(node)));
}

std::array<double, 2> reader::range_of(const toml::node& node, const std::string& key) const {
  const toml::array* const ends = node.as_array();
  if (ends == nullptr || ends->size() != 2) {
    refuse(where(node), fmt::format("{}.range: {}, expected two numbers like [0.4, 0.8]", key, called(node)));
  }
  return {number(*ends->get(0), key + ".range"), number(*ends->get(1), key + ".range")};
}

written_figure reader::read_figure(const toml::node& node, const std::string& key, dimension what, const range& allowed,
                                   bool may_be_factor) const {
  const toml::table* const fields = node.as_table();
  if (fields == nullptr) {
    refuse(where(node), fmt::format("{}: {}, expected {}", key, called(node), figure_form(what)));
  }
  written_figure found;
  found.origin.key = key;
  found.origin.file = file_;
  found.origin.line = where(node).line;
  bool has_value = false, has_origin = false;
  const toml::node* range_node = nullptr;
  double scale = 1;
  for (const auto& [name, field] : *fields) {
    if (name == "from") {
      const auto text = field.value_exact<std::string>();
      const auto origin = text ? origin_called(*text) : std::nullopt;
      if (!origin) {
        refuse(where(field),
               fmt::format("{}.from: {}, expected one of paper datasheet measured assumed", key, called(field)));
      }
      found.origin.from = *origin;
      has_origin = true;
      continue;
    }
    if (name == "note") {
      const auto text = field.value_exact<std::string>();
      if (!text || text->empty() || text->find('\n') != std::string::npos) {
        refuse(where(field), fmt::format("{}.note: {}, expected one line of text", key, called(field)));
      }
      found.origin.note = *text;
      continue;
    }
    if (name == "range" && words_of(what).empty()) {
      found.origin.range = range_of(field, key);
      range_node = &field;
      continue;
    }
    const std::vector<unit>& units = units_of(what);
    const auto unit = std::find_if(units.begin(), units.end(), [&](const auto& u) { return u.name == name.str(); });
    const bool is_word = !words_of(what).empty();
    const bool factor = may_be_factor && !is_word && name == "times";
    if (unit == units.end() && !factor) {
      refuse(where(field), fmt::format("{}: unknown key {}, expected {} and from, note", key, in_quotes(name.str()),
                                       unit_names(what) + (may_be_factor && !is_word ? " or times" : "")));
    }
    if (has_value) refuse(where(field), fmt::format("{}: two values, expected {}", key, unit_names(what)));
    has_value = true;
    found.factor = factor;
    if (unit != units.end()) scale = unit->scale;
    found.value = is_word ? word(field, key, what) : number(field, key) * (factor ? 1 : unit->scale);
    const auto wrong =
        factor ? outside(dimension::ratio, {1e-6, 1e6}, found.value) : outside(what, allowed, found.value);
    if (wrong) refuse(where(field), fmt::format("{}: {}, expected {}", key, called(field), *wrong));
  }
  if (!has_value) refuse(where(node), fmt::format("{}: no value, expected {}", key, unit_names(what)));
  if (!has_origin) {
    refuse(where(node), fmt::format("{}: no 'from', expected one of paper datasheet measured assumed", key));
  }
  if (found.origin.note.empty()) {
    refuse(where(node), fmt::format("{}: no 'note', expected a few words on where it comes from", key));
  }
  if (found.origin.range) {
    const auto wrong = [&](const std::string& text) {
      refuse(where(*range_node), fmt::format("{}.range: {}", key, text));
    };
    auto& [least, most] = *found.origin.range;
    least *= scale;
    most *= scale;
    if (found.origin.from != machine_model::origin::assumed) wrong("not of an assumed figure, expected none");
    if (found.factor) wrong("of a factor, expected a value");
    for (const double end : {least, most}) {
      if (const auto bad = outside(what, allowed, end)) wrong(fmt::format("{}, expected {}", number_text(end), *bad));
    }
    if (!(least < most && least <= found.value && found.value <= most)) {
      wrong(fmt::format("{} to {}, expected the least, then the most, and {} between them", number_text(least),
                        number_text(most), number_text(found.value)));
    }
  }
  return found;
}

const toml::table& reader::table(const toml::node& node, std::string_view key) const {
  if (const toml::table* const found = node.as_table()) return *found;
  refuse(where(node), fmt::format("{}: {}, expected a table [{}]", key, called(node), key));
}

std::vector<const toml::table*> reader::entries(const toml::node& node, std::string_view key) const {
  const toml::array* const list = node.as_array();
  if (list == nullptr) refuse(where(node), fmt::format("{}: {}, expected entries [[{}]]", key, called(node), key));
  std::vector<const toml::table*> all;
  for (const toml::node& entry : *list) {
    if (!entry.is_table()) refuse(where(entry), fmt::format("{}: {}, expected a table", key, called(entry)));
    all.push_back(entry.as_table());
  }
  return all;
}

unsigned reader::socket(const toml::node& node, std::string_view key) const {
  const auto number = node.value_exact<std::int64_t>();
  if (!number || *number < 0 || *number > 4095) {
    refuse(where(node), fmt::format("{}: {}, expected the number of a socket", key, called(node)));
  }
  return static_cast<unsigned>(*number);
}

std::vector<unsigned> reader::sockets(const toml::node& node) const {
  const toml::array* const list = node.as_array();
  if (list == nullptr) return {socket(node, "socket")};
  std::vector<unsigned> all;
  for (const toml::node& entry : *list) all.push_back(socket(entry, "socket"));
  if (all.empty()) refuse(where(node), "socket: an empty array, expected the numbers of sockets");
  return all;
}

std::vector<std::pair<unsigned, unsigned>> reader::pairs(const toml::node& node) const {
  const char* const expected = "expected two sockets like [0, 1], or an array of such pairs";
  const toml::array* const list = node.as_array();
  if (list == nullptr || list->empty()) refuse(where(node), fmt::format("between: {}, {}", called(node), expected));
  const auto pair = [&](const toml::array& ends) {
    if (ends.size() != 2) refuse(where(ends), fmt::format("between: {} numbers, {}", ends.size(), expected));
    return std::pair(socket(*ends.get(0), "between"), socket(*ends.get(1), "between"));
  };
  if (!list->get(0)->is_array()) return {pair(*list)};
  std::vector<std::pair<unsigned, unsigned>> all;
  for (const toml::node& entry : *list) {
    if (!entry.is_array()) refuse(where(entry), fmt::format("between: {}, {}", called(entry), expected));
    all.push_back(pair(*entry.as_array()));
  }
  return all;
}

bool reader::flag(const toml::node& node, std::string_view key) const {
  if (const auto value = node.value_exact<bool>()) return *value;
  refuse(where(node), fmt::format("{}: {}, expected true or false", key, called(node)));
}

machine_model::memory_kind reader::kind(const toml::node& node) const {
  const auto text = node.value_exact<std::string>();
  if (const auto kind = text ? kind_called(*text) : std::nullopt) return *kind;
  refuse(where(node), fmt::format("kind: {}, expected one of dram hbm cxl", called(node)));
}

void reader::refuse_others(const toml::table& table, std::string_view name,
                           const std::vector<std::string>& known) const {
  for (const auto& [key, node] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    const auto line = static_cast<int>(key.source().begin.line);
    refuse({file_, line != 0 ? line : where(node).line},
           fmt::format("unknown key {}, expected one of {}", in_quotes(full_key(name, key.str())), joined(known)));
  }
}

}  // namespace jackdaw::models
