# cmake -D ... -P check.cmake: CMakeLists.txt passes the variables.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/functions.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/exports.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/variants.cmake)

set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})

if(rebuild)
  # the library alone, which is also what a packager builds
  run(${CMAKE_COMMAND} -S ${source} -B ${work}/library ${toolchain} ${quickly} -D BUILD_SHARED_LIBS=${shared}
    -D JACKDAW_BUILD_PROGRAM=OFF -D JACKDAW_BUILD_TESTS=OFF -D JACKDAW_BUILD_BENCHMARKS=OFF
    -D JACKDAW_WITH_LIBNUMA=OFF -D JACKDAW_WITH_LIBPFM=OFF)
  run(${CMAKE_COMMAND} --build ${work}/library)
  set(build ${work}/library)
endif()
run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})

build_consumer(${work}/cmake ${prefix} -D everything=ON)
run(${work}/cmake/everything)
if(shared)
  expect_exports(${prefix}/${libdir}/libjackdaw.so)
  # A new 0.x is another library, as it may break programs of an older one.
  string(REGEX MATCH "^[0-9]+[.][0-9]+" soversion ${version})
  run(${CMAKE_READELF} -d ${prefix}/${libdir}/libjackdaw.so OUTPUT dynamic)
  if(NOT dynamic MATCHES "SONAME[^\n]*libjackdaw[.]so[.]${soversion}]" OR NOT dynamic MATCHES "NODELETE")
    message(FATAL_ERROR "libjackdaw.so: expected libjackdaw.so.${soversion} as its name, and NODELETE:\n${dynamic}")
  endif()
  if(rebuild AND dynamic MATCHES "libnuma|libpfm")
    message(FATAL_ERROR "libjackdaw.so, built without libnuma and libpfm4, needs them:\n${dynamic}")
  endif()
  # a plugin that alone uses the library, and is loaded and unloaded again and again
  run(${compiler} -std=c++20 -O1 -fPIC -shared -fvisibility=hidden ${consumer}/plugin.cpp -o ${work}/plugin.so
    -D JACKDAW_SHARED -I${prefix}/include -L${prefix}/${libdir} -ljackdaw -pthread -Wl,-rpath,${prefix}/${libdir})
  run(${compiler} -std=c++20 ${consumer}/host.cpp -o ${work}/host -ldl)
  run(${work}/host ${work}/plugin.so OUTPUT found)
  expect("the program with a plugin" "${found}" "plugin 6765 after 20 times")
endif()

# a program of oneTBB, with the headers that stand before that's own
if(EXISTS ${work}/cmake/consumer_tbb)
  run(${work}/cmake/consumer_tbb OUTPUT found)
  expect("the program of oneTBB" "${found}" "4950, 0 elsewhere")
endif()

# the checks library, next to the library
if(EXISTS ${prefix}/${libdir}/libjackdaw-checks.so)
  run(${CMAKE_COMMAND} -E env LD_PRELOAD=${prefix}/${libdir}/libjackdaw-checks.so JACKDAW_CHECKS=abort
    ${work}/cmake/consumer OUTPUT found)
  expect("the program with libjackdaw-checks.so preloaded" "${found}" "${wanted}")
endif()

# found by pkg-config
set(ENV{PKG_CONFIG_PATH} ${prefix}/${libdir}/pkgconfig)
run(${pkg_config} --modversion jackdaw OUTPUT found)
expect("pkg-config --modversion" "${found}" "${version}")
run(${pkg_config} --cflags --libs jackdaw OUTPUT flags)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(${compiler} -std=c++20 -O1 ${consumer}/main.cpp -o ${work}/pkg_config ${flags})
if(shared)
  set(ENV{LD_LIBRARY_PATH} ${prefix}/${libdir})
  if(flags MATCHES "hwloc|-lnuma|-lpfm")
    message(FATAL_ERROR "pkg-config links a user of the shared library to what only that needs: ${flags}")
  endif()
endif()
run(${work}/pkg_config OUTPUT found)
expect("the program built with pkg-config" "${found}" "${wanted}")

# In C, which the C compiler links.
run(${c_compiler} -std=c11 -O1 ${consumer}/main.c -o ${work}/pkg_config_c ${flags})
run(${work}/pkg_config_c OUTPUT found)
expect("the program in C built with pkg-config" "${found}" "${wanted}")
run(${pkg_config} --variable=fortran jackdaw OUTPUT module)
find_program(gfortran gfortran)
if(gfortran)
  run(${gfortran} -O1 -J${work} ${module} ${source}/examples/16-fortran.f90 -o ${work}/fortran ${flags})
  run(${work}/fortran OUTPUT found)
  expect("the program in Fortran" "${found}" "fib(20) = 6765\nsum 5000050000.\nJACKDAW_ERROR_HANDLE")
endif()

build_watched(${flags})
if(NOT rebuild)
  build_variants(${flags})
endif()

# the program
if(NOT rebuild)
  run(${prefix}/bin/jackdaw --version OUTPUT found)
  if(NOT found MATCHES "${version}")
    message(FATAL_ERROR "jackdaw --version: '${found}', expected ${version} in it")
  endif()
  # its manual pages and completions are where man and the shells look for them
  foreach(wanted man/man1/jackdaw.1 man/man1/jackdaw-bench.1 bash-completion/completions/jackdaw
      zsh/site-functions/_jackdaw fish/vendor_completions.d/jackdaw.fish)
    if(NOT EXISTS ${prefix}/share/${wanted})
      message(FATAL_ERROR "no ${prefix}/share/${wanted}, expected it to be installed")
    endif()
  endforeach()
  run(${prefix}/bin/jackdaw man bench OUTPUT found)
  file(READ ${prefix}/share/man/man1/jackdaw-bench.1 page)
  string(STRIP "${page}" page)
  expect("the installed page jackdaw-bench(1)" "${page}" "${found}")
  # its machine files are the installed ones, not those of the tree that it was built in
  run(${prefix}/bin/jackdaw machine check xeon-gold-6130 OUTPUT found)
  string(FIND "${found}" "${prefix}/share/jackdaw/machines/xeon-gold-6130.toml" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "jackdaw machine check: '${found}', expected a file below ${prefix}")
  endif()
endif()
