# What `cmake --install` lays down: the library with its headers, what CMake and pkg-config need to find it, the
# program. Components: jackdaw_dev, what a program is built with; jackdaw_runtime, what it runs with, empty unless the
# library is a shared one; jackdaw_program, the program and what it reads.
include(CMakePackageConfigHelpers)

set(jackdaw_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/jackdaw)

install(TARGETS jackdaw EXPORT jackdaw
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT jackdaw_dev
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT jackdaw_runtime NAMELINK_COMPONENT jackdaw_dev
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT jackdaw_dev
  FILE_SET parlay DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT jackdaw_dev
  FILE_SET moved DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT jackdaw_dev)
install(TARGETS jackdaw_tbb_headers EXPORT jackdaw
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/jackdaw-tbb COMPONENT jackdaw_dev)
if(TARGET jackdaw_checks)
  install(TARGETS jackdaw_checks EXPORT jackdaw
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT jackdaw_dev)
endif()
if(TARGET jackdaw_stats)
  install(TARGETS jackdaw_stats LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT jackdaw_program)
endif()
# What `jackdaw run` loads before other programs.
foreach(preloaded IN ITEMS jackdaw_gomp jackdaw_malloc jackdaw_tbb)
  if(TARGET ${preloaded})
    install(TARGETS ${preloaded} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT jackdaw_program)
  endif()
endforeach()
install(FILES include/jackdaw/jackdaw.f90 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/jackdaw COMPONENT jackdaw_dev)
install(EXPORT jackdaw FILE jackdawTargets.cmake NAMESPACE jackdaw::
  DESTINATION ${jackdaw_cmake_dir} COMPONENT jackdaw_dev)

# What pkg-config does not know. Where there is no code of jackdaw's own for the processor, stacks are changed by
# Boost.Context.
get_target_property(jackdaw_uses jackdaw LINK_LIBRARIES)
set(jackdaw_uses_boost OFF)
set(jackdaw_pc_libs "")
if(JACKDAW_WITH_LIBPFM)
  string(APPEND jackdaw_pc_libs " -lpfm")
endif()
set(jackdaw_pc_numa "")
if(JACKDAW_WITH_LIBNUMA)
  set(jackdaw_pc_numa ", numa")
endif()
foreach(library IN LISTS CMAKE_DL_LIBS)
  string(APPEND jackdaw_pc_libs " -l${library}")
endforeach()
# A program in C is not linked by the C++ compiler, which would add its libraries.
foreach(library IN LISTS CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
  if(library MATCHES "^(stdc[+][+]|c[+][+]|c[+][+]abi|m)$")
    string(APPEND jackdaw_pc_libs " -l${library}")
  endif()
endforeach()
if(jackdaw_uses MATCHES "Boost::context")
  set(jackdaw_uses_boost ON)
  string(APPEND jackdaw_pc_libs " -lboost_context")
endif()

configure_package_config_file(cmake/jackdawConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/jackdawConfig.cmake
  INSTALL_DESTINATION ${jackdaw_cmake_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
# Before 1.0 a new minor version may break what an older one promised.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/jackdawConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/jackdawConfig.cmake ${PROJECT_BINARY_DIR}/cmake/jackdawConfigVersion.cmake
  cmake/Findlibpfm.cmake
  DESTINATION ${jackdaw_cmake_dir} COMPONENT jackdaw_dev)

# ${pcfiledir} keeps an installation movable: `cmake --install --prefix` may differ from the configured prefix.
file(RELATIVE_PATH jackdaw_pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" jackdaw_pc_prefix "${jackdaw_pc_prefix}")
# A static library is not linked to hwloc, libnuma and libpfm4, so every user of one has to be. `pkg-config --static`
# would ask too much: it adds what a static hwloc needs.
set(jackdaw_pc_private "")
set(jackdaw_pc_defines "")
set(jackdaw_pc_libs_private "")
if(JACKDAW_SANITIZE)
  string(APPEND jackdaw_pc_defines " -DJACKDAW_SANITIZED")
endif()
if(BUILD_SHARED_LIBS)
  set(jackdaw_pc_private .private)
  string(APPEND jackdaw_pc_defines " -DJACKDAW_SHARED")
  set(jackdaw_pc_libs_private "${jackdaw_pc_libs}")
  set(jackdaw_pc_libs "")
endif()
configure_file(cmake/jackdaw.pc.in ${PROJECT_BINARY_DIR}/cmake/jackdaw.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/jackdaw.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT jackdaw_dev)

if(TARGET jackdaw_cilk_translator)
  install(TARGETS jackdaw_cilk ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT jackdaw_dev)
  install(TARGETS jackdaw_cilk_translator RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT jackdaw_program)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat/cilk/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/jackdaw-cilk
    COMPONENT jackdaw_dev)
endif()
# All that is installed, for those who build no more.
add_custom_target(jackdaw_to_install)
foreach(part IN ITEMS jackdaw jackdaw_checks jackdaw_cilk jackdaw_cilk_translator jackdaw_cli jackdaw_gomp
                      jackdaw_malloc jackdaw_stats jackdaw_tbb)
  if(TARGET ${part})
    add_dependencies(jackdaw_to_install ${part})
  endif()
endforeach()

if(TARGET jackdaw_cli)
  file(RELATIVE_PATH jackdaw_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(jackdaw_cli PROPERTIES OUTPUT_NAME jackdaw INSTALL_RPATH $ORIGIN/${jackdaw_bin_to_lib})
  install(TARGETS jackdaw_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT jackdaw_program)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/machines
    DESTINATION ${CMAKE_INSTALL_DATADIR}/jackdaw COMPONENT jackdaw_program FILES_MATCHING PATTERN *.toml)
  get_target_property(jackdaw_pages jackdaw_cli JACKDAW_PAGES)
  if(jackdaw_pages)
    install(DIRECTORY ${jackdaw_pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT jackdaw_program)
    foreach(completion jackdaw:bash-completion/completions _jackdaw:zsh/site-functions
        jackdaw.fish:fish/vendor_completions.d)
      string(REPLACE ":" ";" completion ${completion})
      list(POP_FRONT completion file folder)
      install(FILES ${jackdaw_pages}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT jackdaw_program)
    endforeach()
  endif()
  # What `jackdaw predict` and `jackdaw report` run. Its dependencies are Python packages (python/pyproject.toml).
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python
    DESTINATION ${CMAKE_INSTALL_DATADIR}/jackdaw COMPONENT jackdaw_program
    FILES_MATCHING PATTERN *.py PATTERN templates/* PATTERN __pycache__ EXCLUDE PATTERN build EXCLUDE)
endif()

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT jackdaw_licence)
