#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace jackdaw::cli {

/// The manual page of the program, or of one of its commands, in roff: what --help says.
std::string man_page(const CLI::App& of);

/// The page's name without its section: "jackdaw", "jackdaw-bench".
std::string man_page_name(const CLI::App& of);

/// Adds `man`, which prints a page, or writes all of them to a folder.
void add_man(CLI::App& program, int& result);

}  // namespace jackdaw::cli
