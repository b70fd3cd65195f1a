#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/models/figure.hpp"

namespace jackdaw::models {

/// One figure of one machine, found by its key.
struct chosen_figure {
  std::string key;  ///< of this single figure: "node.2.bandwidth" for a request of "node.bandwidth"
  dimension what = dimension::ratio;
  range allowed;
  std::optional<double> absent;  ///< as figure::absent
  std::function<double(const machine_model&)> get;
  std::function<void(machine_model&, double)> set;

  /// A figure that the machine does not give, as all of a cache that it does not have, cannot be multiplied.
  bool is_given(const machine_model& of) const {
    const double value = get(of);
    return value != absent && !(value == 0 && outside(what, allowed, value));
  }
};

/// The figures that `key` names (see set_figure); empty if the key is unknown.
std::vector<chosen_figure> figures_called(const machine_model& model, std::string_view key);

}  // namespace jackdaw::models
