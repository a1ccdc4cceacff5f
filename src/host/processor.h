// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a thread asks of its processor by instructions that C++ has no word for.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace lanewise::host {

/// Tells the processor that the thread waits in a loop, so that another thread of the same core gets its resources.
inline void pause() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");  // YIELD takes no time on most processors, this some tens of cycles
#else
#error "say how a thread waits on this processor"
#endif
}

/// The bytes of a line of the data cache; 0: the processor has no instruction that says so.
inline std::uint32_t data_line_bytes() noexcept {
#if defined(__aarch64__)
  std::uint64_t type = 0;
  __asm__("mrs %0, ctr_el0" : "=r"(type));
  return 4U << (type >> 16 & 0xf);  // DminLine: the binary logarithm of words
#else
  return 0;
#endif
}

/// How the processor computes with floats (rounding, subnormal numbers, traps), and the flags of what has happened:
/// MXCSR, or FPCR with FPSR in the upper half.
using FloatControl = std::uint64_t;

/// No traps, round to nearest even, subnormal numbers are kept, no flags are set: the value after reset.
#if defined(__x86_64__)
inline constexpr FloatControl kUsualFloatControl = 0x1f80;
#else
inline constexpr FloatControl kUsualFloatControl = 0;
#endif

inline FloatControl float_control() noexcept {
#if defined(__x86_64__)
  return _mm_getcsr();
#else
  std::uint64_t control = 0;
  std::uint64_t flags = 0;
  __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(flags));
  return flags << 32 | control;
#endif
}

inline void set_float_control(FloatControl value) noexcept {
#if defined(__x86_64__)
  _mm_setcsr(static_cast<unsigned>(value));
#else
  __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(value & 0xffffffff), "r"(value >> 32) : "memory");
#endif
}

/// To be called where vector code was left in its middle: on x86 the upper halves of registers may be in use, which
/// slows down SSE code.
inline void end_vector_code() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper" ::: "memory");
#endif
}

}  // namespace lanewise::host
