#pragma once

// Programs on parlaylib's primitives that know nothing of jackdaw: the same sources run on parlaylib's own scheduler.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace programs {

/// Numbers: numbers.cpp.
std::vector<long> primes_below(long n);
std::vector<double> quicksorted(const std::vector<double>& numbers);
std::vector<std::pair<int, std::size_t>> mergesorted(const std::vector<int>& numbers);  // stably, with their places
std::vector<std::size_t> permuted(std::size_t n, std::uint64_t seed);                   // Knuth's shuffle of 0 to n-1
std::vector<std::size_t> histogram_of(const std::vector<std::uint32_t>& numbers, std::size_t buckets);
/// How often each worker had its turn, and the sum of all numbers, by a WorkerSpecific.
std::uint64_t sum_by_workers(const std::vector<std::uint32_t>& numbers);
/// A linked list from parlaylib's allocator, made and freed by recursive forks; returns the sum of its n numbers.
std::uint64_t sum_of_list(std::size_t n);

/// Texts: texts.cpp.
std::vector<std::pair<std::string, std::size_t>> word_counts(const std::string& text);  // in the words' order
std::vector<std::size_t> suffix_array(const std::string& text);

/// Graphs: graphs.cpp. Edges of graphs without directions; a graph of adjacency lists has each edge twice.
struct edge {
  std::uint32_t from, to;
  float weight;
};
constexpr std::uint32_t unreached = 0xffffffff;
std::vector<std::uint32_t> distances(const std::vector<std::vector<std::uint32_t>>& graph, std::uint32_t start);
std::vector<std::size_t> minimum_forest(const std::vector<edge>& edges, std::size_t vertices);  // edges, in order

/// Points and a search: shapes.cpp.
struct point {
  double x, y;
};
std::vector<std::size_t> convex_hull(const std::vector<point>& points);  // corners, in order of their numbers
std::vector<point> k_means(const std::vector<point>& points, std::vector<point> centres, int rounds);
std::uint64_t queens(int n);

}  // namespace programs
