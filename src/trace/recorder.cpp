#include "trace/recorder.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

#include "jackdaw/access.hpp"
#include "jackdaw/error.hpp"
#include "machine/compute_rate.hpp"
#include "numa/memory_names.hpp"

namespace jackdaw::trace {
namespace {

std::string hex(std::uintptr_t value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[value % 16]);
  } while ((value /= 16) != 0);
  return "0x" + digits;
}

/// What of the program's named memory the accesses touch.
std::vector<named_memory> named_of(const std::vector<access>& accesses) {
  const std::vector<numa::named_range> all = numa::named_ranges();
  std::vector<bool> touched(all.size());
  for (const access& each : accesses) {
    if (all.empty()) break;
    const std::uint64_t last = each.address + (each.rows - 1) * each.stride + (each.length - 1);
    auto at = std::ranges::upper_bound(all, each.address, {}, &numa::named_range::end);
    for (; at != all.end() && at->begin <= last; ++at) touched[static_cast<std::size_t>(at - all.begin())] = true;
  }
  std::vector<named_memory> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (touched[i]) found.push_back({all[i].begin, all[i].end - all[i].begin, all[i].name});
  }
  return found;
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

/// The mean without the highest tenth, which interruptions caused. No median, because some machines' clocks tick only
/// every 10 ns or so.
double usual(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  std::sort(values.begin(), values.end());
  values.resize((values.size() * 9 + 9) / 10);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Returns what a scheduler takes an amount of work for: one that is not finite is none, which is negative.
double told(double amount) noexcept { return std::isfinite(amount) ? amount : -1; }

}  // namespace

std::string name_of_address(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  Dl_info found{};
  if (dladdr(address, &found) == 0) {
    return hex(at);
  }
  if (found.dli_sname != nullptr) {
    return demangled(found.dli_sname) + '+' + hex(at - reinterpret_cast<std::uintptr_t>(found.dli_saddr));
  }
  const std::string_view file = found.dli_fname;
  return std::string(file.substr(file.rfind('/') + 1)) + '+' +
         hex(at - reinterpret_cast<std::uintptr_t>(found.dli_fbase));
}

recorder::recorder(std::string program, unsigned workers)
    : recorder(std::move(program), workers, jackdaw::detail::compute_rate_here(), [] {
        static const double cost = measure_cost();
        return cost;
      }()) {}

recorder::recorder(std::string program, unsigned workers, double compute_rate, double cost)
    : program_(std::move(program)),
      workers_(workers),
      compute_rate_(compute_rate),
      cost_(cost),
      builder_(head()),
      label_("root") {
  detail::access_listeners.fetch_add(1, std::memory_order_relaxed);
}

recorder::~recorder() { detail::access_listeners.fetch_sub(1, std::memory_order_relaxed); }

task_tree recorder::head() const {
  task_tree made;
  made.program = program_;
  made.workers = workers_;
  made.compute_rate = compute_rate_;
  made.sites = {"nested"};
  return made;
}

double recorder::measure_cost() {
  constexpr std::size_t rounds = 1024;
  recorder probe("", 1, 1, 0.0);
  double found = 0;
  // Only the first round touches memory for the first time.
  for (const bool warm : {false, true}) {
    probe.begin_root();
    const std::uint32_t group = probe.open_group(-1, false, nullptr);
    for (std::size_t i = 0; i < rounds; ++i) {
      probe.fork(group, -1, false);
      probe.end_task();
    }
    probe.wait(group);
    probe.end_root();
    const task_tree tree = probe.take();
    if (warm) {
      // Stretches of 0 ns leave no step; otherwise there would be two for each child.
      std::vector<double> stretches(2 * rounds);
      std::size_t next = 0;
      for (const op& each : tree.ops) {
        if (each.what == op::kind::compute && each.count == 0 && next < stretches.size()) {
          stretches[next++] = each.amount;
        }
      }
      found = usual(std::move(stretches));
    }
  }
  return found;
}

void recorder::measure_forks(const std::function<void()>& tree, double own) noexcept {
  forks_measured_ = true;
  keep([&] {
    // Only the first round touches code and memory for the first time.
    for (const bool warm : {false, true}) {
      builder_ = tree_builder(head());
      builder_.begin_root("forks");
      start();
      tree();
      if (lost_) return;
      stop();
      builder_.end_root();
      std::vector<double> pieces(builder_.tree().tasks.size() + builder_.tree().groups.size());
      std::size_t next = 0;
      for (const op& each : builder_.tree().ops)
        if (each.what == op::kind::compute && next < pieces.size()) pieces[next++] = each.amount;
      if (warm) cost_ += std::max(0.0, usual(std::move(pieces)) - own);
    }
    builder_ = tree_builder(head());
    sites_.clear();
    owed_ = 0;
  });
}

