#pragma once

#include "papers/reproduction.hpp"

/// The parts of the page on prediction.
namespace jackdaw::cli::predict_page {

/// Adds the predictor that is trained on two machines and tested on a third.
void add_predictor(reproduction& to);

}  // namespace jackdaw::cli::predict_page
