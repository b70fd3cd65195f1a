// Where pages are after a placement, read back from the kernel, on whatever nodes there are.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory_resource>
#include <vector>

#include "memory/numa_nodes.hpp"

namespace jackdaw {
namespace {

using test::mib;

placement base_pages(const placement& how) { return how.with_pages(page_choice::base); }

TEST(numa_placement, on_each_node) {
  const auto nodes = test::usable_nodes();
  for (const numa::node_view& node : nodes) {
    const std::size_t count = 4 * mib / sizeof(std::uint64_t);
    placed_array<std::uint64_t> words(count, base_pages(placement::on(node.os)));
    test::fill(words.data(), count);
    const page_locations now = where(words);
    EXPECT_EQ(now.untouched, 0u);
    EXPECT_EQ(now.unknown, 0u);
    ASSERT_EQ(words.report().pieces.size(), 1u);
    const placed_how how = words.report().pieces[0].how;
    if (test::in_reach(node)) {
      EXPECT_EQ(now.on(node.os), 4 * mib) << "node " << node.os << ": " << now.text();
      EXPECT_EQ(how, test::numa_calls_are_refused() ? placed_how::pinned_touch : placed_how::bound);
      EXPECT_TRUE(words.report().as_asked()) << words.report().text();
    } else {
      EXPECT_EQ(how, placed_how::out_of_reach);
      ASSERT_EQ(words.report().notes.size(), 1u);
      EXPECT_NE(words.report().notes[0].find("mbind is refused (Operation not permitted)"), std::string::npos);
      // Not there, but next to it.
      for (const auto& share : now.shares) EXPECT_EQ(test::node_of(nodes, share.node).socket, node.socket);
    }
    EXPECT_TRUE(test::is_intact(words.data(), count));
  }
}

TEST(numa_placement, interleaves_page_by_page) {
  const auto nodes = test::usable_nodes();
  const std::size_t pages = 64 * nodes.size();
  placed_memory memory(pages * base_page_size(), base_pages(placement::interleave()));
  for (std::size_t i = 0; i < pages; ++i) memory.data()[i * base_page_size()] = std::byte{1};
  const page_locations now = where(memory.data(), memory.size());
  ASSERT_EQ(now.nodes.size(), pages);
  const bool all_in_reach = std::all_of(nodes.begin(), nodes.end(), test::in_reach);
  EXPECT_EQ(memory.report().pieces[0].how, !all_in_reach                    ? placed_how::out_of_reach
                                           : test::numa_calls_are_refused() ? placed_how::pinned_touch
                                                                            : placed_how::interleaved);
  EXPECT_EQ(now.untouched, 0u);
  if (!all_in_reach) return;
  for (const numa::node_view& node : nodes) EXPECT_EQ(now.on(node.os), 64 * base_page_size()) << now.text();
  for (std::size_t i = 1; nodes.size() > 1 && i < pages; ++i) ASSERT_NE(now.nodes[i], now.nodes[i - 1]);
}

// BATS Eq. 2 with the weights of a Knights Landing or Xeon Max.
TEST(numa_placement, by_bandwidth_is_within_one_page_at_every_boundary) {
  const auto nodes = test::usable_nodes();
  const std::vector<node_bandwidth> bandwidths = test::uneven_bandwidths(nodes);
  double all = 0;
  for (const node_bandwidth& each : bandwidths) all += each.bandwidth;
  const std::size_t bytes = 64 * mib + 12345;
  for (const node_order order : {node_order::by_socket, node_order::by_number, node_order::as_given}) {
    placed_array<char> data(bytes, base_pages(placement::by_bandwidth(bandwidths).with_order(order)));
    for (std::size_t at = 0; at < bytes; at += base_page_size()) data[at] = 1;
    const placement_report& report = data.report();
    EXPECT_EQ(report.bandwidth, bandwidth_source::user);
    ASSERT_EQ(report.pieces.size(), nodes.size()) << report.text();
    const page_locations now = where(data);
    const auto page = static_cast<double>(base_page_size());
    double part = 0;
    for (std::size_t i = 0; i < report.pieces.size(); ++i) {
      const placed_piece& piece = report.pieces[i];
      const unsigned node = piece.nodes.at(0);
      if (order != node_order::by_socket) {
        EXPECT_EQ(node, nodes[i].os);
      }
      for (const node_bandwidth& each : bandwidths) part += each.node == node ? each.bandwidth : 0;
      const auto exact = static_cast<double>(bytes) * (part / all);
      EXPECT_LE(std::fabs(static_cast<double>(piece.offset + piece.bytes) - exact), page) << report.text();
      if (!test::in_reach(test::node_of(nodes, node))) {
        EXPECT_EQ(piece.how, placed_how::out_of_reach);
        continue;
      }
      // Page by page, as reported by the kernel.
      for (std::size_t at = piece.offset; at < piece.offset + piece.bytes; at += base_page_size()) {
        ASSERT_EQ(now.nodes[at / base_page_size()], static_cast<int>(node)) << "byte " << at << "\n" << report.text();
      }
    }
  }
}

TEST(numa_placement, by_bandwidth_reports_the_source_of_its_figures) {
  const auto nodes = test::usable_nodes();
  const bool declared = std::all_of(nodes.begin(), nodes.end(), [](const auto& each) { return each.bandwidth > 0; });
  const placed_memory memory(mib, base_pages(placement::by_bandwidth()));
  EXPECT_EQ(memory.report().bandwidth, declared ? bandwidth_source::firmware : bandwidth_source::not_known);
  std::size_t sum = 0;
  for (const placed_piece& piece : memory.report().pieces) sum += piece.bytes;
  EXPECT_EQ(sum, memory.size());
}

TEST(numa_placement, by_the_kernels_weights_or_contiguously) {
  placed_memory memory(8 * mib, base_pages(placement::by_bandwidth().spread_by_kernel()));
  test::touch_all(memory);
  const placement_report& report = memory.report();
  const page_locations now = where(memory.data(), memory.size());
  if (report.pieces[0].how == placed_how::weighted) {
    ASSERT_EQ(report.pieces.size(), 1u);
    double all = 0;
    for (const unsigned node : report.pieces[0].nodes) all += numa::kernel_weight(node).value_or(1);
    for (const unsigned node : report.pieces[0].nodes) {
      const double weight = numa::kernel_weight(node).value_or(1);
      EXPECT_NEAR(static_cast<double>(now.on(node)), static_cast<double>(memory.size()) * weight / all,
                  weight * static_cast<double>(base_page_size()))
          << now.text();
    }
  } else {
    ASSERT_FALSE(report.notes.empty());
    EXPECT_NE(report.text().find("the kernel has no weighted interleaving here"), std::string::npos) << report.text();
    EXPECT_EQ(report.pieces.size(), test::usable_nodes().size());
  }
}

TEST(numa_placement, a_budget_overflows_to_the_next_nodes) {
  const auto nodes = test::usable_nodes();
  if (nodes.size() < 2) GTEST_SKIP() << "there is one memory node only";
  const std::vector<node_bandwidth> bandwidths = test::uneven_bandwidths(nodes);
  std::size_t fast = 0;
  for (const node_bandwidth& each : bandwidths) fast += each.bandwidth == 96;
  const std::size_t slow = bandwidths.size() - fast;
  const std::size_t bytes = fast * 4 * mib + slow * 2 * mib;
  placed_array<char> data(bytes, base_pages(placement::fastest(4 * mib, bandwidths)));
  for (std::size_t at = 0; at < bytes; at += base_page_size()) data[at] = 1;
  const page_locations now = where(data);
  for (const node_bandwidth& each : bandwidths) {
    std::size_t planned = 0;
    for (const placed_piece& piece : data.report().pieces) planned += piece.nodes[0] == each.node ? piece.bytes : 0;
    EXPECT_EQ(planned, each.bandwidth == 96 ? 4 * mib : 2 * mib) << data.report().text();
    if (!test::numa_calls_are_refused()) {
      EXPECT_EQ(now.on(each.node), planned) << now.text();
    }
  }
}

TEST(numa_placement, of_huge_pages_if_the_kernel_has_them) {
  const auto nodes = test::usable_nodes();
  placed_memory memory(16 * mib, placement::on(nodes[0].os).with_pages(page_choice::huge));
  test::touch_all(memory);
  const std::size_t page = memory.report().page;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % page, 0u);
  EXPECT_EQ(where(memory.data(), memory.size()).on(nodes[0].os), memory.size());
}

TEST(numa_placement, reaches_memory_of_allocators) {
  for (const numa::node_view& node : test::usable_nodes()) {
    if (!test::in_reach(node)) continue;
    placed_resource memory(placement::on(node.os));
    std::pmr::vector<std::pmr::string> words(&memory);
    for (int i = 0; i < 3000; ++i) words.emplace_back("a word that is too long for the string's own space");
    EXPECT_EQ(where(words).on(node.os), words.size() * sizeof(std::pmr::string));
    for (const std::pmr::string& each : words) ASSERT_EQ(where(each).on(node.os), each.size());
    std::vector<int, placed_allocator<int>> numbers(100000, 1, placed_allocator<int>(placement::on(node.os)));
    EXPECT_EQ(where(numbers).on(node.os), numbers.size() * sizeof(int));
  }
}

// A process of its own, which has printed nothing yet.
TEST(numa_placement_death, says_once_that_mbind_is_refused) {
  const auto place_two = [] {
    if (!test::numa_calls_are_refused() && !test::refuse_numa_calls()) std::exit(3);  // NOLINT(concurrency-mt-unsafe)
    const unsigned node = test::usable_nodes()[0].os;
    placed_array<char> one(mib, placement::on(node)), two(mib, placement::on(node));
    const bool well = one.report().pieces[0].how == placed_how::pinned_touch && where(two).on(node) == mib;
    std::exit(well ? 0 : 4);  // NOLINT(concurrency-mt-unsafe): it is the only thread
  };
  EXPECT_EXIT(place_two(), testing::ExitedWithCode(0),
              "^jackdaw: mbind is refused \\(Operation not permitted\\): memory is placed by touching it from pinned "
              "threads; [^\n]*\n$");
}

}  // namespace
}  // namespace jackdaw
