# Stands in for the functions of vcpkg that packaging/vcpkg/portfile.cmake calls, as vcpkg's documentation describes
# them, for a build that is release only: vcpkg downloads what it needs, which a test must not.

# Runs the port in a scope of its own. Its file(INSTALL) needs no help.
function(run_portfile)
  include(${CURRENT_PORT_DIR}/portfile.cmake)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS;OPTIONS_RELEASE;MAYBE_UNUSED_VARIABLES")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "vcpkg_cmake_configure was passed extra arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(linkage OFF)
  if(VCPKG_LIBRARY_LINKAGE STREQUAL dynamic)
    set(linkage ON)
  endif()
  run(${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${CURRENT_BUILDTREES_DIR}/${TARGET_TRIPLET}-rel -G ${generator}
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_C_COMPILER=${c_compiler} -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -D BUILD_SHARED_LIBS=${linkage}
    -D CMAKE_INSTALL_LIBDIR:STRING=lib -D CMAKE_INSTALL_BINDIR:STRING=bin
    -D CMAKE_ERROR_ON_ABSOLUTE_INSTALL_DESTINATION=ON -D CMAKE_EXPORT_NO_PACKAGE_REGISTRY=ON
    -D CMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON ${quickly} ${arg_OPTIONS} ${arg_OPTIONS_RELEASE} OUTPUT said)
  if(said MATCHES "Manually-specified variables were not used[^\n]*\n([^\n]*\n)*")
    message(FATAL_ERROR "the port sets what the project does not know: ${CMAKE_MATCH_0}")
  endif()
endfunction()

function(vcpkg_cmake_install)
  run(${CMAKE_COMMAND} --build ${CURRENT_BUILDTREES_DIR}/${TARGET_TRIPLET}-rel --target install)
endfunction()

# Moves what find_package reads to share/${PORT}, which is one folder nearer to the prefix.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "PACKAGE_NAME;CONFIG_PATH" "")
  if(NOT arg_PACKAGE_NAME)
    set(arg_PACKAGE_NAME ${PORT})
  endif()
  set(to ${CURRENT_PACKAGES_DIR}/share/${arg_PACKAGE_NAME})
  file(GLOB moved ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*)
  file(COPY ${moved} DESTINATION ${to})
  file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH})
  cmake_path(GET arg_CONFIG_PATH PARENT_PATH parent)
  if(parent MATCHES "(^|/)cmake$")
    file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/${parent})
  endif()

  set(up [[get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)]])
  file(GLOB scripts ${to}/*.cmake)
  foreach(script IN LISTS scripts)
    file(READ ${script} text)
    string(REGEX REPLACE "(get_filename_component\\(_IMPORT_PREFIX [^\n]*\n)+"
      "get_filename_component(_IMPORT_PREFIX \"\${CMAKE_CURRENT_LIST_FILE}\" PATH)\n${up}\n${up}\n" text "${text}")
    string(REGEX REPLACE "(get_filename_component\\(PACKAGE_PREFIX_DIR \"\\\${CMAKE_CURRENT_LIST_DIR})[./]*\""
      "\\1/../../\"" text "${text}")
    string(REPLACE ${CURRENT_PACKAGES_DIR} "\${_IMPORT_PREFIX}" text "${text}")
    file(WRITE ${script} "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
  file(GLOB files ${CURRENT_PACKAGES_DIR}/lib/pkgconfig/*.pc)
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(REGEX REPLACE "(^|\n)prefix=[^\n]*" "\\1prefix=\${pcfiledir}/../.." text "${text}")
    file(WRITE ${file} "${text}")
    # vcpkg asks pkg-config whether it can read the file.
    run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${CURRENT_PACKAGES_DIR}/lib/pkgconfig ${pkg_config} --exists
      --print-errors ${file})
  endforeach()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "COMMENT" "FILE_LIST")
  list(LENGTH arg_FILE_LIST count)
  expect("how many files vcpkg_install_copyright got" ${count} 1)
  file(COPY_FILE ${arg_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright)
endfunction()
