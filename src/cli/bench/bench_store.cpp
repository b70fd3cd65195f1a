#include "cli/bench/bench_store.hpp"

#include <jackdaw/jackdaw.hpp>

namespace jackdaw::cli {
namespace {

database::value counter(const bench_sample& sample, std::uint64_t statistics::* member) {
  if (!sample.counters) return {};
  return static_cast<std::int64_t>((*sample.counters).*member);
}

database::value text_or_null(const std::string& text) {
  return text.empty() ? database::value() : std::string_view(text);
}

}  // namespace

std::int64_t insert_bench(const database& into, const bench_plan& plan, const bench_result& result) {
  const std::int64_t bench = into.insert(
      "INSERT INTO bench VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      {result.started, JACKDAW_VERSION, plan.kernel->name, plan.request.size, plan.request.shape,
       plan.request.input.native(), plan.request.iterations, plan.request.workers, name_of(plan.runtime_options.order),
       result.pinned, plan.repeat, plan.warm_up, plan.pause_ms, result.machine_name, result.machine_source});
  for (std::size_t position = 0; position < result.sides.size(); ++position) {
    const side_result& side = result.sides[position];
    for (std::size_t round = 0; round < side.samples.size(); ++round) {
      const bench_sample& sample = side.samples[round];
      into.insert("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  {bench, static_cast<std::int64_t>(position), static_cast<std::int64_t>(round + 1), side.side,
                   text_or_null(side.scheduler), side.workers, sample.seconds, side.items, side.unit,
                   counter(sample, &statistics::steals_local), counter(sample, &statistics::steals_remote),
                   counter(sample, &statistics::failed_steals), counter(sample, &statistics::migrations),
                   counter(sample, &statistics::suspensions), counter(sample, &statistics::forced_steals),
                   counter(sample, &statistics::sleeps), counter(sample, &statistics::in_place),
                   counter(sample, &statistics::rescues), counter(sample, &statistics::turns)});
    }
  }
  return bench;
}

}  // namespace jackdaw::cli
