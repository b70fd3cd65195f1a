#pragma once

#include <gtest/gtest.h>
#include <jackdaw/error.hpp>

#include <string>
#include <string_view>

#include "machine/machine_file.hpp"
#include "support/error_of.hpp"

namespace jackdaw {

/// A machine file with two sockets, a node on each and one link; one statement a line, so that tests can change lines.
inline std::string small_machine() {
  return R"(name = "small"
description = "two sockets for tests"
sockets = { count = 2, from = "paper", note = "Table 1" }
cores_per_socket = { count = 4, from = "paper", note = "Table 1" }
compute_rate = { ratio = 0.5, from = "assumed", note = "half" }
overlap = { ratio = 0.25, from = "assumed", note = "a quarter" }
block = { bytes = 512, from = "assumed", note = "grain" }
page = { kib = 4, from = "datasheet", note = "page" }
local_rate = { gb_per_s = 12, from = "measured", note = "stream" }
remote_rate = { gb_per_s = 7.5, from = "measured", note = "stream" }
[private_cache]
size = { kib = 512, from = "datasheet", note = "L2" }
rate = { gb_per_s = 60, from = "measured", note = "L2" }
latency = { ns = 5, from = "measured", note = "L2" }
[shared_cache]
size = { mib = 22, from = "paper", note = "L3" }
rate = { gb_per_s = 15, from = "assumed", note = "L3" }
total_rate = { gb_per_s = 100, from = "assumed", note = "L3" }
latency = { ns = 20, from = "assumed", note = "L3" }
[cost]
spawn = { ns = 8, from = "assumed", note = "c" }
join = { ns = 5, from = "assumed", note = "c" }
place = { ns = 400, from = "assumed", note = "c" }
suspend = { ns = 70, from = "assumed", note = "c" }
steal_local = { ns = 200, from = "assumed", note = "c" }
steal_remote = { ns = 500, from = "assumed", note = "c" }
look_local = { ns = 50, from = "assumed", note = "c" }
look_remote = { ns = 120, from = "assumed", note = "c" }
wake = { us = 5, from = "assumed", note = "c" }
[[node]]
socket = [0, 1]
kind = "dram"
capacity = { gib = 16, from = "assumed", note = "n" }
bandwidth = { gb_per_s = 50, from = "assumed", note = "n" }
latency = { ns = 90, from = "assumed", note = "n" }
[[node]]
socket = 1
kind = "cxl"
capacity = { gib = 64, from = "assumed", note = "n" }
bandwidth = { gb_per_s = 20, from = "assumed", note = "n" }
latency = { ns = 250, from = "assumed", note = "n" }
rate = { gb_per_s = 4, from = "assumed", note = "n" }
[[link]]
between = [0, 1]
bandwidth = { gb_per_s = 17, from = "assumed", note = "l" }
latency = { ns = 60, from = "assumed", note = "l" }
)";
}

/// `text` with the first `before` replaced, which must be there.
inline std::string with(std::string text, std::string_view before, std::string_view after) {
  const std::size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return at == std::string::npos ? text : text.replace(at, before.size(), after);
}

}  // namespace jackdaw
