#include "machine_files/small_machine.hpp"

namespace jackdaw {
namespace {

struct bad_file {
  const char* name;
  const char* before;
  const char* after;
  const char* says;
};

class bad_machine_file : public testing::TestWithParam<bad_file> {};

TEST_P(bad_machine_file, is_refused_with_file_and_line) {
  const bad_file& bad = GetParam();
  const std::string text = with(small_machine(), bad.before, bad.after);
  EXPECT_EQ(error_of([&] { parse_machine_model(text, "m.toml"); }), bad.says);
}

constexpr const char* sockets = "sockets = { count = 2, from = \"paper\", note = \"Table 1\" }";
constexpr const char* local = "local_rate = { gb_per_s = 12, from = \"measured\", note = \"stream\" }";

INSTANTIATE_TEST_SUITE_P(
    all, bad_machine_file,
    testing::Values(
        bad_file{"syntax", "name = \"small\"\n", "name = \"small\"\nname = \n",
                 "m.toml:2: Error while parsing key-value pair: expected value, saw '\\n', expected TOML"},
        bad_file{"no_name", "name = \"small\"\n", "", "m.toml:1: no 'name', expected the machine's name in quotes"},
        bad_file{"name_type", "\"small\"", "3", "m.toml:1: name: 3, expected text in quotes"},
        bad_file{"no_description", "description = \"two sockets for tests\"\n", "",
                 "m.toml:1: no 'description', expected a few words in quotes"},
        bad_file{"unknown_key", local, "local_rat = 3",
                 "m.toml:9: unknown key 'local_rat', expected one of name description extends node link set sockets "
                 "cores_per_socket threads_per_core smt_rate compute_rate vector_rate overlap block page local_rate "
                 "remote_rate write_rate clean_lines ramp "
                 "private_cache shared_cache cost"},
        bad_file{"unknown_key_in_table", "total_rate", "totalrate",
                 "m.toml:18: unknown key 'shared_cache.totalrate', expected one of size rate total_rate latency "
                 "overlap policy replacement cores"},
        bad_file{"half_a_ramp", "[private_cache]",
                 "[ramp]\nlength = { kib = 6, from = \"assumed\", note = \"r\" }\n[private_cache]",
                 "m.toml:12: ramp.length: a ramp without 'rate', expected both"},
        bad_file{"ramp_too_fast", "[private_cache]",
                 "[ramp]\nlength = { kib = 6, from = \"assumed\", note = \"r\" }\n"
                 "rate = { gb_per_s = 13, from = \"assumed\", note = \"r\" }\n[private_cache]",
                 "m.toml:13: ramp.rate: 13 GB/s, expected at most the local_rate of 12"},
        bad_file{"line_faster_than_the_ramp", "[private_cache]",
                 "[ramp]\nlength = { kib = 6, from = \"assumed\", note = \"r\" }\n"
                 "rate = { gb_per_s = 11, from = \"assumed\", note = \"r\" }\n"
                 "line_rate = { gb_per_s = 11.5, from = \"assumed\", note = \"r\" }\n[private_cache]",
                 "m.toml:14: ramp.line_rate: 11.5 GB/s, expected at most the ramp's rate, 11 GB/s"},
        bad_file{"a_first_line_alone", "[private_cache]",
                 "[ramp]\nline_rate = { gb_per_s = 5, from = \"assumed\", note = \"r\" }\n[private_cache]",
                 "m.toml:12: ramp.line_rate: a ramp without 'length' and 'rate', expected both"},
        bad_file{"core_faster_than_its_cache", "{ gb_per_s = 15, from", "{ gb_per_s = 101, from",
                 "m.toml:17: shared_cache.rate: 101 GB/s, expected at most total_rate, 100 GB/s"},
        bad_file{"core_faster_than_the_memory", "{ gb_per_s = 12, from = \"measured\"",
                 "{ gb_per_s = 51, from = \"assumed\"",
                 "m.toml:9: local_rate: 51 GB/s, expected at most the bandwidth of the fastest node, 50 GB/s"},
        bad_file{"core_faster_than_its_node", "{ gb_per_s = 4, from", "{ gb_per_s = 21, from",
                 "m.toml:42: node.2.rate: 21 GB/s, expected at most the node's bandwidth, 20 GB/s"},
        bad_file{"far_faster_than_near", "{ gb_per_s = 7.5, from = \"measured\"",
                 "{ gb_per_s = 12.5, from = \"assumed\"",
                 "m.toml:10: remote_rate: 12.5 GB/s, expected at most local_rate, 12 GB/s"},
        bad_file{"private_cache_below_a_block", "{ kib = 512,", "{ bytes = 256,",
                 "m.toml:12: private_cache.size: 256 bytes, expected at least a block of 512"},
        bad_file{"call_longer_than_waking", "[cost]\n",
                 "[cost]\nwake_call = { us = 6, from = \"assumed\", note = \"c\" }\n",
                 "m.toml:21: cost.wake_call: 6000 ns, expected at most wake, 5000 ns"},
        bad_file{"turn_longer_than_a_steal", "[cost]\n",
                 "[cost]\nturn_local = { ns = 401, from = \"assumed\", note = \"c\" }\n",
                 "m.toml:21: cost.turn_local: 401 ns, expected at most twice steal_local, 400 ns"},
        bad_file{"side_cache_larger_than_its_node", "bandwidth = { gb_per_s = 50, from = \"assumed\", note = \"n\" }\n",
                 "bandwidth = { gb_per_s = 50, from = \"assumed\", note = \"n\" }\n"
                 "cache_size = { gib = 17, from = \"assumed\", note = \"s\" }\n"
                 "cache_bandwidth = { gb_per_s = 90, from = \"assumed\", note = \"s\" }\n",
                 "m.toml:35: node.0.cache_size: 18253611008 bytes, expected at most the node's capacity, 17179869184 "
                 "bytes"},
        bad_file{"side_cache_slower_than_its_node", "bandwidth = { gb_per_s = 50, from = \"assumed\", note = \"n\" }\n",
                 "bandwidth = { gb_per_s = 50, from = \"assumed\", note = \"n\" }\n"
                 "cache_size = { gib = 1, from = \"assumed\", note = \"s\" }\n"
                 "cache_bandwidth = { gb_per_s = 49, from = \"assumed\", note = \"s\" }\n",
                 "m.toml:34: node.0.bandwidth: 50 GB/s, expected at most the bandwidth of the cache in front of the "
                 "node, 49 GB/s"},
        bad_file{"unknown_key_in_node", "kind = \"dram\"", "colour = 1",
                 "m.toml:32: unknown key 'node.colour', expected one of socket kind capacity bandwidth latency rate "
                 "cache_size cache_bandwidth cache_latency cache_rate"},
        bad_file{"unknown_key_in_link", "between", "betwixt",
                 "m.toml:44: unknown key 'link.betwixt', expected one of between one_way bandwidth latency"},
        bad_file{"unknown_key_in_figure", "{ count = 2,", "{ count = 2, why = 1,",
                 "m.toml:3: sockets: unknown key 'why', expected count and from, note"},
        bad_file{"wrong_unit", "{ gb_per_s = 12,", "{ gbit_per_s = 12,",
                 "m.toml:9: local_rate: unknown key 'gbit_per_s', expected gb_per_s and from, note"},
        bad_file{"two_values", "{ kib = 512,", "{ kib = 512, mib = 1,",
                 "m.toml:12: private_cache.size: two values, expected one of bytes kib mib gib tib"},
        bad_file{"missing_key", local, "",
                 "m.toml:1: no 'local_rate', expected { gb_per_s = NUMBER, from = \"...\", note = \"...\" }"},
        bad_file{
            "missing_key_in_table", "total_rate = { gb_per_s = 100, from = \"assumed\", note = \"L3\" }", "",
            "m.toml:15: no 'shared_cache.total_rate', expected { gb_per_s = NUMBER, from = \"...\", note = \"...\" }"},
        bad_file{"missing_key_in_node", "bandwidth = { gb_per_s = 50, from = \"assumed\", note = \"n\" }", "",
                 "m.toml:30: [[node]] without 'bandwidth', expected gb_per_s"},
        bad_file{"missing_key_in_link", "between = [0, 1]", "",
                 "m.toml:43: [[link]] without 'between', expected two sockets like [0, 1]"},
        bad_file{"bare_number", sockets, "sockets = 2",
                 "m.toml:3: sockets: 2, expected { count = NUMBER, from = \"...\", note = \"...\" }"},
        bad_file{"value_type", "{ count = 2,", "{ count = \"two\",", "m.toml:3: sockets: 'two', expected a number"},
        bad_file{"no_value", "{ count = 2,", "{", "m.toml:3: sockets: no value, expected count"},
        bad_file{"no_origin", "{ count = 2, from = \"paper\",", "{ count = 2,",
                 "m.toml:3: sockets: no 'from', expected one of paper datasheet measured assumed"},
        bad_file{"bad_origin", "from = \"paper\"", "from = \"hearsay\"",
                 "m.toml:3: sockets.from: 'hearsay', expected one of paper datasheet measured assumed"},
        bad_file{"no_note", "{ count = 2, from = \"paper\", note = \"Table 1\" }", "{ count = 2, from = \"paper\" }",
                 "m.toml:3: sockets: no 'note', expected a few words on where it comes from"},
        bad_file{"empty_note", "note = \"Table 1\"", "note = \"\"",
                 "m.toml:3: sockets.note: '', expected one line of text"},
        bad_file{"table_type", "[private_cache]\nsize", "private_cache = 3\n[other]\nsize",
                 "m.toml:12: unknown key 'other', expected one of name description extends node link set sockets "
                 "cores_per_socket threads_per_core smt_rate compute_rate vector_rate overlap block page local_rate "
                 "remote_rate write_rate clean_lines ramp "
                 "private_cache shared_cache cost"},
        bad_file{"zero_bandwidth", "{ gb_per_s = 50,", "{ gb_per_s = 0,",
                 "m.toml:34: node.0.bandwidth: 0, expected a number from 0.001 to 1000000 GB/s"},
        bad_file{"negative_bandwidth", "{ gb_per_s = 17,", "{ gb_per_s = -17,",
                 "m.toml:45: link.0-1.bandwidth: -17, expected a number from 0.001 to 1000000 GB/s"},
        bad_file{"nan", "{ gb_per_s = 12,", "{ gb_per_s = nan,",
                 "m.toml:9: local_rate: nan, expected a number from 0.001 to 1000000 GB/s"},
        bad_file{"infinite", "{ gb_per_s = 12,", "{ gb_per_s = inf,",
                 "m.toml:9: local_rate: inf, expected a number from 0.001 to 1000000 GB/s"},
        bad_file{"negative_latency", "{ ns = 5,", "{ ns = -5,",
                 "m.toml:14: private_cache.latency: -5, expected a number from 0 to 1000000000 ns"},
        bad_file{"no_cores", "{ count = 4,", "{ count = 0,",
                 "m.toml:4: cores_per_socket: 0, expected a whole number from 1 to 4096"},
        bad_file{"half_a_core", "{ count = 4,", "{ count = 4.5,",
                 "m.toml:4: cores_per_socket: 4.5, expected a whole number from 1 to 4096"},
        bad_file{"too_many_cores", "{ count = 4,", "{ count = 2049,",
                 "m.toml:4: cores_per_socket: 4098 cores in all, expected 1 to 4096"},
        bad_file{"overlap", "{ ratio = 0.25,", "{ ratio = 1.5,",
                 "m.toml:6: overlap: 1.5, expected a number from 0 to 1"},
        bad_file{"range_type", "ratio = 0.25,", "ratio = 0.25, range = 3,",
                 "m.toml:6: overlap.range: 3, expected two numbers like [0.4, 0.8]"},
        bad_file{"range_of_one", "ratio = 0.25,", "ratio = 0.25, range = [0.2],",
                 "m.toml:6: overlap.range: an array, expected two numbers like [0.4, 0.8]"},
        bad_file{"range_text", "ratio = 0.25,", "ratio = 0.25, range = [\"low\", 1],",
                 "m.toml:6: overlap.range: 'low', expected a number"},
        bad_file{"range_outside", "ratio = 0.25,", "ratio = 0.25, range = [0.2, 1.5],",
                 "m.toml:6: overlap.range: 1.5, expected a number from 0 to 1"},
        bad_file{"range_beside_the_value", "ratio = 0.25,", "ratio = 0.25, range = [0.3, 0.5],",
                 "m.toml:6: overlap.range: 0.3 to 0.5, expected the least, then the most, and 0.25 between them"},
        bad_file{"range_backwards", "ratio = 0.25,", "ratio = 0.25, range = [0.5, 0.2],",
                 "m.toml:6: overlap.range: 0.5 to 0.2, expected the least, then the most, and 0.25 between them"},
        bad_file{"range_of_a_measured_figure", "gb_per_s = 12,", "gb_per_s = 12, range = [10, 14],",
                 "m.toml:9: local_rate.range: not of an assumed figure, expected none"},
        bad_file{"smt_above_the_threads",
                 "page = ", "smt_rate = { ratio = 2, from = \"assumed\", note = \"t\" }\npage = ",
                 "m.toml:8: smt_rate: 2, expected at most the 1 of threads_per_core"},
        bad_file{"too_many_threads", "{ count = 4, from",
                 "{ count = 1024, from = \"paper\", note = \"t\" }\nthreads_per_core = { count = 3, from",
                 "m.toml:5: threads_per_core: 6144 threads in all, expected at most 4096"},
        bad_file{"page_not_a_power", "{ kib = 4,", "{ bytes = 5000,",
                 "m.toml:8: page: 5000 bytes, expected a power of two"},
        bad_file{"block_not_a_power", "{ bytes = 512,", "{ bytes = 500,",
                 "m.toml:7: block: 500 bytes, expected a power of two"},
        bad_file{"block_above_4096", "{ bytes = 512,", "{ bytes = 8192,",
                 "m.toml:7: block: 8192, expected a whole number of bytes from 64 to 4096"},
        bad_file{"block_below_a_line", "{ bytes = 512,", "{ bytes = 32,",
                 "m.toml:7: block: 32, expected a whole number of bytes from 64 to 4096"},
        bad_file{"shared_cache_below_a_private_one", "{ mib = 22,", "{ kib = 256,",
                 "m.toml:16: shared_cache.size: 262144 bytes, expected at least the 524288 of a private cache, whose "
                 "data it "
                 "keeps too"},
        bad_file{"policy", "[cost]", "policy = { fill = \"exclusiv\", from = \"assumed\", note = \"L3\" }\n[cost]",
                 "m.toml:20: shared_cache.policy: 'exclusiv', expected one of victim inclusive exclusive"},
        bad_file{"policy_type", "[cost]", "policy = { fill = 1, from = \"assumed\", note = \"L3\" }\n[cost]",
                 "m.toml:20: shared_cache.policy: 1, expected one of victim inclusive exclusive"},
        bad_file{
            "policy_alone", "[cost]", "policy = \"victim\"\n[cost]",
            "m.toml:20: shared_cache.policy: 'victim', expected { fill = \"WORD\", from = \"...\", note = \"...\" }"},
        bad_file{"policy_times", "[[link]]",
                 "[set]\n\"shared_cache.policy\" = { times = 2, from = \"assumed\", note = \"L3\" }\n[[link]]",
                 "m.toml:44: shared_cache.policy: unknown key 'times', expected fill and from, note"},
        bad_file{"clean_lines", "[private_cache]",
                 "clean_lines = { come_from = \"anywhere\", from = \"assumed\", note = \"c\" }\n[private_cache]",
                 "m.toml:11: clean_lines: 'anywhere', expected one of memory neighbours sockets"},
        bad_file{"shared_by_a_part", "[cost]", "cores = { count = 3, from = \"assumed\", note = \"L3\" }\n[cost]",
                 "m.toml:20: shared_cache.cores: 3 cores, expected a divisor of a socket's 4"},
        bad_file{"shared_by_too_many", "[cost]", "cores = { count = 8, from = \"assumed\", note = \"L3\" }\n[cost]",
                 "m.toml:20: shared_cache.cores: 8 cores, expected a divisor of a socket's 4"},
        bad_file{"block_above_page", "{ kib = 4,", "{ bytes = 256,",
                 "m.toml:7: block: 512 bytes, expected at most a page of 256"},
        bad_file{"part_of_a_byte", "{ kib = 512,", "{ kib = 0.0001,",
                 "m.toml:12: private_cache.size: 0.0001, expected a whole number of bytes from 1 to 1125899906842624"},
        bad_file{"node_on_missing_socket", "socket = [0, 1]", "socket = [0, 2]",
                 "m.toml:33: node.1.capacity: node on socket 2, expected a socket from 0 to 1"},
        bad_file{"socket_type", "socket = [0, 1]", "socket = \"0\"",
                 "m.toml:31: socket: '0', expected the number of a socket"},
        bad_file{"kind", "\"dram\"", "\"sram\"", "m.toml:32: kind: 'sram', expected one of dram hbm cxl"},
        bad_file{"link_to_missing_socket", "between = [0, 1]", "between = [0, 5]",
                 "m.toml:45: link.0-5.bandwidth: link to socket 5, expected sockets from 0 to 1"},
        bad_file{"side_cache_without_bandwidth", "[[node]]\nsocket = 1",
                 "cache_size = { gib = 1, from = \"assumed\", note = \"s\" }\n[[node]]\nsocket = 1",
                 "m.toml:36: node.0.cache_size: a memory-side cache without 'cache_bandwidth', expected both"},
        bad_file{"side_cache_without_size", "[[node]]\nsocket = 1",
                 "cache_rate = { gb_per_s = 1, from = \"assumed\", note = \"s\" }\n[[node]]\nsocket = 1",
                 "m.toml:36: node.0.cache_rate: a memory-side cache without 'cache_size', expected both"},
        bad_file{"side_cache_below_a_page", "[[node]]\nsocket = 1",
                 "cache_size = { kib = 1, from = \"assumed\", note = \"s\" }\n[[node]]\nsocket = 1",
                 "m.toml:36: node.0.cache_size: 1024 bytes, expected at least a page of 4096"},
        bad_file{"replacement", "[cost]",
                 "replacement = { drops = \"newest\", from = \"assumed\", note = \"r\" }\n[cost]",
                 "m.toml:20: shared_cache.replacement: 'newest', expected one of oldest any"},
        bad_file{"link_to_itself", "between = [0, 1]", "between = [1, 1]",
                 "m.toml:44: link from socket 1 to itself, expected two sockets"},
        bad_file{"link_twice", "between = [0, 1]", "between = [[0, 1], [1, 0]]",
                 "m.toml:44: a second link from socket 1 to socket 0, expected one"},
        bad_file{"link_of_three", "between = [0, 1]", "between = [0, 1, 2]",
                 "m.toml:44: between: 3 numbers, expected two sockets like [0, 1], or an array of such pairs"},
        bad_file{"one_way_type", "between", "one_way = 1\nbetween", "m.toml:44: one_way: 1, expected true or false"},
        bad_file{"not_connected", "{ count = 2,", "{ count = 3,",
                 "m.toml:43: sockets 0 and 2 are not connected, expected links between all, directly or not"},
        bad_file{"no_way_back", "between", "one_way = true\nbetween",
                 "m.toml:43: sockets 1 and 0 are not connected, expected links between all, directly or not"},
        bad_file{
            "set_unknown", "[[link]]", "[set]\n\"link.width\" = { gb_per_s = 1 }\n[[link]]",
            "m.toml:44: set: unknown figure 'link.width', expected one of sockets cores_per_socket threads_per_core "
            "smt_rate compute_rate vector_rate "
            "overlap block page local_rate remote_rate write_rate clean_lines ramp.length ramp.rate ramp.line_rate "
            "ramp.overlap "
            "private_cache.size private_cache.rate private_cache.latency shared_cache.size shared_cache.rate "
            "shared_cache.total_rate shared_cache.latency shared_cache.overlap shared_cache.policy "
            "shared_cache.replacement shared_cache.cores cost.spawn cost.join "
            "cost.place cost.suspend cost.steal_local cost.steal_remote cost.look_local cost.look_remote cost.wake "
            "cost.wake_call cost.turn_local cost.turn_remote "
            "node.capacity node.bandwidth node.latency node.rate node.cache_size node.cache_bandwidth "
            "node.cache_latency node.cache_rate link.bandwidth link.latency"}),
    [](const auto& info) { return info.param.name; });

TEST(bad_machine_file, without_nodes_or_links) {
  std::string text = small_machine();
  text.erase(text.find("[[link]]"));
  EXPECT_EQ(error_of([&] { parse_machine_model(text, "m.toml"); }),
            "m.toml:3: sockets: sockets 0 and 1 are not connected, expected links between all, directly or not");
  text.erase(text.find("[[node]]"));
  EXPECT_EQ(error_of([&] { parse_machine_model(text, "m.toml"); }),
            "m.toml:1: no memory node, expected at least one [[node]]");
}

TEST(bad_machine_file, cannot_be_read) {
  EXPECT_EQ(error_of([] { load_machine_model("/nowhere/at/all.toml"); }),
            "/nowhere/at/all.toml: cannot be read, expected a machine file");
  const std::string folder = testing::TempDir();
  EXPECT_EQ(error_of([&] { load_machine_model(folder); }), folder + ": a folder, expected a machine file");
}

}  // namespace
}  // namespace jackdaw
