// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions that LLVM's code generators may call by themselves. Linked into a code object when needed: an image has no
/// undefined symbol. Compiled freestanding for the lowest level of an architecture, so that one object serves all.
///
/// memcpy and similar: copies of small constant size are inline, so these are called for large structs and for loops
/// that were recognised as a copy. Half conversions: only at x86-64-v2, and from double on x86.
#include <stddef.h>
#include <stdint.h>

typedef uint64_t __attribute__((vector_size(16), aligned(1), may_alias)) Block;
enum { kBlock = sizeof(Block), kString = 512 };

static inline void copy_forward(char* to, const char* from, size_t size) {
  for (; size >= kBlock; size -= kBlock, to += kBlock, from += kBlock) *(Block*)to = *(const Block*)from;
  for (; size > 0; --size) *to++ = *from++;
}

// Above this size the processor's string instructions are faster (fast short and enhanced rep movsb/stosb).
#if defined(__x86_64__)
static inline void copy_string(void* to, const void* from, size_t size) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}
#else
static inline void copy_string(void* to, const void* from, size_t size) {
  copy_forward(to, from, size);
}
#endif

static inline void copy_backward(char* to, const char* from, size_t size) {
  for (; size >= kBlock; size -= kBlock)
    *(Block*)(to + size - kBlock) = *(const Block*)(from + size - kBlock);
  while (size-- > 0) to[size] = from[size];
}

void* memcpy(void* restrict to, const void* restrict from, size_t size) {
  if (size >= kString) {
    copy_string(to, from, size);
  } else {
    copy_forward(to, from, size);
  }
  return to;
}

void* memmove(void* to, const void* from, size_t size) {
  // A block is read before it is written, so only the order of the blocks matters.
  if ((uintptr_t)to - (uintptr_t)from >= size) {
    if (size >= kString) {
      copy_string(to, from, size);
    } else {
      copy_forward(to, from, size);
    }
  } else {
    copy_backward(to, from, size);
  }
  return to;
}

void* memset(void* to, int value, size_t size) {
  char* at = to;
#if defined(__x86_64__)
  if (size >= kString) {
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(value) : "memory");
    return to;
  }
#endif
  const uint64_t eight = (uint8_t)value * UINT64_C(0x0101010101010101);
  const Block block = {eight, eight};
  for (; size >= kBlock; size -= kBlock, at += kBlock) *(Block*)at = block;
  for (; size > 0; --size) *at++ = (char)value;
  return to;
}

static inline int difference(const unsigned char* a, const unsigned char* b, size_t size) {
  for (; size > 0; --size, ++a, ++b)
    if (*a != *b) return *a - *b;
  return 0;
}
int memcmp(const void* a, const void* b, size_t size) { return difference(a, b, size); }
int bcmp(const void* a, const void* b, size_t size) { return difference(a, b, size); }

#if defined(__x86_64__)  // others have instructions for all of these

// IEEE binary16, to nearest even, from a wider format given as bits. Half values are passed in the low bits of xmm0
// (_Float16 of the x86-64 ABI).
static inline uint16_t narrow(uint64_t bits, unsigned mantissa_bits, int bias, int max_exponent) {
  const unsigned sign = (unsigned)(bits >> (mantissa_bits == 52 ? 63 : 31)) << 15;
  const int exponent = (int)(bits >> mantissa_bits) & max_exponent;
  const uint64_t fraction = bits & ((UINT64_C(1) << mantissa_bits) - 1);
  if (exponent == max_exponent)
    return (uint16_t)(sign | 0x7c00u | (fraction ? 0x200u | (unsigned)(fraction >> (mantissa_bits - 10)) : 0u));
  const int unbiased = exponent - bias;
  if (unbiased > 15) return (uint16_t)(sign | 0x7c00u);
  if (exponent == 0 || unbiased < -25) return (uint16_t)sign;
  // Cut to 11 significant bits, fewer for a subnormal result; round what is cut off.
  const unsigned lost = mantissa_bits - 10 + (unbiased < -14 ? (unsigned)(-14 - unbiased) : 0u);
  const uint64_t significand = fraction | (UINT64_C(1) << mantissa_bits);
  uint64_t kept = significand >> lost;
  const uint64_t rest = significand & ((UINT64_C(1) << lost) - 1);
  const uint64_t half = UINT64_C(1) << (lost - 1);
  kept += rest > half || (rest == half && (kept & 1));
  // A carry increments the exponent, and turns the largest value into infinity.
  const uint64_t base = unbiased < -14 ? 0u : (uint64_t)(unbiased + 14) << 10;
  return (uint16_t)(sign | (unsigned)(base + kept));
}

static inline _Float16 half_of(uint16_t bits) {
  union {
    uint16_t bits;
    _Float16 value;
  } u = {.bits = bits};
  return u.value;
}

_Float16 __truncsfhf2(float value) {
  union {
    float value;
    uint32_t bits;
  } u = {.value = value};
  return half_of(narrow(u.bits, 23, 127, 255));
}

_Float16 __truncdfhf2(double value) {
  union {
    double value;
    uint64_t bits;
  } u = {.value = value};
  return half_of(narrow(u.bits, 52, 1023, 2047));
}

float __extendhfsf2(_Float16 value) {
  union {
    _Float16 value;
    uint16_t bits;
  } in = {.value = value};
  const uint32_t sign = (uint32_t)(in.bits & 0x8000u) << 16;
  const uint32_t exponent = (in.bits >> 10) & 31u;
  uint32_t fraction = in.bits & 0x3ffu;
  union {
    uint32_t bits;
    float value;
  } out;
  if (exponent == 31) {
    out.bits = sign | 0x7f800000u | (fraction << 13) | (fraction ? 0x400000u : 0u);
  } else if (exponent != 0) {
    out.bits = sign | ((exponent + 112) << 23) | (fraction << 13);
  } else if (fraction == 0) {
    out.bits = sign;
  } else {
    const int shift = __builtin_clz(fraction) - 21;  // brings the leading one to bit 10
    fraction = (fraction << shift) & 0x3ffu;
    out.bits = sign | ((uint32_t)(113 - shift) << 23) | (fraction << 13);
  }
  return out.value;
}

#endif
