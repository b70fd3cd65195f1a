// Prints a trace's summary, for a comparison with the Python reader.
#include <cinttypes>
#include <cstdio>
#include <exception>

#include "trace/trace_file.hpp"
#include "trace/tree_summary.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const auto sum = jackdaw::trace::summarise(jackdaw::trace::read_trace(argv[1]));
    const std::uint64_t bytes = sum.bytes_read + sum.bytes_written;
    std::printf("%zu %zu %zu %zu %" PRIu64 " %.17g %.17g\n", sum.tasks, sum.leaves, sum.forks, sum.accesses, bytes,
                sum.work, sum.critical_path);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
