#include "jackdaw/arena.hpp"

namespace jackdaw {

arena::arena(runtime& of, const arena_options& how) : inside_(of, how) {}

}  // namespace jackdaw
