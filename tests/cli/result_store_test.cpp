#include "cli/result_file.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <jackdaw/error.hpp>

#include <filesystem>

#include "cli/bench/bench_store.hpp"
#include "cli/fake_kernel.hpp"
#include "cli/simulate/simulation_store.hpp"

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
    jackdaw.samples.push_back(
        {0.5, statistics{.forced_steals = 4, .sleeps = 7, .in_place = 8, .rescues = 9, .turns = 10}});
    jackdaw.samples.push_back({0.25, statistics{}});
    side_result serial{"serial", "", 1, 12, "apples", {}};
    serial.samples.push_back({2, std::nullopt});
    result.sides = {jackdaw, serial};
  }
  ~result_store_test() override { fs::remove(path); }

  std::int64_t add(const result_store& store) const {
    return store.add([this](const database& into) { return insert_bench(into, plan, result); });
  }

  static simulate_plan simulation() {
    simulate_plan plan;
    plan.trace = "apples.trace";
    plan.machine.name = "orchard";
    plan.machine.file = "orchard.toml";
    plan.sweep = sweep{"link.latency", {"x1"}};
    plan.scatter = false;
    plan.seeds = 2;
    plan.seed = 7;
    return plan;
  }

  static simulate_result simulated() {
    sim::outcome run;
    run.whole = 5000;
    run.iterations = {900, 800, 700, 500};
    run.measured = 2;
    run.time = 1200;
    run.workers = 2;
    run.work.computing = 1000;
    run.work.memory = 600;
    run.work.overhead = 200;
    run.work.rescues = 6;
    run.work.steals = {0, 5, 3};
    run.data.private_misses = 30;
    run.data.shared_misses = 20;
    run.data.from_socket = {64, 128};
    run.data.from_node = {640, 128};
    run.data.to_node = {0, 64};
    run.local_bytes = 512;
    run.remote_bytes = 448;
    run.local_to_node = {512, 0};
    simulate_result result{"2026-01-02T03:04:05Z", "apples --size tiny", {}};
    result.rows.push_back({"x1", "first-touch", "adws", 2, 2, {run, run}});
    result.rows.push_back({"x1", "interleave", "random", 2, 2, {run, run}});
    return result;
  }

  std::int64_t add_simulation(const result_store& store) const {
    return store.add([](const database& into) { return insert_simulation(into, simulation(), simulated()); });
  }

  void execute(const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

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

  // One file per test, because tests run in parallel.
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
  EXPECT_EQ(add(store), 1);
  EXPECT_EQ(add(store), 2);
  EXPECT_EQ(column("SELECT started FROM bench"), "2026-01-02T03:04:05Z 2026-01-02T03:04:05Z");
  EXPECT_EQ(column("SELECT seconds FROM run WHERE bench = 2 ORDER BY position, round"), "0.5 0.25 2.0");
  EXPECT_EQ(column("SELECT scheduler FROM run WHERE bench = 1 ORDER BY position, round"), "adws adws NULL");
  EXPECT_EQ(column("SELECT steals_remote FROM run WHERE bench = 1 ORDER BY position, round"), "0 0 NULL");
  EXPECT_EQ(column("SELECT forced_steals || ',' || sleeps || ',' || in_place || ',' || rescues || ',' || turns FROM run"
                   " WHERE bench = 1 ORDER BY position, round"),
            "4,7,8,9,10 0,0,0,0,0 NULL");
}

TEST_F(result_store_test, a_bench_that_cannot_be_stored_as_a_whole_leaves_nothing) {
  result_store store(path);
  add(store);
  // The last row's key is taken already. A side cannot run twice in one round, so the clash is made by hand.
  execute(
      "INSERT INTO run (bench, position, round, side, workers, seconds, items, items_unit)"
      " SELECT 2, 1, 1, side, workers, seconds, items, items_unit FROM run WHERE bench = 1 AND position = 1");
  EXPECT_THROW(add(store), error);
  EXPECT_EQ(column("SELECT count(*) FROM bench"), "1");
  EXPECT_EQ(column("SELECT count(*) FROM run WHERE bench = 2"), "1");
}

TEST_F(result_store_test, a_foreign_file_created_meanwhile_is_not_touched) {
  result_store store(path);
  execute("CREATE TABLE theirs (x)");
  EXPECT_THROW(add(store), error);
  EXPECT_EQ(column("SELECT name FROM sqlite_master"), "theirs");
}

