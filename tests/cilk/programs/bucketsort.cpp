#include <algorithm>
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>
#include <cstdint>
#include <cstdio>
#include <vector>

class Bucket_sort {
 public:
  explicit Bucket_sort(std::size_t buckets) : buckets_(buckets) {}
  void sort(std::vector<std::uint32_t>& data) {
    for (std::uint32_t each : data) buckets_[(each * buckets_.size()) >> 20].push_back(each);
    cilk_for (auto bucket = buckets_.begin(); bucket < buckets_.end(); ++bucket) {
      std::sort(bucket->begin(), bucket->end());
      largest.calc_max(bucket->size());
      count += static_cast<long>(bucket->size());
    }
    std::size_t at = 0;
    for (auto& bucket : buckets_) {
      cilk_spawn copy(bucket, data, at);
      at += bucket.size();
    }
  }
  cilk::reducer_max<std::size_t> largest;
  cilk::reducer_opadd<long> count;

 private:
  static void copy(const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to, std::size_t at) {
    std::copy(from.begin(), from.end(), to.begin() + static_cast<long>(at));
  }
  std::vector<std::vector<std::uint32_t>> buckets_;
};

int main() {
  std::vector<std::uint32_t> data(40000);
  std::uint32_t seed = 3;
  for (auto& each : data) each = (seed = seed * 1664525u + 1013904223u) >> 12;
  Bucket_sort sorter(64);
  sorter.sort(data);
  const bool right = std::is_sorted(data.begin(), data.end()) && sorter.count.get_value() == 40000;
  std::printf("bucketsort %s, largest %zu\n", right ? "right" : "WRONG", sorter.largest.get_value());
  return right ? 0 : 1;
}
