#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jackdaw::numa {

/// How pages go to nodes, in mbind(2)'s terms.
enum class kernel_policy {
  prefer,      ///< on the node; on others when it is full
  interleave,  ///< in turn
  weighted,    ///< in turn by the weights that the administrator has set
};

/// Where a thread's first touches go, in set_mempolicy(2)'s terms. Default: to the node of the thread's processor.
struct touch_policy {
  int mode = 0;
  std::vector<unsigned long> mask = {};  ///< of nodes

  bool operator==(const touch_policy&) const = default;
};
/// Prefers a node and uses others when it is full.
touch_policy preferring(unsigned node);
bool prefers(const touch_policy& policy, unsigned node);
/// Only to these nodes. When they are full, the kernel kills the program.
touch_policy only_to(const std::vector<unsigned>& nodes);
/// The only nodes that a policy allows, as set by only_to and `numactl --membind`; nullopt: it forbids none.
std::vector<unsigned> nodes_bound_by(const touch_policy& policy);

/// The kernel's calls about memory nodes; only this class sees its refusals. Results are 0 or an errno.
class numa_kernel {
 public:
  virtual ~numa_kernel() = default;

  /// For pages of [at, at + bytes) that are touched from now on.
  virtual int bind(void* at, std::size_t bytes, kernel_policy how, const std::vector<unsigned>& nodes) = 0;
  /// The node of each page that `pages` point into; or a negative errno: -ENOENT and -EFAULT if there is none yet.
  virtual int locate(const std::vector<void*>& pages, std::vector<int>& nodes) = 0;
  /// Moves pages, except those without memory. Returns 0 even if some could not be moved: `states` then has a negative
  /// errno for each page for which the kernel gives a reason.
  virtual int move(const std::vector<void*>& pages, unsigned node, std::vector<int>& states) = 0;

  /// Sets the policy for memory that the calling thread, or a thread that it starts from now on, touches first, unless
  /// that memory has a policy of its own.
  virtual int set_policy(const touch_policy& wanted) = 0;
  virtual int policy(touch_policy& now) = 0;
  /// The policy of the memory at an address (mbind). The default one: it has none of its own, and goes where the thread
  /// that touches it says.
  virtual int policy_at(const void* at, touch_policy& now) = 0;

  /// Whether an errno means that the call itself is not permitted or not supported, rather than that this one call
  /// failed.
  static bool refused(int code) noexcept;
};

/// This computer's kernel.
numa_kernel& linux_kernel();

/// The nodes that both this process's cpuset and the calling thread's policy (`numactl --membind`) allow; nullopt: the
/// system does not tell.
std::optional<std::vector<unsigned>> allowed_nodes();

/// The bytes that still fit on a node: free pages and droppable file pages, less the reserve that the kernel keeps
/// before it turns to other nodes; nullopt: unknown.
std::optional<std::size_t> free_bytes(unsigned node);
/// The first two of these, from the text of /sys/devices/system/node/node*/meminfo.
std::optional<std::size_t> parse_free_bytes(const std::string& meminfo);
/// The third one, in pages: the low watermarks of the node's zones, from the text of /proc/zoneinfo.
std::size_t parse_kept_back(const std::string& zoneinfo, unsigned node);

/// The kernel's interleaving weight of a node; nullopt if it has none.
std::optional<unsigned> kernel_weight(unsigned node);

/// The numbers in a list such as "0-3,8"; nullopt if the text is no such list.
std::optional<std::vector<unsigned>> parse_node_list(const std::string& text);

}  // namespace jackdaw::numa
