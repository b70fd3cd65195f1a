// `x op= cilk_spawn f()`: the value is kept until the sync, which applies all of them in serial order.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace jackdaw::cilk {

/// One such statement that has been executed since the last sync.
class update {
 public:
  update() noexcept = default;
  update(const update&) = delete;
  update& operator=(const update&) = delete;
  virtual ~update() = default;
  /// Called when the child has ended. Does nothing if the child has thrown.
  virtual void apply() = 0;

  std::unique_ptr<update> next;
};

template <class V, class A>
class update_by final : public update {
 public:
  explicit update_by(A&& by) : by_(std::move(by)) {}
  void apply() override {
    if (value_) by_(std::move(*value_));
  }
  template <class F>
  void make(F& f) {
    value_.emplace(f());
  }

 private:
  A by_;
  std::optional<V> value_;
};

/// In the order in which the parent has executed them.
class updates {
 public:
  void add(std::unique_ptr<update> made) noexcept {
    std::unique_ptr<update>& at = last_ == nullptr ? first_ : last_->next;
    last_ = made.get();
    at = std::move(made);
  }
  void apply() {
    last_ = nullptr;
    for (std::unique_ptr<update> each = std::move(first_); each; each = std::move(each->next)) each->apply();
  }

 private:
  std::unique_ptr<update> first_;
  update* last_ = nullptr;
};

}  // namespace jackdaw::cilk
