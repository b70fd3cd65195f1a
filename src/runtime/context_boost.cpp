// The two ways to switch stacks on processors that have no hand-written one: by Boost.Context. It does not save the
// control bits of the floating-point unit on every processor, so each side that is left keeps them on its own stack.
#include <boost/context/detail/fcontext.hpp>

#include "jackdaw/detail/context.hpp"
#include "jackdaw/detail/control_word.hpp"

namespace jackdaw::detail {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

/// Boost gives the context that was left to the side that arrives. So the arriving side stores it for the side that
/// left.
struct letter {
  void** from;
  void* value;
};

void* arrive(transfer_t came) noexcept {
  const letter* const read = static_cast<letter*>(came.data);
  void* const value = read->value;
  *read->from = came.fctx;
  return value;
}

struct call {
  letter envelope;
  void* (*function)(void*);
  void* argument;
};

void run_call(transfer_t came) noexcept {
  const call* const what = static_cast<call*>(came.data);
  void** const from = what->envelope.from;
  *from = came.fctx;
  void* nowhere = nullptr;
  letter back{&nowhere, what->function(what->argument)};
  jump_fcontext(*from, &back);
}

struct beginning {
  void (*function)(void*) noexcept;
  void* argument;
  control_word control;
};

/// Entered twice: by make_context, which tells it what to call, and by the first switch.
void run_beginning(transfer_t came) noexcept {
  const beginning what = *static_cast<const beginning*>(came.data);
  arrive(jump_fcontext(came.fctx, nullptr));
  what.control.set();
  what.function(what.argument);
}

}  // namespace

void* make_context(void* stack_top, void (*function)(void*) noexcept, void* argument) noexcept {
  beginning what{function, argument, {}};
  return jump_fcontext(make_fcontext(stack_top, 16384, &run_beginning), &what).fctx;
}

const void* resumes_at(const void*) noexcept { return nullptr; }

extern "C" void* jackdaw_switch(void** from, void* to, void* value) noexcept {
  letter read{from, value};
  const control_word own;
  void* const brought = arrive(jump_fcontext(to, &read));
  own.set();
  return brought;
}

extern "C" void* jackdaw_call_on(void** from, void* stack_top, void* (*function)(void*)) noexcept {
  call what{{from, nullptr}, function, stack_top};
  const control_word own;
  void* const brought = arrive(jump_fcontext(make_fcontext(stack_top, 16384, &run_call), &what));
  own.set();
  return brought;
}

}  // namespace jackdaw::detail
