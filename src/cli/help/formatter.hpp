#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace jackdaw::cli {

/// Makes the text of --help: CLI11's, which a terminal gets with headings, and folded if it has fewer columns.
std::shared_ptr<CLI::FormatterBase> make_formatter();

}  // namespace jackdaw::cli
