# For the scripts of tests/install and tests/packaging, whose CMakeLists.txt pass the variables.

# run(COMMAND... [OUTPUT variable]): ends the test with the command's output unless it exits with 0.
function(run)
  cmake_parse_arguments(PARSE_ARGV 0 run "" "OUTPUT" "")
  execute_process(COMMAND ${run_UNPARSED_ARGUMENTS} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 0)
    list(JOIN run_UNPARSED_ARGUMENTS " " command)
    message(FATAL_ERROR "${command}\nended with ${status}\n${out}${err}")
  endif()
  if(run_OUTPUT)
    string(STRIP "${out}" out)
    set(${run_OUTPUT} "${out}" PARENT_SCOPE)
  endif()
endfunction()

function(expect what found wanted)
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "${what}: '${found}', expected '${wanted}'")
  endif()
endfunction()

set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)
set(wanted "fib(20) = 6765")
set(toolchain -G ${generator} -D CMAKE_BUILD_TYPE=${build_type} -D CMAKE_CXX_COMPILER=${compiler}
  -D CMAKE_C_COMPILER=${c_compiler})

# Packagers do not set this: several sources are compiled together, and not as fast as can be, because these builds test
# how the library is packed, not how it is compiled.
set(quickly -D CMAKE_UNITY_BUILD=ON -D CMAKE_CXX_FLAGS_RELEASE=-O1)

# build_consumer(FOLDER PREFIX [option...]): builds the programs of consumer/ in this folder as a user with jackdaw
# below this prefix would, and runs them.
function(build_consumer folder prefix)
  run(${CMAKE_COMMAND} -S ${consumer} -B ${folder} ${toolchain} -D CMAKE_PREFIX_PATH=${prefix}
    -D wanted_version=${version} ${ARGN})
  run(${CMAKE_COMMAND} --build ${folder})
  run(${folder}/consumer OUTPUT found)
  expect("the program built with find_package" "${found}" "${wanted}")
  run(${folder}/consumer_c OUTPUT found)
  expect("the program in C built with find_package" "${found}" "${wanted}")
endfunction()
