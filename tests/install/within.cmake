# cmake -D ... -P within.cmake: jackdaw inside another project's tree is the library alone, without warnings. See
# CMakeLists.txt for what is passed in.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/functions.cmake)

file(REMOVE_RECURSE ${work})
# What either defines is the same, so that one of them is enough to build.
foreach(how add_subdirectory FetchContent)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/within -B ${work}/${how} ${toolchain}
    -D how=${how} -D jackdaw_source=${source})
endforeach()
run(${CMAKE_COMMAND} --build ${work}/FetchContent --target within)
run(${work}/FetchContent/within OUTPUT found)
expect("the program built with FetchContent" "${found}" "${wanted}")
