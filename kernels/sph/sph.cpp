#include "kernels/sph/sph.hpp"

#include <algorithm>
#include <functional>
#include <ranges>

#include <jackdaw/jackdaw.hpp>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

/// Each part of a step is a group of its own at the top, so that schedulers learn it by itself from step to step.
template <std::size_t D>
class jackdaw_sph : public sph_problem<D> {
  using base = sph_problem<D>;
  using node = typename sph_fluid<D>::node;

 public:
  using base::base;

  void prepare() override {
    blocks("sph fill", [this](sph_index first, sph_index last) { this->fluid.fill(this->start, first, last); });
    this->forget();
  }

  void run() override {
    sph_fluid<D>& fluid = this->fluid;
    for (unsigned step = 0; step != this->steps; ++step) {
      if (this->sorts(step)) sort();
      {
        const jackdaw::region here("sph tree");
        fluid.tree.plant(fluid.size());
        build(fluid.tree.root());
      }
      {
        const jackdaw::region here("sph densities");
        interact(fluid.tree.root(), [&fluid](const node& group) { fluid.densities(group); });
      }
      {
        const jackdaw::region here("sph forces");
        interact(fluid.tree.root(), [this](const node& group) { forces(group); });
      }
      this->picture(step);
      const jackdaw::region here("sph move");
      this->energies.push_back(move(step));
    }
  }

 private:
  template <class F>
  void blocks(std::string_view name, const F& f) {
    const jackdaw::region here(name);
    jackdaw::for_range(sph_index{0}, this->fluid.size(), f, jackdaw::grain{base::block_size});
  }

  /// Sorts particles in the order of the tree.
  void sort() {
    sph_fluid<D>& fluid = this->fluid;
    blocks("sph locate", [&fluid](sph_index first, sph_index last) { fluid.locate(first, last); });
    {
      // The sort opens a number of groups that depends on the keys: they are below one at the top.
      const jackdaw::region here("sph sort");
      jackdaw::task_group group;
      group.run([&fluid] { jackdaw::sort(fluid.keys.begin(), fluid.keys.end()); });
      group.wait();
    }
    blocks("sph gather", [&fluid](sph_index first, sph_index last) { fluid.gather(first, last); });
    fluid.turn();
  }

  void build(node& at) {
    sph_fluid<D>& fluid = this->fluid;
    if (at.size() <= base::block_size) {
      jackdaw::reads(fluid.keys.data() + at.first, at.size());
      jackdaw::reads(fluid.places() + at.first, at.size());
      return fluid.grow_all(at);
    }
    fluid.grow(at);
    jackdaw::task_group group(at.size());
    for (node& child : fluid.tree.children(at)) group.run([this, &child] { build(child); }, child.size());
    group.wait();
    fluid.tree.enclose(at, fluid.places());
  }

  /// Calls f on groups of particles: the recursion of ADWS section 4.1.1.
  template <class F>
  void interact(const node& at, const F& f) {
    if (at.size() <= base::group_size || at.count == 0) return f(at);
    jackdaw::task_group group(at.size());
    for (const node& child : this->fluid.tree.children(at))
      group.run([this, &child, &f] { interact(child, f); }, child.size());
    group.wait();
  }

  void forces(const node& group) {
    this->fluid.forces(group);
    if (this->pictured()) this->fluid.note_worker(group, jackdaw::this_worker().value_or(0));
  }

  sph_energy move(unsigned step) {
    const sph_index n = this->fluid.size(), count = (n + base::block_size - 1) / base::block_size;
    const auto all = std::views::iota(sph_index{0}, count);
    return jackdaw::transform_reduce(
        all.begin(), all.end(), sph_energy{}, std::plus<>{},
        [this, step, n](sph_index block) {
          const sph_index first = block * base::block_size;
          return this->fluid.move(step == 0, first, std::min(first + base::block_size, n));
        },
        jackdaw::grain{1});
  }
};

template <std::size_t D>
class serial_sph : public sph_problem<D> {
 public:
  using sph_problem<D>::sph_problem;

  void run() override {
    for (unsigned step = 0; step != this->steps; ++step) {
      this->interact_serially(this->fluid, step);
      this->picture(step);
      this->energies.push_back(this->fluid.move(step == 0, 0, this->fluid.size()));
    }
  }
};

}  // namespace

kernel sph() {
  return {.name = "sph",
          .summary = "A dam breaks: smoothed particle hydrodynamics over a tree of particles",
          .sizes = names(sph_sizes),
          .shapes = names(sph_shapes),
          .takes_input = true,
          .sides = {make_sph_side<jackdaw_sph>("jackdaw"), make_sph_side<serial_sph>("serial")},
          .takes_snapshots = true,
          .iterates = true};
}

}  // namespace jackdaw::kernels
