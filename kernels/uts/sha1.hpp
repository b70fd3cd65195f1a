#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jackdaw::kernels {

using sha1_digest = std::array<std::uint8_t, 20>;

/// Returns the SHA-1 of a message of at most 55 bytes, the most that fit into one block (FIPS 180-4, section 6.1). UTS
/// uses it for deterministic random numbers; not for cryptographic use.
sha1_digest sha1_short(std::span<const std::uint8_t> message);

}  // namespace jackdaw::kernels

extern "C" {
/// sha1_short for other languages: hashes `size` <= 55 bytes into 20 bytes. Returns 0, or -1 when size is too large.
int jackdaw_sha1_short(const std::uint8_t* message, std::size_t size, std::uint8_t* digest);
}
