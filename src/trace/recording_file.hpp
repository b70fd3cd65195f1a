#pragma once

#include <filesystem>
#include <string_view>

#include "trace/recorder.hpp"

namespace jackdaw::trace {

/// A recording, and the file that the destructor writes it to.
class recording_file {
 public:
  /// Throws error, which names `where`, the place that gave the path, if no file can be written there. A process's
  /// second recording to the same file gets FILE.2, and so on.
  recording_file(const std::filesystem::path& file, std::string_view where, unsigned workers);
  ~recording_file() { write(); }
  recording_file(const recording_file&) = delete;
  recording_file& operator=(const recording_file&) = delete;

  recorder& into() noexcept { return recorder_; }

  /// Writes the file once; later calls do nothing. Reports a failure in a line on stderr.
  void write() noexcept;

 private:
  std::filesystem::path file_;
  recorder recorder_;
  std::atomic<bool> written_{false};
};

}  // namespace jackdaw::trace
