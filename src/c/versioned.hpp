#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "c/status.hpp"

namespace jackdaw::c_api {

// Structures that later versions add members to: the first member is the size that the program was compiled with.

/// Returns this version's structure with the program's members; those that the program does not know are 0. Throws
/// misuse if the program knows members that this version does not, and has set one.
template <class T>
T read_versioned(const T& given) {
  std::size_t size = 0;
  std::memcpy(&size, &given, sizeof size);
  if (size < sizeof size) {
    throw misuse{JACKDAW_ERROR_ARGUMENT,
                 "a structure whose size is not set: call its function of initialisation first"};
  }
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&given);
  // A size that no version will have is one that was never set.
  if (size > 16 * sizeof(T) ||
      std::any_of(bytes + std::min(size, sizeof(T)), bytes + size, [](unsigned char each) { return each != 0; })) {
    throw misuse{JACKDAW_ERROR_ARGUMENT, "a structure of a newer version, or one whose size is not set"};
  }
  T known{};
  std::memcpy(&known, &given, std::min(size, sizeof(T)));
  return known;
}

/// Writes the members that the program knows, except the size.
template <class T>
void write_versioned(T& given, T known) {
  known.size = read_versioned(given).size;
  std::memcpy(&given, &known, std::min(known.size, sizeof(T)));
}

}  // namespace jackdaw::c_api
