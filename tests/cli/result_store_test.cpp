#include "cli/result_store.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <jackdaw/error.hpp>

#include <filesystem>

#include "cli/fake_kernel.hpp"

namespace jackdaw::cli {
namespace {

namespace fs = std::filesystem;

class result_store_test : public testing::Test {
 public:
  result_store_test() {
    fs::remove(path);
    plan.kernel = &kernel;
    plan.request.size = "tiny";
    plan.request.workers = 2;
    result.started = "2026-01-02T03:04:05Z";
    side_result jackdaw{"jackdaw", "adws", 2, 12, "apples", {}};
    jackdaw.samples.push_back({0.5, statistics{}});
    jackdaw.samples.push_back({0.25, statistics{}});
    side_result serial{"serial", "", 1, 12, "apples", {}};
    serial.samples.push_back({2, std::nullopt});
    result.sides = {jackdaw, serial};
  }
  ~result_store_test() override { fs::remove(path); }

  // The first column of every row, with blanks between; "NULL" for nothing.
  std::string column(const std::string& sql) const {
    sqlite3* database = nullptr;
    sqlite3_stmt* statement = nullptr;
    std::string text;
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      const auto* value = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
      if (!text.empty()) text += ' ';
      text += value != nullptr ? value : "NULL";
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return text;
  }

  // One file a test: tests run side by side.
  const std::string path =
      (fs::path(testing::TempDir()) /
       (std::string("jackdaw_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".db"))
          .string();
  std::string log;
  const kernels::kernel kernel = fake_kernel(log);
  bench_plan plan;
  bench_result result;
};

TEST_F(result_store_test, looking_creates_nothing) {
  const result_store store(path);
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(result_store_test, stores_every_run) {
  result_store store(path);
  EXPECT_EQ(store.store(plan, result), 1);
  EXPECT_EQ(store.store(plan, result), 2);
  EXPECT_EQ(column("SELECT started FROM bench"), "2026-01-02T03:04:05Z 2026-01-02T03:04:05Z");
  EXPECT_EQ(column("SELECT seconds FROM run WHERE bench = 2 ORDER BY position, round"), "0.5 0.25 2.0");
  EXPECT_EQ(column("SELECT scheduler FROM run WHERE bench = 1 ORDER BY position, round"), "adws adws NULL");
  EXPECT_EQ(column("SELECT steals_remote FROM run WHERE bench = 1 ORDER BY position, round"), "0 0 NULL");
}

TEST_F(result_store_test, a_bench_that_cannot_be_stored_as_a_whole_leaves_nothing) {
  result_store store(path);
  store.store(plan, result);
  // The last row's key is taken already: as a side cannot run twice in one round, make room for the clash by hand.
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database,
                         "INSERT INTO run SELECT 2, 1, 1, side, scheduler, workers, seconds, items, items_unit, NULL,"
                         " NULL, NULL, NULL, NULL FROM run WHERE bench = 1 AND position = 1",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  EXPECT_THROW(store.store(plan, result), error);
  EXPECT_EQ(column("SELECT count(*) FROM bench"), "1");
  EXPECT_EQ(column("SELECT count(*) FROM run WHERE bench = 2"), "1");
}

TEST_F(result_store_test, a_stranger_that_appears_meanwhile_is_left_alone) {
  result_store store(path);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "CREATE TABLE theirs (x)", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  EXPECT_THROW(store.store(plan, result), error);
  EXPECT_EQ(column("SELECT name FROM sqlite_master"), "theirs");
}

}  // namespace
}  // namespace jackdaw::cli
