#include "jackdaw/arena.hpp"

#include "runtime/runtime_access.hpp"

namespace jackdaw {

arena::arena(runtime& of, const arena_options& how)
    : inside_(detail::runtime_access::arena_of(of, how)), to_(inside_ != nullptr ? *inside_ : of) {}

}  // namespace jackdaw
