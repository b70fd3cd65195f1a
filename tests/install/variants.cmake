# A user's program, built with flags of jackdaw's and with what a project of the user's may add.
set(tasks_total "total 177449")
set(ENV{TSAN_OPTIONS} "exitcode=66")
set(ENV{ASAN_OPTIONS} "detect_leaks=1")

# g++ 12's ThreadSanitizer dies at start where addresses are more random than it expects.
find_program(setarch setarch)
execute_process(COMMAND ${setarch} -R true RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
set(steadily "")
if(setarch AND refused EQUAL 0)
  set(steadily ${setarch} -R)
endif()

# expect_found(PROGRAM WHICH TEXT): the program's mistake ends it, and the tool's report contains the text.
function(expect_found program which text)
  execute_process(COMMAND ${steadily} ${program} ${which} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  string(FIND "${out}" "${text}" at)
  if(status EQUAL 0 OR at EQUAL -1)
    message(FATAL_ERROR "${program} ${which} ended with ${status}, expected a report of '${text}':\n${out}")
  endif()
endfunction()

# build_tasks(NAME COMPILER option...): builds and runs consumer/tasks.cpp.
macro(build_tasks name with)
  run(${with} -std=c++20 -O1 -g ${ARGN} ${consumer}/tasks.cpp -o ${work}/${name} ${flags})
  run(${steadily} ${work}/${name} OUTPUT found)
  expect("the program built as '${name}'" "${found}" "${tasks_total}")
endmacro()

# build_variants(FLAGS...): with other compilers, standards and warnings.
function(build_variants)
  set(flags ${ARGN})
  build_tasks(strict ${compiler} -Wall -Wextra -Wpedantic -Wshadow -Werror)
  build_tasks(no_exceptions ${compiler} -fno-exceptions -fno-rtti -Wall -Wextra -Werror)
  run(${compiler} -std=c++20 -O2 -fno-exceptions ${consumer}/no_exceptions.cpp -o ${work}/ends ${flags})
  expect_found(${work}/ends cancelled "jackdaw: cancelled: a stop was requested; this program")
  expect_found(${work}/ends bin "jackdaw: an element of bin 10, expected bins from 0 to below 10; this program")
  build_tasks(new_standard ${compiler} -std=c++23 -O2)
  build_tasks(link_time ${compiler} -O2 -flto)
  if(compiler MATCHES "clang")
    find_program(other g++)
  else()
    find_program(other NAMES clang++-19 clang++)
  endif()
  if(other)
    build_tasks(other_compiler ${other} -Wall -Wextra -Werror)
  endif()
endfunction()

# build_watched(FLAGS...): with sanitizers, and under valgrind. These find the program's mistakes, and nothing else. The
# library is built without them.
function(build_watched)
  set(flags ${ARGN})
  foreach(sanitizer address thread)
    build_tasks(${sanitizer} ${compiler} -fsanitize=${sanitizer})
    build_tasks(${sanitizer}_debug ${compiler} -fsanitize=${sanitizer} -O0)
    run(${compiler} -std=c++20 -O1 -g -fsanitize=${sanitizer} ${consumer}/mistakes.cpp -o ${work}/mistakes_${sanitizer}
      ${flags})
  endforeach()
  # The library calls the functions of a program in C.
  foreach(sanitizer address thread)
    run(${c_compiler} -std=c11 -O1 -g -fsanitize=${sanitizer} ${source}/tests/c/program.c
      -o ${work}/c_${sanitizer} ${flags})
    run(${steadily} ${work}/c_${sanitizer})
  endforeach()
  expect_found(${work}/mistakes_address overflow "AddressSanitizer: stack-buffer-overflow")
  expect_found(${work}/mistakes_address leak "LeakSanitizer: detected memory leaks")
  expect_found(${work}/mistakes_thread race "ThreadSanitizer: data race")

  find_program(valgrind valgrind)
  if(valgrind AND EXISTS /usr/include/valgrind/valgrind.h)
    build_tasks(plain ${compiler})
    run(${valgrind} -q --error-exitcode=9 ${work}/plain OUTPUT found)
    expect("the program under valgrind" "${found}" "${tasks_total}")
  endif()
endfunction()
