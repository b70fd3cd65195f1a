// bench_graphs [SCHEDULER...]: what a task of a graph costs that waits for others. A wavefront over 100 x 100 tasks:
// each waits for the one above and the one to the left. In ns for each task: the median run, and the spread of all but
// the fastest and the slowest tenth.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <jackdaw/jackdaw.hpp>

#ifdef BENCH_TBB
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

constexpr std::size_t size = 100, tasks = size * size;
constexpr int runs = 21;

/// Each task computes so many steps.
void compute(unsigned steps) {
  double x = 1;
  for (unsigned i = 0; i < steps; ++i) x = x * 1.0000001 + 1e-9;
  asm volatile("" : : "x"(x));
}

struct side {
  std::string name;
  std::function<void()> run;
};

/// A wavefront whose functions call compute(steps).
class wavefront {
 public:
  explicit wavefront(unsigned steps) {
    std::vector<jackdaw::graph_task> added;
    for (std::size_t i = 0; i < tasks; ++i) {
      std::vector<jackdaw::graph_task> others;
      if (i >= size) others.push_back(added[i - size]);
      if (i % size != 0) others.push_back(added[i - 1]);
      added.push_back(graph_.add([steps] { compute(steps); }, jackdaw::after(others)));
    }
  }
  void run() { graph_.run(); }

 private:
  jackdaw::task_graph graph_;
};

#ifdef BENCH_TBB
class tbb_wavefront {
 public:
  explicit tbb_wavefront(unsigned steps) {
    for (std::size_t i = 0; i < tasks; ++i) {
      nodes_.push_back(std::make_unique<node>(graph_, [steps](const tbb::flow::continue_msg&) { compute(steps); }));
      if (i >= size) make_edge(*nodes_[i - size], *nodes_[i]);
      if (i % size != 0) make_edge(*nodes_[i - 1], *nodes_[i]);
    }
  }
  void run() {
    nodes_[0]->try_put({});
    graph_.wait_for_all();
  }

 private:
  using node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  tbb::flow::graph graph_;
  std::vector<std::unique_ptr<node>> nodes_;
};
#endif

#ifdef _OPENMP
/// OpenMP has no graph to run again: it makes the tasks anew each time. `of` has a row and a column more, so that each
/// task has both others.
void openmp_wavefront(unsigned steps, std::vector<char>& of) {
  char* const at = of.data() + size + 1;
#pragma omp parallel
#pragma omp single
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      [[maybe_unused]] char* const own = at + row * (size + 1) + column;
#pragma omp task depend(in : own[-1], own[-static_cast<int>(size) - 1]) depend(out : own[0]) firstprivate(steps)
      compute(steps);
    }
  }
}
#endif

void measure(const side& one) {
  std::vector<double> took;
  one.run();
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    one.run();
    const std::chrono::duration<double, std::nano> all = std::chrono::steady_clock::now() - start;
    took.push_back(all.count() / static_cast<double>(tasks));
  }
  std::sort(took.begin(), took.end());
  std::printf("  %7.0f %7.0f-%-7.0f\n", took[runs / 2], took[runs / 10], took[runs - 1 - runs / 10]);
  std::fflush(stdout);
}

void compare(const std::vector<std::string>& schedulers, unsigned workers, unsigned steps) {
  wavefront graph(steps);
  std::vector<std::unique_ptr<jackdaw::runtime>> runtimes;
  std::vector<side> sides{{"serial", [steps] {
                             for (std::size_t i = 0; i < tasks; ++i) compute(steps);
                           }}};
  for (const std::string& name : schedulers) {
    runtimes.push_back(std::make_unique<jackdaw::runtime>(jackdaw::options{.scheduler = name, .workers = workers}));
    sides.push_back({"jackdaw " + name, [&graph, &rt = *runtimes.back()] { rt.run([&graph] { graph.run(); }); }});
  }
#ifdef BENCH_TBB
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
  tbb_wavefront tbb_graph(steps);
  sides.push_back({"oneTBB", [&tbb_graph] { tbb_graph.run(); }});
#endif
#ifdef _OPENMP
  omp_set_num_threads(static_cast<int>(workers));
  std::vector<char> dependences((size + 1) * (size + 1));
  sides.push_back({"GCC OpenMP", [&dependences, steps] { openmp_wavefront(steps, dependences); }});
#endif
  for (const side& one : sides) {
    std::printf("%7u %7u  %-16s", workers, steps, one.name.c_str());
    measure(one);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> schedulers(argv + 1, argv + argc);
  if (schedulers.empty()) schedulers = {"auto", "random"};
  std::printf("%7s %7s  %-16s  %7s %15s\n", "workers", "steps", "", "ns", "spread");
  try {
    for (const unsigned workers : {1u, jackdaw::concurrency()})
      for (const unsigned steps : {10u, 1000u, 10'000u}) compare(schedulers, workers, steps);
  } catch (const jackdaw::error& wrong) {
    std::fprintf(stderr, "bench_graphs: %s\n", wrong.what());
    return 2;
  }
  return 0;
}
