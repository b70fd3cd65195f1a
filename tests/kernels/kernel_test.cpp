#include "kernels/common/kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <jackdaw/jackdaw.hpp>

namespace jackdaw::kernels {
namespace {

const side& side_of(const kernel& k, std::string_view name) {
  const auto found = std::ranges::find(k.sides, name, &side::name);
  if (found == k.sides.end()) throw std::out_of_range("no such side");
  return *found;
}

TEST(kernel, names_are_found_and_differ) {
  std::set<std::string_view> names;
  for (const kernel& k : all()) {
    EXPECT_TRUE(names.insert(k.name).second) << k.name;
    EXPECT_EQ(find(k.name), &k);
    EXPECT_FALSE(k.summary.empty()) << k.name;
  }
  EXPECT_EQ(find("no-such-kernel"), nullptr);
}

TEST(kernel, the_names_of_bats_are_known) {
  for (const char* name : {"heat", "sor", "conv", "sten", "ge", "pr", "lp", "cc"}) {
    const kernel* const found = find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_NE(std::ranges::find(found->sizes, "bats"), found->sizes.end()) << name;
    EXPECT_TRUE(found->name == name || found->alias == name);
  }
  EXPECT_EQ(find(""), nullptr);
}

TEST(kernel, every_one_has_a_tiny_size_a_shape_and_both_own_sides) {
  for (const kernel& k : all()) {
    EXPECT_NE(std::ranges::find(k.sizes, "tiny"), k.sizes.end()) << k.name;
    EXPECT_FALSE(k.shapes.empty()) << k.name;
    EXPECT_NO_THROW(side_of(k, "jackdaw")) << k.name;
    EXPECT_NO_THROW(side_of(k, "serial")) << k.name;
  }
}

TEST(kernel, an_unknown_size_or_shape_is_named_with_the_known_ones) {
  for (const kernel& k : all())
    for (const request& wanted : {request{.size = "colossal"}, request{.size = "tiny", .shape = "crooked"}}) {
      const std::string given = wanted.shape.empty() ? wanted.size : wanted.shape;
      const std::string_view known = wanted.shape.empty() ? k.sizes.front() : k.shapes.front();
      try {
        side_of(k, "serial").make(wanted);
        ADD_FAILURE() << k.name << " took '" << given << "'";
      } catch (const error& e) {
        const std::string message = e.what();
        EXPECT_TRUE(message.starts_with(k.name)) << message;
        EXPECT_NE(message.find("'" + given + "'"), message.npos) << message;
        EXPECT_NE(message.find(known), message.npos) << message;
        EXPECT_EQ(message.find('\n'), message.npos) << message;
      }
    }
}

TEST(kernel, a_missing_input_file_is_named) {
  for (const kernel& k : all()) {
    if (!k.takes_input) continue;
    try {
      side_of(k, "serial").make({.input = "/no/such/file"});
      ADD_FAILURE() << k.name << " took a file that does not exist";
    } catch (const error& e) {
      EXPECT_EQ(std::string(e.what()), "/no/such/file: cannot be read: No such file or directory") << k.name;
    }
  }
}

TEST(kernel, sort_takes_no_file_for_keys) {
  EXPECT_THROW(side_of(*find("sort"), "serial").make({.shape = "u64", .input = "/no/such/file"}), error);
}

class wrong_fib : public problem {
 public:
  void run() override {}
  void check() override { throw check_failed("wrong"); }
};

TEST(kernel, sides_can_be_added_and_replaced) {
  const std::size_t before = find("fib")->sides.size();
  const auto make = [](const request&) { return std::make_unique<wrong_fib>(); };
  add_side("fib", {"other", make});
  EXPECT_EQ(find("fib")->sides.size(), before + 1);
  add_side("fib", {"other", make});
  EXPECT_EQ(find("fib")->sides.size(), before + 1);
  EXPECT_THROW(side_of(*find("fib"), "other").make({})->check(), check_failed);
  EXPECT_THROW(add_side("no-such-kernel", {"other", make}), std::invalid_argument);
}

}  // namespace
}  // namespace jackdaw::kernels
