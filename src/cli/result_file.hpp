#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "store/result_store.hpp"

namespace CLI {
class App;
}

namespace jackdaw::cli {

using store::database;
using store::result_store;

/// Where a command is told to store its results, as typed.
struct store_arguments {
  std::string database;
  bool none = false;
};

/// Adds --db and --no-store to a command.
void add_store_options(CLI::App& command, store_arguments& given);

/// The file for results: the one named on the command line, else $JACKDAW_DB, else jackdaw.db. None with --no-store.
std::optional<result_store> wanted_store(const store_arguments& given);

/// Where results were stored.
struct stored_as {
  std::string file;                ///< empty: the user asked to store nothing
  std::optional<std::int64_t> id;  ///< of the row that add() returned; empty: storing failed
};

/// Stores the results, if there is a store, then prints them. When storing fails, prints them all the same and then
/// throws that error.
void store_and_print(const std::optional<result_store>& store, const result_store::rows& insert,
                     const std::function<void(const stored_as&)>& print);

/// The last line of a table: where its results are. `what` is stored: a "bench".
void print_stored(const stored_as& stored, std::string_view what);

}  // namespace jackdaw::cli
