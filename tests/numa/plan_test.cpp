// Plans of requests to the kernel, on machines with many nodes.
#include "numa/plan.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "jackdaw/error.hpp"
#include "support/error_of.hpp"

namespace jackdaw::numa {
namespace {

constexpr std::size_t kib = 1024, mib = 1024 * kib;
using way = planned_piece::way;

/// Nodes 0-3 with processors, HBM nodes 4-7 without, as in the firmware's tables of a real guest.
memory_view with_hbm() {
  return view_of(machine::from_xml(JACKDAW_MACHINE_DATA "/four-sockets-with-hbm.xml"), std::nullopt);
}

/// The same, with the bandwidths and rooms given.
memory_view eight(std::optional<double> dram, std::optional<double> hbm, std::uint64_t room_of_hbm) {
  memory_view view = with_hbm();
  for (node_view& node : view.nodes) {
    node.bandwidth = node.cpu_less ? hbm : dram;
    node.room = node.cpu_less ? room_of_hbm : 1024 * mib;
    node.kind.clear();
  }
  return view;
}

const page_sizes small_pages{.base = 4096};
const page_sizes both_pages{.base = 4096, .huge = 2 * mib};

plan planned(const placement& how, std::size_t bytes, const memory_view& view, const page_sizes& sizes = small_pages,
             const users& by = {}) {
  return make_plan(how, bytes, view, sizes, by);
}

std::vector<unsigned> order_of(const plan& made) {
  std::vector<unsigned> nodes;
  for (const planned_piece& piece : made.pieces) nodes.insert(nodes.end(), piece.nodes.begin(), piece.nodes.end());
  return nodes;
}

std::size_t bytes_on(const plan& made, unsigned node) {
  std::size_t sum = 0;
  for (const planned_piece& piece : made.pieces) sum += piece.nodes.at(0) == node ? piece.bytes : 0;
  return sum;
}

/// Pieces lie one behind the other, begin on pages and hold all bytes.
void expect_whole(const plan& made, std::size_t bytes) {
  std::size_t at = 0;
  for (const planned_piece& piece : made.pieces) {
    EXPECT_EQ(piece.offset, at);
    EXPECT_EQ(piece.offset % made.page, 0u);
    EXPECT_GT(piece.bytes, 0u);
    at += piece.bytes;
  }
  EXPECT_EQ(at, round_up(bytes, small_pages.base));
  EXPECT_EQ(at, made.bytes);
}

TEST(view, knows_which_nodes_belong_together) {
  const memory_view view = with_hbm();
  ASSERT_EQ(view.nodes.size(), 8u);
  EXPECT_FALSE(view.real);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(view.nodes[i].socket, view.nodes[i + 4].socket);
    EXPECT_FALSE(view.nodes[i].cpu_less);
    EXPECT_TRUE(view.nodes[i + 4].cpu_less);
    EXPECT_TRUE(view.nodes[i + 4].cpus.empty());
    EXPECT_EQ(view.nodes[i].cpus, (std::vector<unsigned>{2 * i, 2 * i + 1}));
    EXPECT_EQ(view.nodes[i + 4].nearby, view.nodes[i].cpus);
    EXPECT_EQ(view.nodes[i + 4].bandwidth, 115000.0);
  }
}

TEST(plan, by_bandwidth_gives_each_socket_its_own_nodes) {
  const std::size_t bytes = 64 * mib + 5;
  const plan made = planned(placement::by_bandwidth(), bytes, eight(22.5, 96, 1024 * mib));
  expect_whole(made, bytes);
  EXPECT_EQ(made.bandwidth, bandwidth_source::firmware);
  EXPECT_EQ(order_of(made), (std::vector<unsigned>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_TRUE(made.notes.empty());
  double part = 0;
  std::size_t end = 0;
  for (const planned_piece& piece : made.pieces) {
    part += piece.nodes[0] < 4 ? 22.5 : 96;
    end += piece.bytes;
    EXPECT_NEAR(static_cast<double>(end), static_cast<double>(bytes) * part / 474, 4096);
    EXPECT_EQ(piece.how, way::prefer);
  }
}

TEST(plan, under_adws_sockets_come_in_the_order_of_its_blocks) {
  const plan made =
      planned(placement::by_bandwidth(), 64 * mib, eight(22.5, 96, 1024 * mib), small_pages, {.backwards = true});
  EXPECT_EQ(order_of(made), (std::vector<unsigned>{3, 7, 2, 6, 1, 5, 0, 4}));
}

TEST(plan, takes_the_requested_order) {
  const memory_view view = eight(22.5, 96, 1024 * mib);
  EXPECT_EQ(order_of(planned(placement::by_bandwidth().with_order(node_order::by_number), 64 * mib, view)),
            (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7}));
  const placement listed = placement::by_bandwidth({{5, 1}, {0, 3}});
  EXPECT_EQ(order_of(planned(listed.with_order(node_order::as_given), mib, view)), (std::vector<unsigned>{5, 0}));
  const plan made = planned(listed, mib, view);
  EXPECT_EQ(order_of(made), (std::vector<unsigned>{0, 5}));
  EXPECT_EQ(made.bandwidth, bandwidth_source::user);
  EXPECT_EQ(bytes_on(made, 0), 768 * kib);
  EXPECT_EQ(bytes_on(made, 5), 256 * kib);
}

TEST(plan, reports_measured_bandwidths) {
  memory_view view = eight(22.5, 96, 1024 * mib);
  view.measured = true;
  const plan made = planned(placement::by_bandwidth(), 64 * mib, view);
  EXPECT_EQ(made.bandwidth, bandwidth_source::measured);
  EXPECT_NEAR(static_cast<double>(bytes_on(made, 4)) / static_cast<double>(bytes_on(made, 0)), 96 / 22.5, 0.01);
}

TEST(plan, reports_unknown_bandwidths) {
  const plan made = planned(placement::by_bandwidth(), 8 * mib, eight(std::nullopt, 96, 1024 * mib));
  EXPECT_EQ(made.bandwidth, bandwidth_source::not_known);
  ASSERT_EQ(made.notes.size(), 1u);
  EXPECT_EQ(made.notes[0],
            "the nodes' bandwidths are unknown (`jackdaw machine bandwidths` measures them): all count alike");
  for (unsigned node = 0; node < 8; ++node) EXPECT_EQ(bytes_on(made, node), mib);
}

TEST(plan, data_beyond_the_room_of_hbm_goes_to_dram) {
  const plan made = planned(placement::by_bandwidth(), 64 * mib, eight(22.5, 96, 8 * mib));
  expect_whole(made, 64 * mib);
  for (unsigned node = 0; node < 4; ++node) {
    EXPECT_EQ(bytes_on(made, node), 8 * mib);
    EXPECT_EQ(bytes_on(made, node + 4), 8 * mib);
  }
  EXPECT_TRUE(made.notes.empty());
}

TEST(plan, reports_more_data_than_all_nodes_have_room_for) {
  memory_view view = eight(22.5, 96, mib);
  for (node_view& node : view.nodes) node.room = mib;
  const plan made = planned(placement::by_bandwidth(), 9 * mib, view);
  expect_whole(made, 9 * mib);
  ASSERT_EQ(made.notes.size(), 1u);
  EXPECT_EQ(made.notes[0],
            "1048576 B are more than the nodes have room for now: the kernel chooses where the rest goes");
}

TEST(plan, fastest_takes_hbm_then_dram) {
  const memory_view view = eight(22.5, 96, 8 * mib);
  const plan small = planned(placement::fastest(), 16 * mib, view);
  EXPECT_EQ(order_of(small), (std::vector<unsigned>{4, 5, 6, 7}));
  for (unsigned node = 4; node < 8; ++node) EXPECT_EQ(bytes_on(small, node), 4 * mib);
  const plan over = planned(placement::fastest(), 40 * mib, view);
  expect_whole(over, 40 * mib);
  EXPECT_EQ(order_of(over), (std::vector<unsigned>{0, 4, 1, 5, 2, 6, 3, 7}));
  for (unsigned node = 0; node < 4; ++node) {
    EXPECT_EQ(bytes_on(over, node), 2 * mib);
    EXPECT_EQ(bytes_on(over, node + 4), 8 * mib);
  }
}

TEST(plan, a_budget_limits_all_but_the_slowest) {
  const plan made = planned(placement::fastest(mib), 12 * mib, eight(22.5, 96, 1024 * mib));
  for (unsigned node = 0; node < 4; ++node) {
    EXPECT_EQ(bytes_on(made, node + 4), mib);
    EXPECT_EQ(bytes_on(made, node), 2 * mib);
  }
}

TEST(plan, fastest_goes_by_kind_when_bandwidths_are_unknown) {
  memory_view view = eight(std::nullopt, std::nullopt, mib);
  view.nodes[6].kind = "HBM";
  view.nodes[7].kind = "CXL-DRAM";
  const plan made = planned(placement::fastest(), 13 * mib, view);
  EXPECT_EQ(made.bandwidth, bandwidth_source::not_known);
  EXPECT_EQ(bytes_on(made, 6), mib);
  EXPECT_EQ(bytes_on(made, 7), 0u);
  EXPECT_EQ(bytes_on(made, 4), mib);  // no room for more
  EXPECT_EQ(made.notes.size(), 1u);
}

TEST(plan, huge_pages_only_where_parts_are_long) {
  const memory_view view = eight(22.5, 96, node_view::no_limit);
  EXPECT_EQ(planned(placement::by_bandwidth(), 64 * mib, view, both_pages).page, 4096u);
  const plan large = planned(placement::by_bandwidth(), 4096 * mib, view, both_pages);
  EXPECT_EQ(large.page, 2 * mib);
  for (std::size_t i = 0; i + 1 < large.pieces.size(); ++i) EXPECT_EQ(large.pieces[i].bytes % (2 * mib), 0u);
  EXPECT_EQ(planned(placement::first_touch(), 64 * mib, view, both_pages, {.workers = 2}).page, 2 * mib);
  EXPECT_EQ(planned(placement::first_touch(), 64 * mib, view, both_pages, {.workers = 3}).page, 4096u);
  EXPECT_EQ(planned(placement::first_touch(), 64 * mib, view, small_pages, {.workers = 1}).page, 4096u);
  EXPECT_EQ(planned(placement::on(0), 32 * mib, view, both_pages).page, 2 * mib);
  EXPECT_EQ(planned(placement::on(0).with_pages(page_choice::base), 32 * mib, view, both_pages).page, 4096u);
  EXPECT_EQ(planned(placement::on(0).with_pages(page_choice::huge), 3 * mib, view, both_pages).page, 2 * mib);
  EXPECT_EQ(planned(placement::on(0).with_pages(page_choice::huge), mib, view, both_pages).page, 4096u);
}

TEST(plan, one_piece_for_the_kernels_own_ways) {
  const memory_view view = eight(22.5, 96, 1024 * mib);
  const plan turns = planned(placement::interleave({5, 2}), mib + 1, view);
  expect_whole(turns, mib + 1);
  ASSERT_EQ(turns.pieces.size(), 1u);
  EXPECT_EQ(turns.pieces[0].how, way::interleave);
  EXPECT_EQ(order_of(turns), (std::vector<unsigned>{2, 5}));
  EXPECT_EQ(order_of(planned(placement::interleave(), mib, view)).size(), 8u);
  const plan weighted = planned(placement::by_bandwidth().spread_by_kernel(), mib, view);
  ASSERT_EQ(weighted.pieces.size(), 1u);
  EXPECT_EQ(weighted.pieces[0].how, way::weighted);
  EXPECT_EQ(weighted.pieces[0].nodes.size(), 8u);
  const plan touched = planned({}, 10, view);
  ASSERT_EQ(touched.pieces.size(), 1u);
  EXPECT_EQ(touched.pieces[0], (planned_piece{0, 4096, {}, way::first_touch}));
}

TEST(plan, only_nodes_of_the_cpuset) {
  const machine where = machine::from_xml(JACKDAW_MACHINE_DATA "/four-sockets-with-hbm.xml");
  const memory_view view = view_of(where, std::vector<unsigned>{1, 5});
  EXPECT_EQ(order_of(planned(placement::interleave(), mib, view)), (std::vector<unsigned>{1, 5}));
  EXPECT_EQ(order_of(planned(placement::by_bandwidth(), mib, view)), (std::vector<unsigned>{1, 5}));
  EXPECT_EQ(error_of([&] { planned(placement::on(4), mib, view); }),
            "on: memory node 4 has no memory or is not allowed here, expected one of nodes 1, 5");
}

TEST(plan, reports_an_object_beyond_its_nodes_room) {
  const plan made = planned(placement::on(4), 2 * mib, eight(1, 2, mib));
  ASSERT_EQ(made.notes.size(), 1u);
  EXPECT_EQ(made.notes[0],
            "node 4 has room for 1048576 of 2097152 B now: the kernel puts the rest on the nodes nearest to it");
}

TEST(plan, bad_input_is_one_line) {
  const memory_view view = eight(22.5, 96, mib);
  EXPECT_EQ(error_of([&] { planned(placement::on(8), mib, view); }),
            "on: no such memory node: 8, expected one of nodes 0, 1, 2, 3, 4, 5, 6, 7");
  EXPECT_EQ(error_of([&] { planned(placement::interleave({0, 99}), mib, view); }),
            "interleave: no such memory node: 99, expected one of nodes 0, 1, 2, 3, 4, 5, 6, 7");
  EXPECT_EQ(error_of([&] { planned(placement::by_bandwidth({{11, 1}}), mib, view); }),
            "by_bandwidth: no such memory node: 11, expected one of nodes 0, 1, 2, 3, 4, 5, 6, 7");
  EXPECT_EQ(error_of([&] { planned(placement::fastest(4095), mib, view); }),
            "fastest: a budget of 4095 B, expected at least one page, 4096 B");
  const memory_view none = view_of(machine::from_synthetic("numa:2 core:2 pu:1"), std::vector<unsigned>{});
  EXPECT_EQ(error_of([&] { planned({}, mib, none); }),
            "placement: no memory node is allowed here, expected a cpuset with at least one");
}

}  // namespace
}  // namespace jackdaw::numa
