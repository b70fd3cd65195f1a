#pragma once

#include <optional>
#include <string>
#include <vector>

#include "papers/reproduction.hpp"

namespace jackdaw::cli {

/// A folder with the figures of the programs that `jackdaw reproduce` has simulated, so that it can be stopped and
/// gone on with. They count only for the same build, programs and numbers.
class kept_figures {
 public:
  /// `made_with`: what the figures depend on beyond the build and the program. An empty `folder` keeps nothing. Creates
  /// the folder; throws error, which names --keep, if that is not possible or no file can be written there.
  kept_figures(std::string folder, std::string made_with);

  /// Returns the program's `count` figures of these experiments if they were kept. Throws error if the file there is of
  /// another build or of other options, or damaged.
  std::optional<std::vector<reproduction::figures>> find(const std::string& program,
                                                         const std::vector<std::string>& experiments,
                                                         std::size_t count) const;
  /// Keeps them, in a file as a whole.
  void add(const std::string& program, const std::vector<std::string>& experiments,
           const std::vector<reproduction::figures>& found) const;

 private:
  std::string file_of(const std::string& program) const;

  std::string folder_, made_with_;
};

/// Returns a name without blanks and slashes, which are bad in a file name.
std::string file_name(std::string of);

}  // namespace jackdaw::cli
