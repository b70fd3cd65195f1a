#include "kernels/sor/sor.hpp"

#include "kernels/common/list.hpp"
#include "kernels/common/row_sweep.hpp"

namespace jackdaw::kernels {

kernel sor() { return make_swept<sor_grid>("Red/black successive over-relaxation in place, by rows"); }

}  // namespace jackdaw::kernels
