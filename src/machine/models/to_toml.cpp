#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "machine/machine_file.hpp"
#include "machine/models/figure.hpp"

namespace jackdaw {
namespace {

std::string toml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (code < ' ' || code == 0x7f) {
      quoted += fmt::format("\\u{:04x}", code);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

// { mib = 22, from = "paper", note = "Table 1" }
std::string figure_text(const machine_model& model, const std::string& key, models::dimension what, double value) {
  const models::amount amount = models::readable(what, value);
  const machine_model::provenance* const origin = models::find_origin(model, key);
  const auto from = origin != nullptr ? origin->from : machine_model::origin::assumed;
  const std::string note = origin != nullptr && !origin->note.empty() ? origin->note : "no note";
  const std::string number = models::value_text(what, amount.number);
  std::string range;
  if (origin != nullptr && origin->range) {
    const double scale = value != 0 ? amount.number / value : 1;
    range = fmt::format("range = [{}, {}], ", models::number_text((*origin->range)[0] * scale),
                        models::number_text((*origin->range)[1] * scale));
  }
  return fmt::format("{{ {} = {}, {}from = \"{}\", note = {} }}", amount.unit,
                     models::words_of(what).empty() ? number : toml_text(number), range, name_of(from),
                     toml_text(note));
}

// The file's entries, each with its subject. Neighbours that differ only in their subject become one entry.
struct entry {
  std::string subject;
  std::string rest;
};

std::vector<std::pair<std::vector<std::string>, std::string>> grouped(const std::vector<entry>& entries) {
  std::vector<std::pair<std::vector<std::string>, std::string>> groups;
  for (const entry& entry : entries) {
    if (groups.empty() || groups.back().second != entry.rest) groups.push_back({{}, entry.rest});
    groups.back().first.push_back(entry.subject);
  }
  return groups;
}

std::string list_or_one(const std::vector<std::string>& items) {
  if (items.size() == 1) return items.front();
  return fmt::format("[{}]", fmt::join(items, ", "));
}

template <class T, class KeyOf>
std::string figures_text(const machine_model& model, const std::vector<models::figure<T>>& figures, const T& of,
                         KeyOf key_of) {
  std::string text;
  for (const auto& figure : figures) {
    const double value = figure.get(of);
    const std::string key = key_of(figure.key);
    if (value == figure.absent && models::find_origin(model, key) == nullptr) continue;
    text += fmt::format("{} = {}\n", figure.key, figure_text(model, key, figure.what, value));
  }
  return text;
}

std::string nodes_text(const machine_model& model) {
  std::vector<entry> entries;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const auto& node = model.nodes[i];
    entries.push_back({fmt::format("{}", node.socket),
                       fmt::format("kind = \"{}\"\n", name_of(node.kind)) +
                           figures_text(model, models::node_figures(), node,
                                        [&](std::string_view key) { return models::node_key(i, key); })});
  }
  std::string text;
  for (const auto& [sockets, rest] : grouped(entries)) {
    text += fmt::format("\n[[node]]\nsocket = {}\n{}", list_or_one(sockets), rest);
  }
  return text;
}

std::string links_text(const machine_model& model) {
  const auto figures = [&](const machine_model::link& link) {
    return figures_text(model, models::link_figures(), link,
                        [&](std::string_view key) { return models::link_key(link, key); });
  };
  std::vector<entry> entries;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const machine_model::link& link = model.links[i];
    std::string rest = figures(link);
    // The opposite direction joins the entry if it follows and has the same figures.
    const bool both = i + 1 < model.links.size() && model.links[i + 1].from == link.to &&
                      model.links[i + 1].to == link.from && figures(model.links[i + 1]) == rest;
    if (both) ++i;
    entries.push_back({fmt::format("[{}, {}]", link.from, link.to), (both ? "" : "one_way = true\n") + rest});
  }
  std::string text;
  for (const auto& [pairs, rest] : grouped(entries)) {
    text += fmt::format("\n[[link]]\nbetween = {}\n{}", list_or_one(pairs), rest);
  }
  return text;
}

}  // namespace

std::string to_toml(const machine_model& model) {
  std::string text = fmt::format("name = {}\ndescription = {}\n", toml_text(model.name), toml_text(model.description));
  for (const models::figure_table& table : models::machine_tables()) {
    const bool absent = !table.required && table.figures.front().get(model) == 0;
    if (absent) continue;
    text += '\n';
    if (!table.name.empty()) text += fmt::format("[{}]\n", table.name);
    text += figures_text(model, table.figures, model,
                         [&](std::string_view key) { return models::full_key(table.name, key); });
  }
  return text + nodes_text(model) + links_text(model);
}

}  // namespace jackdaw
