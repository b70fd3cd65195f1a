# cmake -D ... -P conan.cmake: makes the Conan package of this tree, with which Conan builds and runs its test_package.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../install/functions.cmake)

set(conan ${source}/build/conan/bin/conan)
if(NOT EXISTS ${source}/build/conan/complete)
  message("skipped: Conan is missing. To get it: scripts/setup.sh packaging")
  return()
endif()

# A Conan of its own, which knows of no server.
set(ENV{CONAN_HOME} ${work}/home)
set(ENV{CC} ${c_compiler})
set(ENV{CXX} ${compiler})
file(REMOVE_RECURSE ${work})
run(${conan} profile detect)
run(${conan} remote disable *)
run(${conan} create ${source}/packaging/conan --no-remote --test-folder=test_package
  --settings build_type=Release --settings compiler.cppstd=20 --conf tools.cmake.cmaketoolchain:generator=${generator}
  --conf tools.cmake.cmake_layout:test_folder=${work}/test_package
  --conf tools.cmake.cmaketoolchain:extra_variables={'CMAKE_UNITY_BUILD':'ON','CMAKE_CXX_FLAGS_RELEASE':'-O1'})
run(${conan} list jackdaw/${version}:* --format=compact OUTPUT found)
if(NOT found MATCHES "jackdaw/${version}#")
  message(FATAL_ERROR "conan list: '${found}', expected jackdaw/${version}")
endif()
