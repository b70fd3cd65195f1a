#pragma once

#include <unordered_map>
#include <vector>

#include "gomp/task.hpp"

namespace jackdaw::gomp {

/// Which of a task's children have named an address in `depend` clauses and may not have ended. Only the thread that
/// runs the task uses it.
struct depend_table {
  struct accesses {
    task* writer = nullptr;      ///< the last one that named it as an output
    std::vector<task*> readers;  ///< since then
  };
  depend_table() = default;
  depend_table(const depend_table&) = delete;
  depend_table& operator=(const depend_table&) = delete;
  ~depend_table();

  std::unordered_map<const void*, accesses> at;
};

}  // namespace jackdaw::gomp
