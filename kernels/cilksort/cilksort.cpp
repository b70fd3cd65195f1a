#include "kernels/cilksort/cilksort.hpp"

#include <jackdaw/access.hpp>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

template <class Key>
class jackdaw_cilksort : public cilksort_problem<Key> {
  using base = cilksort_problem<Key>;
  using keys_view = typename base::keys_view;

 public:
  using base::base;

  void prepare() override {
    jackdaw::for_range(std::size_t{0}, this->keys.size(), [this](std::size_t first, std::size_t last) {
      jackdaw::writes(this->all_keys().subspan(first, last - first));
      jackdaw::writes(this->all_scratch().subspan(first, last - first));
      for (std::size_t i = first; i != last; ++i) {
        this->keys[i] = random_key<Key>(i);
        this->scratch[i] = Key{};
      }
    });
  }

  void run() override { sort(this->all_keys(), this->all_scratch()); }

 private:
  /// Sorts `part`; `spare` is as long and is overwritten.
  static void sort(keys_view part, keys_view spare) {
    if (part.size() <= base::cutoff) {
      jackdaw::reads(part);
      jackdaw::writes(part);
      return base::sort_leaf(part);
    }
    const std::size_t n = part.size(), quarter = n / 4, half = 2 * quarter;
    jackdaw::invoke([=] { sort(part.subspan(0, quarter), spare.subspan(0, quarter)); },
                    [=] { sort(part.subspan(quarter, quarter), spare.subspan(quarter, quarter)); },
                    [=] { sort(part.subspan(half, quarter), spare.subspan(half, quarter)); },
                    [=] { sort(part.subspan(half + quarter), spare.subspan(half + quarter)); });
    jackdaw::invoke([=] { merge(part.subspan(0, quarter), part.subspan(quarter, quarter), spare.first(half)); },
                    [=] { merge(part.subspan(half, quarter), part.subspan(half + quarter), spare.subspan(half)); });
    merge(spare.first(half), spare.subspan(half), part);
  }

  static void merge(keys_view a, keys_view b, keys_view out) {
    if (a.size() < b.size()) std::swap(a, b);
    if (out.size() <= base::cutoff) {
      jackdaw::reads(a);
      jackdaw::reads(b);
      jackdaw::writes(out);
      return base::merge_leaf(a, b, out);
    }
    // The few keys that the binary search reads are not declared.
    const auto s = base::split_merge(a, b, out);
    jackdaw::invoke(
        jackdaw::work(static_cast<double>(s.out_low.size()), [&s] { merge(s.a_low, s.b_low, s.out_low); }),
        jackdaw::work(static_cast<double>(s.out_high.size()), [&s] { merge(s.a_high, s.b_high, s.out_high); }));
  }
};

template <class Key>
class serial_cilksort : public cilksort_problem<Key> {
  using base = cilksort_problem<Key>;
  using keys_view = typename base::keys_view;

 public:
  using base::base;
  void run() override { sort(this->all_keys(), this->all_scratch()); }

 private:
  static void sort(keys_view part, keys_view spare) {
    if (part.size() <= base::cutoff) return base::sort_leaf(part);
    const std::size_t n = part.size(), quarter = n / 4, half = 2 * quarter;
    sort(part.subspan(0, quarter), spare.subspan(0, quarter));
    sort(part.subspan(quarter, quarter), spare.subspan(quarter, quarter));
    sort(part.subspan(half, quarter), spare.subspan(half, quarter));
    sort(part.subspan(half + quarter), spare.subspan(half + quarter));
    base::merge_leaf(part.subspan(0, quarter), part.subspan(quarter, quarter), spare.first(half));
    base::merge_leaf(part.subspan(half, quarter), part.subspan(half + quarter), spare.subspan(half));
    base::merge_leaf(spare.first(half), spare.subspan(half), part);
  }
};

}  // namespace

kernel cilksort() {
  return {.name = "cilksort",
          .summary = "Four-way merge sort of random keys with parallel merges",
          .sizes = names(cilksort_sizes),
          .shapes = names(cilksort_shapes),
          .takes_input = false,
          .sides = {make_cilksort_side<jackdaw_cilksort>("jackdaw"), make_cilksort_side<serial_cilksort>("serial")}};
}

}  // namespace jackdaw::kernels
