#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw_tbb/absent.hpp"
#include "jackdaw_tbb/scope.hpp"

// What task_group::defer() returns: a task of libtbb's, because that is what a task_handle holds.
namespace tbb::detail::d1 {
inline namespace on_jackdaw {

/// The group counts it until it ends, so that wait() waits for one which an arena of libtbb's is to run.
class deferred : public d2::task_handle_task {
 public:
  template <class Count>
  deferred(Count& counted_by, scope& of, absent& counts, small_object_allocator& memory)
      : task_handle_task(counted_by, of.context(), memory), of_(of), counts_(counts) {
    counts_.begin();
  }
  ~deferred() override { counts_.end(); }
  virtual void call() = 0;

 protected:
  scope& of_;

 private:
  absent& counts_;
};

template <class F>
class deferred_call final : public deferred {
 public:
  template <class G, class Count>
  deferred_call(G&& f, Count& counted_by, scope& of, absent& counts, small_object_allocator& memory)
      : deferred(counted_by, of, counts, memory), f_(std::forward<G>(f)) {}
  void call() override { f_(); }

 private:
  // By libtbb, if the handle is given to an arena of its.
  task* execute(execution_data& now) override {
    run_in(of_, f_);
    finalize(&now);
    return nullptr;
  }
  task* cancel(execution_data& now) override {
    finalize(&now);
    return nullptr;
  }

  F f_;
};

/// What such tasks count in, which nobody waits for and which is never zero.
inline auto& count_of_deferred() {
#if TBB_INTERFACE_VERSION >= 12140
  static wait_tree_vertex_interface* const counts = new wait_context_vertex(1);
  return counts;
#else
  static wait_context& counts = *new wait_context(1);
  counts.reserve();
  return counts;
#endif
}

template <class F>
d2::task_handle make_handle(F&& f, scope& of, absent& counts) {
  small_object_allocator memory{};
  return d2::task_handle_accessor::construct(
      memory.new_object<deferred_call<std::decay_t<F>>>(std::forward<F>(f), count_of_deferred(), of, counts, memory));
}

/// The function of a handle, which ends with it, called or not.
class call_of_handle {
 public:
  explicit call_of_handle(d2::task_handle&& handle)
      : task_(static_cast<deferred*>(d2::task_handle_accessor::release(handle))) {}
  void operator()() const { task_->call(); }

 private:
  struct finalizer {
    void operator()(deferred* task) const { task->finalize(); }
  };
  std::unique_ptr<deferred, finalizer> task_;
};

}  // namespace on_jackdaw
}  // namespace tbb::detail::d1
