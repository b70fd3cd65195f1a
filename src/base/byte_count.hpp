#pragma once

#include <cstdint>
#include <string_view>

namespace jackdaw {

/// The number of bytes written in `text`: a whole number from 1 on, alone or with K, M or G (2^10, 2^20, 2^30) behind
/// it, at most 2^50 bytes. Throws jackdaw::error for anything else; its one line names `where` the text was given.
std::uint64_t parse_byte_count(std::string_view text, std::string_view where);

/// The number of children that a task forks, 2 to 1024, written in `text`. Throws jackdaw::error for anything else; its
/// one line names `where` the text was given.
unsigned parse_branching(std::string_view text, std::string_view where);

}  // namespace jackdaw
