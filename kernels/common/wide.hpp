#pragma once

#include <jackdaw/access.hpp>
#include <jackdaw/detail/vectors.hpp>

namespace jackdaw::kernels {

/// Does the work of a leaf in the processor's widest vectors, and declares that. `f` is as in_vectors() takes it. The
/// result is the same for all widths where operations are not fused (-ffp-contract=off, as kernels are compiled).
template <class F>
void in_widest_vectors(F f) {
  jackdaw::computes_in_vectors();
  jackdaw::detail::in_vectors(jackdaw::detail::widest_vectors(), f);
}

}  // namespace jackdaw::kernels
