// bench_jackdaw: the kernels under one of jackdaw's schedulers.
#include <memory>

#include <jackdaw/jackdaw.hpp>

#include "bench/program.hpp"

int main(int argc, char** argv) {
  using namespace jackdaw;
  const auto start = [](const bench::arguments& given) -> bench::enter {
    options wanted;
    wanted.scheduler = given.scheduler;
    wanted.workers = given.request.workers;
    const auto started = std::make_shared<runtime>(wanted);
    return [started](const std::function<void()>& piece) { started->run(piece); };
  };
  return bench::run_program({"jackdaw", "jackdaw", true, start}, argc, argv);
}
