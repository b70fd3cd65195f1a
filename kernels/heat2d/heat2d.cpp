#include "kernels/heat2d/heat2d.hpp"

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

/// Calls f on the blocks of a rectangle, quarter by quarter.
template <class F>
void by_blocks(rectangle part, const F& f) {
  if (part.height() <= heat2d_problem::cutoff) return f(part);
  jackdaw::invoke([&, part] { by_blocks(part.part(0, 0), f); }, [&, part] { by_blocks(part.part(0, 1), f); },
                  [&, part] { by_blocks(part.part(1, 0), f); }, [&, part] { by_blocks(part.part(1, 1), f); });
}

/// The same with work hints.
template <class F>
void by_blocks(rectangle part, const heat2d_hints& hints, std::uint64_t sweep, const F& f) {
  if (part.height() <= heat2d_problem::cutoff) return f(part);
  const auto amounts = hints.of(sweep, mix(part.top) ^ mix(mix(part.left)) ^ part.height());
  const auto quarter = [&](unsigned lower, unsigned right) {
    return jackdaw::work(amounts[2 * lower + right],
                         [&, lower, right] { by_blocks(part.part(lower, right), hints, sweep, f); });
  };
  jackdaw::invoke(quarter(0, 0), quarter(0, 1), quarter(1, 0), quarter(1, 1));
}

class jackdaw_heat2d : public heat2d_problem {
 public:
  using heat2d_problem::heat2d_problem;

  // Cells are filled in the same way as they are swept, so that a page lies on the memory node of the worker that will
  // update it.
  void prepare() override {
    everywhere(0, [this](rectangle part) {
      grid.declare_fill(part);
      grid.fill(part);
    });
  }

  void run() override {
    for (unsigned t = 0; t != iterations; ++t)
      everywhere(t + 1, [this, t](rectangle part) {
        grid.declare_step(t, part);
        grid.step(t, part);
      });
  }

 private:
  template <class F>
  void everywhere(unsigned sweep, const F& f) {
    if (hints.given()) return by_blocks(grid.whole(), hints, sweep, f);
    if (shape == heat2d_shape::blocks) return by_blocks(grid.whole(), f);
    jackdaw::for_range(std::size_t{0}, n, [&](std::size_t top, std::size_t bottom) { f({top, bottom, 0, n}); });
  }
};

template <class F>
void serial_blocks(rectangle part, const F& f) {
  if (part.height() <= heat2d_problem::cutoff) return f(part);
  for (const unsigned i : {0, 1})
    for (const unsigned j : {0, 1}) serial_blocks(part.part(i, j), f);
}

class serial_heat2d : public heat2d_problem {
 public:
  using heat2d_problem::heat2d_problem;

  void run() override {
    for (unsigned t = 0; t != iterations; ++t) {
      if (shape == heat2d_shape::blocks)
        serial_blocks(grid.whole(), [this, t](rectangle part) { grid.step(t, part); });
      else
        grid.step(t, grid.whole());
    }
  }
};

}  // namespace

kernel heat2d() {
  return {.name = "heat2d",
          .summary = "Heat spreading over a square: an iterated, memory-bound stencil",
          .sizes = names(heat2d_sizes),
          .shapes = names(heat2d_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_heat2d>("jackdaw"), make_side<serial_heat2d>("serial")},
          .takes_hints = true,
          .iterates = true};
}

}  // namespace jackdaw::kernels
