#include <jackdaw/access.hpp>

// In rayon's program no runtime of jackdaw listens to what leaves declare.
void jackdaw::detail::declare_vectors() noexcept {}
