#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/terminal/interruption.hpp"
#include "cli/terminal/progress.hpp"
#include "kernels/common/kernel.hpp"
#include "machine/model.hpp"
#include "sched/settings.hpp"
#include "trace/task_tree.hpp"

namespace jackdaw::cli {

/// A paper's measurements, as repeatable simulations.
struct reproduction {
  /// Factors for the bandwidth of the links between sockets, the real one first.
  static constexpr std::array<std::string_view, 3> links{"x1", "x0.5", "x2"};

  /// Figures of machines that are assumed, at one end of their ranges.
  struct assumption {
    std::string_view name;
    std::array<std::string_view, 2> figures;  ///< those that have a range; the second may be empty
    std::size_t end = 0;                      ///< 0: the least, 1: the most
  };
  /// What is simulated after the factors of the links, if it is asked for.
  static constexpr std::array<assumption, 6> assumptions{{{"least overlap", {"overlap"}, 0},
                                                          {"most overlap", {"overlap"}, 1},
                                                          {"slowest cores", {"compute_rate", "vector_rate"}, 0},
                                                          {"fastest cores", {"compute_rate", "vector_rate"}, 1},
                                                          {"least remote rate", {"remote_rate"}, 0},
                                                          {"most remote rate", {"remote_rate"}, 1}}};

  /// How long a program's steps take on the reference core (machine_model::compute_rate 1), in ns.
  struct reference_times {
    double leaf = 0;                                   ///< a step that declares accesses and has its data near
    double other = 0;                                  ///< a step between forks that declares none
    std::string from;                                  ///< how they were measured
    double per_kib = 0;                                ///< replaces `leaf` unless 0: ns per KiB that the step writes
    std::map<std::uint32_t, double> by_accesses = {};  ///< replaces both, by a step's number of declared accesses
    std::map<std::uint32_t, double> touching = {};     ///< the same: ns per KiB that such a step reads or writes
    double preparing = 0;     ///< replaces all: ns per KiB written by a step that declares accesses before the run
    unsigned recordings = 0;  ///< unless 0: steps keep their own times, the fastest of so many recordings
  };
  /// A kernel, recorded for its forks and accesses.
  struct program {
    std::string name;
    std::string kernel;
    kernels::request request;
    unsigned workers = 0;  ///< the number that the kernel is told
    reference_times times;
    /// Makes the task tree, with its times, unless empty: `times` is then for the page alone.
    std::function<trace::task_tree()> make = {};
  };
  /// One simulation: a recorded program with a scheduler.
  struct experiment {
    std::string name;
    std::string program;
    std::string placement;
    std::string scheduler;
    unsigned workers = 0;
    std::string machine =
        {};  ///< a shipped machine file and changes to it ("a.b=x2") after blanks; empty: the reproduction's
    sched::settings told = {};  ///< what the scheduler is told of the program
    /// `machine` says how fast the links are: one simulation stands for all their factors, and for all assumptions.
    bool links_given = false;
    bool curve = false;    ///< its figures have the time of each iteration
    bool tiers = false;    ///< its figures have the work above the boundary of two tiers
    unsigned samples = 0;  ///< unless 0: it is simulated so often for each seed, and its figures have `samples`
    bool scatter = true;   ///< spread workers over the sockets, else fill one socket after another
    std::vector<std::string> regions = {};  ///< its figures have the time of these
    std::string mapped =
        {};  ///< a region, unless empty: its figures have the worker of each leaf of its last iteration
  };
  /// What a regression has of one run, all per iteration.
  struct sample {
    double time = 0;  ///< ns
    double local_steals = 0, remote_steals = 0;
    double local_false = 0, remote_false = 0;  ///< attempts that found nothing
    double local_bytes = 0, remote_bytes = 0;  ///< as in figures

    double local_attempts() const { return local_steals + local_false; }
    double remote_attempts() const { return remote_steals + remote_false; }
  };
  /// The results of a simulation that claims use. All except `whole`, `first`, `total`, `settled` and the costs of
  /// balancing are means over the iterations of the measured part (sim::outcome), or over the whole run of a program
  /// that does not iterate.
  struct figures {
    double time = 0;             ///< ns
    double whole = 0;            ///< ns of all iterations together
    double first = 0;            ///< ns of the first iteration
    double total = 0;            ///< ns from the first root's beginning to the last one's end
    double local_bytes = 0;      ///< from memory of the reader's own socket
    double remote_bytes = 0;     ///< from memory or caches of another socket
    double straggler_bytes = 0;  ///< local bytes of the socket that has the fewest
    double private_misses = 0;   ///< lines
    double shared_misses = 0;    ///< lines
    double dram_bytes = 0;       ///< from and to nodes of DRAM
    double hbm_bytes = 0;        ///< from and to nodes of HBM
    double watching = 0;         ///< ns to find out how hot data are
    double moving = 0;           ///< ns to move data
    double moved_bytes = 0;      ///< by balancing
    double idle = 0;             ///< part of the workers' time, 0 to 1
    unsigned settled = 0;        ///< iterations until the search for a packing had ended; 0: none ended
    double sampled = 0;          ///< pages of which it was found out how hot they are
    double upper_tier = 0;  ///< ns of work in tasks above the boundary, forks and placing included, if it was asked for
    double in_regions = 0;  ///< ns per iteration in the regions that were asked for, over the second half of each
    std::vector<double> curve = {};    ///< ns of each iteration, if it was asked for
    std::vector<double> map = {};      ///< the worker of each leaf, in the order of a serial run, if it was asked for
    double work = 0, span = 0;         ///< ns per iteration on this machine, T1 and T-infinity; if there are samples
    std::vector<sample> samples = {};  ///< if they were asked for

