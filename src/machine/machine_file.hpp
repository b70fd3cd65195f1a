#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "machine/model.hpp"

/// Machine files beyond reading them (load_machine_model in machine/model.hpp): docs/machines.md is their schema.
namespace jackdaw {

/// Reads and checks a machine file's text. `file` is the name for errors; a relative path in its `extends` starts at
/// that file's folder. Throws error like load_machine_model.
machine_model parse_machine_model(std::string_view text, const std::string& file);

/// The path that load_machine_model reads for `name`. Throws error, which lists the shipped files, for an unknown bare
/// name; does not check a path.
std::filesystem::path machine_file_path(std::string_view name);

/// Changes the value of one figure, or of all nodes or links at once. Keys are those of the file: "local_rate",
/// "private_cache.size", "cost.spawn"; "node.bandwidth" for all nodes, "node.2.bandwidth" for one, "node.hbm.bandwidth"
/// for those of a kind; "link.latency" for all links, "link.0-1.latency" for both directions of one. `value` is a
/// number, with a unit as in the file or without one (bytes, ns, GB/s), or a factor like "x0.5", which leaves figures
/// unchanged that are not given (such as a node's rate); a word for a figure that is one ("shared_cache.policy").
/// Checks the model again, and leaves it unchanged on error. Throws error, which lists the keys if `key` is unknown.
void set_figure(machine_model& model, std::string_view key, std::string_view value);

/// The keys that set_figure accepts for this model, except those of single nodes or links.
std::vector<std::string> figure_keys(const machine_model& model);

/// The words for these in machine files.
std::string_view name_of(machine_model::origin origin) noexcept;
std::string_view name_of(machine_model::memory_kind kind) noexcept;
std::string_view name_of(machine_model::fill_policy fill) noexcept;
std::string_view name_of(machine_model::clean_source from) noexcept;

/// The model as the text of a machine file, which parses to the same model. Figures without an origin are `assumed`.
std::string to_toml(const machine_model& model);

}  // namespace jackdaw
