#pragma once

#include <string>
#include <vector>

namespace jackdaw::cli {

/// Replaces this process by the Python command `name` with these arguments, as git does for its subcommands:
///
/// 1. the program jackdaw-NAME on $PATH, which `pip install` of the package puts there, unless $JACKDAW_PYTHON is set;
/// 2. the package beside this program (share/jackdaw/python, else that of the source tree), run by $JACKDAW_PYTHON or
///    else by python3.
///
/// The command finds this program's path in $JACKDAW_PROGRAM. Throws jackdaw::error, which says what to install,
/// where neither is there.
[[noreturn]] void run_python_command(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace jackdaw::cli
