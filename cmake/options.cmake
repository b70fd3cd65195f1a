include(GNUInstallDirs)
option(JACKDAW_BUILD_TESTS "Build the tests" ON)
option(JACKDAW_BUILD_BENCHMARKS "Build the comparisons with other runtimes" ON)
set(JACKDAW_SANITIZE "" CACHE STRING "Sanitizers for everything that is built, e.g. address,undefined or thread")

# What every target of this tree is compiled with; never part of what an installed jackdaw asks of its users.
add_library(jackdaw_build INTERFACE)
target_compile_options(jackdaw_build INTERFACE -Wall -Wextra -Wpedantic -Werror)
if(JACKDAW_SANITIZE)
  target_compile_options(jackdaw_build INTERFACE -fsanitize=${JACKDAW_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(jackdaw_build INTERFACE -fsanitize=${JACKDAW_SANITIZE})
endif()
