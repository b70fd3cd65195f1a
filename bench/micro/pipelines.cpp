// bench_pipelines [ROUNDS]: what an item takes in a pipeline of a source, a parallel stage of about 1 us or 50 us, and
// a stage in order. jackdaw and oneTBB take turns, each with as many workers, and 3 or 32 tokens for each worker. In
// us: the median of the rounds, the fastest and the slowest, and the median of the processor time of all threads. The
// serial loop makes the same calls.
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jackdaw/jackdaw.hpp>

#ifdef BENCH_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#endif

namespace {

using clock_type = std::chrono::steady_clock;

/// The source, the stages, and what they are to compute.
class job {
 public:
  job(std::uint64_t items, std::uint64_t steps) : items_(items), steps_(steps) {}

  std::optional<std::uint64_t> next() { return made_ == items_ ? std::nullopt : std::optional(made_++); }
  std::uint64_t work(std::uint64_t number) const {
    for (std::uint64_t i = 0; i != steps_; ++i) number = number * 6364136223846793005u + 1442695040888963407u;
    return number;
  }
  void keep(std::uint64_t number) { sum_ = sum_ * 31 + number; }  // another order gives another sum
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t items_, steps_;
  std::uint64_t made_ = 0, sum_ = 0;
};

struct side {
  std::string name;
  std::function<void(job&)> run;
  std::vector<double> us{}, cpu_us{};
};

double cpu_us() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

double median(std::vector<double>& of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}

void serial(job& of) {
  while (const std::optional<std::uint64_t> item = of.next()) of.keep(of.work(*item));
}

void with_jackdaw(job& of, std::size_t tokens) {
  jackdaw::pipeline(
      tokens, [&] { return of.next(); }, jackdaw::parallel([&](std::uint64_t item) { return of.work(item); }),
      jackdaw::serial_in_order([&](std::uint64_t item) { of.keep(item); }));
}

#ifdef BENCH_TBB
void with_tbb(job& of, std::size_t tokens) {
  const auto next = [&](tbb::flow_control& control) -> std::uint64_t {
    const std::optional<std::uint64_t> item = of.next();
    if (!item) control.stop();
    return item.value_or(0);
  };
  const auto work = [&](std::uint64_t item) { return of.work(item); };
  const auto keep = [&](std::uint64_t item) { of.keep(item); };
  tbb::parallel_pipeline(tokens, tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order, next) &
                                     tbb::make_filter<std::uint64_t, std::uint64_t>(tbb::filter_mode::parallel, work) &
                                     tbb::make_filter<std::uint64_t, void>(tbb::filter_mode::serial_in_order, keep));
}
#endif

/// How many steps of job::work() take 1 us: the fastest of some tries.
double steps_in_a_microsecond() {
  const std::uint64_t steps = 1'000'000;
  double fastest = 1e9;
  std::uint64_t result = 1;
  for (int i = 0; i < 10; ++i) {
    const clock_type::time_point start = clock_type::now();
    result = job(0, steps).work(result);
    fastest = std::min(fastest, std::chrono::duration<double, std::micro>(clock_type::now() - start).count());
  }
  return result == 0 ? 1 : static_cast<double>(steps) / fastest;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned rounds = 9;
  if (argc > 1) {
    const char* const end = argv[1] + std::strlen(argv[1]);
    const auto read = std::from_chars(argv[1], end, rounds);
    if (argc > 2 || read.ec != std::errc() || read.ptr != end || rounds == 0) {
      std::fprintf(stderr, "bench_pipelines: expected one number of rounds, at least 1\n");
      return 2;
    }
  }
  jackdaw::runtime& rt = jackdaw::runtime::instance();
  const unsigned workers = rt.run([] { return jackdaw::concurrency(); });
  std::size_t tokens = 0;
  std::vector<side> sides{{"serial", serial}, {"jackdaw", [&](job& of) { rt.run([&] { with_jackdaw(of, tokens); }); }}};
#ifdef BENCH_TBB
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
  sides.push_back({"oneTBB", [&](job& of) { with_tbb(of, tokens); }});
#endif
  const double per_us = steps_in_a_microsecond();
  std::printf("%u workers, %u rounds; us an item\n%8s %6s %-8s %8s %8s %8s %8s\n", workers, rounds, "work", "tokens",
              "", "median", "fastest", "slowest", "CPU");
  for (const auto& [us, for_each_worker] : {std::pair(0.0, 3), {1.0, 3}, {1.0, 32}, {50.0, 3}, {50.0, 32}}) {
    tokens = static_cast<std::size_t>(for_each_worker) * workers;
    const auto items = static_cast<std::uint64_t>(us < 10 ? 100'000 : 4'000);
    const auto steps = static_cast<std::uint64_t>(us * per_us);
    job expected(items, steps);
    serial(expected);
    for (unsigned round = 0; round <= rounds; ++round) {  // the first one only warms up
      for (side& each : sides) {
        job own(items, steps);
        const double before = cpu_us();
        const clock_type::time_point start = clock_type::now();
        each.run(own);
        const std::chrono::duration<double, std::micro> took = clock_type::now() - start;
        if (own.sum() != expected.sum()) {
          std::fprintf(stderr, "bench_pipelines: %s computed something else\n", each.name.c_str());
          return 1;
        }
        if (round == 0) continue;
        each.us.push_back(took.count() / static_cast<double>(items));
        each.cpu_us.push_back((cpu_us() - before) / static_cast<double>(items));
      }
    }
    for (side& each : sides) {
      const double middle = median(each.us);
      std::printf("%5.0f us %5zu  %-8s %8.3f %8.3f %8.3f %8.3f\n", us, tokens, each.name.c_str(), middle,
                  each.us.front(), each.us.back(), median(each.cpu_us));
      each.us.clear();
      each.cpu_us.clear();
    }
    std::fflush(stdout);
  }
  return 0;
}
