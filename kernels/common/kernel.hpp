#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// The papers' benchmarks: one problem each, written once for every runtime in the comparison.
namespace jackdaw::kernels {

/// What a user asks of a kernel. An empty or zero field means the kernel's default.
struct request {
  std::string size = {};                 ///< one of kernel::sizes
  std::string shape = {};                ///< one of kernel::shapes
  std::filesystem::path input = {};      ///< a file, for kernels that take one
  unsigned iterations = 0;               ///< sweeps or rounds, for iterative kernels
  unsigned workers = 0;                  ///< for the sides that bring their own thread pool; 0 = one per core
  std::string hints = {};                ///< wrong work hints, for kernels that take them: "fixed:0.3", "random:0.3"
  std::filesystem::path snapshots = {};  ///< a folder for pictures of the first run, for kernels that make some
};

/// Thrown by problem::check when the result of a run is wrong.
class check_failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One instance of a kernel: its input, its result, and the computation with one runtime. The order of calls is
/// prepare, run, check, and again from prepare.
class problem {
 public:
  problem() = default;
  problem(const problem&) = delete;
  problem& operator=(const problem&) = delete;
  virtual ~problem() = default;

  /// Resets the input, untimed, before every run. For side "jackdaw" it is called inside runtime::run.
  virtual void prepare() {}

  /// The timed part. For side "jackdaw" it is called inside runtime::run.
  virtual void run() = 0;

  /// Compares the result of the last run with an independent one; throws check_failed when it is wrong.
  virtual void check() = 0;

  /// How many unit()s one run handles, for rates such as nodes per second; 0 if they are not counted.
  virtual double items() const { return 0; }

  /// The unit of items(), in the plural; empty if there is none.
  virtual std::string_view unit() const { return ""; }
};

/// One runtime's version of a kernel.
struct side {
  std::string_view name;  ///< "jackdaw", "serial", "tbb", "openmp"

  /// Makes a problem. Throws jackdaw::error with one line for an unknown size or shape and for bad input files.
  std::function<std::unique_ptr<problem>(const request&)> make;
};

/// A benchmark and all its sides. The first size and the first shape are the defaults; a size named "tiny" always
/// exists and takes milliseconds.
struct kernel {
  std::string_view name, summary;
  std::vector<std::string_view> sizes, shapes;
  bool takes_input;  ///< whether the kernel uses request::input
  std::vector<side> sides;
  bool takes_hints = false;      ///< whether the kernel uses request::hints
  std::string_view alias = {};   ///< another name that find accepts, from a paper; empty if there is none
  bool takes_snapshots = false;  ///< whether the kernel uses request::snapshots
  bool iterates = false;         ///< whether the kernel uses request::iterations
};

/// Every kernel, in the order in which lists show them.
std::span<const kernel> all();

/// The kernel of that name or alias; nullptr if there is none.
const kernel* find(std::string_view name);

/// Adds a runtime's version of a kernel, replacing one of the same name. For libraries of other runtimes' versions:
/// each offers one function that calls this, and a program calls those functions at the beginning of main, before any
/// other thread exists. The side's name must outlive the program's use of it. Throws std::invalid_argument for an
/// unknown kernel.
void add_side(std::string_view kernel_name, side added);

}  // namespace jackdaw::kernels
