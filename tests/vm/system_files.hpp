#pragma once

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

namespace jackdaw::test {

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) throw std::runtime_error(path + ": cannot write '" + text + "'");
}

inline std::string read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(path + ": cannot be read");
  return line;
}

/// A control group, which ends when its processes have left it.
class control_group {
 public:
  /// `controller`: what the group may limit.
  control_group(const std::string& name, const std::string& controller) : own_(root + ("/" + name)) {
    write_file(root + std::string("/cgroup.subtree_control"), "+" + controller);
    if (mkdir(own_.c_str(), 0755) != 0) throw std::runtime_error(own_ + ": cannot be made");
  }
  ~control_group() {
    try {
      write_file(root + std::string("/cgroup.procs"), std::to_string(getpid()));
      if (rmdir(own_.c_str()) != 0) throw std::runtime_error(own_ + ": cannot be removed");
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what();
    }
  }
  control_group(const control_group&) = delete;
  control_group& operator=(const control_group&) = delete;

  /// Moves the calling process there.
  void enter() const { set("cgroup.procs", std::to_string(getpid())); }
  void set(const std::string& file, const std::string& text) const { write_file(own_ + "/" + file, text); }

 private:
  static constexpr const char* root = "/sys/fs/cgroup";

  const std::string own_;
};

/// A setting of the kernel's, put back at the end.
class kernel_setting {
 public:
  explicit kernel_setting(std::string path) : path_(std::move(path)), before_(read_line(path_)) {}
  ~kernel_setting() {
    try {
      write_file(path_, before_);
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what();
    }
  }
  kernel_setting(const kernel_setting&) = delete;
  kernel_setting& operator=(const kernel_setting&) = delete;

  void set(const std::string& text) const { write_file(path_, text); }

 private:
  const std::string path_, before_;
};

}  // namespace jackdaw::test
