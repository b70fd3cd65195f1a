#pragma once

// What the snippets of pages and header comments take for granted: names and no definitions, since nothing is linked.
// A snippet of docs/algorithms.md or algorithms.hpp sees namespace of_algorithms, if there is one, and of_any_page.

#include <jackdaw/jackdaw.hpp>
#include <jackdaw/memory.hpp>

#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory_resource>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace of_any_page {
extern int n;
extern double a;
extern std::vector<double> x, y;
}  // namespace of_any_page

namespace of_algorithms {
struct person {
  std::string name;
};
extern int rows;
void smooth(int first, int last);
void solve_row(int row);
inline constexpr auto update = [](double& cell) { cell += 1; };
inline constexpr auto is_good = [](int each) { return each > 0; };
inline constexpr auto by_name = [](const person& a, const person& b) { return a.name < b.name; };
extern std::vector<double> cells;
extern std::vector<std::size_t> sizes, offsets;
extern std::vector<int> in, out, keys;
extern std::vector<person> people;
std::optional<std::string> next_line();
person parse(const std::string& line);
person enter(person each);
}  // namespace of_algorithms

namespace of_loop {
using of_algorithms::solve_row;
}  // namespace of_loop

namespace of_fold {
using of_algorithms::in;
}  // namespace of_fold

namespace of_group {
using of_algorithms::keys, of_algorithms::people, of_algorithms::person;
}  // namespace of_group

namespace of_pipeline {
using of_algorithms::next_line, of_algorithms::parse, of_algorithms::people, of_algorithms::person;
}  // namespace of_pipeline

namespace of_parts {
using of_algorithms::cells;
}  // namespace of_parts

namespace of_api {
extern std::vector<std::vector<double>> parts;
void refine(const std::vector<double>& part);
}  // namespace of_api

namespace of_forks {
void left();
void right();
int search();
}  // namespace of_forks

namespace of_cancellation {
using of_forks::search;
}  // namespace of_cancellation

namespace of_rounding {
using of_forks::left, of_forks::right;
}  // namespace of_rounding

namespace of_scratch {
extern std::size_t columns;
}  // namespace of_scratch

namespace of_semaphore {
extern std::vector<std::string> files;
void parse(const std::string& name);
}  // namespace of_semaphore

namespace of_task_graph {
void read_input();
void solve_left();
void solve_right();
void print();
}  // namespace of_task_graph

namespace of_task_group {
using of_forks::left, of_forks::right;
}  // namespace of_task_group

namespace of_invoke {
int left();
int right();
}  // namespace of_invoke

namespace of_memory {
extern std::size_t columns;
struct edge {
  int from, to;
};
struct table {
  std::vector<int> entries;
};
extern table t;
extern jackdaw::task_group group;
extern std::vector<jackdaw::placed_array<int>> shards;
extern jackdaw::placed_array<double> left, right;
void search(const jackdaw::placed_array<int>& shard);
int f();
int g();
}  // namespace of_memory

namespace of_replicated {
struct dictionary {
  void add(const std::string& word);
};
dictionary read_words();
extern std::string word;
}  // namespace of_replicated

namespace of_region {
struct grid {
  std::string name;
  std::vector<double> rows;
};
extern std::vector<grid> levels;
inline constexpr auto smooth = [](double& row) { row /= 2; };
}  // namespace of_region

namespace of_roots {
struct mesh {
  double size() const;
};
struct state {};
extern state fields;
extern jackdaw::runtime rt;
mesh refine(const state& of);
void write_file(const state& of);
void update(state& of);
void use(double size);
}  // namespace of_roots

namespace of_isolate {
extern std::mutex cache_lock;
inline constexpr auto refill = [](int) {};
}  // namespace of_isolate

namespace of_per_worker {
bool is_good(int i);
}  // namespace of_per_worker

namespace of_schedulers {
struct rows {
  std::size_t bytes() const;
  rows upper() const;
  rows lower() const;
};
void sweep_within(rows all);
}  // namespace of_schedulers

namespace of_traces {
extern std::vector<double> row, vector_or_span;
extern double* block;
extern std::size_t rows, columns, row_stride;
}  // namespace of_traces
