#pragma once

#if __cplusplus < 202002L
#error "compat/tbb is C++20, expected -std=c++20 or later"
#endif
#if !__has_include(<oneapi/tbb/version.h>)
#error "compat/tbb stands on oneTBB's own headers, expected oneapi/tbb/version.h among the include folders"
#endif

#include <oneapi/tbb/version.h>

#if TBB_INTERFACE_VERSION < 12060 || TBB_INTERFACE_VERSION >= 12150
#error "compat/tbb knows the headers of oneTBB 2021.6 to 2022.0 (interfaces 12060 to 12140), expected one of them"
#endif
