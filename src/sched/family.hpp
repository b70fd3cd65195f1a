#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sched/scheduler.hpp"
#include "sched/settings.hpp"

namespace jackdaw::sched {

/// The schedulers that one file defines; list.def names the files.
struct family {
  /// The names that lists show, of static duration.
  std::span<const std::string_view> names;
  /// Makes the scheduler of that name; null if the family has none. May know names that lists do not show ("cab:3").
  std::unique_ptr<scheduler> (*make)(std::string_view name, const settings& given);
  /// The forms of the names that lists do not show, for error messages: "cab:LEVEL".
  std::span<const std::string_view> forms = {};
};

#define SCHEDULERS(of) family of##_schedulers();
#include "sched/list.def"
#undef SCHEDULERS

}  // namespace jackdaw::sched
