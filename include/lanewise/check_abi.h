// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the code of a checked build (CodeSettings::checks) tells the runtime in `lanewise_services::check`.
#pragma once

#include <cstdint>

namespace lanewise::check {

/// The kinds of LANEWISE_CHECK: bits of CodeSettings::checks.
enum CheckKind : std::uint32_t { memory = 1, race = 2, init = 4, barrier = 8, arith = 16, overflow = 32, buffers = 64 };

/// What code tells or asks.
enum class CheckEvent : std::uint8_t {
  outside,  ///< an access to a known object is outside of it, misaligned or of null; `value` is where it begins
  find,     ///< may an access by a pointer be made whose object the compiler does not know? 1: yes
  /// an access to memory that other work-items reach; `value` is what is written, or the address of a copy of it if it
  /// has more than 8 bytes
  shared,
  recorded,    ///< such a write is recorded, between the two; `shared` records all others
  fence,       ///< a fence of global memory, or a barrier with one
  arithmetic,  ///< an operation whose result the language does not define
  undefined,   ///< what a kernel does depends on a value that nobody has written
  texel,       ///< coordinates outside of an image: x and y are the halves of `address`, z is `value`
  copies,      ///< an asynchronous copy, before a barrier; `address` is a digest of its operands
  waits,       ///< a wait for `value` events of copies, before a barrier; `address` is where they are
};

/// Bits of CheckCall::flags. `any_item`: a copy by the whole group, of which nobody knows which work-item does what.
/// `linear`: records have global linear ids. `after`: the access has been made, and is compared with other writes; one
/// with `writes` and `has_value`, which is not atomic, comes once before and once after it.
enum AccessFlag : std::uint8_t {
  reads = 1,
  writes = 2,
  atomic = 4,
  acquires = 8,
  has_value = 16,
  any_item = 32,
  linear = 64,
  after = 128
};

/// The record of an access by one work-item: from the lowest bit on
///
///     place     11 bits   the last one is that of all further places
///     atomic     1 bit
///     item      13 bits   linear local id; all ones: several
///     interval  10 bits   barriers that order the memory; the last one is not compared
///     group     21 bits   linear number, cut; all ones: several
///     epoch      8 bits   which use of the memory of records; never 0, which is no record
///
/// In kernels without groups (`linear`) item, interval and group are one global linear id; all ones: several.
namespace race_record {
inline constexpr std::uint64_t kPlaces = (1U << 11U) - 1;
inline constexpr std::uint64_t kAtomic = 1U << 11U;
inline constexpr unsigned kItemShift = 12;
inline constexpr unsigned kIntervalShift = 25;
inline constexpr unsigned kGroupShift = 35;
inline constexpr unsigned kEpochShift = 56;
inline constexpr std::uint64_t kSeveralItems = (std::uint64_t{1} << kIntervalShift) - (std::uint64_t{1} << kItemShift);
inline constexpr std::uint64_t kLastInterval = (std::uint64_t{1} << kGroupShift) - (std::uint64_t{1} << kIntervalShift);
inline constexpr std::uint64_t kSeveralGroups = (std::uint64_t{1} << kEpochShift) - (std::uint64_t{1} << kGroupShift);
inline constexpr std::uint64_t kSeveralIds = (std::uint64_t{1} << kEpochShift) - (std::uint64_t{1} << kItemShift);
inline constexpr std::uint32_t kLastEpoch = 255;

/// The planes of records.
inline constexpr unsigned kWrites = 0;
inline constexpr unsigned kReads = 1;
inline constexpr unsigned kChanges = 2;  ///< atomic writes

/// Values of lanewise_races::shifts: nothing is recorded; the runtime records it. Others are even.
inline constexpr std::uint64_t kNotWatched = 1;
inline constexpr std::uint64_t kByCall = 3;
}  // namespace race_record

/// The largest number of a place: places beyond share it, and their lines are not known.
inline constexpr std::uint32_t kLastPlace = race_record::kPlaces;

/// The parameter `what` of the service, packed into 64 bits.
struct CheckCall {
  CheckEvent event = CheckEvent::outside;
  std::uint8_t flags = 0;
  std::uint8_t align_log2 = 0;      ///< alignment that the access needs; 0 to 15
  std::uint16_t place = 0;          ///< `shared`: number of the place in its kernel, at most kLastPlace
  std::uint8_t global_granule = 0;  ///< `shared`: log2 of the bytes of a cell, at most 3
  std::uint8_t local_granule = 0;
  std::uint32_t bytes = 0;  ///< bytes of the access; larger ones count as 2^32 - 1

  static constexpr unsigned kFlagsShift = 4;
  static constexpr unsigned kBytesShift = 32;

  [[nodiscard]] constexpr std::uint64_t packed() const {
    return static_cast<std::uint64_t>(event) | std::uint64_t{flags} << kFlagsShift | std::uint64_t{align_log2} << 12U |
           std::uint64_t{place} << 16U | std::uint64_t{global_granule} << 28U | std::uint64_t{local_granule} << 30U |
           std::uint64_t{bytes} << kBytesShift;
  }
  static constexpr CheckCall of(std::uint64_t packed) {
    return {.event = static_cast<CheckEvent>(packed & 15U),
            .flags = static_cast<std::uint8_t>(packed >> kFlagsShift & 255U),
            .align_log2 = static_cast<std::uint8_t>(packed >> 12U & 15U),
            .place = static_cast<std::uint16_t>(packed >> 16U & 4095U),
            .global_granule = static_cast<std::uint8_t>(packed >> 28U & 3U),
            .local_granule = static_cast<std::uint8_t>(packed >> 30U & 3U),
            .bytes = static_cast<std::uint32_t>(packed >> kBytesShift)};
  }
};

/// A place in the source is a text in the code object. Its fields, each ended by a newline: the file; the line; the
/// column; what is accessed ("argument", "image", "local", "private", "constant", "variable", or nothing where that is
/// not known; "operation" where no memory is accessed); its name, the number of the argument, or what is wrong with the
/// operation; its size in bytes, 0 for arguments. `shared` has the texts of all its places, one after the other, by
/// number; each has one field more: the packed call, without its place.
inline constexpr char kFieldEnd = '\n';
inline constexpr unsigned kFields = 6;

}  // namespace lanewise::check
