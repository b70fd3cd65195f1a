// bench_tbb, bench_gomp, bench_llvm_omp, bench_stl and bench_serial: the kernels under other runtimes. BENCH_RUNTIME is
// the program's name for it, BENCH_SIDE the name of the kernels' side, BENCH_REGISTER the function that adds those
// sides.
#include "bench/peers.hpp"
#include "bench/program.hpp"

int main(int argc, char** argv) {
  BENCH_REGISTER();
  const auto start = [](const jackdaw::bench::arguments&) -> jackdaw::bench::enter {
    return [](const std::function<void()>& piece) { piece(); };
  };
  return jackdaw::bench::run_program({BENCH_RUNTIME, BENCH_SIDE, false, start}, argc, argv);
}
