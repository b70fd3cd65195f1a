# Everything jackdaw takes from elsewhere, by the part that uses it. What is found here is visible in the whole tree.

# jackdaw_require(NAME DEBIAN_PACKAGE find_package's arguments...): ends the configuration unless NAME is there.
macro(jackdaw_require name package)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "${name} is missing. On Debian: apt-get install ${package}")
  endif()
endmacro()

# jackdaw_want(NAME DEBIAN_PACKAGE find_package's arguments...): what is compared with where it is there.
macro(jackdaw_want name package)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    message(STATUS "${name} is missing: built without the comparison with it. On Debian: apt-get install ${package}")
  endif()
endmacro()

# the library
set(THREADS_PREFER_PTHREAD_FLAG ON)
jackdaw_require(Threads libc6-dev)
jackdaw_require(PkgConfig pkg-config)
pkg_check_modules(hwloc QUIET IMPORTED_TARGET hwloc>=2.4)
if(NOT hwloc_FOUND)
  message(FATAL_ERROR "hwloc, 2.4 or newer, is missing. On Debian: apt-get install libhwloc-dev")
endif()

if(JACKDAW_BUILD_PROGRAM)
  jackdaw_require(CLI11 libcli11-dev)
  jackdaw_require(fmt libfmt-dev)
  jackdaw_require(SQLite3 libsqlite3-dev)
  jackdaw_require(nlohmann_json nlohmann-json3-dev)
endif()
if(JACKDAW_BUILD_TESTS)
  jackdaw_require(GTest libgtest-dev)
endif()
if(JACKDAW_BUILD_BENCHMARKS)
  jackdaw_require(benchmark libbenchmark-dev)
endif()

# Nobody instruments these: ThreadSanitizer would see races in them that are none.
if(JACKDAW_PEERS AND NOT JACKDAW_SANITIZE AND (JACKDAW_BUILD_PROGRAM OR JACKDAW_BUILD_BENCHMARKS))
  jackdaw_want(TBB libtbb-dev)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    string(REGEX MATCH "^[0-9]+" jackdaw_clang "${CMAKE_CXX_COMPILER_VERSION}")
    jackdaw_want(OpenMP libomp-${jackdaw_clang}-dev COMPONENTS CXX)
  else()
    jackdaw_want(OpenMP libgomp1 COMPONENTS CXX)
  endif()
endif()
