#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jackdaw::cli {

/// Folds `text` into `width` columns. Paragraphs that have no line wider than that stay as they are. In others
///
/// - lines that continue a line, because they begin where its text begins, are joined with it first;
/// - of a line with a label, two blanks and text, what is folded begins below the text;
/// - lines that two blanks and no label indent are commands, if they are said to be: they are folded by backslashes,
///   outside of quotes.
enum class indented { text, commands };
std::string fold(std::string_view text, std::size_t width, indented are = indented::text);

}  // namespace jackdaw::cli
