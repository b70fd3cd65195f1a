include(GNUInstallDirs)

option(BUILD_SHARED_LIBS "Build the library jackdaw as a shared one" OFF)
option(JACKDAW_BUILD_PROGRAM "Build the program jackdaw" ${PROJECT_IS_TOP_LEVEL})
option(JACKDAW_BUILD_STATS "Build libjackdaw-stats.so, with which programs record themselves; the program needs it"
  ${JACKDAW_BUILD_PROGRAM})
option(JACKDAW_BUILD_COMPAT "Build the libraries that `jackdaw run` loads before programs of other runtimes"
  ${JACKDAW_BUILD_PROGRAM})
option(JACKDAW_BUILD_TESTS "Build the tests; those of the program where that is built" ${PROJECT_IS_TOP_LEVEL})
option(JACKDAW_BUILD_BENCHMARKS "Build the comparisons with other runtimes" ${PROJECT_IS_TOP_LEVEL})
option(JACKDAW_WITH_LIBNUMA "Call the kernel's memory policies by libnuma; otherwise directly" ON)
option(JACKDAW_WITH_LIBPFM "Count cache misses by hardware counters, whose names libpfm4 knows" ON)
option(JACKDAW_UNPIN_THREADS "Threads made in tasks of pinned workers are not; the library defines pthread_create" ON)
option(JACKDAW_WERROR "Take every compiler warning for an error; on in the presets" OFF)
option(JACKDAW_DITHER "Pause now and then where protocols cross: for soaking, not for use" OFF)
set(JACKDAW_PARLAYLIB "$ENV{JACKDAW_PARLAYLIB}" CACHE PATH
  "The folder with parlaylib's parlay/parallel.h, for tests of jackdaw/parlay.hpp; without it these are skipped")
set(JACKDAW_SANITIZE "" CACHE STRING "Sanitizers for everything that is built: address,undefined or thread")

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# What every target of this tree is compiled with; never part of what an installed jackdaw asks of its users. Inside
# another project's tree warnings are not for those who see them.
add_library(jackdaw_build INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(jackdaw_build INTERFACE -Wall -Wextra -Wpedantic)
endif()
target_compile_options(jackdaw_build INTERFACE $<$<BOOL:${JACKDAW_WERROR}>:-Werror>)

# Every object of a program has to be instrumented, so these hold for the whole tree and not for single targets.
if(JACKDAW_SANITIZE)
  add_compile_options(-fsanitize=${JACKDAW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${JACKDAW_SANITIZE})
endif()
if(JACKDAW_DITHER)
  add_compile_definitions(JACKDAW_DITHER)
endif()
if(JACKDAW_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
