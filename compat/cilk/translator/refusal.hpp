#pragma once

#include <stdexcept>
#include <string>

namespace jackdaw::cilk {

/// What the translator does not take: `file:line:col: what and why`.
class refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A keyword comes from a macro or a header: the file has to be preprocessed first.
struct needs_preprocessing {};

}  // namespace jackdaw::cilk
