#pragma once

#include <jackdaw/jackdaw.h>

#include <functional>
#include <string>

namespace jackdaw::test {

/// Calls a function of C++ as the functions of the C API are called: pass `run_it` and a pointer to it.
using function = std::function<void()>;
inline void run_it(void* it) { (*static_cast<function*>(it))(); }

inline void nothing(void* /*arg*/) {}

/// Runs f() as a root of the default runtime.
inline jackdaw_status in_a_task(function f) { return jackdaw_run(nullptr, run_it, &f); }

/// Whether the last failed call's message contains the text.
inline bool said(const std::string& text) { return std::string(jackdaw_last_error()).find(text) != std::string::npos; }

}  // namespace jackdaw::test
