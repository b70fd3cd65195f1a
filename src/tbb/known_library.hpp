#pragma once

namespace jackdaw::onetbb {

/// Ends the program with a line and status 2 if the libtbb that the program has loaded is one whose classes may be
/// others than those that this library was built for. Called when the library is loaded and, as the program may load
/// libtbb later, before the first task.
void check_library() noexcept;

/// Returns the function of libtbb's that has this name; null: there is none.
void* library_function(const char* name) noexcept;

}  // namespace jackdaw::onetbb
