#include <cxxabi.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "c/scope.hpp"
#include "c/site.hpp"
#include "c/status.hpp"
#include "jackdaw/algorithm/fold.hpp"
#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/placed_branch.hpp"
#include "jackdaw/tied.hpp"

namespace jackdaw::c_api {
namespace {

constexpr const char* no_function_given = "a null pointer, expected a function";

struct branch {
  jackdaw_function f;
  void* arg;
  void operator()() const { call(f, arg); }
};

void invoke_two(const void* site, double work_f, branch f, double work_g, branch g) {
  expect(f.f, no_function_given);
  expect(g.f, no_function_given);
  if (detail::lane* const at = detail::this_lane()) [[likely]] {
    detail::fork_join(at, f, g);
    return;
  }
  const auto amount = [](double work) { return work < 0 ? 1.0 : work; };
  detail::place_branches(
      site, std::array{detail::placed_branch(f, {amount(work_f)}), detail::placed_branch(g, {amount(work_g)})});
}

/// A partial result of a reduction: bytes whose number is known when the program runs.
class partial {
 public:
  partial(const void* from, std::size_t size) : size_(size) {
    if (size > sizeof here_) {
      elsewhere_ = std::make_unique<std::byte[]>(size);
    }
    std::memcpy(data(), from, size);
  }
  partial(partial&& other) noexcept : size_(other.size_), elsewhere_(std::move(other.elsewhere_)) {
    if (elsewhere_ == nullptr) std::memcpy(here_, other.here_, size_);
  }
  partial& operator=(partial&& other) noexcept {
    size_ = other.size_;
    elsewhere_ = std::move(other.elsewhere_);
    if (elsewhere_ == nullptr) std::memcpy(here_, other.here_, size_);
    return *this;
  }

  void* data() noexcept { return elsewhere_ != nullptr ? elsewhere_.get() : here_; }

 private:
  std::size_t size_;
  std::unique_ptr<std::byte[]> elsewhere_;  // null: it is here
  alignas(std::max_align_t) std::byte here_[48];
};

}  // namespace
}  // namespace jackdaw::c_api

namespace api = jackdaw::c_api;

extern "C" {

jackdaw_status jackdaw_invoke(jackdaw_function f, void* a, jackdaw_function g, void* b) {
  JACKDAW_C_TRY { api::invoke_two(__builtin_return_address(0), 1, {f, a}, 1, {g, b}); }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_invoke_work(double work_f, jackdaw_function f, void* a, double work_g, jackdaw_function g,
                                   void* b) {
  JACKDAW_C_TRY { api::invoke_two(__builtin_return_address(0), work_f, {f, a}, work_g, {g, b}); }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_tied(jackdaw_function f, void* arg) {
  JACKDAW_C_TRY {
    api::expect(f, api::no_function_given);
    jackdaw::tied([=] { f(arg); });
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_for(int64_t begin, int64_t end, size_t grain, jackdaw_block body, void* arg) {
  const void* const site = __builtin_return_address(0);
  JACKDAW_C_TRY {
    api::expect(body, api::no_function_given);
    const auto block = [body, arg](std::int64_t from, std::int64_t to) {
      api::scope own;
      body(from, to, arg);
      own.close();
    };
    api::at_site(site, [&] { jackdaw::for_range(begin, end, block, jackdaw::grain{grain}); });
  }
  JACKDAW_C_CATCH;
}

jackdaw_status jackdaw_reduce(int64_t begin, int64_t end, size_t grain, size_t size, const void* identity,
                              jackdaw_reduce_block body, jackdaw_combine combine, void* arg, void* result) {
  const void* const site = __builtin_return_address(0);
  JACKDAW_C_TRY {
    api::expect(body, api::no_function_given);
    api::expect(combine, api::no_function_given);
    api::expect(identity, "a null pointer, expected the identity");
    api::expect(result, "a null pointer, expected where to put the result");
    if (size == 0) throw api::misuse{JACKDAW_ERROR_ARGUMENT, "a result of 0 bytes, expected its size"};
    const auto make = [=] { return api::partial(identity, size); };
    const auto add = [=](api::partial& into, std::int64_t from, std::int64_t to) {
      api::scope own;
      body(from, to, into.data(), arg);
      own.close();
    };
    const auto join = [=](api::partial left, api::partial right) {
      api::scope own;
      combine(left.data(), right.data(), arg);
      own.close();
      return left;
    };
    api::at_site(site, [&] {
      api::partial sum = jackdaw::fold_range(begin, end, make, add, join, jackdaw::grain{grain});
      std::memcpy(result, sum.data(), size);
    });
  }
  JACKDAW_C_CATCH;
}

}  // extern "C"
