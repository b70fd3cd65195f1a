#include "trace/recording_file.hpp"

#include <cerrno>
#include <cstdio>
#include <new>

#include "base/replacement.hpp"
#include "jackdaw/error.hpp"
#include "trace/relocate.hpp"
#include "trace/trace_file.hpp"

namespace jackdaw::trace {
recording_file::recording_file(const std::filesystem::path& file, std::string_view where, unsigned workers)
    : file_(detail::numbered(detail::check_replaceable(file, where))),
      recorder_(program_invocation_short_name, workers) {}

void recording_file::write() noexcept {
  if (written_.exchange(true)) {
    return;
  }
  try {
    if (recorder_.busy()) {
      throw error(file_.string() +
                  ": not written: the program ended inside a task, expected it to end outside of tasks");
    }
    task_tree tree = recorder_.take();
    relocate(tree);
    const interruptions& disturbed = recorder_.disturbed();
    if (disturbed.matter()) tree.lost = disturbed.lost / disturbed.wall;
    write_trace(tree, file_);
    if (disturbed.matter()) {
      std::fprintf(stderr, "jackdaw: %s: %s, so its times are too long\n", file_.c_str(), disturbed.text().c_str());
    }
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "jackdaw: %s: not written: not enough memory\n", file_.c_str());
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "jackdaw: %s\n", failure.what());
  }
}

}  // namespace jackdaw::trace
