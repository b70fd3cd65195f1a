#pragma once

namespace jackdaw::measure {
class recorder;
}

namespace jackdaw::detail {

/// What records this thread's tasks; null if nothing does.
measure::recorder* this_recorder() noexcept;

}  // namespace jackdaw::detail
