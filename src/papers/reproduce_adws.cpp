#include "papers/adws_page.hpp"

namespace jackdaw::cli {

reproduction reproduce_adws() {
  reproduction made;
  made.name = "adws";
  made.title = "Almost Deterministic Work Stealing (Shiina and Taura, SC'19)";
  made.machine = "xeon-gold-6130";
  adws_page::add_heat2d(made);
  adws_page::add_heat2d_scaling(made);
  adws_page::add_constrained(made);
  adws_page::add_matmul(made);
  adws_page::add_water(made);
  adws_page::add_wrong_hints(made);
  adws_page::add_fib(made);
  made.left_out = {
      "OpenMP's dynamic schedule, which the paper compares in 5.3: it hands out the leaves of a loop one after "
      "another, "
      "and no scheduler here does.",
      "OpenMP static has jackdaw's costs of placing a task, not those of OpenMP's barrier.",
      "FDPS's water (5.3) is kernel sph here (docs/kernels.md), at the beginning of the fall.",
  };
  return made;
}

}  // namespace jackdaw::cli
