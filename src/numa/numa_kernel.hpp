#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jackdaw::numa {

/// How pages go to nodes, as mbind(2) knows it.
enum class kernel_policy {
  prefer,      ///< on the node; on others when it is full
  interleave,  ///< in turn
  weighted,    ///< in turn by the weights that the administrator has set
};

/// Where a thread's first touches go, as set_mempolicy(2) knows it; as it is made: to the node of the thread's
/// processor.
struct touch_policy {
  int mode = 0;
  std::vector<unsigned long> mask = {};  ///< of nodes

  bool operator==(const touch_policy&) const = default;
};
/// To a node, to others when it is full.
touch_policy preferring(unsigned node);
/// To these nodes alone; where they are full the kernel ends the program.
touch_policy only_to(const std::vector<unsigned>& nodes);
/// The nodes that a policy allows and no others, as only_to and `numactl --membind` do it; none: it forbids none.
std::vector<unsigned> nodes_bound_by(const touch_policy& policy);

/// What the kernel does about memory nodes: the one place where its refusals are seen. Results are 0 or an errno.
class numa_kernel {
 public:
  virtual ~numa_kernel() = default;

  /// For pages of [at, at + bytes) that are touched from now on.
  virtual int bind(void* at, std::size_t bytes, kernel_policy how, const std::vector<unsigned>& nodes) = 0;
  /// The node of each page that `pages` point into; or a negative errno: -ENOENT and -EFAULT where there is none yet.
  virtual int locate(const std::vector<void*>& pages, std::vector<int>& nodes) = 0;
  /// Moves pages; those that are not there are left out. 0 also where some could not be moved: `states` then has a
  /// negative errno for those of which the kernel says why.
  virtual int move(const std::vector<void*>& pages, unsigned node, std::vector<int>& states) = 0;

  /// What the calling thread touches first from now on, in memory that has no policy of its own; and so do threads that
  /// it starts from now on.
  virtual int set_policy(const touch_policy& wanted) = 0;
  virtual int policy(touch_policy& now) = 0;

  /// Whether an errno means that the call itself may not be made, rather than that it failed here and now.
  static bool refused(int code) noexcept;
};

/// This computer's.
numa_kernel& linux_kernel();

/// Nodes that this process may use by its cpuset and the calling thread by its policy (`numactl --membind`); none: the
/// system does not tell.
std::optional<std::vector<unsigned>> allowed_nodes();

/// What can still be put on a node, in bytes: free pages and those of files that can be dropped, less what the kernel
/// keeps back there before it turns to other nodes; none: unknown.
std::optional<std::size_t> free_bytes(unsigned node);
/// The first two of these, from the text of /sys/devices/system/node/node*/meminfo.
std::optional<std::size_t> parse_free_bytes(const std::string& meminfo);
/// The third one, in pages: the low watermarks of the node's zones, from the text of /proc/zoneinfo.
std::size_t parse_kept_back(const std::string& zoneinfo, unsigned node);

/// The kernel's weight of a node; none where it has none.
std::optional<unsigned> kernel_weight(unsigned node);

/// The numbers in a list such as "0-3,8"; none when it is not one.
std::optional<std::vector<unsigned>> parse_node_list(const std::string& text);

}  // namespace jackdaw::numa
