// OpenCilk's output in serial order, used like a stream.
#pragma once
#include <cilk/reducer_ostream.h>

namespace cilk {

template <class C, class R = std::char_traits<C>>
using ostream_reducer = reducer_basic_ostream<C>;

}  // namespace cilk
