#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "store/result_store.hpp"

namespace jackdaw::cli {

using store::database;
using store::result_store;

/// The file for results: the one named on the command line, else $JACKDAW_DB, else jackdaw.db.
std::string database_name(const std::string& given);

/// Where results were stored.
struct stored_as {
  std::string file;                ///< empty: the user asked to store nothing
  std::optional<std::int64_t> id;  ///< of the row that add() returned; empty: storing failed
};

/// Stores the results, then prints them. When storing fails, prints them all the same and then throws that error.
void store_and_print(const result_store& store, const result_store::rows& insert,
                     const std::function<void(const stored_as&)>& print);

}  // namespace jackdaw::cli
