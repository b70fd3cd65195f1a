#pragma once

/// Other runtimes' versions of the kernels, as an expert in that runtime would write them.
namespace jackdaw::bench {

/// Adds sides "tbb": oneTBB.
void register_tbb();

/// Adds sides "openmp": the OpenMP of the compiler that this library was built with.
void register_openmp();

/// Adds side "stl" where a standard algorithm does the whole kernel: std::execution::par.
void register_stl();

/// Adds nothing: the sides "serial" come with the kernels.
inline void register_serial() {}

/// Adds those of the above that were built. Call once, at the beginning of main.
void register_peers();

}  // namespace jackdaw::bench
