#include "machine/cgroup.hpp"

#include <gtest/gtest.h>

namespace jackdaw {
namespace {

// Reads the files of a captured computer, kept below tests/machine/data.
file_reader captured(const std::string& name) {
  return [folder = std::string(JACKDAW_MACHINE_DATA "/") + name](const std::string& path) {
    return read_text_file(folder + path);
  };
}

TEST(cgroup, version_2_takes_the_narrowest_quota_on_the_way_up) {
  const auto quota = find_cpu_quota(captured("cgroup-v2"));
  ASSERT_TRUE(quota);
  EXPECT_DOUBLE_EQ(quota->cpus, 2.5);
  EXPECT_EQ(quota->whole_cpus(), 3u);
  EXPECT_EQ(quota->file, "/sys/fs/cgroup/kubepods.slice/kubepods-pod7.slice/cpu.max");
}

TEST(cgroup, version_1_finds_a_container_mounted_as_the_root) {
  const auto quota = find_cpu_quota(captured("cgroup-v1"));
  ASSERT_TRUE(quota);
  EXPECT_DOUBLE_EQ(quota->cpus, 1.5);
  EXPECT_EQ(quota->whole_cpus(), 2u);
  EXPECT_EQ(quota->file, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us");
}

TEST(cgroup, version_1_walks_up_and_reads_escaped_mount_points) {
  const auto quota = find_cpu_quota(captured("cgroup-v1-nested"));
  ASSERT_TRUE(quota);
  EXPECT_EQ(quota->whole_cpus(), 2u);
  EXPECT_EQ(quota->file, "/sys/fs/cgroup/cpu tree/batch/job 12/cpu.cfs_quota_us");
}

TEST(cgroup, no_quota_is_no_limit) {
  EXPECT_FALSE(find_cpu_quota(captured("cgroup-hybrid-unlimited")));
  EXPECT_FALSE(find_cpu_quota(captured("there is no such computer")));
}

TEST(cgroup, cpu_max) {
  EXPECT_EQ(parse_cpu_max("150000 100000\n"), 1.5);
  EXPECT_EQ(parse_cpu_max("max 100000\n"), std::nullopt);
  for (const char* malformed : {"", "max", "100000", "1 2 3", "-1 100000", "0 100000", "100000 0", "1e5 100000"}) {
    EXPECT_EQ(parse_cpu_max(malformed), std::nullopt) << malformed;
  }
}

TEST(cgroup, cfs_quota) {
  EXPECT_EQ(parse_cfs_quota("50000\n", "100000\n"), 0.5);
  EXPECT_EQ(parse_cfs_quota("-1\n", "100000\n"), std::nullopt);
  EXPECT_EQ(parse_cfs_quota("50000", ""), std::nullopt);
  EXPECT_EQ(parse_cfs_quota("50000", "x"), std::nullopt);
}

TEST(cgroup, quota_rounds_up_to_whole_cpus) {
  EXPECT_EQ((cgroup_quota{0.1, ""}.whole_cpus()), 1u);
  EXPECT_EQ((cgroup_quota{1.0, ""}.whole_cpus()), 1u);
  EXPECT_EQ((cgroup_quota{1.01, ""}.whole_cpus()), 2u);
  EXPECT_EQ((cgroup_quota{0.3 + 0.3 + 0.4, ""}.whole_cpus()), 1u);
}

TEST(cgroup, path_of_a_controller) {
  const std::string text = "4:cpu,cpuacct:/a/b\n1:cpuset:/c:d\n0::/e\n";
  EXPECT_EQ(parse_cgroup_path(text, "cpu"), "/a/b");
  EXPECT_EQ(parse_cgroup_path(text, "cpuset"), "/c:d");
  EXPECT_EQ(parse_cgroup_path(text, ""), "/e");
  EXPECT_EQ(parse_cgroup_path(text, "memory"), std::nullopt);
  EXPECT_EQ(parse_cgroup_path("no colons here\n", ""), std::nullopt);
}

}  // namespace
}  // namespace jackdaw
