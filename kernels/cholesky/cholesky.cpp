#include "kernels/cholesky/cholesky.hpp"

#include <jackdaw/access.hpp>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

using part = cholesky_problem::part;

void reads_block(part a) { jackdaw::reads(a.data, a.n, a.n, a.row); }

void updates_block(part a) {
  reads_block(a);
  jackdaw::writes(a.data, a.n, a.n, a.row);
}

/// C = C - A B^T.
void subtract(part c, part a, part b) {
  if (c.n == cholesky_problem::cutoff) {
    reads_block(a);
    reads_block(b);
    updates_block(c);
    return cholesky_subtract(c.data, a.data, b.data, c.row);
  }
  for (const unsigned k : {0, 1})
    jackdaw::invoke([=] { subtract(c.part(0, 0), a.part(0, k), b.part(0, k)); },
                    [=] { subtract(c.part(0, 1), a.part(0, k), b.part(1, k)); },
                    [=] { subtract(c.part(1, 0), a.part(1, k), b.part(0, k)); },
                    [=] { subtract(c.part(1, 1), a.part(1, k), b.part(1, k)); });
}

/// The lower triangle of C = C - A A^T.
void subtract_square(part c, part a) {
  if (c.n == cholesky_problem::cutoff) {
    reads_block(a);
    updates_block(c);
    return cholesky_subtract_square(c.data, a.data, c.row);
  }
  for (const unsigned k : {0, 1})
    jackdaw::invoke(jackdaw::work(1, [=] { subtract_square(c.part(0, 0), a.part(0, k)); }),
                    jackdaw::work(2, [=] { subtract(c.part(1, 0), a.part(1, k), a.part(0, k)); }),
                    jackdaw::work(1, [=] { subtract_square(c.part(1, 1), a.part(1, k)); }));
}

/// B = B L^-T, for a lower triangular L. Rows of B do not depend on each other.
void solve(part b, part l) {
  if (b.n == cholesky_problem::cutoff) {
    reads_block(l);
    updates_block(b);
    return cholesky_solve(b.data, l.data, b.row);
  }
  const auto rows = [=](unsigned i) {
    solve(b.part(i, 0), l.part(0, 0));
    subtract(b.part(i, 1), b.part(i, 0), l.part(1, 0));
    solve(b.part(i, 1), l.part(1, 1));
  };
  jackdaw::invoke([&] { rows(0); }, [&] { rows(1); });
}

/// A = L L^T.
void factor(part a) {
  if (a.n == cholesky_problem::cutoff) {
    updates_block(a);
    return cholesky_factor(a.data, a.row);
  }
  factor(a.part(0, 0));
  solve(a.part(1, 0), a.part(0, 0));
  subtract_square(a.part(1, 1), a.part(1, 0));
  factor(a.part(1, 1));
}

class jackdaw_cholesky : public cholesky_problem {
 public:
  using cholesky_problem::cholesky_problem;

  void prepare() override {
    jackdaw::for_range(std::size_t{0}, n, [this](std::size_t first, std::size_t last) {
      jackdaw::writes(matrix().at_row(first), (last - first) * matrix().row);
      for (std::size_t i = first; i != last; ++i) fill_row(i);
    });
  }

  void run() override { factor(matrix()); }
};

class serial_cholesky : public cholesky_problem {
 public:
  using cholesky_problem::cholesky_problem;
  void run() override { cholesky_serially(matrix()); }
};

}  // namespace

kernel cholesky() {
  return {.name = "cholesky",
          .summary = "Cholesky decomposition of a dense matrix by quarters",
          .sizes = names(cholesky_sizes),
          .shapes = names(cholesky_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_cholesky>("jackdaw"), make_side<serial_cholesky>("serial")}};
}

}  // namespace jackdaw::kernels
