#include "kernels/stencils/stencils.hpp"

#include "kernels/common/list.hpp"
#include "kernels/common/row_sweep.hpp"
#include "kernels/stencils/stencil_grid.hpp"

namespace jackdaw::kernels {

kernel heat() { return make_swept<stencil_grid<five_point>>("Heat spreading over a plate, by rows: 5-point Jacobi"); }
kernel stencil_9p() { return make_swept<stencil_grid<nine_point>>("9-point Jacobi in the plane, by rows", "sten"); }
kernel conv() { return make_swept<stencil_grid<convolution>>("Repeated convolution with a 3 x 3 mask, by rows"); }
kernel stencil_6p() { return make_swept<stencil_grid<six_point>>("6-point Jacobi in space, by planes"); }
kernel stencil_25p() { return make_swept<stencil_grid<twenty_five_point>>("25-point Jacobi in space, by planes"); }

}  // namespace jackdaw::kernels
