#pragma once

// What public headers declare between these two is exported if it belongs to a shared library. JACKDAW_SHARED comes
// with the CMake target, and the pkg-config flags, of a shared jackdaw. A program or library that links jackdaw as an
// archive decides itself what is exported: `-fvisibility=hidden` hides jackdaw with everything else.
#ifdef JACKDAW_SHARED
#define JACKDAW_EXPORT_BEGIN _Pragma("GCC visibility push(default)")
#define JACKDAW_EXPORT_END _Pragma("GCC visibility pop")
#else
#define JACKDAW_EXPORT_BEGIN
#define JACKDAW_EXPORT_END
#endif
