#include "kernels/uts/sha1.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace jackdaw::kernels {
namespace {

std::span<const std::uint8_t> bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string hex(const sha1_digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (const std::uint8_t byte : digest) {
    result += digits[byte >> 4];
    result += digits[byte & 15];
  }
  return result;
}

TEST(sha1, gives_the_published_digests) {
  EXPECT_EQ(hex(sha1_short({})), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex(sha1_short(bytes("abc"))), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex(sha1_short(bytes("The quick brown fox jumps over the lazy dog"))),
            "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12");
}

TEST(sha1, takes_up_to_55_bytes) {
  EXPECT_EQ(hex(sha1_short(bytes(std::string(55, 'a')))), "c1c8bbdc22796e28c0e15163d20899b65621d65a");
  EXPECT_THROW(sha1_short(bytes(std::string(56, 'a'))), std::length_error);
}

TEST(sha1, is_the_same_for_other_languages) {
  sha1_digest digest{};
  const auto message = bytes("abc");
  EXPECT_EQ(jackdaw_sha1_short(message.data(), message.size(), digest.data()), 0);
  EXPECT_EQ(digest, sha1_short(message));
  EXPECT_EQ(jackdaw_sha1_short(message.data(), 56, digest.data()), -1);
}

}  // namespace
}  // namespace jackdaw::kernels
