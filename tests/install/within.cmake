# cmake -D ... -P within.cmake: inside another project's tree jackdaw builds only the library, without warnings.
# CMakeLists.txt passes the variables.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/functions.cmake)

file(REMOVE_RECURSE ${work})
# Both define the same, so building one of them is enough.
foreach(how add_subdirectory FetchContent)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/within -B ${work}/${how} ${toolchain} ${quickly}
    -D how=${how} -D jackdaw_source=${source})
endforeach()
run(${CMAKE_COMMAND} --build ${work}/FetchContent --target within)
run(${work}/FetchContent/within OUTPUT found)
expect("the program built with FetchContent" "${found}" "${wanted}")
