#pragma once

#include <atomic>
#include <cstddef>
#include <iterator>
#include <utility>

#include "jackdaw/detail/algorithm/loop_over.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

enum class wanted : unsigned char { the_first, any };

/// The offset of the first of `count` elements that `holds`, or of any such element; `count` if there is none. A leaf
/// ends at its next piece once it can no longer contribute, so elements behind the one found may be looked at.
template <wanted Which, class It, class Holds, class W>
std::size_t search(It first, std::size_t count, Holds& holds, loop_options<W> options) {
  std::atomic<std::size_t> found = count;  // relaxed: nothing but the number itself is handed over
  const auto is_settled = [&](std::size_t from) {
    const std::size_t known = found.load(std::memory_order_relaxed);
    return Which == wanted::any ? known != count : known < from;
  };
  pieces cut(options.stop);
  auto leaf = [&](std::size_t begin, std::size_t end) {
    if (is_settled(begin)) return;
    declare_reads(first, begin, end);
    cut.run(end - begin, [&](std::size_t from, std::size_t to) {
      if (is_settled(begin)) return false;
      It it = at_offset(first, begin + from);
      for (; from != to; ++from, ++it) {
        if (!holds(*it)) continue;
        std::size_t known = found.load(std::memory_order_relaxed);
        while (begin + from < known && !found.compare_exchange_weak(known, begin + from, std::memory_order_relaxed)) {
        }
        return false;
      }
      return true;
    });
  };
  loop_over(count, leaf, options);
  return found.load(std::memory_order_relaxed);
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
