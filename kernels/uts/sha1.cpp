#include "kernels/uts/sha1.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace jackdaw::kernels {
namespace {

constexpr std::size_t longest = 55;

using words = std::array<std::uint32_t, 16>;

/// FIPS 180-4, section 5.1.1: the message, one 1 bit, zeros, and the message's length in bits as 64 bits.
words padded(const std::uint8_t* message, std::size_t size) {
  std::array<std::uint8_t, 64> bytes{};
  std::copy_n(message, size, bytes.begin());
  bytes[size] = 0x80;
  bytes[62] = static_cast<std::uint8_t>(size >> 5);
  bytes[63] = static_cast<std::uint8_t>(size << 3);
  words block;
  for (std::size_t i = 0; i != block.size(); ++i)
    block[i] = std::uint32_t{bytes[4 * i]} << 24 | std::uint32_t{bytes[4 * i + 1]} << 16 |
               std::uint32_t{bytes[4 * i + 2]} << 8 | std::uint32_t{bytes[4 * i + 3]};
  return block;
}

struct sha1_state {
  std::uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;

  /// Rounds first..last-1 (FIPS 180-4, section 6.1.2), which share the function f and the constant k. The message
  /// schedule W is kept as its last 16 words.
  template <class F>
  void rounds(words& w, unsigned first, unsigned last, std::uint32_t k, F f) {
#pragma GCC unroll 20
    for (unsigned t = first; t != last; ++t) {
      if (t >= 16) w[t % 16] = std::rotl(w[(t + 13) % 16] ^ w[(t + 8) % 16] ^ w[(t + 2) % 16] ^ w[t % 16], 1);
      const std::uint32_t next = std::rotl(a, 5) + f(b, c, d) + e + k + w[t % 16];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
  }
};

void hash(const std::uint8_t* message, std::size_t size, std::uint8_t* digest) {
  constexpr auto choose = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return z ^ (x & (y ^ z)); };
  constexpr auto parity = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return x ^ y ^ z; };
  constexpr auto majority = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return (x & y) | (z & (x | y)); };
  constexpr sha1_state initial;
  words w = padded(message, size);
  sha1_state s = initial;
  s.rounds(w, 0, 20, 0x5a827999, choose);
  s.rounds(w, 20, 40, 0x6ed9eba1, parity);
  s.rounds(w, 40, 60, 0x8f1bbcdc, majority);
  s.rounds(w, 60, 80, 0xca62c1d6, parity);
  const std::array<std::uint32_t, 5> sums = {s.a + initial.a, s.b + initial.b, s.c + initial.c, s.d + initial.d,
                                             s.e + initial.e};
  for (const std::uint32_t sum : sums)
    for (int shift = 24; shift >= 0; shift -= 8) *digest++ = static_cast<std::uint8_t>(sum >> shift);
}

}  // namespace

sha1_digest sha1_short(std::span<const std::uint8_t> message) {
  if (message.size() > longest) throw std::length_error("sha1_short: message longer than 55 bytes");
  sha1_digest digest;
  hash(message.data(), message.size(), digest.data());
  return digest;
}

}  // namespace jackdaw::kernels

extern "C" int jackdaw_sha1_short(const std::uint8_t* message, std::size_t size, std::uint8_t* digest) {
  if (size > jackdaw::kernels::longest) return -1;
  jackdaw::kernels::hash(message, size, digest);
  return 0;
}
