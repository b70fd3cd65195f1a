#include "kernels/ge.hpp"

#include "kernels/list.hpp"
#include "kernels/swept.hpp"

namespace jackdaw::kernels {

kernel ge() { return make_swept<ge_matrix>("Gaussian elimination without pivoting, by rows: a sweep for each pivot"); }

}  // namespace jackdaw::kernels
