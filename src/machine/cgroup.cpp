#include "machine/cgroup.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

namespace jackdaw {
namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(separators); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(separators, end);
  }
  return words;
}

bool has_word(std::string_view list, std::string_view word) {
  const auto words = split(list, ",");
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<double> parse_ratio(std::string_view numerator, std::string_view denominator) {
  long long quota = 0, period = 0;
  const auto read = [](std::string_view text, long long& value) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() && value > 0;
  };
  if (!read(numerator, quota) || !read(denominator, period)) return std::nullopt;
  return static_cast<double>(quota) / static_cast<double>(period);
}

// mountinfo writes a blank or backslash in a path as a backslash and three octal digits.
std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 4, code, 8).ptr == text.data() + i + 4) {
      plain += static_cast<char>(code);
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// The group's path below the mount point: "" for the group that is mounted there, else "/a/b". A path outside the
// visible root, as other namespaces show it, is taken to be relative to that root already.
std::string below_mount(const std::string& group, const std::string& root) {
  std::string path = group;
  if (root != "/" && (group == root || group.starts_with(root + "/"))) path = group.substr(root.size());
  while (!path.empty() && path.back() == '/') path.pop_back();
  return path;
}

template <class Read>
void narrow(std::optional<cgroup_quota>& found, const cgroup_mount& mount, const std::string& group, Read&& quota_in) {
  std::string below = below_mount(group, mount.root);
  for (;;) {
    const std::string folder = mount.mount_point + below + "/";
    if (std::optional<cgroup_quota> quota = quota_in(folder); quota && (!found || quota->cpus < found->cpus)) {
      found = std::move(quota);
    }
    if (below.empty()) return;
    below.resize(below.find_last_of('/') == below.npos ? 0 : below.find_last_of('/'));
  }
}

}  // namespace

unsigned cgroup_quota::whole_cpus() const {
  // 1e-9 allows for rounding when the quotient is a whole number.
  return static_cast<unsigned>(std::clamp(std::ceil(cpus - 1e-9), 1.0, 1e9));
}

std::optional<std::string> read_text_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return std::nullopt;
  return text.str();
}

std::optional<double> parse_cpu_max(std::string_view text) {
  const auto words = split(text, " \t\n");
  if (words.size() != 2) return std::nullopt;
  return parse_ratio(words[0], words[1]);
}

std::optional<double> parse_cfs_quota(std::string_view quota, std::string_view period) {
  const auto quota_words = split(quota, " \t\n"), period_words = split(period, " \t\n");
  if (quota_words.size() != 1 || period_words.size() != 1) return std::nullopt;
  return parse_ratio(quota_words[0], period_words[0]);
}

std::optional<std::string> parse_cgroup_path(std::string_view text, std::string_view controller) {
  for (const std::string_view line : split(text, "\n")) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool wanted =
        controller.empty() ? controllers.empty() && line.substr(0, first) == "0" : has_word(controllers, controller);
    if (wanted) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

std::optional<cgroup_mount> parse_cgroup_mount(std::string_view text, std::string_view controller) {
  for (const std::string_view line : split(text, "\n")) {
    const auto words = split(line, " ");
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 6 || words.end() - dash < 4) continue;
    const std::string_view type = dash[1], super_options = dash[3];
    if (controller.empty() ? type == "cgroup2" : type == "cgroup" && has_word(super_options, controller)) {
      return cgroup_mount{unescape(words[3]), unescape(words[4])};
    }
  }
  return std::nullopt;
}

std::optional<cgroup_quota> find_cpu_quota(const file_reader& read) {
  const auto groups = read("/proc/self/cgroup"), mounts = read("/proc/self/mountinfo");
  std::optional<cgroup_quota> found;
  if (!groups || !mounts) return found;

  const auto group_2 = parse_cgroup_path(*groups, "");
  const auto mount_2 = parse_cgroup_mount(*mounts, "");
  if (group_2 && mount_2) {
    narrow(found, *mount_2, *group_2, [&](const std::string& folder) -> std::optional<cgroup_quota> {
      const auto text = read(folder + "cpu.max");
      const auto cpus = text ? parse_cpu_max(*text) : std::nullopt;
      if (!cpus) return std::nullopt;
      return cgroup_quota{*cpus, folder + "cpu.max"};
    });
  }
  const auto group_1 = parse_cgroup_path(*groups, "cpu");
  const auto mount_1 = parse_cgroup_mount(*mounts, "cpu");
  if (group_1 && mount_1) {
    narrow(found, *mount_1, *group_1, [&](const std::string& folder) -> std::optional<cgroup_quota> {
      const auto quota = read(folder + "cpu.cfs_quota_us"), period = read(folder + "cpu.cfs_period_us");
      const auto cpus = quota && period ? parse_cfs_quota(*quota, *period) : std::nullopt;
      if (!cpus) return std::nullopt;
      return cgroup_quota{*cpus, folder + "cpu.cfs_quota_us"};
    });
  }
  return found;
}

}  // namespace jackdaw
