#include "cli/record/record_kernel.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <jackdaw/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>

#include "analysis/fastest.hpp"
#include "analysis/short_steps.hpp"
#include "cli/terminal/say.hpp"
#include "cli/text.hpp"
#include "machine/probe/machine_probe.hpp"
#include "runtime/runtime_access.hpp"
#include "trace/recorder.hpp"
#include "trace/relocate.hpp"

namespace jackdaw::cli {
namespace {

std::string name_of(const kernels::kernel& kernel, const kernels::request& request) {
  std::string name(kernel.name);
  if (!request.size.empty()) name += " --size " + request.size;
  if (!request.shape.empty()) name += " --shape " + request.shape;
  if (!request.input.empty()) name += " --input " + request.input.string();
  if (request.iterations != 0) name += fmt::format(" --iterations {}", request.iterations);
  if (!request.hints.empty()) name += " --hints " + request.hints;
  return name;
}

/// Throws jackdaw::error if the kernel has none.
const kernels::side& own_side(const kernels::kernel& kernel) {
  const auto own = std::find_if(kernel.sides.begin(), kernel.sides.end(),
                                [](const kernels::side& side) { return side.name == "jackdaw"; });
  if (own == kernel.sides.end()) throw error(fmt::format("{} has no side jackdaw to record", kernel.name));
  return *own;
}

/// Returns the ns that the kernel takes unrecorded, on one worker: the fastest of so many runs, or of more that end in
/// 0.2 s.
double fastest_run(const kernels::kernel& kernel, kernels::request wanted, unsigned workers, unsigned times) {
  using clock = std::chrono::steady_clock;
  wanted.workers = workers;
  const std::unique_ptr<kernels::problem> problem = own_side(kernel).make(wanted);
  runtime rt({.scheduler = "random", .workers = 1});
  double fastest = std::numeric_limits<double>::infinity();
  const clock::time_point enough = clock::now() + std::chrono::milliseconds(200);
  for (unsigned time = 0; time < times || clock::now() < enough; ++time) {
    rt.run([&] { problem->prepare(); });
    rt.run([&] {
      const clock::time_point began = clock::now();
      problem->run();
      fastest = std::min(fastest, std::chrono::duration<double, std::nano>(clock::now() - began).count());
    });
  }
  return fastest;
}

}  // namespace

trace::task_tree record_kernel(const kernels::kernel& kernel, const kernels::request& request, unsigned workers,
                               trace::interruptions* disturbed) {
  // Without this the C library would put large arrays elsewhere once some have been freed, so that the second recording
  // of a process would have other neighbours and offsets in pages.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  kernels::request wanted = request;
  wanted.workers = workers;
  const std::unique_ptr<kernels::problem> problem = own_side(kernel).make(wanted);

  trace::recorder recorder(name_of(kernel, request), workers);
  {
    runtime recorded = detail::runtime_access::recording({.workers = workers}, recorder);
    recorded.label_next_root("prepare");
    recorded.run([&] { problem->prepare(); });
    recorded.label_next_root("run");
    recorded.run([&] { problem->run(); });
  }
  problem->check();
  if (disturbed != nullptr) *disturbed = recorder.disturbed();
  trace::task_tree tree = recorder.take();
  trace::relocate(tree);
  return tree;
}

trace::task_tree record_fastest(const kernels::kernel& kernel, const kernels::request& request, unsigned workers,
                                unsigned times, progress* shown) {
  // They are for other programs, and here also runtimes run that are not recorded and must take no detours.
  static const int without = unsetenv("JACKDAW_RECORD") + unsetenv("JACKDAW_MOVE");
  static_cast<void>(without);
  const auto say = [&](unsigned time) {
    if (shown != nullptr) shown->say(fmt::format("{}: recording {} of {}", kernel.name, time, times));
  };
  trace::interruptions least;
  say(1);
  trace::task_tree tree = record_kernel(kernel, request, workers, &least);
  unsigned merged = 1;
  for (; merged < times; ++merged) {
    trace::interruptions disturbed;
    say(merged + 1);
    if (!analysis::keep_fastest(tree, record_kernel(kernel, request, workers, &disturbed))) break;
    if (disturbed.lost * least.wall < least.lost * disturbed.wall) least = disturbed;
  }
  if (least.matter()) {
    tree.lost = least.lost / least.wall;
    if (shown != nullptr) shown->clear();
    warn("{}: {} even in the best of {}, so its times are too long", tree.program, least.text(),
         count_text(merged, "recording"));
  }
  if (tree.accesses.empty() && analysis::has_short_steps(tree, tree.roots.back()))
    analysis::fit_short_steps(tree, tree.roots.back(), fastest_run(kernel, request, workers, times),
                              probe::time_fork());
  return tree;
}

}  // namespace jackdaw::cli
