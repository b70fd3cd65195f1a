#include "machine/probe/memory.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <exception>
#include <new>
#include <thread>

#include "machine/probe/kernels.hpp"

namespace jackdaw::probe {
namespace {

constexpr std::size_t huge_page = 2 << 20;

void pin(unsigned os_cpu) {
  cpu_set_t* const set = CPU_ALLOC(os_cpu + 1);
  if (set == nullptr) throw std::bad_alloc();
  const std::size_t bytes = CPU_ALLOC_SIZE(os_cpu + 1);
  CPU_ZERO_S(bytes, set);
  CPU_SET_S(os_cpu, bytes, set);
  // If pinning is refused, the measurement is of the thread's current CPU; the requested CPU was usable a moment ago.
  pthread_setaffinity_np(pthread_self(), bytes, set);
  CPU_FREE(set);
}

double stream_once(const std::vector<stream_job>& jobs, double ns, stream_of what) {
  std::atomic<std::size_t> waiting{jobs.size()};
  std::vector<double> rates(jobs.size(), 0);
  std::vector<std::thread> threads;
  threads.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    threads.emplace_back([&, i] {
      pin(jobs[i].os_cpu);
      const stream_job& job = jobs[i];
      // Reads pieces of at most 1 MiB, so that all threads stop at about the same time.
      const std::size_t piece = std::min<std::size_t>(job.words, (1 << 20) / sizeof(std::uint64_t));
      const std::size_t pieces = job.words / piece;
      const auto go = [&](std::size_t k) {
        std::uint64_t* const at = job.data + (k % pieces) * piece;
        if (what == stream_of::updates)
          update_all(at, piece);
        else
          keep(read_all(at, piece));
      };
      for (std::size_t k = 0; k < pieces; ++k) go(k);
      waiting.fetch_sub(1);
      while (waiting.load() != 0) std::this_thread::yield();
      const double start = now();
      double end = start;
      std::size_t done = 0;
      for (; end - start < ns; ++done) {
        go(done);
        end = now();
      }
      rates[i] = static_cast<double>(done * piece * sizeof(std::uint64_t)) / (end - start);
    });
  }
  for (std::thread& thread : threads) thread.join();
  double total = 0;
  for (const double rate : rates) total += rate;
  return total;
}

}  // namespace

double now() noexcept {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

buffer::buffer(std::size_t bytes) : bytes_(bytes), mapping_(nullptr, unmap{}), data_(nullptr) {
  const std::size_t mapped = (bytes + huge_page - 1) / huge_page * huge_page + huge_page;
  void* const got = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) throw std::bad_alloc();
  mapping_ = std::unique_ptr<void, unmap>(got, unmap{mapped});
  void* at = got;
  std::size_t space = mapped;
  data_ = static_cast<std::uint64_t*>(std::align(huge_page, bytes, at, space));
}

std::optional<buffer> buffer::on_node(std::size_t bytes, unsigned os_node) {
  constexpr unsigned bits = 8 * sizeof(unsigned long);
  constexpr int mpol_bind = 2;
  std::vector<unsigned long> mask(os_node / bits + 1, 0);
  mask[os_node / bits] |= 1UL << (os_node % bits);
  buffer made(bytes);
  // The kernel reads one bit less than `maxnode` says.
  if (syscall(SYS_mbind, made.data(), bytes, mpol_bind, mask.data(), mask.size() * bits + 1, 0) != 0) {
    return std::nullopt;
  }
  return made;
}

void buffer::unmap::operator()(void* begin) const noexcept { munmap(begin, bytes); }

void on_cpu(unsigned os_cpu, const std::function<void()>& f) {
  std::exception_ptr thrown;
  std::thread([&] {
    try {
      pin(os_cpu);
      f();
    } catch (...) {
      thrown = std::current_exception();
    }
  }).join();
  if (thrown) std::rethrow_exception(thrown);
}

double stream_rate(const std::vector<stream_job>& jobs, double ns, stream_of what) {
  // The fastest part is the least disturbed one.
  constexpr int parts = 5;
  double best = 0;
  for (int i = 0; i < parts; ++i) best = std::max(best, stream_once(jobs, ns / parts, what));
  return best;
}

double chase_latency(unsigned os_cpu, const buffer& chain, double ns) {
  double best = 0;
  on_cpu(os_cpu, [&] {
    constexpr std::size_t steps = 1 << 13;
    const std::size_t lines = chain.words() * sizeof(std::uint64_t) / line;
    // Warms the caches with as much as fits.
    std::uint64_t at = follow_chain(chain.data(), 0, std::min<std::size_t>(lines, 1 << 17));
    const double start = now();
    double from = start;
    // The fastest part is the undisturbed one. Each part continues where the one before ended.
    for (int part = 0; part < 3 || from - start < ns; ++part) {
      at = follow_chain(chain.data(), at, steps);
      keep(at);
      const double to = now();
      const double each = (to - from) / static_cast<double>(steps);
      if (part == 0 || each < best) best = each;
      from = to;
    }
  });
  return best;
}

scattered chase_scattered(unsigned os_cpu, const buffer& chain, unsigned most, double ns) {
  scattered best;
  constexpr std::size_t steps = 1 << 10;
  const std::size_t lines = chain.words() * sizeof(std::uint64_t) / line;
  for (unsigned chains = 1; chains <= most; chains *= 2) {
    std::vector<std::uint64_t> at(chains);
    for (unsigned i = 0; i < chains; ++i) at[i] = lines / chains * i * (line / sizeof(std::uint64_t));
    const auto once = [&] {
      follow_chains(chain.data(), at, steps);
      keep(at.data());
    };
    const double each = fastest_call(os_cpu, once, ns / std::bit_width(most)) / static_cast<double>(steps * chains);
    if (best.chains == 0 || each < best.each) best = {each, chains};
  }
  return best;
}

double fastest_call(unsigned os_cpu, const std::function<void()>& once, double ns) {
  double best = 0;
  on_cpu(os_cpu, [&] {
    once();
    const double start = now();
    double from = start;
    for (int part = 0; part < 3 || from - start < ns; ++part) {
      once();
      const double to = now();
      if (part == 0 || to - from < best) best = to - from;
      from = to;
    }
  });
  return best;
}

}  // namespace jackdaw::probe
