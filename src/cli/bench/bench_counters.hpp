#pragma once

#include <jackdaw/statistics.hpp>

#include <array>
#include <cstdint>

namespace jackdaw::cli {

/// A count of a run, under the name that it has in JSON and in the results file's table `run`.
struct bench_counter {
  const char* name;
  std::uint64_t statistics::* member;
};

inline constexpr std::array bench_counters = {
    bench_counter{"steals_local", &statistics::steals_local},
    bench_counter{"steals_core", &statistics::steals_core},
    bench_counter{"steals_cache", &statistics::steals_cache},
    bench_counter{"steals_remote", &statistics::steals_remote},
    bench_counter{"failed_steals", &statistics::failed_steals},
    bench_counter{"failed_remote", &statistics::failed_remote},
    bench_counter{"forced_steals", &statistics::forced_steals},
    bench_counter{"migrations", &statistics::migrations},
    bench_counter{"suspensions", &statistics::suspensions},
    bench_counter{"sleeps", &statistics::sleeps},
    bench_counter{"in_place", &statistics::in_place},
    bench_counter{"rescues", &statistics::rescues},
    bench_counter{"turns", &statistics::turns},
    bench_counter{"tasks", &statistics::tasks},
    bench_counter{"roots", &statistics::roots},
    bench_counter{"at_home", &statistics::at_home},
    bench_counter{"away", &statistics::away},
    bench_counter{"search_ns", &statistics::search_ns},
    bench_counter{"sleep_ns", &statistics::sleep_ns},
    bench_counter{"local_bytes", &statistics::local_bytes},
    bench_counter{"remote_bytes", &statistics::remote_bytes},
    bench_counter{"moved_bytes", &statistics::moved_bytes},
};

}  // namespace jackdaw::cli
