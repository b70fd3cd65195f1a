#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/unshared.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/memory/placed_memory.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Selects what copies without forking.
struct by_this_thread {};

/// Whether memory of zeros is a value-initialised T.
template <class T>
inline constexpr bool zeros_are_value = std::is_trivially_default_constructible_v<T> && !std::is_member_pointer_v<T>;

/// The size of `count` elements. Throws error, which names `who`, for more than fit into the address space.
inline std::size_t bytes_of(std::size_t count, std::size_t element, const char* who) {
  const std::size_t most = std::numeric_limits<std::size_t>::max() / 4 / element;
  if (count > most) {
    throw_error(std::string(who) + ": " + std::to_string(count) + " elements of " + std::to_string(element) +
                " B, expected at most " + std::to_string(most));
  }
  return count * element;
}

/// Writes to the pages whose middle lies in bytes [from, to) of `size` bytes at `data`; to == size includes the last
/// one.
void touch_owned(std::byte* data, std::size_t size, std::size_t page, std::size_t from, std::size_t to) noexcept;

/// Touches the pages of fresh memory for `count` elements, where its policy is first touch: the leaves are those of
/// for_each over that many elements, so each page is touched where the scheduler puts the block that most of it is in.
inline void first_touch(const placed_memory& fresh, std::size_t count, std::size_t element) {
  if (fresh.policy().kind() != placement::policy::first_touch) return;
  const unshared by_their_owners;
  for_range(std::size_t{0}, count, [&](std::size_t first, std::size_t last) {
    touch_owned(fresh.data(), fresh.size(), fresh.report().page, first * element,
                last == count ? fresh.size() : last * element);
  });
}

/// Ends the elements that have been made, unless told that all is well.
template <class T>
class made_so_far {
 public:
  made_so_far(T* first, T* last) noexcept : first_(first), last_(last) {}
  ~made_so_far() { std::destroy(first_, last_); }
  made_so_far(const made_so_far&) = delete;
  made_so_far& operator=(const made_so_far&) = delete;

  void add() noexcept { ++last_; }
  void keep() noexcept { first_ = last_; }

 private:
  T* first_;
  T* last_;
};

struct nothing_to_undo {
  template <class T>
  void operator()(T*, std::size_t) const noexcept {}
};

/// Makes elements [from, to) of `count`, each with `make(place, index)`, in the leaves of for_each over all `count` of
/// them. After an exception, also of a fork, none of them is left; those of whole leaves are given to `undo(place,
/// index)` before they end.
template <class T, class Make, class Undo = nothing_to_undo>
void make_at_home(T* data, std::size_t from, std::size_t to, std::size_t count, Make&& make, const Undo& undo = {}) {
  std::mutex mutex;  // never held across a fork
  std::vector<std::pair<std::size_t, std::size_t>> done;
  if constexpr (!std::is_trivially_copyable_v<T>)
    done.reserve(2 * leaves_by_workers());  // what is made is noted for sure
  JACKDAW_TRY {
    for_range(std::size_t{0}, count, [&](std::size_t first, std::size_t last) {
      first = first < from ? from : first;
      last = last < to ? last : to;
      if (first >= last) return;
      made_so_far<T> made(data + first, data + first);
      for (std::size_t i = first; i < last; ++i) {
        make(data + i, i);
        made.add();
      }
      if constexpr (!std::is_trivially_copyable_v<T>) {
        const std::lock_guard hold(mutex);
        done.emplace_back(first, last);
      }
      made.keep();
    });
  }
  JACKDAW_CATCH {
    for (const auto& [first, last] : done) {
      for (std::size_t i = first; i < last; ++i) {
        undo(data + i, i);
        std::destroy_at(data + i);
      }
    }
    JACKDAW_RETHROW;
  }
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
