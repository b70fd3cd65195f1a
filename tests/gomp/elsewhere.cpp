// Teams and target regions, which run on the host; allocators; what is written about settings.
#include <omp.h>

#include <atomic>
#include <cstring>

#include "expect.hpp"

namespace {

void teams() {
  std::atomic<int> met{0};
#pragma omp teams num_teams(3)
  {
    EXPECT(omp_get_num_teams() == 3);
#pragma omp parallel num_threads(2)
    met += 10 * omp_get_team_num() + 1;
  }
  EXPECT(omp_get_num_teams() == 1 && omp_get_team_num() == 0);
  std::printf("teams %d\n", met.load());
}

void targets() {
  int a[10], sum = 0, given = 4;
  for (int i = 0; i < 10; ++i) a[i] = i;
#pragma omp target map(tofrom : a) firstprivate(given)
  for (int& each : a) each += given;
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 10; ++i) sum += a[i];
#pragma omp target data map(to : a)
  {
#pragma omp target update to(a)
#pragma omp target map(tofrom : sum) nowait depend(out : sum)
    sum += 1;
#pragma omp taskwait
  }
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(delete : a)
  EXPECT(omp_get_num_devices() == 0 && omp_is_initial_device());
  const int host = omp_get_initial_device();
  auto* const copy = static_cast<int*>(omp_target_alloc(sizeof a, host));
  EXPECT(copy != nullptr && omp_target_memcpy(copy, a, sizeof a, 0, 0, host, host) == 0 && copy[3] == 7);
  EXPECT(omp_target_is_present(copy, host));
  const std::size_t volume[2] = {2, 2}, from[2] = {0, 1}, to[2] = {0, 0}, shape[2] = {2, 5};
  EXPECT(omp_target_memcpy_rect(copy, a, sizeof(int), 2, volume, to, from, shape, shape, host, host) == 0);
  EXPECT(copy[0] == a[1] && copy[6] == a[7]);
  omp_target_free(copy, host);
  std::printf("targets %d\n", sum);
}

void allocators() {
  omp_alloctrait_t traits[] = {
      {omp_atk_alignment, 256}, {omp_atk_pool_size, 10000}, {omp_atk_fallback, omp_atv_null_fb}};
  const omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 3, traits);
  auto* const a = static_cast<char*>(omp_alloc(5000, mine));
  EXPECT(a != nullptr && reinterpret_cast<std::uintptr_t>(a) % 256 == 0);
  EXPECT(omp_alloc(20000, mine) == nullptr);
  std::memset(a, 1, 5000);
  omp_free(a, mine);
  auto* b = static_cast<char*>(omp_calloc(10, 30, omp_default_mem_alloc));
  EXPECT(b != nullptr && b[299] == 0);
  b[7] = 9;
  b = static_cast<char*>(omp_realloc(b, 3000, omp_default_mem_alloc, omp_default_mem_alloc));
  EXPECT(b[7] == 9);
  omp_free(b, omp_default_mem_alloc);
  void* const c = omp_aligned_alloc(64, 128, omp_null_allocator);
  EXPECT(reinterpret_cast<std::uintptr_t>(c) % 64 == 0);
  omp_free(c, omp_null_allocator);
  omp_destroy_allocator(mine);
  int sum = 0;
  int given = 0;
#pragma omp parallel num_threads(2) private(given) reduction(+ : sum) allocate(omp_default_mem_alloc : given)
  {
    given = omp_get_thread_num();
    sum += given;
  }
  EXPECT(sum == 1);
  std::printf("allocators %d\n", static_cast<int>(omp_get_default_allocator()));
}

void formats() {
  char text[100];
  omp_set_affinity_format("%L|%n|%N|%0.4n|%5T|%%|%{team_num}|%a");
  const std::size_t length = omp_capture_affinity(text, sizeof text, nullptr);
  std::printf("%s %zu\n", text, length);
  omp_display_affinity("thread %n of %N");
}

}  // namespace

int main() {
  teams();
  targets();
  allocators();
  formats();
}
