#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace jackdaw::cli {

/// "; did you mean bench?" if `word` is nearly one of the words, else nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& words);

/// The same for words of another type.
template <class Words>
std::string suggestion_among(std::string_view word, const Words& words) {
  return suggestion(word, std::vector<std::string>(words.begin(), words.end()));
}

}  // namespace jackdaw::cli
