// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/layout/rect.h"

namespace lanewise {

namespace {

/// acc += a * b. False if it overflows.
bool add_product(std::size_t& acc, std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(acc, product, &acc);
}

/// Whether two spans of `length` bytes, which both repeat every `period` bytes and are `shift` apart, share no byte.
bool interleaves(std::size_t shift, std::size_t length, std::size_t period) {
  const std::size_t phase = shift % period;
  return phase >= length && period - phase >= length;
}

}  // namespace

bool resolve_pitch(const Region& region, std::size_t row, std::size_t slice, Pitch& out) {
  out.row = row == 0 ? region[0] : row;
  if (out.row < region[0]) return false;
  std::size_t packed_slice = 0;
  if (!add_product(packed_slice, region[1], out.row)) return false;
  out.slice = slice == 0 ? packed_slice : slice;
  return out.slice >= packed_slice && out.slice % out.row == 0;
}

bool rect_begin(const Origin& origin, const Pitch& pitch, std::size_t& out) {
  out = origin[0];
  return add_product(out, origin[1], pitch.row) && add_product(out, origin[2], pitch.slice);
}

bool rect_extent(const Region& region, const Pitch& pitch, std::size_t& out) {
  out = region[0];
  return add_product(out, region[1] - 1, pitch.row) && add_product(out, region[2] - 1, pitch.slice);
}

bool rects_overlap(std::size_t a, std::size_t b, const Region& region, const Pitch& pitch) {
  const std::size_t shift = a < b ? b - a : a - b;
  std::size_t extent = 0;
  if (!rect_extent(region, pitch, extent) || shift >= extent) return false;
  // Rows repeat every row pitch, so there is no overlap if no row of one can reach a row of the other.
  if (interleaves(shift, region[0], pitch.row)) return false;
  // The same one level up: the rows of one slice form a span that repeats every slice pitch.
  const std::size_t slice_extent = (region[1] - 1) * pitch.row + region[0];
  return region[2] == 1 || !interleaves(shift, slice_extent, pitch.slice);
}

bool ranges_overlap(std::uintptr_t a, std::size_t a_size, std::uintptr_t b, std::size_t b_size) {
  if (a_size == 0 || b_size == 0) return false;
  return a < b ? b - a < a_size : a - b < b_size;
}

bool regions_overlap(std::uintptr_t a, const Pitch& a_pitch, std::uintptr_t b, const Pitch& b_pitch,
                     const Region& region) {
  std::size_t a_extent = 0;
  std::size_t b_extent = 0;
  if (!rect_extent(region, a_pitch, a_extent) || !rect_extent(region, b_pitch, b_extent)) return true;
  if (!ranges_overlap(a, a_extent, b, b_extent)) return false;
  const bool same_pitch = a_pitch.row == b_pitch.row && a_pitch.slice == b_pitch.slice;
  // rects_overlap requires this, but an image of one row or one slice may have arbitrary pitches.
  const bool regular = a_pitch.row >= region[0] && (region[2] == 1 || a_pitch.slice % a_pitch.row == 0);
  return !same_pitch || !regular || rects_overlap(a, b, region, a_pitch);
}

}  // namespace lanewise
