# AArch64 from another machine, with Debian's cross compiler, the libraries that scripts/setup-aarch64.sh unpacks, and
# programs run by qemu-user. JACKDAW_AARCH64_CLANG: with that clang++ instead of g++.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

set(jackdaw_triple aarch64-linux-gnu)
set(jackdaw_root ${CMAKE_CURRENT_LIST_DIR}/../../build/aarch64-root)
cmake_path(NORMAL_PATH jackdaw_root)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JACKDAW_AARCH64_CLANG)

if(JACKDAW_AARCH64_CLANG)
  set(CMAKE_C_COMPILER clang-${JACKDAW_AARCH64_CLANG})
  set(CMAKE_CXX_COMPILER clang++-${JACKDAW_AARCH64_CLANG})
  foreach(language C CXX ASM)
    set(CMAKE_${language}_COMPILER_TARGET ${jackdaw_triple})
  endforeach()
else()
  set(CMAKE_C_COMPILER ${jackdaw_triple}-gcc)
  set(CMAKE_CXX_COMPILER ${jackdaw_triple}-g++)
endif()

set(CMAKE_LIBRARY_ARCHITECTURE ${jackdaw_triple})
set(CMAKE_FIND_ROOT_PATH ${jackdaw_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(what LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${what} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${jackdaw_root}/usr/lib/${jackdaw_triple}/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${jackdaw_root})

# Headers of one machine alone, which a compiler looks for in its own root only.
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-isystem ${jackdaw_root}/usr/include/${jackdaw_triple}")
endforeach()

# What the unpacked libraries need of each other.
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-Wl,-rpath-link,${jackdaw_root}/usr/lib/${jackdaw_triple}:${jackdaw_root}/lib/${jackdaw_triple}")
set(CMAKE_SHARED_LINKER_FLAGS_INIT ${CMAKE_EXE_LINKER_FLAGS_INIT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CMAKE_SYSTEM_PROCESSOR} -L /usr/${jackdaw_triple}
  -E LD_LIBRARY_PATH=${jackdaw_root}/usr/lib/${jackdaw_triple}:${jackdaw_root}/lib/${jackdaw_triple})
