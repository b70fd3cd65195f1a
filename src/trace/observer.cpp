#include "jackdaw/observer.hpp"

#include <atomic>

#include "trace/observed.hpp"

namespace jackdaw {
namespace {

constinit std::atomic<observer*> current{nullptr};

}  // namespace

// Release: whoever starts a runtime sees the observer as it was then.
void observe(observer* by) noexcept { current.store(by, std::memory_order_release); }

namespace trace {

observer* observing() noexcept { return current.load(std::memory_order_acquire); }

}  // namespace trace
}  // namespace jackdaw