TEST_F(result_store_test, stores_every_simulated_run_and_its_nodes) {
  const result_store store(path);
  EXPECT_EQ(add(store), 1);
  EXPECT_EQ(add_simulation(store), 1);
  EXPECT_EQ(add_simulation(store), 2);
  EXPECT_EQ(column("SELECT program || '|' || trace || '|' || recordings || '|' || machine || '|' || machine_file ||"
                   " '|' || sweep_key || '|' || placement_order || '|' || first_seed || '|' || seeds FROM simulation"
                   " WHERE id = 1"),
            "apples --size tiny|apples.trace|0|orchard|orchard.toml|link.latency|compact|7|2");
  EXPECT_EQ(column("SELECT sweep_value || '|' || placement || '|' || scheduler || '|' || seed FROM simulated_run"
                   " WHERE simulation = 2 ORDER BY position, seed"),
            "x1|first-touch|adws|7 x1|first-touch|adws|8 x1|interleave|random|7 x1|interleave|random|8");
  EXPECT_EQ(column("SELECT ns_per_iteration || '|' || iterations || '|' || whole_ns || '|' || steals || '|' ||"
                   " cache_bytes || '|' || remote_bytes || '|' || idle_ns FROM simulated_run WHERE id = 1"),
            "600.0|2|5000.0|[5,3]|192|448|600.0");
  EXPECT_EQ(column("SELECT rescues FROM simulated_run WHERE id = 1"), "6");
  EXPECT_EQ(column("SELECT node || '|' || local_bytes || '|' || remote_bytes || '|' || written_bytes"
                   " FROM simulated_node WHERE run = 8 ORDER BY node"),
            "0|512|128|0 1|0|128|64");
  EXPECT_EQ(column("SELECT count(*) FROM bench"), "1");
}

TEST_F(result_store_test, a_simulation_that_cannot_be_stored_as_a_whole_leaves_nothing) {
  const result_store store(path);
  add_simulation(store);
  execute("INSERT INTO simulated_node VALUES (8, 1, 0, 0, 0)");  // the last row's key
  EXPECT_THROW(add_simulation(store), error);
  EXPECT_EQ(column("SELECT count(*) FROM simulation"), "1");
  EXPECT_EQ(column("SELECT count(*) FROM simulated_run"), "4");
}

TEST_F(result_store_test, a_file_of_version_1_gets_the_missing_tables) {
  const result_store store(path);
  add(store);
  for (const char* table : {"simulated_node", "simulated_run", "simulation"})
    execute(std::string("DROP TABLE ") + table);
  for (const char* of :
       {"worker", "steal", "node", "array", "traffic", "place", "share", "iteration", "decision", "task"}) {
    execute(std::string("DROP TABLE execution_") + of);
  }
  execute("DROP TABLE execution");
  for (const char* later :
       {"forced_steals", "sleeps", "in_place", "rescues", "turns", "steals_core", "steals_cache", "failed_remote",
        "tasks", "roots", "at_home", "away", "search_ns", "sleep_ns", "local_bytes", "remote_bytes", "moved_bytes"}) {
    execute(std::string("ALTER TABLE run DROP COLUMN ") + later);
  }
  execute("PRAGMA user_version = 1");
  const result_store again(path);
  EXPECT_EQ(column("PRAGMA user_version"), "1");  // looking changes nothing
  EXPECT_THROW(again.add([](const database&) -> std::int64_t { throw error("no"); }), error);
  EXPECT_EQ(column("PRAGMA user_version"), "1");
  EXPECT_EQ(add_simulation(again), 1);
  EXPECT_EQ(column("PRAGMA user_version"), "5");
  EXPECT_EQ(column("SELECT seconds FROM run ORDER BY position, round"), "0.5 0.25 2.0");
  EXPECT_EQ(column("SELECT count(*) FROM run WHERE rescues IS NULL"), "3");
  EXPECT_EQ(column("SELECT count(*) FROM simulated_run"), "4");
}

TEST_F(result_store_test, a_file_of_a_newer_version_is_refused) {
  add(result_store(path));
  execute("PRAGMA user_version = 6");
  EXPECT_THROW(result_store{path}, error);
}

}  // namespace
}  // namespace jackdaw::cli
