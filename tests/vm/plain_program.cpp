// A program that knows nothing of jackdaw: standard C++, with memory of malloc. It fills memory and gives it back, then
// allocates arrays, initialises them in parallel, and sweeps them ten times. It prints for each sweep which part of the
// bytes are on the memory node of the processor that uses them.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execution>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t page_bytes = 4096, block_bytes = 2 * page_bytes;
constexpr unsigned sweeps = 10;
/// What a block's work takes beside its accesses; see locality_test.cpp.
constexpr unsigned block_us = 10000;

/// Fills blocks of all sizes on this thread and frees them: an allocator that uses such pages again has them all on one
/// node.
void use_memory(std::size_t bytes) {
  for (std::size_t each = 1 << 12; each <= bytes; each *= 4) {
    std::vector<void*> blocks;
    for (std::size_t sum = 0; sum < bytes; sum += each) {
      blocks.push_back(std::malloc(each));
      std::memset(blocks.back(), 1, each);
    }
    for (void* block : blocks) std::free(block);
  }
}

/// How many pages of the block are on the node of the processor that runs this; `socket_of`: the node's socket.
std::size_t local_pages(const char* block, unsigned sockets) {
  unsigned node = 0;
  if (syscall(SYS_getcpu, nullptr, &node, nullptr) != 0) std::abort();
  const void* pages[block_bytes / page_bytes];
  int nodes[block_bytes / page_bytes];
  for (std::size_t i = 0; i < std::size(pages); ++i) pages[i] = block + i * page_bytes;
  if (syscall(SYS_move_pages, 0, std::size(pages), pages, nullptr, nodes, 0) != 0) std::abort();
  // Nodes with processors come first; those without belong to the sockets in turn.
  return static_cast<std::size_t>(std::count_if(std::begin(nodes), std::end(nodes), [&](int each) {
    return each >= 0 && static_cast<unsigned>(each) % sockets == node;
  }));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto blocks = static_cast<std::size_t>(std::atoi(argv[1])),
             arrays = static_cast<std::size_t>(std::atoi(argv[2]));
  const auto sockets = static_cast<unsigned>(std::atoi(argv[3]));
  use_memory(arrays * blocks * block_bytes);

  std::vector<char*> data(arrays);
  for (char*& each : data) each = static_cast<char*>(std::aligned_alloc(page_bytes, blocks * block_bytes));
  std::vector<std::size_t> numbers(blocks);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const auto in_parallel = [&](const auto& f) {
    std::for_each(std::execution::par, numbers.begin(), numbers.end(), [&](std::size_t block) {
      usleep(block_us);
      for (char* each : data) f(each + block * block_bytes);
    });
  };
  in_parallel([](char* block) { std::memset(block, 1, block_bytes); });
  const auto all = static_cast<double>(arrays * blocks * (block_bytes / page_bytes));
  for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
    std::atomic<std::size_t> local{0};
    in_parallel([&](char* block) {
      for (std::size_t i = 0; i < block_bytes; ++i) block[i] = static_cast<char>(block[i] + 1);
      local += local_pages(block, sockets);
    });
    std::printf("%.4f ", static_cast<double>(local.load()) / all);
  }
  std::printf("\n");
  for (char* each : data) {
    if (!std::all_of(each, each + blocks * block_bytes, [](char byte) { return byte == sweeps + 1; })) return 1;
    std::free(each);
  }
  return 0;
}
