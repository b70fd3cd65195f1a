# cmake -D ... -P vcpkg.cmake: runs the port as vcpkg would, and builds a user's program with what it lays down.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../install/functions.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/vcpkg_functions.cmake)

file(REMOVE_RECURSE ${work})

file(READ ${source}/packaging/vcpkg/vcpkg.json manifest)
string(JSON PORT GET "${manifest}" name)
string(JSON found GET "${manifest}" version)
expect("the version in vcpkg.json" "${found}" "${version}")

# What vcpkg sets for a port, with a triplet like its x64-linux but without the debug half.
set(TARGET_TRIPLET x64-linux-release)
set(VCPKG_LIBRARY_LINKAGE static)
set(VCPKG_BUILD_TYPE release)
set(CURRENT_PORT_DIR ${source}/packaging/vcpkg)
set(CURRENT_PACKAGES_DIR ${work}/packages/${PORT}_${TARGET_TRIPLET})
set(CURRENT_BUILDTREES_DIR ${work}/buildtrees/${PORT})
run_portfile()

foreach(wanted share/jackdaw/copyright share/jackdaw/usage share/jackdaw/jackdawConfig.cmake lib/libjackdaw.a
        lib/pkgconfig/jackdaw.pc include/jackdaw/jackdaw.hpp)
  if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/${wanted})
    message(FATAL_ERROR "the port laid down no ${wanted}")
  endif()
endforeach()
# vcpkg refuses packages with these.
foreach(unwanted lib/cmake debug/include share/doc bin)
  if(EXISTS ${CURRENT_PACKAGES_DIR}/${unwanted})
    message(FATAL_ERROR "the port laid down ${unwanted}")
  endif()
endforeach()

# Packages are moved to where they are used from.
file(RENAME ${CURRENT_PACKAGES_DIR} ${work}/installed)
build_consumer(${work}/cmake ${work}/installed)
