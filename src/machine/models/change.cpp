#include "machine/models/change.hpp"

#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <charconv>

#include "machine/machine_file.hpp"

namespace jackdaw {
namespace models {
namespace {

std::vector<std::string_view> split(std::string_view key) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t dot = key.find('.');
    parts.push_back(key.substr(0, dot));
    if (dot == key.npos) return parts;
    key.remove_prefix(dot + 1);
  }
}

template <class T>
const figure<T>* figure_called(const std::vector<figure<T>>& figures, std::string_view key) {
  for (const figure<T>& figure : figures) {
    if (figure.key == key) return &figure;
  }
  return nullptr;
}

// The figure of those elements of machine_model::*LIST for which `chosen` is true.
template <class T, class Chosen, class KeyOf>
std::vector<chosen_figure> of_elements(const machine_model& model, std::vector<T> machine_model::* list,
                                       const figure<T>& figure, Chosen chosen, KeyOf key_of) {
  std::vector<chosen_figure> all;
  for (std::size_t i = 0; i < (model.*list).size(); ++i) {
    if (!chosen(i, (model.*list)[i])) continue;
    all.push_back({key_of(i, (model.*list)[i]), figure.what, figure.allowed, figure.absent,
                   [list, i, get = figure.get](const machine_model& of) { return get((of.*list)[i]); },
                   [list, i, set = figure.set](machine_model& of, double value) { set((of.*list)[i], value); }});
  }
  return all;
}

std::vector<chosen_figure> of_nodes(const machine_model& model, std::string_view which, std::string_view key) {
  const auto* const figure = figure_called(node_figures(), key);
  if (figure == nullptr) return {};
  const auto chosen = [&](std::size_t i, const machine_model::memory_node& node) {
    return which.empty() || which == fmt::format("{}", i) || which == name_of(node.kind);
  };
  return of_elements(model, &machine_model::nodes, *figure, chosen,
                     [&](std::size_t i, const auto&) { return node_key(i, figure->key); });
}

std::vector<chosen_figure> of_links(const machine_model& model, std::string_view which, std::string_view key) {
  const auto* const figure = figure_called(link_figures(), key);
  if (figure == nullptr) return {};
  const auto chosen = [&](std::size_t, const machine_model::link& link) {
    return which.empty() || which == fmt::format("{}-{}", link.from, link.to) ||
           which == fmt::format("{}-{}", link.to, link.from);
  };
  return of_elements(model, &machine_model::links, *figure, chosen,
                     [&](std::size_t, const auto& link) { return link_key(link, figure->key); });
}

}  // namespace

std::vector<chosen_figure> figures_called(const machine_model& model, std::string_view key) {
  const std::vector<std::string_view> parts = split(key);
  if (parts.size() > 3) return {};
  const std::string_view which = parts.size() == 3 ? parts[1] : std::string_view();
  const bool nameless = parts.size() == 3 && which.empty();
  if (parts.size() > 1 && !nameless) {
    if (parts[0] == "node") return of_nodes(model, which, parts.back());
    if (parts[0] == "link") return of_links(model, which, parts.back());
  }
  for (const figure_table& table : machine_tables()) {
    for (const figure<machine_model>& figure : table.figures) {
      if (full_key(table.name, figure.key) != key) continue;
      return {{std::string(key), figure.what, figure.allowed, figure.absent, figure.get, figure.set}};
    }
  }
  return {};
}

}  // namespace models

std::vector<std::string> figure_keys(const machine_model& model) {
  std::vector<std::string> keys;
  for (const models::figure_table& table : models::machine_tables()) {
    for (const auto& figure : table.figures) keys.push_back(models::full_key(table.name, figure.key));
  }
  if (!model.nodes.empty()) {
    for (const auto& figure : models::node_figures()) keys.push_back(models::full_key("node", figure.key));
  }
  if (!model.links.empty()) {
    for (const auto& figure : models::link_figures()) keys.push_back(models::full_key("link", figure.key));
  }
  return keys;
}

namespace {

// "12", "12gb_per_s", "x0.5".
struct new_value {
  double number = 0;
  bool factor = false;
};

new_value parse_value(std::string_view key, std::string_view value, models::dimension what) {
  if (!models::words_of(what).empty()) {
    if (const auto word = models::word_called(what, value)) return {*word, false};
    throw error(fmt::format("{}: {}, expected {}", key, models::in_quotes(value), models::word_names(what)));
  }
  const auto refuse = [&] {
    throw error(fmt::format("{}: {}, expected a number, alone or with {}, or a factor like x0.5", key,
                            models::in_quotes(value), models::unit_names(what)));
  };
  new_value found;
  found.factor = value.starts_with('x');
  const char* const first = value.data() + (found.factor ? 1 : 0);
  const char* const last = value.data() + value.size();
  const auto [end, code] = std::from_chars(first, last, found.number);
  if (code != std::errc()) refuse();
  const std::string_view unit(end, static_cast<std::size_t>(last - end));
  if (unit.empty()) return found;
  if (!found.factor) {
    for (const models::unit& known : models::units_of(what)) {
      if (known.name != unit) continue;
      found.number *= known.scale;
      return found;
    }
  }
  refuse();
  return found;
}

}  // namespace

void set_figure(machine_model& model, std::string_view key, std::string_view value) {
  const std::vector<models::chosen_figure> figures = models::figures_called(model, key);
  if (figures.empty()) {
    throw error(fmt::format("{}: no such figure of machine {}, expected one of {}", models::in_quotes(key), model.name,
                            fmt::join(figure_keys(model), " ")));
  }
  const new_value given = parse_value(key, value, figures.front().what);
  machine_model changed = model;
  bool any = false;
  for (const models::chosen_figure& figure : figures) {
    if (given.factor && !figure.is_given(model)) continue;
    any = true;
    const double result = given.factor ? figure.get(model) * given.number : given.number;
    if (const auto wrong = models::outside(figure.what, figure.allowed, result)) {
      throw error(fmt::format("{}: {}, expected {}", figure.key, models::number_text(result), *wrong));
    }
    figure.set(changed, result);
    std::string note = fmt::format("set to {} by hand", value);
    if (machine_model::provenance* const origin = models::find_origin(changed, figure.key)) {
      origin->from = machine_model::origin::assumed;
      origin->note = std::move(note);
      origin->range.reset();
    } else {
      changed.origins.push_back({figure.key, machine_model::origin::assumed, std::move(note), "", 0, {}});
    }
  }
  if (!any) {
    throw error(fmt::format("{}={}: machine {} does not give it, expected a number", key, value, model.name));
  }
  for (const auto& [table, size] :
       {std::pair("private_cache", changed.private_cache.size), std::pair("shared_cache", changed.shared_cache.size)}) {
    if (size == 0 && key.starts_with(table))
      throw error(fmt::format("{}={}: machine {} has no {}, expected one with a size", key, value, model.name, table));
  }
  if (const auto wrong = models::find_mistake(changed)) {
    throw error(fmt::format("{}={}: {}: {}", key, value, wrong->key, wrong->what));
  }
  model = std::move(changed);
}

}  // namespace jackdaw
