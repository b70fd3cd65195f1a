#include "cli/result_file.hpp"

#include <jackdaw/error.hpp>

#include "cli/text.hpp"

namespace jackdaw::cli {

std::string database_name(const std::string& given) {
  if (!given.empty()) return given;
  const std::string named = environment("JACKDAW_DB").value_or("");
  return named.empty() ? "jackdaw.db" : named;
}

void store_and_print(const result_store& store, const result_store::rows& insert,
                     const std::function<void(const stored_as&)>& print) {
  stored_as stored{store.path(), std::nullopt};
  try {
    stored.id = store.add(insert);
  } catch (const error&) {
    print(stored);
    throw;
  }
  print(stored);
}

}  // namespace jackdaw::cli
