#pragma once

/// @file
/// The parallel algorithms of the standard library, such as `std::sort(std::execution::par, first, last)`, on jackdaw's
/// workers.
///
/// Include this header in place of `<execution>`, or before it, in every file of the program that uses a parallel
/// policy; the option `-include jackdaw/pstl.hpp` does that for files that are not to be changed. It takes the place of
/// the library's own backend, which is oneTBB, or serial where oneTBB is not installed; the program is linked to
/// neither. Files with different backends must not be linked into one program, as the library gives the same names to
/// both.
///
/// What is called from a task runs in that task's runtime, anything else in the default runtime. A call returns on the
/// thread that it was made on (tied()). As the standard says, an exception from an element's function ends the program.
/// If there is no memory for what an algorithm needs itself, std::bad_alloc is thrown where libstdc++ lets it through
/// and no element is lost, as from sort() and stable_sort(); others end the program.
///
/// For libstdc++, the standard library of GCC.

#if __cplusplus < 202002L
#error "jackdaw/pstl.hpp needs C++20, expected -std=c++20 or later"
#endif

#include "jackdaw/detail/algorithm/pstl_backend.hpp"

#include <execution>

#if _PSTL_VERSION >= 17000
#error \
    "jackdaw/pstl.hpp does not know this libstdc++, whose backends take other parameters, expected that of GCC 10 to 14"
#endif
