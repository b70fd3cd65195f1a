#include "numa/memory_names.hpp"

#include <gtest/gtest.h>
#include <jackdaw/access.hpp>
#include <jackdaw/error.hpp>
#include <jackdaw/memory.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace jackdaw::numa {
namespace {

std::string name_at(std::uintptr_t begin, std::uintptr_t bytes = 1) {
  const naming found = name_of(begin, begin + bytes);
  return found != nullptr ? found->name : "";
}
template <class T>
std::string name_at(const T* first) {
  return name_at(reinterpret_cast<std::uintptr_t>(first));
}

TEST(memory_names, a_new_name_ends_those_that_it_overlaps) {
  constexpr std::uintptr_t at = std::uintptr_t{1} << 44;
  const naming left = name_range(at, at + 100, "left"), right = name_range(at + 100, at + 200, "right");
  EXPECT_EQ(name_at(at + 99), "left");
  EXPECT_EQ(name_at(at + 99, 2), "left");
  EXPECT_EQ(name_at(at + 100), "right");
  EXPECT_EQ(name_at(at - 10, 10), "");
  const naming across = name_range(at + 50, at + 150, "across");
  EXPECT_EQ(name_at(at), "");
  EXPECT_EQ(name_at(at + 149), "across");
  EXPECT_EQ(name_at(at + 150), "");
  EXPECT_EQ(left->ended, across->given);
  EXPECT_EQ(right->ended, across->given);
  EXPECT_EQ(across->ended, 0U);
  EXPECT_EQ(name_range(at + 60, at + 61, ""), nullptr);
  EXPECT_EQ(name_at(at, 200), "");
}

TEST(memory_names, only_the_name_itself_is_ended) {
  constexpr std::uintptr_t at = std::uintptr_t{1} << 43;
  const naming first = name_range(at, at + 100, "first"), second = name_range(at, at + 100, "second");
  const std::uint64_t before = name_changes();
  end_name(first);
  end_name(nullptr);
  EXPECT_EQ(name_changes(), before);
  EXPECT_EQ(name_at(at), "second");
  end_name(second);
  EXPECT_GT(name_changes(), before);
  EXPECT_EQ(name_at(at), "");
}

TEST(memory_names, an_object_ends_its_name) {
  std::vector<int> data(100);
  std::optional<memory_name> first(std::in_place, data, "first");
  EXPECT_EQ(name_at(&data[99]), "first");
  {
    const memory_name second(data.data(), 50, "second");
    EXPECT_EQ(name_at(&data[99]), "");
    first.reset();  // not the second one
    EXPECT_EQ(name_at(data.data()), "second");
  }
  EXPECT_EQ(name_at(data.data()), "");
  const memory_name none(data.data(), 0, "none");
  EXPECT_EQ(name_at(data.data()), "");
  EXPECT_THROW(memory_name(data.data(), std::numeric_limits<std::size_t>::max(), "all"), error);
}

TEST(memory_names, the_name_of_a_placed_container_ends_with_it) {
  const double* at = nullptr;
  {
    placed_vector<double> grows;
    grows.resize(1000);
    name_memory(grows, "grows");
    at = grows.data();
    EXPECT_EQ(name_at(at), "grows");
    grows.resize(1'000'000);  // elsewhere
    EXPECT_TRUE(grows.data() == at || name_at(at).empty());
    name_memory(grows, "grown");
    at = grows.data();
  }
  EXPECT_EQ(name_at(at), "");
}

}  // namespace
}  // namespace jackdaw::numa
