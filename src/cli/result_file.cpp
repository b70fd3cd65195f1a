#include "cli/result_file.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>

#include "cli/text.hpp"

namespace jackdaw::cli {

void add_store_options(CLI::App& command, store_arguments& given) {
  CLI::Option& database =
      *command.add_option("--db", given.database, "The SQLite file for results; default: $JACKDAW_DB, else jackdaw.db");
  command.add_flag("--no-store", given.none, "Print the results without storing them")->excludes(&database);
}

std::optional<result_store> wanted_store(const store_arguments& given) {
  if (given.none) return std::nullopt;
  if (!given.database.empty()) return result_store(given.database);
  const std::string named = environment("JACKDAW_DB").value_or("");
  return result_store(named.empty() ? "jackdaw.db" : named);
}

void store_and_print(const std::optional<result_store>& store, const result_store::rows& insert,
                     const std::function<void(const stored_as&)>& print) {
  if (!store) return print({});
  stored_as stored{store->path(), std::nullopt};
  try {
    stored.id = store->add(insert);
  } catch (const error&) {
    print(stored);
    throw;
  }
  print(stored);
}

void print_stored(const stored_as& stored, std::string_view what) {
  if (stored.file.empty()) return;
  fmt::print("{}\n", stored.id ? fmt::format("stored in {} as {} {}", one_line(stored.file), what, *stored.id)
                               : fmt::format("not stored in {}", one_line(stored.file)));
}

}  // namespace jackdaw::cli
