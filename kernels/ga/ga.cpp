#include "kernels/ga/ga.hpp"

#include <jackdaw/access.hpp>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

class jackdaw_ga : public ga_problem {
 public:
  using ga_problem::ga_problem;

  // Islands are filled in the same way as they are computed, so that a page lies on the memory node of the worker that
  // will write it.
  void prepare() override {
    for_islands([this](std::size_t i) {
      jackdaw::writes(rows_of(i));
      settle(i);
    });
  }

  void run() override {
    for (unsigned epoch = 0; epoch != epochs; ++epoch) {
      for_islands([this, epoch](std::size_t i) {
        jackdaw::reads(rows_of(i));
        jackdaw::writes(rows_of(i));
        evolve(i, epoch);
      });
      migrate();
    }
  }

 private:
  template <class F>
  void for_islands(const F& f) {
    jackdaw::for_index(std::size_t{0}, extent.islands, f, jackdaw::grain{1});
  }
};

class serial_ga : public ga_problem {
 public:
  using ga_problem::ga_problem;
  void run() override {
    for (unsigned epoch = 0; epoch != epochs; ++epoch) run_serially(epoch);
  }
};

}  // namespace

kernel ga() {
  return {.name = "ga",
          .summary = "Genetic algorithm on islands: the minimum of Rastrigin's function",
          .sizes = names(ga_sizes),
          .shapes = names(ga_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_ga>("jackdaw"), make_side<serial_ga>("serial")},
          .iterates = true};
}

}  // namespace jackdaw::kernels
