#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace jackdaw::store {

/// An open SQLite file. Every failure is a jackdaw::error that names the file.
class database {
 public:
  /// The value of a column; monostate is NULL. A text must outlive the call that it is passed to.
  using value = std::variant<std::monostate, std::int64_t, double, std::string_view>;

  /// `flags` are those of sqlite3_open_v2. Waits up to `wait_ms` for another program's lock.
  database(std::string path, int flags, int wait_ms);

  const std::string& path() const noexcept { return path_; }

  void execute(const std::string& sql) const;
  /// The first column of the first row.
  std::int64_t number(const char* sql) const;
  class inserting;
  /// An INSERT that is run many times; it must not outlive the database.
  inserting inserter(const char* sql) const;
  /// Runs an INSERT with a value for each `?`; returns the row's id.
  std::int64_t insert(const char* sql, std::span<const value> values) const;
  std::int64_t insert(const char* sql, std::initializer_list<value> values) const {
    return insert(sql, std::span(values.begin(), values.size()));
  }

 private:
  struct close {
    void operator()(sqlite3* database) const;
  };
  struct finish {
    void operator()(sqlite3_stmt* statement) const;
  };

  std::unique_ptr<sqlite3_stmt, finish> prepare(const char* sql) const;
  [[noreturn]] void fail() const;

  std::string path_;
  std::unique_ptr<sqlite3, close> handle_;
};

class database::inserting {
 public:
  inserting(const database& into, const char* sql) : into_(into), statement_(into.prepare(sql)) {}
  /// Inserts a row with a value for each `?`; returns its id.
  std::int64_t operator()(std::span<const value> values) const;
  std::int64_t operator()(std::initializer_list<value> values) const {
    return (*this)(std::span(values.begin(), values.size()));
  }

 private:
  const database& into_;
  std::unique_ptr<sqlite3_stmt, finish> statement_;
};

}  // namespace jackdaw::store
