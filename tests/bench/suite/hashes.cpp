// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHA-256 of one block, ChaCha20 and CRC-32: rotations, many live values, a table.
#include <bit>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kSource = R"(
constant uint K[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
#define ROR(x, n) rotate((x), 32u - (n))
kernel void sha256(global uint* out, uint seed) {
  uint i = get_global_id(0);
  uint w[16];
  for (int k = 0; k < 15; ++k) w[k] = seed + i * (k + 1);
  w[15] = 0x80000000u;
  uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
  uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
  for (int t = 0; t < 64; ++t) {
    if (t >= 16) {
      uint x = w[(t + 1) & 15], y = w[(t + 14) & 15];
      w[t & 15] += (ROR(x, 7) ^ ROR(x, 18) ^ (x >> 3)) + w[(t + 9) & 15] + (ROR(y, 17) ^ ROR(y, 19) ^ (y >> 10));
    }
    uint t1 = h + (ROR(e, 6) ^ ROR(e, 11) ^ ROR(e, 25)) + bitselect(g, f, e) + K[t] + w[t & 15];
    uint t2 = (ROR(a, 2) ^ ROR(a, 13) ^ ROR(a, 22)) + ((a & b) | (c & (a | b)));
    h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
  }
  out[i] = (a + 0x6a09e667) ^ (h + 0x5be0cd19);
}
#define QUARTER(a, b, c, d) \
  a += b; d = rotate(d ^ a, 16u); c += d; b = rotate(b ^ c, 12u); \
  a += b; d = rotate(d ^ a, 8u);  c += d; b = rotate(b ^ c, 7u);
kernel void chacha(global const uint* key, global uint* out) {
  uint i = get_global_id(0);
  uint s[16], x[16];
  s[0] = 0x61707865; s[1] = 0x3320646e; s[2] = 0x79622d32; s[3] = 0x6b206574;
  for (int k = 0; k < 8; ++k) s[4 + k] = key[k];
  s[12] = i; s[13] = 1; s[14] = 2; s[15] = 3;
  for (int k = 0; k < 16; ++k) x[k] = s[k];
  for (int round = 0; round < 10; ++round) {
    QUARTER(x[0], x[4], x[8], x[12]) QUARTER(x[1], x[5], x[9], x[13])
    QUARTER(x[2], x[6], x[10], x[14]) QUARTER(x[3], x[7], x[11], x[15])
    QUARTER(x[0], x[5], x[10], x[15]) QUARTER(x[1], x[6], x[11], x[12])
    QUARTER(x[2], x[7], x[8], x[13]) QUARTER(x[3], x[4], x[9], x[14])
  }
  for (int k = 0; k < 16; ++k) out[i * 16 + k] = x[k] + s[k];
}
kernel void crc(global const uint* table, global const uchar* data, global uint* out, int length) {
  uint i = get_global_id(0), value = 0xffffffffu;
  for (int k = 0; k < length; ++k) value = table[(value ^ data[i * length + k]) & 255u] ^ (value >> 8);
  out[i] = ~value;
}
)";

constexpr std::uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// 32 blocks side by side, so that the compiler can make vectors of the inner loops.
constexpr std::size_t kLanes = 32;
struct Lanes {
  std::uint32_t v[kLanes];
};
template <class F>
inline Lanes each(const F& f) {
  Lanes out;
  for (std::size_t k = 0; k < kLanes; ++k) out.v[k] = f(k);
  return out;
}

void sha_lanes(std::uint32_t first, std::uint32_t seed, std::uint32_t* out) {
  using std::rotr;
  Lanes w[16];
  for (std::uint32_t k = 0; k < 15; ++k)
    w[k] = each([&](std::size_t j) { return seed + (first + static_cast<std::uint32_t>(j)) * (k + 1); });
  w[15] = each([](std::size_t) { return 0x80000000u; });
  const std::uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  Lanes s[8];
  for (std::size_t k = 0; k < 8; ++k) s[k] = each([&](std::size_t) { return start[k]; });
  for (std::size_t t = 0; t < 64; ++t) {
    const Lanes x = w[(t + 1) & 15], y = w[(t + 14) & 15], z = w[(t + 9) & 15];
    Lanes& now = w[t & 15];
    if (t >= 16)
      for (std::size_t j = 0; j < kLanes; ++j)
        now.v[j] += (rotr(x.v[j], 7) ^ rotr(x.v[j], 18) ^ (x.v[j] >> 3)) + z.v[j] +
                    (rotr(y.v[j], 17) ^ rotr(y.v[j], 19) ^ (y.v[j] >> 10));
    Lanes top, fifth;
    for (std::size_t j = 0; j < kLanes; ++j) {
      const std::uint32_t a = s[0].v[j], b = s[1].v[j], c = s[2].v[j], e = s[4].v[j], f = s[5].v[j], g = s[6].v[j];
      const std::uint32_t t1 =
          s[7].v[j] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) | (~e & g)) + kRound[t] + now.v[j];
      top.v[j] = t1 + (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) | (c & (a | b)));
      fifth.v[j] = s[3].v[j] + t1;
    }
    for (std::size_t k = 7; k > 0; --k) s[k] = s[k - 1];
    s[0] = top;
    s[4] = fifth;
  }
  for (std::size_t j = 0; j < kLanes; ++j) out[j] = (s[0].v[j] + start[0]) ^ (s[7].v[j] + start[7]);
}

