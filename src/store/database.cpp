#include "store/database.hpp"

#include <sqlite3.h>
#include <jackdaw/error.hpp>

namespace jackdaw::store {
namespace {

struct binder {
  sqlite3_stmt* to;
  int position;

  int operator()(std::monostate) const { return sqlite3_bind_null(to, position); }
  int operator()(std::int64_t value) const { return sqlite3_bind_int64(to, position, value); }
  int operator()(double value) const { return sqlite3_bind_double(to, position, value); }
  int operator()(std::string_view text) const {
    return sqlite3_bind_text(to, position, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
};

}  // namespace

void database::close::operator()(sqlite3* database) const { sqlite3_close(database); }
void database::finish::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

database::database(std::string path, int flags, int wait_ms) : path_(std::move(path)) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path_.c_str(), &opened, flags, nullptr);
  handle_.reset(opened);
  if (code != SQLITE_OK) fail();
  sqlite3_busy_timeout(opened, wait_ms);
}

void database::execute(const std::string& sql) const {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t database::number(const char* sql) const {
  const auto statement = prepare(sql);
  if (sqlite3_step(statement.get()) != SQLITE_ROW) fail();
  return sqlite3_column_int64(statement.get(), 0);
}

std::int64_t database::insert(const char* sql, std::span<const value> values) const { return inserter(sql)(values); }

database::inserting database::inserter(const char* sql) const { return {*this, sql}; }

std::int64_t database::inserting::operator()(std::span<const value> values) const {
  sqlite3_reset(statement_.get());
  int position = 0;
  for (const value& each : values) {
    if (std::visit(binder{statement_.get(), ++position}, each) != SQLITE_OK) into_.fail();
  }
  if (sqlite3_step(statement_.get()) != SQLITE_DONE) into_.fail();
  return sqlite3_last_insert_rowid(into_.handle_.get());
}

std::unique_ptr<sqlite3_stmt, database::finish> database::prepare(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql, -1, &statement, nullptr) != SQLITE_OK) fail();
  return std::unique_ptr<sqlite3_stmt, finish>(statement);
}

void database::fail() const {
  const int code = sqlite3_errcode(handle_.get()) & 0xff;
  std::string reason = sqlite3_errmsg(handle_.get());
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) reason = "locked by another program";
  if (code == SQLITE_NOTADB) reason = "not a database, expected one of jackdaw's";
  throw error(path_ + ": " + reason);
}

}  // namespace jackdaw::store
