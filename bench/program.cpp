#include "bench/program.hpp"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace jackdaw::bench {
namespace {

/// A command line that cannot be used; the text is the one-line message.
class bad_usage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

unsigned number(std::string_view option, std::string_view text, unsigned least, unsigned most) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
    throw bad_usage(std::string(option) + ": expected a number from " + std::to_string(least) + " to " +
                    std::to_string(most) + ", got '" + std::string(text) + "'");
  }
  return value;
}

arguments parse(const program& what, int argc, char** argv) {
  if (argc < 2) throw bad_usage("expected a kernel, e.g. fib");
  arguments result;
  result.kernel = argv[1];
  result.request.workers = 1;
  for (int i = 2; i < argc; i += 2) {
    const std::string_view option = argv[i];
    if (i + 1 == argc) throw bad_usage(std::string(option) + ": expected a value after it");
    const std::string_view value = argv[i + 1];
    if (option == "--size") {
      result.request.size = value;
    } else if (option == "--shape") {
      result.request.shape = value;
    } else if (option == "--input") {
      result.request.input = value;
    } else if (option == "--workers") {
      result.request.workers = number(option, value, 1, 4096);
    } else if (option == "--iterations") {
      result.request.iterations = number(option, value, 1, 1'000'000);
    } else if (option == "--repeat") {
      result.repeat = number(option, value, 1, 1'000'000);
    } else if (option == "--warm-up") {
      result.warm_up = number(option, value, 0, 1'000'000);
    } else if (option == "--scheduler" && what.takes_scheduler) {
      result.scheduler = value;
    } else {
      throw bad_usage("unknown option '" + std::string(option) + "'");
    }
  }
  return result;
}

const kernels::side& side_of(const program& what, const kernels::kernel& kernel) {
  for (const kernels::side& side : kernel.sides) {
    if (side.name == what.side) return side;
  }
  throw bad_usage("kernel '" + std::string(kernel.name) + "' has no version for " + std::string(what.runtime));
}

std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

/// The largest resident memory of this process so far, in KiB; 0 if the kernel does not report it.
unsigned long peak_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoul(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

/// Runs the problem once; returns whether its result was right.
bool once(const program& what, const arguments& given, const enter& inside, kernels::problem& problem, bool print) {
  using clock = std::chrono::steady_clock;
  inside([&] { problem.prepare(); });
  const auto start = clock::now();
  inside([&] { problem.run(); });
  const double seconds = std::chrono::duration<double>(clock::now() - start).count();
  const unsigned long peak = peak_kib();
  std::string wrong;
  try {
    problem.check();
  } catch (const kernels::check_failed& failure) {
    wrong = failure.what();
  }
  if (print || !wrong.empty()) {
    std::string line = "{\"kernel\": " + json_text(given.kernel) + ", \"size\": " + json_text(given.request.size) +
                       ", \"shape\": " + json_text(given.request.shape) + ", \"runtime\": " + json_text(what.runtime);
    if (!given.scheduler.empty()) line += ", \"scheduler\": " + json_text(given.scheduler);
    char numbers[200];
    std::snprintf(numbers, sizeof numbers,
                  ", \"workers\": %u, \"seconds\": %.9f, \"ok\": %s, \"items\": %.17g, \"peak_kib\": %lu",
                  given.request.workers, seconds, wrong.empty() ? "true" : "false", problem.items(), peak);
    line += numbers;
    line += ", \"unit\": " + json_text(problem.unit());
    if (!wrong.empty()) line += ", \"error\": " + json_text(wrong);
    std::puts((line + '}').c_str());
    std::fflush(stdout);
  }
  return wrong.empty();
}

}  // namespace

int run_program(const program& what, int argc, char** argv) {
  try {
    arguments given = parse(what, argc, argv);
    const kernels::kernel* kernel = kernels::find(given.kernel);
    if (kernel == nullptr) throw bad_usage("unknown kernel '" + given.kernel + "'");
    if (given.request.size.empty() && !kernel->sizes.empty()) given.request.size = kernel->sizes.front();
    if (given.request.shape.empty() && !kernel->shapes.empty()) given.request.shape = kernel->shapes.front();
    const enter inside = what.start(given);
    const std::unique_ptr<kernels::problem> problem = side_of(what, *kernel).make(given.request);
    bool right = true;
    for (unsigned i = 0; i < given.warm_up + given.repeat; ++i) {
      right = once(what, given, inside, *problem, i >= given.warm_up) && right;
    }
    return right ? 0 : 1;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "bench_%s: %s\n", std::string(what.runtime).c_str(), failure.what());
    return 2;
  }
}

}  // namespace jackdaw::bench
