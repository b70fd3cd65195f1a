#pragma once

#include <string>

#include "papers/reproduction.hpp"

namespace jackdaw::cli {

/// Returns, for each machine, who is best with each program and by how much, and then all contenders' times.
std::string contests_text(const reproduction& what, const reproduction::results& found);

}  // namespace jackdaw::cli
