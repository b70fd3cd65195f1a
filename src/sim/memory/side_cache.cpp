#include "sim/memory/side_cache.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/memory/cache.hpp"

namespace jackdaw::sim {
namespace {

/// No more places than pages are of use.
std::uint64_t useful_places(std::uint64_t size, std::uint64_t blocks, std::uint64_t per_page) noexcept {
  return std::clamp<std::uint64_t>(blocks / per_page, 1, size);
}

}  // namespace

side_cache::side_cache(std::uint64_t size, std::uint64_t blocks, std::uint64_t per_page)
    : places_(useful_places(size, blocks, per_page)),
      per_page_(per_page),
      frame_of_(blocks / per_page, none),
      entries_(places_ * per_page) {}

std::size_t side_cache::footprint(std::uint64_t size, std::uint64_t blocks, std::uint64_t per_page) noexcept {
  return blocks / per_page * sizeof(std::uint32_t) + useful_places(size, blocks, per_page) * per_page * sizeof(entry);
}

side_cache::entry& side_cache::claim(std::uint32_t block, std::uint64_t& spilled) {
  std::uint32_t& frame = frame_of_[block / per_page_];
  if (frame == none) frame = frames_++;
  entry& at = entries_[place_of(block)];
  if (at.block != block) spilled = std::exchange(at, {.block = block, .lines = 0, .dirty = 0}).dirty;
  return at;
}

side_cache::result side_cache::read(std::uint32_t block, std::uint64_t lines) {
  result of;
  entry& at = claim(block, of.spilled);
  of.hits = at.lines & lines;
  at.lines |= lines;
  return of;
}

side_cache::result side_cache::write(std::uint32_t block, std::uint64_t lines) {
  result of;
  entry& at = claim(block, of.spilled);
  at.lines |= lines;
  at.dirty |= lines;
  return of;
}

void side_cache::check() const {
  for (std::uint64_t place = 0; place < entries_.size(); ++place) {
    const entry& at = entries_[place];
    if (at.block == none) continue;
    const std::string name = "side_cache: block " + std::to_string(at.block);
    if (frame_of_[at.block / per_page_] >= frames_ || place_of(at.block) != place)
      throw std::logic_error(name + " is in a wrong place");
    if ((at.dirty & ~at.lines) != 0) throw std::logic_error(name + " has a dirty line that is not there");
  }
}

}  // namespace jackdaw::sim
