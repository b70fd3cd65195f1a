#include "checks/callers.hpp"

#include <unwind.h>

namespace jackdaw::checks {
namespace {

struct walk {
  std::span<const void*> into;
  const void* first;
  const void* base;
  std::size_t count = 0;

  _Unwind_Reason_Code visit(_Unwind_Context* frame) noexcept {
    const auto* const pc = reinterpret_cast<const void*>(_Unwind_GetIP(frame));
    const bool at_base = reinterpret_cast<const void*>(_Unwind_GetRegionStart(frame)) == base;
    if (count == into.size() || at_base) {
      return _URC_END_OF_STACK;
    }
    if (count != 0 || pc == first) {
      into[count++] = pc;
    }
    return _URC_NO_REASON;
  }
};

}  // namespace

void find_callers(std::span<const void*> into, const void* first, const void* base) noexcept {
  walk over{into, first, base};
  _Unwind_Backtrace([](_Unwind_Context* frame, void* to) { return static_cast<walk*>(to)->visit(frame); }, &over);
  if (over.count == 0 && !into.empty()) {
    into[over.count++] = first;
  }
  for (const void*& rest : into.subspan(over.count)) {
    rest = nullptr;
  }
}

}  // namespace jackdaw::checks
