# libpfm4, which encodes the events of performance counters: the target libpfm::libpfm. It comes with neither a CMake
# package nor a pkg-config file.
include(FindPackageHandleStandardArgs)

find_path(libpfm_INCLUDE_DIR perfmon/pfmlib_perf_event.h)
find_library(libpfm_LIBRARY pfm)
mark_as_advanced(libpfm_INCLUDE_DIR libpfm_LIBRARY)
find_package_handle_standard_args(libpfm REQUIRED_VARS libpfm_LIBRARY libpfm_INCLUDE_DIR)

if(libpfm_FOUND AND NOT TARGET libpfm::libpfm)
  add_library(libpfm::libpfm UNKNOWN IMPORTED)
  set_target_properties(libpfm::libpfm PROPERTIES
    IMPORTED_LOCATION ${libpfm_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${libpfm_INCLUDE_DIR})
endif()
