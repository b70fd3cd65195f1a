#pragma once

#include <string>

#include "papers/reproduction.hpp"

/// The parts of `jackdaw reproduce adws`, one for each benchmark of the paper.
namespace jackdaw::cli::adws_page {

using outcomes = reproduction::outcomes;
using figure = reproduction::figure;
using figures = reproduction::figures;

/// Those of the paper's machine.
inline constexpr unsigned all_workers = 64;

/// Of heat2d's leaves, blocks of 64 x 64.
extern const reproduction::reference_times heat2d_times;

/// Returns the time of `slow` over that of `fast`.
figure over(const std::string& slow, const std::string& fast, double figures::* time = &figures::time);

/// The name of heat2d's experiment with this many workers.
std::string heat(const std::string& size, const std::string& placement, const std::string& scheduler,
                 unsigned workers = all_workers);

/// Section 5.1, Figures 11 and 12: all schedulers on all cores.
void add_heat2d(reproduction& to);
/// The same, by number of cores. After add_heat2d.
void add_heat2d_scaling(reproduction& to);
/// The same: constrained work stealing, in its replays. After add_heat2d.
void add_constrained(reproduction& to);
/// Section 5.2, Figure 13.
void add_matmul(reproduction& to);
/// Section 5.3, Figures 1, 14 and 15.
void add_water(reproduction& to);
/// Section 5.4, Figure 16. After add_heat2d.
void add_wrong_hints(reproduction& to);
/// Section 5.5, Table 2.
void add_fib(reproduction& to);

}  // namespace jackdaw::cli::adws_page
