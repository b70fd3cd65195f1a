#pragma once

#include <string>

namespace jackdaw::cli {

/// The path of the program that a shell would start for this word. Throws jackdaw::error if there is none that can be
/// run.
std::string find_program(const std::string& word);

/// Throws jackdaw::error, which says why, if the dynamic linker would load no library before this program: it is linked
/// statically, it changes its user or group, or it has capabilities.
void check_preloadable(const std::string& program);

/// The path of one of jackdaw's libraries, beside the program `jackdaw` or installed with it. Throws jackdaw::error,
/// which names `option`, if it is not there.
std::string find_library(const std::string& name, const std::string& option);

}  // namespace jackdaw::cli
