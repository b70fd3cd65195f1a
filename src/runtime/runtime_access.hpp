#pragma once

#include "jackdaw/runtime.hpp"

namespace jackdaw::trace {
class recorder;
}

namespace jackdaw::detail {

/// What the rest of the library may do with a runtime.
class runtime_access {
 public:
  /// Workers of the default runtime, which is started if need be and which others may end meanwhile.
  static unsigned default_workers();
  /// A runtime that records into `into`, which must outlive it; options.record and $JACKDAW_RECORD count for nothing.
  /// It has one worker and says that it has as many as `into` says.
  static runtime recording(const options& how, trace::recorder& into) { return runtime(how, &into); }
};

}  // namespace jackdaw::detail
