#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace jackdaw {

/// How much CPU time a control group allows.
struct cgroup_quota {
  double cpus = 0;   ///< quota / period
  std::string file;  ///< the file that sets it

  /// The smallest number of CPUs that can use the whole quota, at least 1.
  unsigned whole_cpus() const;
};

/// Returns a file's contents, or nothing if it cannot be read.
using file_reader = std::function<std::optional<std::string>(const std::string& path)>;

/// Reads a file of this computer.
std::optional<std::string> read_text_file(const std::string& path);

/// CPUs allowed by the text of a version 2 cpu.max ("max 100000", "150000 100000"); none: unlimited or malformed.
std::optional<double> parse_cpu_max(std::string_view text);

/// CPUs allowed by the texts of version 1's cpu.cfs_quota_us and cpu.cfs_period_us; none: unlimited or malformed.
std::optional<double> parse_cfs_quota(std::string_view quota, std::string_view period);

/// The control group in the text of /proc/self/cgroup, for the version 1 controller given or, when that is empty, in
/// version 2's hierarchy.
std::optional<std::string> parse_cgroup_path(std::string_view text, std::string_view controller);

/// Where a control group hierarchy is mounted, and which group is visible there.
struct cgroup_mount {
  std::string root, mount_point;
};

/// The mount of version 1's controller, or of version 2's hierarchy when `controller` is empty, in the text of
/// /proc/self/mountinfo.
std::optional<cgroup_mount> parse_cgroup_mount(std::string_view text, std::string_view controller);

/// The narrowest quota on this process: that of its control group or of any above it, of both versions.
std::optional<cgroup_quota> find_cpu_quota(const file_reader& read);

}  // namespace jackdaw
