#include "jackdaw/memory/placed_resource.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

#include "jackdaw/detail/memory/first_touch.hpp"
#include "jackdaw/memory/placed_memory.hpp"
#include "numa/page_sizes.hpp"
#include "numa/pinned_touch.hpp"
#include "numa/placed_registry.hpp"

namespace jackdaw {
namespace detail {
namespace {

/// The first byte of the first page whose middle is not below byte `at`.
std::size_t edge(std::size_t at, std::size_t size, std::size_t page) noexcept {
  if (at >= size) return size;
  const std::size_t half = page / 2;
  return at <= half ? 0 : std::min(size, numa::round_up(at - half, page));
}

}  // namespace

void touch_owned(std::byte* data, std::size_t size, std::size_t page, std::size_t from, std::size_t to) noexcept {
  numa::touch(data + edge(from, size, page), data + edge(to, size, page));
}

}  // namespace detail

namespace {

/// The source of small pieces: slabs, which are used from their beginnings and freed only at the end.
class slabs final : public std::pmr::memory_resource {
 public:
  slabs(const placement& how, std::atomic<std::size_t>& taken) : how_(how), taken_(&taken) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard hold(mutex_);
    if (void* const at = cut(bytes, alignment)) return at;
    // Slabs are not touched here: workers' touches would fork, and those forks could try to take this lock again.
    all_.emplace_back(std::max(placed_resource::slab, bytes), how_, alignment);
    next_ = all_.back().data();
    left_ = all_.back().size();
    taken_->fetch_add(left_, std::memory_order_relaxed);
    return cut(bytes, alignment);
  }
  void do_deallocate(void* /*at*/, std::size_t /*bytes*/, std::size_t /*alignment*/) override {}
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  void* cut(std::size_t bytes, std::size_t alignment) noexcept {
    void* const at = std::align(alignment, bytes, next_, left_);
    if (at != nullptr) {
      next_ = static_cast<std::byte*>(at) + bytes;
      left_ -= bytes;
    }
    return at;
  }

  const placement how_;
  std::atomic<std::size_t>* taken_;
  std::mutex mutex_;
  std::vector<placed_memory> all_;
  void* next_ = nullptr;
  std::size_t left_ = 0;
};

bool has_own_pages(std::size_t bytes, std::size_t alignment) {
  return bytes >= placed_resource::large || alignment > base_page_size();
}

}  // namespace

struct placed_resource::parts {
  explicit parts(const placement& how) : how(how), source(how, taken) {}

  /// Made when the first small piece is requested, because it takes a slab at once.
  std::pmr::memory_resource& small() {
    std::call_once(once, [this] {
      pools.emplace(std::pmr::pool_options{.max_blocks_per_chunk = 0, .largest_required_pool_block = large}, &source);
    });
    return *pools;
  }

  const placement how;
  std::atomic<std::size_t> in_use{0};  // both are only reported to users, so relaxed order is enough
  std::atomic<std::size_t> taken{0};
  slabs source;
  std::once_flag once;
  std::optional<std::pmr::synchronized_pool_resource> pools;
};

placed_resource::placed_resource(const placement& how) : parts_(std::make_unique<parts>(how)) {}
placed_resource::~placed_resource() = default;

const placement& placed_resource::policy() const noexcept { return parts_->how; }
std::size_t placed_resource::in_use() const noexcept { return parts_->in_use.load(std::memory_order_relaxed); }
std::size_t placed_resource::taken() const noexcept { return parts_->taken.load(std::memory_order_relaxed); }

void* placed_resource::do_allocate(std::size_t bytes, std::size_t alignment) {
  void* at = nullptr;
  if (has_own_pages(bytes, alignment)) {
    placed_memory fresh(std::max<std::size_t>(bytes, 1), parts_->how, alignment);
    detail::first_touch(fresh, fresh.size(), 1);
    const bool placed = parts_->how.kind() != placement::policy::first_touch;
    const numa::held_range mapped{fresh.data(), fresh.size(), fresh.report().page, placed};
    at = fresh.release();
    try {
      numa::hold(mapped);
    } catch (...) {
      munmap(mapped.data, mapped.bytes);
      throw;
    }
    parts_->taken.fetch_add(mapped.bytes, std::memory_order_relaxed);
  } else {
    at = parts_->small().allocate(bytes, alignment);
  }
  parts_->in_use.fetch_add(bytes, std::memory_order_relaxed);
  return at;
}

void placed_resource::do_deallocate(void* at, std::size_t bytes, std::size_t alignment) {
  if (has_own_pages(bytes, alignment)) {
    const std::size_t mapped = numa::round_up(std::max<std::size_t>(bytes, 1), base_page_size());
    numa::let_go(static_cast<std::byte*>(at));
    munmap(at, mapped);
    parts_->taken.fetch_sub(mapped, std::memory_order_relaxed);
  } else {
    parts_->small().deallocate(at, bytes, alignment);
  }
  parts_->in_use.fetch_sub(bytes, std::memory_order_relaxed);
}

}  // namespace jackdaw
