#include "kernels/fft/fft.hpp"

#include <jackdaw/access.hpp>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

class jackdaw_fft : public fft_problem {
 public:
  using fft_problem::fft_problem;

  void prepare() override {
    jackdaw::for_range(std::size_t{0}, n, [this](std::size_t first, std::size_t last) {
      for (const samples array : {all_samples(), all_scratch(), all_roots()})
        jackdaw::writes(array.subspan(first, last - first));
      fill(first, last);
    });
  }

  void run() override { transform(all_samples(), all_scratch(), all_roots().data()); }

 private:
  /// Transforms `line`; `spare` is as long and is overwritten.
  static void transform(samples line, samples spare, fft_roots roots) {
    if (line.size() <= cutoff) {
      jackdaw::reads(line);
      jackdaw::reads(roots, line.size());
      jackdaw::writes(line);
      return fft_leaf(line, roots);
    }
    const std::size_t half = line.size() / 2;
    unweave(line, spare, half);
    jackdaw::invoke([=] { transform(spare.first(half), line.first(half), roots); },
                    [=] { transform(spare.subspan(half), line.subspan(half), roots); });
    combine(spare, line, half, roots);
  }

  static void unweave(samples in, samples out, std::size_t half) {
    jackdaw::for_range(
        std::size_t{0}, half,
        [=](std::size_t first, std::size_t last) {
          const std::size_t count = last - first;
          jackdaw::reads(in.subspan(2 * first, 2 * count));
          jackdaw::writes(out.data() + first, 2, count, half);
          fft_unweave(in.data(), out.data(), half, first, last);
        },
        jackdaw::grain{block});
  }

  static void combine(samples in, samples out, std::size_t half, fft_roots roots) {
    jackdaw::for_range(
        std::size_t{0}, half,
        [=](std::size_t first, std::size_t last) {
          const std::size_t count = last - first;
          jackdaw::reads(in.data() + first, 2, count, half);
          jackdaw::reads(roots + half + first, count);
          jackdaw::writes(out.data() + first, 2, count, half);
          fft_combine(in.data(), out.data(), half, first, last, roots);
        },
        jackdaw::grain{block});
  }
};

class serial_fft : public fft_problem {
 public:
  using fft_problem::fft_problem;
  void run() override { transform_serially(all_samples(), all_scratch(), all_roots().data()); }
};

}  // namespace

kernel fft() {
  return {.name = "fft",
          .summary = "Fourier transform of complex numbers by even and odd halves",
          .sizes = names(fft_sizes),
          .shapes = names(fft_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_fft>("jackdaw"), make_side<serial_fft>("serial")}};
}

}  // namespace jackdaw::kernels
