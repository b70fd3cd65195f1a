#include "sim/charged.hpp"

#include <algorithm>

namespace jackdaw::sim {

analysis::charges charges_of(const machine_model& machine, const analysis::squad_count& crew) {
  constexpr double shortest_look = 40, search_time = 150'000;  // of simulated_idle.cpp
  const machine_model::costs& of = machine.cost;
  const double forks = std::max(of.spawn + of.join, of.place);
  const double taken = std::max(of.steal_local, std::max(of.steal_remote, of.suspend)) + 3 * of.look_remote;
  const double round =
      std::max(shortest_look, 2 * of.look_local + of.look_remote) + std::max(of.turn(false), of.turn(true));
  const double calls = 1 + of.of_waker() / search_time;
  const double delay = of.wake + 3 * of.of_waker() + (crew.squads + crew.workers) * round;
  return {.step_work = forks + taken + 2 * of.suspend, .step_delay = calls * delay};
}

}  // namespace jackdaw::sim
