#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "machine/probe/kernels.hpp"
#include "machine/probe/memory.hpp"
#include "machine/probe/sockets.hpp"

namespace jackdaw::probe {
namespace {

constexpr std::size_t kib = 1 << 10;
constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::size_t short_row = 512, page_row = 4096;

/// Memory that one core uses again and again, and how long each measurement takes.
struct leaf_bench {
  unsigned os_cpu;
  report& to;
  double ns;

  /// Memory that the core has touched first.
  buffer touched(std::size_t bytes) const {
    buffer made(bytes);
    on_cpu(os_cpu, [&] { std::fill_n(made.data(), made.words(), 0x3ff0000000000000U); });  // 1.0
    return made;
  }
  /// Tiles of 64 rows, of which neither rows nor columns follow each other in memory.
  static constexpr std::size_t tile_rows = 64, tile_length = 64 * kib, pitch = (tile_length + line) / word;
  static constexpr std::size_t tile = tile_rows * pitch;

  /// Calls f(first word of one half of `data`, the same word of the other half) for each part of each tile that is
  /// `row` bytes wide. Returns the ns that all calls take, divided by the bytes of the parts.
  template <class F>
  double by_parts(const buffer& data, std::size_t row, F f) const {
    const std::size_t tiles = data.words() / 2 / tile;
    std::uint64_t* const other_half = data.data() + tiles * tile;
    const auto once = [&] {
      for (std::size_t i = 0; i < tiles; ++i)
        for (std::size_t at = i * tile; at < i * tile + tile_length / word; at += row / word)
          f(data.data() + at, other_half + at);
    };
    return fastest_call(os_cpu, once, ns) / static_cast<double>(tiles * tile_rows * tile_length);
  }
  /// ns per byte when `data` are read in rows of `row` bytes.
  double by_rows(const buffer& data, std::size_t row) const {
    return by_parts(data, row, [row](const std::uint64_t* from, std::uint64_t*) {
      for (std::size_t i = 0; i < tile_rows; ++i) keep(read_all(from + i * pitch, row / word));
    });
  }
  /// ns per word that a stencil writes, from one half of `data` to the other, by whole rows.
  double by_stencil(const buffer& data, std::size_t words_of_row) const {
    auto* const from = reinterpret_cast<double*>(data.data());
    const std::size_t rows = data.words() / 2 / words_of_row;
    double* const to_half = from + rows * words_of_row;
    const auto once = [&] {
      stencil(to_half, from, rows, words_of_row, words_of_row);
      keep(to_half);
    };
    return fastest_call(os_cpu, once, ns) / static_cast<double>((rows - 2) * (words_of_row - 2));
  }
  /// The same by rows of `row` bytes.
  double by_short_stencil(const buffer& data, std::size_t row) const {
    const double written =
        (tile_rows - 2.0) / tile_rows * (static_cast<double>(row) - 2 * word) / static_cast<double>(row);
    return word / written * by_parts(data, row, [row](const std::uint64_t* from, std::uint64_t* to) {
             stencil(reinterpret_cast<double*>(to), reinterpret_cast<const double*>(from), tile_rows, row / word,
                     pitch);
           });
  }
};

/// What is written leaves while the core reads on. So the rate is that of the difference.
void probe_writes(const leaf_bench& with, const buffer& far) {
  machine_model& model = with.to.model;
  const double reads = fastest_call(with.os_cpu, [&] { keep(read_all(far.data(), far.words())); }, with.ns);
  const double updates = fastest_call(with.os_cpu, [&] { update_all(far.data(), far.words()); }, with.ns);
  // The difference of two nearly equal times would be noise.
  constexpr double most = 10;
  const double bytes = static_cast<double>(far.words() * word);
  const double difference = std::max(updates - reads, bytes / (most * model.local_rate));
  with.to.measured("write_rate", model.write_rate, bytes / difference,
                   "bytes that one core updates in memory over the time that this takes longer than reading them");
}

/// A line that no prefetcher knows of takes the latency over the number of misses that the core keeps in flight. What
/// follows it in a row of 512 bytes comes at a rate of its own, and so does what follows in a row of 4 KiB, as far as
/// this row takes longer than its bytes in a long row.
void probe_ramp(const leaf_bench& with, const buffer& far) {
  machine_model& model = with.to.model;
  const double steady = 1 / model.local_rate;
  const buffer chain(std::bit_floor(far.words() * word));
  on_cpu(with.os_cpu, [&] { make_chain(chain.data(), chain.words() * word / line); });
  constexpr unsigned most = 16;
  const scattered alone = chase_scattered(with.os_cpu, chain, most, with.ns);
  // Less than a tenth is not worth a figure.
  const double worth = 1.1 * steady;
  if (alone.each / line < worth) return;
  const double after_line = with.by_rows(far, short_row) * short_row - alone.each;
  const double slow = std::clamp(after_line / (short_row - line), steady, alone.each / line);
  double lines = 0;
  if (slow > worth) {
    const double late = with.by_rows(far, page_row) * page_row - alone.each - (page_row - line) * steady;
    lines = std::clamp(std::round(late / (slow - steady) / line), 0.0, double{page_row / line} - 1);
  }
  model.slow_start.length = static_cast<std::uint64_t>(1 + lines) * line;
  double length = 0;
  with.to.measured("ramp.length", length, static_cast<double>(model.slow_start.length),
                   "in whole lines: what rows of 4 KiB, each 64 KiB from the next one, take longer than long rows");
  with.to.measured("ramp.rate", model.slow_start.rate, 1 / slow,
                   "the same with rows of 512 bytes, after their first lines");
  with.to.measured("ramp.line_rate", model.slow_start.line_rate, line / alone.each,
                   fmt::format("one core follows {} chains of lines at once, of 1 to {} the fastest: {:.1f} of its "
                               "misses are in flight",
                               alone.chains, most, model.nodes.front().latency / alone.each));
}

/// The ns of a row of `bytes` from memory by the figures that probe_ramp has found.
double time_of_row(const machine_model& model, double bytes) {
  const machine_model::ramp& of = model.slow_start;
  const double slow = std::min(bytes, static_cast<double>(of.length));
  return line / of.line_rate + (slow - line) / of.rate + (bytes - slow) / model.local_rate;
}

/// The part of `moving` that is missing in the time of computing and moving together.
double hidden(double computing, double moving, double both) {
  return std::clamp((computing + moving - both) / std::min(computing, moving), 0.0, 1.0);
}

/// A stencil in the private cache computes alone. Elsewhere it also moves three words for each that it writes.
void probe_overlap(const leaf_bench& with, const buffer& far) {
  machine_model& model = with.to.model;
  const std::size_t own = model.private_cache.size != 0 ? model.private_cache.size / 2 : 128 * kib;
  // Two halves of at least eight rows.
  const std::size_t words_of_row = std::min<std::size_t>(512, own / word / 16);
  const double computing = with.by_stencil(with.touched(own), words_of_row);
  const double written = word / model.write_rate;
  with.to.measured("overlap", model.overlap,
                   hidden(computing, 2 * word / model.local_rate + written, with.by_stencil(far, 8 * kib)),
                   "a five-point stencil over doubles in memory, less the same in the private cache");
  if (model.slow_start.length != 0) {
    const double by_short_row = time_of_row(model, short_row) / short_row;
    with.to.measured("ramp.overlap", model.slow_start.overlap,
                     hidden(computing, 2 * word * by_short_row + written, with.by_short_stencil(far, short_row)),
                     "the same stencil by rows of 512 bytes");
  }
  if (model.shared_cache.size < 4 * own) return;
  const buffer shared = with.touched(std::min(8 * own, model.shared_cache.size / 2));
  with.to.measured("shared_cache.overlap", model.shared_cache.overlap,
                   hidden(computing, 2 * word / model.shared_cache.rate, with.by_stencil(shared, words_of_row)),
                   fmt::format("the same stencil over {} MiB", shared.words() * word / (1024 * kib)));
}

}  // namespace

void probe_leaves(const std::vector<socket>& sockets, report& to, double ns) {
  constexpr double measurements = 9;
  const leaf_bench with{sockets.front().os_cpus.front(), to, ns / measurements};
  const buffer far =
      with.touched(std::clamp<std::size_t>(8 * to.model.shared_cache.size, 64 * 1024 * kib, 512 * 1024 * kib));
  probe_writes(with, far);
  probe_ramp(with, far);
  probe_overlap(with, far);
}

}  // namespace jackdaw::probe
