# `cpack` in a build folder makes Debian packages of what cmake/install.cmake lays down: libjackdaw-dev, jackdaw where
# the program is built, and libjackdaw0.1 where the library is a shared one.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME jackdaw)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "the developers of jackdaw")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "fork-join runtime whose scheduler knows the machine")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The developers of jackdaw <jackdaw@packages.invalid>")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ${BUILD_SHARED_LIBS})

# jackdaw_package(COMPONENT NAME SECTION DESCRIPTION [DEPENDS package...]): one package. The description stands below
# the summary, which all have. What its programs and shared libraries are linked with need not be named: dpkg-shlibdeps
# finds that.
function(jackdaw_package component name section description)
  cmake_parse_arguments(PARSE_ARGV 4 package "" "" DEPENDS)
  string(TOUPPER ${component} prefix)
  list(JOIN package_DEPENDS ", " depends)
  set(CPACK_DEBIAN_${prefix}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${prefix}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${prefix}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${prefix}_DESCRIPTION "${description}" PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} RENAME copyright
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(jackdaw_needs "libhwloc-dev (>= 2.4)")
if(JACKDAW_WITH_LIBNUMA)
  list(APPEND jackdaw_needs libnuma-dev)
endif()
if(JACKDAW_WITH_LIBPFM)
  list(APPEND jackdaw_needs libpfm4-dev)
endif()
if(jackdaw_uses_boost)
  list(APPEND jackdaw_needs libboost-context-dev)
endif()
if(BUILD_SHARED_LIBS)
  set(jackdaw_so libjackdaw${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  jackdaw_package(jackdaw_runtime ${jackdaw_so} libs
"jackdaw runs the tasks of a program in parallel and keeps them near their data,
on computers with several sockets and memory nodes. This is the shared library.")
  list(PREPEND jackdaw_needs "${jackdaw_so} (= ${PROJECT_VERSION})")
endif()
jackdaw_package(jackdaw_dev libjackdaw-dev libdevel
"jackdaw runs the tasks of a program in parallel and keeps them near their data,
on computers with several sockets and memory nodes. This is what C++ programs
are built with: headers, the library, and what CMake and pkg-config read."
  DEPENDS ${jackdaw_needs})
if(TARGET jackdaw_cli)
  jackdaw_package(jackdaw_program jackdaw devel
"The program of the fork-join runtime jackdaw. It says how a computer looks to
the runtime, records programs, and simulates them on other machines.")
  # For `jackdaw predict` and `jackdaw report`.
  set(CPACK_DEBIAN_JACKDAW_PROGRAM_PACKAGE_RECOMMENDS
    "python3 (>= 3.9), python3-pandas, python3-plotly, python3-statsmodels, python3-typer")
endif()
include(CPack)
