#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace jackdaw::cli {

/// The columns of the terminal that `stream` writes to; empty if it is none. Files and pipes have any number.
std::optional<std::size_t> terminal_columns(std::FILE* stream);

enum class style { heading, mistake, good, notice, missing };

/// `text` in colours if `stream` is a terminal that has some and $NO_COLOR is not set.
std::string styled(std::string_view text, style as, std::FILE* stream = stdout);

/// How many columns `text` takes, one a character.
std::size_t columns_of(std::string_view text);

}  // namespace jackdaw::cli
