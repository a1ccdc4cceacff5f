// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tier/launch_class.h"

#include <CL/cl.h>

#include <cstring>

#include "runtime/layout/description.h"

namespace lanewise {

namespace {

/// The first six images and samplers have ten bits each, the first of them the lowest: 0 is nothing, numbers up to
/// kLastFormat are a channel order and a channel type, and from kFirstSampler on the low bits of a sampler's word
/// follow.
constexpr unsigned kBits = 10;
constexpr unsigned kFields = 64 / kBits;
constexpr std::uint64_t kField = (std::uint64_t{1} << kBits) - 1;
constexpr unsigned kTypeBits = 5;
constexpr std::uint64_t kLastFormat = 767;
constexpr std::uint64_t kFirstSampler = kLastFormat + 1;
constexpr std::uint64_t kSamplerBits = 0x7F;
/// Of samplers without limits to the level of detail. Others are rare, and have more bits.
constexpr std::uint64_t kAllLevels = ((std::uint64_t{1} << LANEWISE_SAMPLER_LOD_BITS) - 1) << LANEWISE_SAMPLER_LOD_MAX;

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

std::uint64_t image_field(const lanewise_texel& texel) {
  const std::uint64_t order = texel.order - CL_R;
  const std::uint64_t type = texel.type - CL_SNORM_INT8;
  const std::uint64_t field = (order << kTypeBits | type) + 1;
  return type < (1U << kTypeBits) && field <= kLastFormat ? field : 0;
}

std::uint64_t sampler_field(std::uint64_t word) {
  return (word & ~kSamplerBits) == kAllLevels ? kFirstSampler + (word & kSamplerBits) : 0;
}

template <class T>
Bytes bytes_of(const T& value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  return {bytes, bytes + sizeof value};
}

Bytes known_bytes(std::uint64_t field) {
  if (field == 0) return {};
  if (field >= kFirstSampler) return bytes_of(kAllLevels | (field - kFirstSampler));
  const std::uint64_t number = field - 1;
  return bytes_of(describe_texel({static_cast<cl_channel_order>(CL_R + (number >> kTypeBits)),
                                  static_cast<cl_channel_type>(CL_SNORM_INT8 + (number & ((1U << kTypeBits) - 1)))}));
}

}  // namespace

std::uint64_t class_of_arguments(const abi::KernelInfo& info, const std::byte* block) {
  std::uint64_t result = 0;
  unsigned fields = 0;
  for (const abi::ArgInfo& arg : info.args) {
    std::uint64_t field = 0;
    if (arg.kind == abi::ArgKind::image)
      field = image_field(load<const lanewise_image*>(block + arg.offset)->texel);
    else if (arg.kind == abi::ArgKind::sampler)
      field = sampler_field(load<std::uint64_t>(block + arg.offset));
    else
      continue;
    result |= field << (kBits * fields);
    if (++fields == kFields) break;
  }
  return result;
}

std::vector<Bytes> known_arguments_of(const abi::KernelInfo& info, std::uint64_t arguments) {
  std::vector<Bytes> known;
  if (arguments == 0) return known;
  for (const abi::ArgInfo& arg : info.args) {
    const bool has_field = arg.kind == abi::ArgKind::image || arg.kind == abi::ArgKind::sampler;
    known.push_back(has_field ? known_bytes(arguments & kField) : Bytes{});
    if (has_field) arguments >>= kBits;
  }
  return known;
}

std::uint32_t groups_of_teams(std::uint64_t groups, std::uint64_t threads) {
  // Four vectors of the widest processors, whose rows in memory are longer, where the threads can share the teams
  // evenly; else one.
  constexpr std::uint32_t kLarge = 64;
  constexpr std::uint32_t kSmall = 16;
  constexpr std::uint64_t kEven = 4;
  if (groups / kLarge >= kEven * threads) return kLarge;
  return groups / kSmall >= threads ? kSmall : 0;
}

}  // namespace lanewise
