#include "machine/machine_file.hpp"

#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <tuple>

#include "machine/models/change.hpp"
#include "machine/models/figure.hpp"
#include "machine/models/reader.hpp"

namespace jackdaw {
namespace {

using models::place;
using models::reader;
using models::refuse;
namespace fs = std::filesystem;

// The chain of files from the requested one to the one being read.
using chain = std::vector<fs::path>;

machine_model load(const fs::path& path, chain files);

void put_origin(machine_model& model, machine_model::provenance origin) {
  if (machine_model::provenance* const known = models::find_origin(model, origin.key)) {
    *known = std::move(origin);
  } else {
    model.origins.push_back(std::move(origin));
  }
}

void forget_origins(machine_model& model, std::string_view prefix) {
  std::erase_if(model.origins, [&](const auto& origin) { return origin.key.starts_with(prefix); });
}

void read_tables(const reader& from, machine_model& model) {
  for (const models::figure_table& group : models::machine_tables()) {
    const toml::table* table = &from.document();
    if (!group.name.empty()) {
      const toml::node* const node = from.document().get(group.name);
      if (node == nullptr) continue;
      table = &from.table(*node, group.name);
      std::vector<std::string> known;
      known.reserve(group.figures.size());
      for (const auto& figure : group.figures) known.emplace_back(figure.key);
      from.refuse_others(*table, group.name, known);
    }
    for (const auto& figure : group.figures) {
      const toml::node* const node = table->get(figure.key);
      if (node == nullptr) continue;
      const auto written =
          from.read_figure(*node, models::full_key(group.name, figure.key), figure.what, figure.allowed);
      figure.set(model, written.value);
      put_origin(model, written.origin);
    }
  }
}

const toml::node& required(const reader& from, const toml::table& entry, std::string_view table, std::string_view key,
                           std::string_view expected) {
  if (const toml::node* const node = entry.get(key)) return *node;
  refuse(from.where(entry), fmt::format("[[{}]] without '{}', expected {}", table, key, expected));
}

// Reads the entry's figures into `to`; `key_of` makes the keys of their origins.
template <class T, class KeyOf>
void read_entry(const reader& from, const toml::table& entry, std::string_view table,
                const std::vector<models::figure<T>>& figures, T& to, machine_model& model, KeyOf key_of) {
  for (const auto& figure : figures) {
    const toml::node* const node = entry.get(figure.key);
    if (node == nullptr && figure.absent) continue;
    const toml::node& there = required(from, entry, table, figure.key, models::unit_names(figure.what));
    const auto written = from.read_figure(there, key_of(figure.key), figure.what, figure.allowed);
    figure.set(to, written.value);
    put_origin(model, written.origin);
  }
}

void read_nodes(const reader& from, machine_model& model) {
  const toml::node* const list = from.document().get("node");
  if (list == nullptr) return;
  model.nodes.clear();
  forget_origins(model, "node.");
  for (const toml::table* const entry : from.entries(*list, "node")) {
    std::vector<std::string> known = {"socket", "kind"};
    for (const auto& figure : models::node_figures()) known.emplace_back(figure.key);
    from.refuse_others(*entry, "node", known);
    machine_model::memory_node node;
    node.kind = from.kind(required(from, *entry, "node", "kind", "one of dram hbm cxl"));
    for (const unsigned socket :
         from.sockets(required(from, *entry, "node", "socket", "the number of a socket or an array of them"))) {
      node.socket = socket;
      read_entry(from, *entry, "node", models::node_figures(), node, model,
                 [&](std::string_view key) { return models::node_key(model.nodes.size(), key); });
      model.nodes.push_back(node);
    }
  }
}

void read_links(const reader& from, machine_model& model) {
  const toml::node* const list = from.document().get("link");
  if (list == nullptr) return;
  model.links.clear();
  forget_origins(model, "link.");
  for (const toml::table* const entry : from.entries(*list, "link")) {
    from.refuse_others(*entry, "link", {"between", "one_way", "bandwidth", "latency"});
    const toml::node* const flag = entry->get("one_way");
    const bool one_way = flag != nullptr && from.flag(*flag, "one_way");
    const toml::node& between = required(from, *entry, "link", "between", "two sockets like [0, 1]");
    for (const auto& [a, b] : from.pairs(between)) {
      for (const bool back : {false, true}) {
        if (back && one_way) continue;
        machine_model::link link;
        link.from = back ? b : a;
        link.to = back ? a : b;
        // Two links between the same sockets would share their origins' keys.
        const auto same = [&](const machine_model::link& other) {
          return other.from == link.from && other.to == link.to;
        };
        if (link.from == link.to) {
          refuse(from.where(between), fmt::format("link from socket {} to itself, expected two sockets", link.from));
        }
        if (std::any_of(model.links.begin(), model.links.end(), same)) {
          refuse(from.where(between),
                 fmt::format("a second link from socket {} to socket {}, expected one", link.from, link.to));
        }
        read_entry(from, *entry, "link", models::link_figures(), link, model,
                   [&](std::string_view key) { return models::link_key(link, key); });
        model.links.push_back(link);
      }
    }
  }
}

// [set]: "link.bandwidth" = { times = 0.5, ... }
void read_changes(const reader& from, machine_model& model) {
  const toml::node* const node = from.document().get("set");
  if (node == nullptr) return;
  for (const auto& [key, value] : from.table(*node, "set")) {
    const std::string name(key.str());
    const auto figures = models::figures_called(model, name);
    if (figures.empty()) {
      refuse(from.where(value), fmt::format("set: unknown figure {}, expected one of {}", models::in_quotes(name),
                                            models::joined(figure_keys(model))));
    }
    bool any = false;
    for (const models::chosen_figure& figure : figures) {
      auto written = from.read_figure(value, figure.key, figure.what, figure.allowed, true);
      if (written.factor && !figure.is_given(model)) continue;
      any = true;
      const double result = written.factor ? figure.get(model) * written.value : written.value;
      if (const auto wrong = models::outside(figure.what, figure.allowed, result)) {
        refuse(from.where(value), fmt::format("{}: {}, expected {}", figure.key, models::number_text(result), *wrong));
      }
      figure.set(model, result);
      put_origin(model, std::move(written.origin));
    }
    if (!any) {
      refuse(from.where(value), fmt::format("set: the machine does not give {}, expected a number instead of a factor",
                                            models::in_quotes(name)));
    }
  }
}

void check_complete(const reader& from, const machine_model& model) {
  const auto has = [&](const std::string& key) { return models::find_origin(model, key) != nullptr; };
  for (const models::figure_table& group : models::machine_tables()) {
    bool any = group.required;
    for (const auto& figure : group.figures) any = any || has(models::full_key(group.name, figure.key));
    if (!any) continue;
    for (const auto& figure : group.figures) {
      const std::string key = models::full_key(group.name, figure.key);
      if (has(key) || figure.absent) continue;
      const toml::node* const table = group.name.empty() ? nullptr : from.document().get(group.name);
      refuse(from.where(table != nullptr ? *table : from.document()),
             fmt::format("no '{}', expected {{ {} = NUMBER, from = \"...\", note = \"...\" }}", key,
                         models::units_of(figure.what).front().name));
    }
  }
}

void check(const reader& from, const machine_model& model, const std::optional<models::mistake>& wrong) {
  if (!wrong) return;
  const machine_model::provenance* const origin = models::find_origin(model, wrong->key);
  if (origin != nullptr && origin->line != 0) {
    refuse({origin->file, origin->line}, fmt::format("{}: {}", wrong->key, wrong->what));
  }
  // For nodes or links as a whole, the first entry.
  const toml::node* node = from.document().get(wrong->key);
  if (node != nullptr && node->is_array() && !node->as_array()->empty()) node = node->as_array()->get(0);
  const bool of_list = wrong->key == "node" || wrong->key == "link";
  refuse(from.where(node != nullptr ? *node : from.document()),
         of_list ? wrong->what : fmt::format("{}: {}", wrong->key, wrong->what));
}

machine_model extended(const reader& from, const std::string& file, const chain& files) {
  const auto name = from.text("extends");
  if (!name) return {};
  const place here = from.where(*from.document().get("extends"));
  fs::path base = *name;
  if (base.has_parent_path() || base.extension() == ".toml") {
    if (base.is_relative()) base = fs::path(file).parent_path() / base;
  } else {
    try {
      base = machine_file_path(*name);
    } catch (const error& unknown) {
      refuse(here, fmt::format("extends: {}", unknown.what()));
    }
  }
  std::error_code ignored;
  const auto same = [&](const fs::path& other) {
    return fs::weakly_canonical(other, ignored) == fs::weakly_canonical(base, ignored);
  };
  const auto known = std::find_if(files.begin(), files.end(), same);
  if (known != files.end()) {
    std::string way;
    for (auto path = known; path != files.end(); ++path) way += path->string() + " -> ";
    refuse(here, fmt::format("extends: a cycle {}{}, expected a machine that does not extend this one", way,
                             known->string()));
  }
  if (!fs::exists(base, ignored)) {
    refuse(here, fmt::format("extends: '{}' cannot be found, expected a machine file or the name of a shipped one",
                             base.string()));
  }
  return load(base, files);
}

machine_model parse(std::string_view text, const std::string& file, chain files) {
  toml::table document;
  try {
    document = toml::parse(text, file);
  } catch (const toml::parse_error& mistake) {
    std::string what(mistake.description());
    std::replace(what.begin(), what.end(), '\n', ' ');
    refuse({file, static_cast<int>(mistake.source().begin.line)}, fmt::format("{}, expected TOML", what));
  }
  const reader from(document, file);
  std::vector<std::string> known = {"name", "description", "extends", "node", "link", "set"};
  for (const models::figure_table& group : models::machine_tables()) {
    if (!group.name.empty()) known.emplace_back(group.name);
    if (!group.name.empty()) continue;
    for (const auto& figure : group.figures) known.emplace_back(figure.key);
  }
  from.refuse_others(document, "", known);

  files.emplace_back(file);
  machine_model model = extended(from, file, files);
  model.file = file;
  const auto name = from.text("name");
  if (!name) refuse(from.where(document), "no 'name', expected the machine's name in quotes");
  const auto description = from.text("description");
  if (!description) refuse(from.where(document), "no 'description', expected a few words in quotes");
  model.name = *name;
  model.description = *description;
  read_tables(from, model);
  read_nodes(from, model);
  read_links(from, model);
  check_complete(from, model);
  check(from, model, models::find_mistake(model));
  check(from, model, models::find_impossible(model));
  // A change may ask what would be if, like a sweep.
  read_changes(from, model);
  check(from, model, models::find_mistake(model));
  return model;
}

machine_model load(const fs::path& path, chain files) {
  std::error_code code;
  if (fs::is_directory(path, code)) refuse({path.string(), 0}, "a folder, expected a machine file");
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad()) refuse({path.string(), 0}, "cannot be read, expected a machine file");
  return parse(text, path.string(), std::move(files));
}

// In the order of the files: an extended file's come first, as it is read first.
void sort_origins(machine_model& model) {
  std::vector<std::string> files;
  for (const auto& origin : model.origins) {
    if (std::find(files.begin(), files.end(), origin.file) == files.end()) files.push_back(origin.file);
  }
  const auto rank = [&](std::size_t i) {
    const machine_model::provenance& origin = model.origins[i];
    return std::tuple(std::find(files.begin(), files.end(), origin.file) - files.begin(), origin.line, i);
  };
  std::vector<std::size_t> order(model.origins.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::vector<machine_model::provenance> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) sorted.push_back(model.origins[i]);
  model.origins = std::move(sorted);
}

}  // namespace

machine_model parse_machine_model(std::string_view text, const std::string& file) {
  machine_model model = parse(text, file, {});
  sort_origins(model);
  return model;
}

machine_model load_machine_model(std::string_view name) {
  machine_model model = load(machine_file_path(name), {});
  sort_origins(model);
  return model;
}

}  // namespace jackdaw