void recorder::pause(double stall) noexcept {
  const double passed = std::chrono::duration<double, std::nano>(clock::now() - since_).count() - cost_ - stall;
  sample_.end(passed, vector_);
  stretch_ += passed;
}

void recorder::stop() {
  if (stopped_) {
    return;
  }
  stopped_ = true;
  pause(near_.stall());
  near_.clear();
  // A clock that ticks every 10 ns or so shows many pieces as nothing and a few as a tick. What the former lack is
  // subtracted from the latter, so that the sum is right.
  constexpr double most_owed = 100;
  const double exact = std::exchange(stretch_, 0.0) + owed_;
  const double net = std::max(0.0, static_cast<double>(std::llround(exact)));
  owed_ = std::clamp(exact - net, -most_owed, 0.0);
  const bool vector = std::exchange(vector_, false);
  if (net > 0 || builder_.touched() > 0) {
    any_vectors_ |= vector;
    builder_.compute(net, vector);
  }
}

void recorder::label_next_root(std::string label) {
  const std::lock_guard hold(label_mutex_);
  label_ = std::move(label);
}

void recorder::begin_root() noexcept {
  busy_.store(true, std::memory_order_relaxed);
  std::string label = "root";
  {
    const std::lock_guard hold(label_mutex_);
    label.swap(label_);
  }
  keep([&] { builder_.begin_root(std::move(label)); });
  disturbed_.start();
  start();
}

void recorder::end_root() noexcept {
  keep([&] {
    stop();
    builder_.end_root();
  });
  disturbed_.stop();
  busy_.store(false, std::memory_order_release);
}

std::uint32_t recorder::open_group(double total, bool structured, const void* site) noexcept {
  std::uint32_t made = 0;
  keep([&] {
    stop();
    made = builder_.open_group(told(total), structured, builder_.depth() == 1 ? site_of(site) : 0);
  });
  return made;
}

/// The program has no code between the branches of an invoke, so time that passes there is the recorder's own.
void recorder::stop_before(std::uint32_t group) {
  if (builder_.tree().groups[group].structured && builder_.touched() == 0) {
    stopped_ = true;
    stretch_ = 0;
  }
  stop();
}

void recorder::fork(std::uint32_t group, double hint, bool help_first, bool inter) noexcept {
  keep([&] {
    stop_before(group);
    builder_.fork(group, told(hint), help_first, inter);
  });
  start();
}

void recorder::end_task() noexcept {
  keep([&] {
    stop();
    builder_.end_task();
  });
  start();
}

void recorder::wait(std::uint32_t group) noexcept {
  keep([&] {
    stop_before(group);
    builder_.wait(group);
  });
  start();
}

void recorder::touch(const access& what) noexcept {
  if (builder_.depth() != 0 && !lost_) {
    pause();
    keep([&] { builder_.touch(what); });
    near_.add(what);
    start();
  }
}

task_tree recorder::take() {
  if (busy()) {
    throw error("a recording cannot be taken while a root task runs");
  }
  tree_builder next(head());
  std::swap(builder_, next);
  sites_.clear();
  if (std::exchange(lost_, false)) {
    throw error(program_ + ": there was not enough memory for the recording");
  }
  const bool vectors = std::exchange(any_vectors_, false);
  task_tree made = next.finish();
  // Other programs may have had the processor in the moment in which the speed was measured first.
  made.compute_rate = std::max(made.compute_rate, jackdaw::detail::compute_rate_here());
  if (vectors) made.vector_rate = jackdaw::detail::vector_rate_here();
  made.instructions = sample_.per_ns({made.rate_of(false), made.rate_of(true)});
  sample_.clear();
  made.named = named_of(made.accesses);
  return made;
}

std::uint32_t recorder::site_of(const void* address) {
  const auto [at, fresh] = sites_.try_emplace(address, static_cast<std::uint32_t>(builder_.sites().size()));
  if (fresh) {
    const std::string* const given = name_of_place_ != nullptr ? name_of_place_(address) : nullptr;
    builder_.sites().push_back(given != nullptr ? *given : name_of_address(address));
  }
  return at->second;
}

}  // namespace jackdaw::trace
