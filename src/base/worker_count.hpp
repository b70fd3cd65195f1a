#pragma once

#include <string_view>

namespace jackdaw {

/// The largest number of workers that a runtime can have.
inline constexpr unsigned max_workers = 4096;

/// The number of workers written in `text`, 1 to max_workers. Throws jackdaw::error for anything else (nothing, zero, a
/// sign, a fraction, a number too large); its one line names `where`, the option or environment variable that gave the
/// text.
unsigned parse_worker_count(std::string_view text, std::string_view where);

/// Returns `count` if it is 1 to max_workers; else throws jackdaw::error, which names `where`, the place that gave it.
unsigned checked_worker_count(unsigned long long count, std::string_view where);

}  // namespace jackdaw