void sha256(Run& r) {
  const std::size_t n = r.size(524'288, 1024);
  std::vector<std::uint32_t> out(n), want(n);
  r.plain([&] {
    parallel(n / kLanes, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) sha_lanes(static_cast<std::uint32_t>(i * kLanes), 12345, &want[i * kLanes]);
    });
  });
  r.source(kSource);
  r.launch("sha256", {{n}, {64}, {}}, out_of(out), cl_uint{12345});
  r.work(static_cast<double>(n), "hash");
  if (r.go()) r.check(out, want);
}

void quarter(std::uint32_t* x, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  x[a] += x[b], x[d] = std::rotl(x[d] ^ x[a], 16), x[c] += x[d], x[b] = std::rotl(x[b] ^ x[c], 12);
  x[a] += x[b], x[d] = std::rotl(x[d] ^ x[a], 8), x[c] += x[d], x[b] = std::rotl(x[b] ^ x[c], 7);
}

void chacha(Run& r) {
  const std::size_t n = r.size(262'144, 1024);
  const auto key = integers(8, 1);
  std::vector<std::uint32_t> out(n * 16), want(n * 16);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        std::uint32_t s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, x[16];
        for (std::size_t k = 0; k < 8; ++k) s[4 + k] = key[k];
        s[12] = static_cast<std::uint32_t>(i), s[13] = 1, s[14] = 2, s[15] = 3;
        std::copy(s, s + 16, x);
        for (int round = 0; round < 10; ++round) {
          for (std::size_t k = 0; k < 4; ++k) quarter(x, k, 4 + k, 8 + k, 12 + k);
          for (std::size_t k = 0; k < 4; ++k) quarter(x, k, 4 + (k + 1) % 4, 8 + (k + 2) % 4, 12 + (k + 3) % 4);
        }
        for (std::size_t k = 0; k < 16; ++k) want[i * 16 + k] = x[k] + s[k];
      }
    });
  });
  r.source(kSource);
  r.launch("chacha", {{n}, {64}, {}}, in(key), out_of(out));
  r.work(64.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void crc(Run& r) {
  const std::size_t n = r.size(131'072, 1024), length = 64;
  const auto data = octets(n * length, 1);
  std::vector<std::uint32_t> table(256), out(n), want(n);
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? 0xedb88320u ^ (value >> 1) : value >> 1;
    table[i] = value;
  }
  r.plain([&] {
    parallel(n / 8, [&](std::size_t eight, std::size_t end) {
      for (; eight < end; ++eight) {
        std::uint32_t value[8];  // eight chains hide the latency of the table
        for (std::uint32_t& v : value) v = 0xffffffffu;
        for (std::size_t k = 0; k < length; ++k)
          for (std::size_t j = 0; j < 8; ++j)
            value[j] = table[(value[j] ^ data[(eight * 8 + j) * length + k]) & 255u] ^ (value[j] >> 8);
        for (std::size_t j = 0; j < 8; ++j) want[eight * 8 + j] = ~value[j];
      }
    });
  });
  r.source(kSource);
  r.launch("crc", {{n}, {64}, {}}, in(table), in(data), out_of(out), static_cast<cl_int>(length));
  r.work(static_cast<double>(n * length), "B");
  if (r.go()) r.check(out, want);
}

}  // namespace

void add_hashes(Suite& suite) {
  suite.insert(suite.end(), {{"control/sha256", sha256}, {"control/chacha", chacha}, {"control/crc32", crc}});
}

}  // namespace lanewise::bench
