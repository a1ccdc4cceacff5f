// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rectangular regions of linear memory: their pitches, their extent, and whether two of them share a byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanewise {

/// Width (bytes), height (rows), depth (slices).
using Region = std::array<std::size_t, 3>;
/// Coordinates x (bytes), y (rows), z (slices).
using Origin = std::array<std::size_t, 3>;

/// The distances between rows and between slices.
struct Pitch {
  std::size_t row;    ///< bytes
  std::size_t slice;  ///< bytes
};

/// Fills in the defaults of API 5.2.2 (0 means tightly packed). False: a pitch is too small for the region, or the
/// slice pitch is not a multiple of the row pitch.
bool resolve_pitch(const Region& region, std::size_t row, std::size_t slice, Pitch& out);

/// Computes the offset of a region's first byte. False: it overflows.
bool rect_begin(const Origin& origin, const Pitch& pitch, std::size_t& out);

/// Computes the bytes from a region's first byte to one past its last. False: the number overflows.
bool rect_extent(const Region& region, const Pitch& pitch, std::size_t& out);

/// Whether a region that begins at byte `a` and the same region at byte `b`, with equal pitches, share a byte. Regions
/// that interleave without touching do not overlap (API appendix D).
bool rects_overlap(std::size_t a, std::size_t b, const Region& region, const Pitch& pitch);

/// Whether [a, a + a_size) and [b, b + b_size) share a byte. Addresses as numbers; neither range wraps around.
bool ranges_overlap(std::uintptr_t a, std::size_t a_size, std::uintptr_t b, std::size_t b_size);

/// Whether a region at address `a` and one at address `b` may share a byte. Exact, as `rects_overlap`, if their pitches
/// are equal; otherwise compares their enclosing byte ranges.
bool regions_overlap(std::uintptr_t a, const Pitch& a_pitch, std::uintptr_t b, const Pitch& b_pitch,
                     const Region& region);

}  // namespace lanewise
