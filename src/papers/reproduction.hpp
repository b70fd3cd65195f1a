#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/kernel.hpp"
#include "machine/model.hpp"
#include "sched/settings.hpp"

namespace jackdaw::cli {

/// What a paper measured, as simulations that can be run again.
struct reproduction {
  /// The factors that the bandwidth of the sockets' links is changed by, the real one first.
  static constexpr std::array<std::string_view, 3> links{"x1", "x0.5", "x2"};

  /// How long a program's steps take on the reference core (machine_model::compute_rate 1), in ns.
  struct reference_times {
    double leaf = 0;     ///< a step that declares accesses, its data near
    double other = 0;    ///< a step between forks that declares none
    std::string from;    ///< how they were found
    double per_kib = 0;  ///< in place of `leaf`, unless 0: ns for each KiB that the step writes
    std::map<std::uint32_t, double> by_accesses = {};  ///< in place of both: a step that declares so many accesses
    std::map<std::uint32_t, double> touching = {};     ///< the same: ns for each KiB that such a step reads or writes
    double preparing = 0;  ///< in place of all: ns for each KiB written by a step that declares accesses before the run
  };
  /// A kernel that is recorded for its forks and accesses.
  struct program {
    std::string name;
    std::string kernel;
    kernels::request request;
    unsigned workers = 0;  ///< that it is told there are
    reference_times times;
  };
  /// One simulation: a recorded program with a scheduler.
  struct experiment {
    std::string name;
    std::string program;
    std::string placement;
    std::string scheduler;
    unsigned workers = 0;
    std::string machine =
        {};  ///< a shipped machine file, then changes of it ("a.b=x2") after blanks; empty: the reproduction's
    sched::settings told = {};  ///< what the scheduler is told of the program
  };
  /// What a simulation came to, as far as claims are about it. All but `whole`, `first`, `total`, `settled` and what
  /// balancing took are means over the iterations of the measured part (sim::outcome), or of the whole run where a
  /// program does not iterate.
  struct figures {
    double time = 0;             ///< ns
    double whole = 0;            ///< ns of all iterations together
    double first = 0;            ///< ns of the first iteration
    double total = 0;            ///< ns from the first root's beginning to the last one's end
    double local_bytes = 0;      ///< from memory of the reader's own socket
    double remote_bytes = 0;     ///< from memory or caches of another one
    double straggler_bytes = 0;  ///< local bytes of the socket that has the fewest
    double private_misses = 0;   ///< lines
    double shared_misses = 0;    ///< lines
    double dram_bytes = 0;       ///< from and to nodes of DRAM
    double hbm_bytes = 0;        ///< from and to nodes of HBM
    double watching = 0;         ///< ns to see how hot data are
    double moving = 0;           ///< ns to move data for it
    double moved_bytes = 0;      ///< that were moved
    double idle = 0;             ///< part of the workers' time, 0 to 1
    unsigned settled = 0;        ///< iterations until the search for a packing had ended; 0: none ended

    double local() const { return local_bytes + remote_bytes > 0 ? local_bytes / (local_bytes + remote_bytes) : 1; }
  };
  /// By the experiment's name; of several seeds, the simulation of median time.
  using by_name = std::map<std::string, figures>;
  /// What all simulations came to, seen with one factor of the links.
  class outcomes {
   public:
    outcomes(const std::array<by_name, links.size()>& all, std::size_t link) : all_(&all), link_(link) {}

    /// Throws std::out_of_range for an experiment that there is not.
    const figures& at(const std::string& experiment) const { return at(experiment, link_); }
    const figures& at(const std::string& experiment, std::size_t link) const { return (*all_)[link].at(experiment); }

   private:
    const std::array<by_name, links.size()>* all_;
    std::size_t link_;
  };
  /// How much less of `what` there was in one experiment than in another, in %; below zero: more;
  /// minus infinity: there was none in the other.
  static double saved(double figures::* what, const outcomes& of, const std::string& experiment,
                      const std::string& against) {
    const double now = of.at(experiment).*what, then = of.at(against).*what;
    return now == then ? 0 : 100 * (1 - now / then);
  }
  /// One line of the comparison.
  struct claim {
    std::string what;
    std::string paper;     ///< what the paper says, with the figure or table that it stands in
    std::string expected;  ///< what has to be simulated for the claim to hold
    std::function<double(const outcomes&)> figure;
    std::function<bool(const outcomes&)> holds;
    std::string otherwise;  ///< why it may not come out; printed if it does not
  };

  std::string name;     ///< as in `jackdaw reproduce NAME`
  std::string title;    ///< of the paper
  std::string machine;  ///< a shipped machine file
  std::vector<program> programs;
  std::vector<experiment> experiments;
  std::vector<claim> claims;
  std::vector<std::string> left_out;  ///< what of the paper is not here, and why
  bool memory = false;                ///< figures other than times are claimed: they are printed for every experiment

  /// Leaves out all programs but those whose names contain this. Throws jackdaw::error that names --only if there is
  /// none.
  void keep_only(const std::string& part_of_name);
  /// A claim that holds if its figure alone says so.
  void add_claim(std::string what, std::string paper, std::string expected,
                 const std::function<double(const outcomes&)>& figure, const std::function<bool(double)>& holds,
                 std::string otherwise = "");
  /// All machines of the experiments, in the order of their first use.
  std::vector<std::string> machines() const;
  /// A machine as experiments name it.
  static machine_model load_machine(const std::string& named);
  const std::string& machine_of(const experiment& of) const { return of.machine.empty() ? machine : of.machine; }
};

/// Every experiment with every factor of the links, `seeds` times. Programs are recorded one after another;
/// `recordings` 0: what their steps take is the reference core's times, not this computer's. Says on stderr how far it
/// is. `traces`, unless empty: a folder in which what is simulated of each program is kept as a trace.
std::array<reproduction::by_name, reproduction::links.size()> simulate_all(const reproduction& what,
                                                                           unsigned recordings, unsigned seeds,
                                                                           const std::string& traces = {});

/// The comparison as Markdown, which is readable as it stands; without claims on programs that were left out.
std::string report(const reproduction& what, const std::array<reproduction::by_name, reproduction::links.size()>& found,
                   unsigned seeds, bool measured);

/// Almost Deterministic Work Stealing (SC'19), sections 5.1, 5.2, 5.4, 5.5.
reproduction reproduce_adws();
/// CAB (ICPP 2011), section V.
reproduction reproduce_cab();
/// Locality-Aware Work Stealing (TACO 2015), section 6.
reproduction reproduce_laws();
/// BATS (TACO 2018), section 9.
reproduction reproduce_bats();

}  // namespace jackdaw::cli
