#include "kernels/sor.hpp"

#include "kernels/list.hpp"
#include "kernels/swept.hpp"

namespace jackdaw::kernels {

kernel sor() { return make_swept<sor_grid>("Red/black successive over-relaxation in place, by rows"); }

}  // namespace jackdaw::kernels
