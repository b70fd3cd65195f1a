#include "jackdaw/data_report.hpp"

#include <system_error>

namespace jackdaw {

std::string data_report::text() const {
  std::string line;
  const auto add = [&line](const std::string& what) { line += (line.empty() ? "" : "; ") + what; };
  const auto reason = [](int code) { return std::generic_category().message(code); };
  if (touch_refused != 0) {
    add("set_mempolicy is refused (" + reason(touch_refused) + "): what workers touch first is on their own nodes");
  }
  if (bits_refused != 0) add("accessed bits cannot be read (" + reason(bits_refused) + ")");
  if (failed != 0) {
    add(std::to_string(failed) + " B could not be moved, the last of them to node " + std::to_string(failed_node) +
        ": " + reason(move_error));
  }
  return line;
}

}  // namespace jackdaw