    double local() const { return local_bytes + remote_bytes > 0 ? local_bytes / (local_bytes + remote_bytes) : 1; }
  };
  /// Figures by the experiment's name.
  using by_name = std::map<std::string, figures>;
  /// The results of all simulations: by seed, by factor of the links; then, if they were asked for, by assumption.
  using results = std::vector<std::vector<by_name>>;
  /// The results of the programs that are complete.
  struct so_far {
    results all;
    std::vector<std::string> programs;
  };
  /// The results with one seed and one factor of the links or assumption.
  class outcomes {
   public:
    outcomes(const results& all, std::size_t seed, std::size_t link) : all_(&all[seed]), link_(link) {}

    /// Throws std::out_of_range for an unknown experiment.
    const figures& at(const std::string& experiment) const { return at(experiment, link_); }
    const figures& at(const std::string& experiment, std::size_t link) const { return (*all_)[link].at(experiment); }

   private:
    const std::vector<by_name>* all_;
    std::size_t link_;
  };
  /// Returns by how many % `what` is smaller in one experiment than in another. Negative: it is larger. Minus infinity:
  /// it is 0 in the other only.
  static double saved(double figures::* what, const outcomes& of, const std::string& experiment,
                      const std::string& against) {
    const double now = of.at(experiment).*what, then = of.at(against).*what;
    return now == then ? 0 : 100 * (1 - now / then);
  }
  /// Something that one seed's results come to.
  using figure = std::function<double(const outcomes&)>;
  /// One line of the comparison.
  struct claim {
    std::string what;
    std::string paper;     ///< the paper's statement, with its figure or table
    std::string expected;  ///< the simulated result for which the claim holds
    figure of;
    std::function<bool(const outcomes&)> holds;
    std::string otherwise;  ///< why the claim may fail; printed if it does
  };
  /// Figures beside each other that are no claims, such as those with a cause taken away.
  struct table {
    struct row {
      std::string name;
      std::vector<figure> cells;
    };

    std::string title;
    std::string text;                  ///< what the figures are
    std::vector<std::string> columns;  ///< the first is the rows' heading
    std::vector<row> rows;
    int digits = 1;  ///< after the decimal point
  };
  /// Contenders with the same programs on one machine. name() is the name of an experiment.
  struct contest {
    std::string title, machine;
    std::vector<std::string> programs;
    std::vector<std::string> plain;  ///< random stealing, with each placement that a user could ask for
    std::vector<std::string> own;    ///< jackdaw's schedulers, the default first

    static std::string name(const std::string& machine, const std::string& program, const std::string& contender) {
      return machine + ", " + program + ": " + contender;
    }
  };
  /// A sentence of the page's first paragraph: what a scheduler saves of the time of another, in %, for programs of a
  /// kind.
  struct comparison {
    std::string what;
    std::vector<std::pair<std::string, figure>> of;  ///< by program
  };

  std::string name;        ///< as in `jackdaw reproduce NAME`
  std::string title;       ///< of the paper
  std::string about = {};  ///< what the page shows, unless it is a paper's statements
  std::string machine;     ///< a shipped machine file
  std::vector<program> programs;
  std::vector<experiment> experiments;
  std::vector<comparison> comparisons;
  std::vector<claim> claims;
  std::vector<table> tables;
  std::vector<contest> contests;
  std::vector<std::string> left_out;  ///< what is missing from the paper, and why
  bool memory = false;                ///< claims use figures other than times; they are printed for every experiment

  /// Keeps only the programs whose names contain this. Throws jackdaw::error that names --only if there is none.
  void keep_only(const std::string& part_of_name);
  /// Keeps only the programs of these names.
  void keep_programs(const std::vector<std::string>& names);
  /// Adds a claim that depends only on its figure.
  void add_claim(std::string what, std::string paper, std::string expected, const figure& of,
                 const std::function<bool(double)>& holds, std::string otherwise = "");
  /// Returns all machines of the experiments, in the order of their first use.
  std::vector<std::string> machines() const;
  /// Loads the machine that experiments call by this name.
  static machine_model load_machine(const std::string& named);
  const std::string& machine_of(const experiment& of) const { return of.machine.empty() ? machine : of.machine; }
};

struct simulation_options {
  unsigned seeds = 1;       ///< simulations of each experiment with each factor of the links
  bool sweep = false;       ///< also with each of the assumptions
  unsigned recordings = 0;  ///< of each program; 0: steps take the reference core's times instead of this computer's
  std::string traces = {};  ///< a folder in which each program that is simulated is kept as a trace; empty: none
  std::string keep = {};    ///< a folder from which to go on and in which to keep figures; empty: none
};

/// Runs every experiment with every factor of the links, and with every assumption if that is asked for. Programs are
/// recorded one after another. Reports progress on stderr.
void simulate_all(const reproduction& what, const simulation_options& how, guarded<reproduction::so_far>& found,
                  progress& shown);
reproduction::results simulate_all(const reproduction& what, const simulation_options& how);

/// Returns the comparison as readable Markdown, without claims, rows and sentences on programs that were left out.
std::string report(const reproduction& what, const reproduction::results& found, bool measured);

/// Almost Deterministic Work Stealing (SC'19), sections 5.1, 5.2, 5.4, 5.5.
reproduction reproduce_adws();
/// CAB (ICPP 2011), section V.
reproduction reproduce_cab();
/// Locality-Aware Work Stealing (TACO 2015), section 6.
reproduction reproduce_laws();
/// BATS (TACO 2018), section 9.
reproduction reproduce_bats();
/// Performance prediction of task workloads (the fifth paper), sections III-A and III-B.
reproduction reproduce_predict();
/// No paper: all schedulers on machines that can be bought, beside random stealing with each placement.
reproduction reproduce_machines();

}  // namespace jackdaw::cli
