#pragma once

namespace jackdaw::gomp {

/// Whether the system's libgomp is in the process too, as it is where this library is preloaded. It has reported then
/// what is wrong in the environment, and shown settings. Nobody calls it.
bool libgomp_is_loaded() noexcept;

/// Undoes what libgomp has done to the calling thread's affinity mask when it was loaded: it binds the first thread
/// according to OMP_PROC_BIND and OMP_PLACES.
void restore_affinity() noexcept;

}  // namespace jackdaw::gomp
