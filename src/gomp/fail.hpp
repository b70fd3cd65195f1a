#pragma once

namespace jackdaw::gomp {

/// Ends the program with one line.
[[noreturn]] void fail(const char* why) noexcept;
/// The same; the line names a function that this library does not have.
[[noreturn]] void refuse(const char* function) noexcept;
/// Writes a line to stderr.
void warn(const char* what) noexcept;

}  // namespace jackdaw::gomp
