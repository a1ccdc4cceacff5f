// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/artifact.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "src/base/hash.h"
#include "src/file/scarce.h"

namespace lanewise {

namespace {

/// A program binary: magic, checksum of the rest, then the fields in the order of `encode_artifact`.
constexpr std::uint64_t kMagic = 0x31474f5250574c7f;  // "\x7fLWPROG1"
constexpr std::uint32_t kFormat = 2;

bool is_plausible(const abi::ArgInfo& arg, std::uint32_t block_bytes) {
  const bool inside = arg.size <= block_bytes && arg.offset <= block_bytes - arg.size;
  const bool aligned = std::has_single_bit(arg.align) && arg.align <= LANEWISE_SCRATCH_ALIGN;
  const bool sized = arg.kind == abi::ArgKind::value || arg.size == sizeof(std::uint64_t);
  return inside && aligned && sized && arg.kind <= abi::ArgKind::queue;
}

/// Whether the runtime may rely on the description: every argument inside the block, no absurd size.
bool is_plausible(const abi::KernelInfo& kernel) {
  const bool sizes =
      kernel.local_bytes <= abi::kLargestKernelMemory && kernel.item_bytes <= abi::kLargestKernelMemory &&
      kernel.group_bytes <= abi::kLargestKernelMemory && kernel.private_bytes <= abi::kLargestKernelMemory;
  return sizes && std::all_of(kernel.args.begin(), kernel.args.end(),
                              [&](const abi::ArgInfo& arg) { return is_plausible(arg, kernel.args_bytes); });
}

}  // namespace

std::ptrdiff_t Artifact::find(std::string_view kernel) const {
  const auto& kernels = reply.kernels;
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const abi::KernelInfo& k) { return k.name == kernel; });
  return found == kernels.end() ? -1 : found - kernels.begin();
}

Result<ArtifactPtr> open_artifact(Artifact artifact) {
  // A program without kernels has nothing to run, and no image.
  if (!artifact.reply.kernels.empty()) {
    auto image = file::retry_when_scarce([&] { return KernelImage::open(artifact.reply.image); });
    if (!image) return image.error();
    artifact.image = std::move(image).value();
  }
  artifact.code.clear();
  for (const auto& kernel : artifact.reply.kernels) {
    if (!is_plausible(kernel))
      return Error{CL_INVALID_BINARY, "the description of kernel " + kernel.name + " is damaged"};
    lanewise_range_fn* code = artifact.image->symbol(kernel.symbol);
    if (code == nullptr) return Error{CL_INVALID_BINARY, "the image has no code for kernel " + kernel.name};
    artifact.code.push_back(code);
  }
  artifact.tiers = std::make_shared<Tiers>(artifact.code.size());
  return std::make_shared<const Artifact>(std::move(artifact));
}

Bytes encode_artifact(const Artifact& artifact) {
  ByteWriter body;
  body.number(kFormat);
  body.number(std::uint32_t{LANEWISE_KERNEL_ABI_VERSION});
  body.number(artifact.isa.number());
  body.number(artifact.isa.features());
  body.number(artifact.type);
  body.number(artifact.traits.kernel_arg_info);
  body.number(artifact.traits.uniform_work_groups);
  body.text(artifact.options);
  body.blob(abi::encode(artifact.reply));
  const Hash128 checksum = hash_bytes(body.bytes());

  ByteWriter out;
  out.number(kMagic);
  out.number(checksum.low);
  out.number(checksum.high);
  Bytes bytes = out.take();
  bytes.insert(bytes.end(), body.bytes().begin(), body.bytes().end());
  return bytes;
}

Result<Artifact> decode_artifact(std::span<const std::uint8_t> bytes, Isa device_isa) {
  constexpr std::size_t kHead = sizeof kMagic + sizeof(Hash128);
  const auto invalid = [](const char* reason) { return Error{CL_INVALID_BINARY, reason}; };
  ByteReader head(bytes);
  if (bytes.size() < kHead || head.number<std::uint64_t>() != kMagic) return invalid("not a program binary");
  Hash128 checksum;
  checksum.low = head.number<std::uint64_t>();
  checksum.high = head.number<std::uint64_t>();
  if (hash_bytes(bytes.subspan(kHead)) != checksum) return invalid("the program binary is damaged");

  ByteReader body(bytes.subspan(kHead));
  if (body.number<std::uint32_t>() != kFormat || body.number<std::uint32_t>() != LANEWISE_KERNEL_ABI_VERSION)
    return invalid("the program binary is of another version of the driver");
  Artifact artifact;
  const auto isa_number = body.number<std::uint32_t>();
  const auto isa = Isa::from_numbers(isa_number, body.number<std::uint32_t>());
  artifact.type = body.number<cl_program_binary_type>();
  artifact.traits.kernel_arg_info = body.number<std::uint8_t>() != 0;
  artifact.traits.uniform_work_groups = body.number<std::uint8_t>() != 0;
  artifact.options = body.text();
  auto reply = abi::decode_reply(body.blob_view());
  constexpr std::array kTypes = {CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_PROGRAM_BINARY_TYPE_LIBRARY,
                                 CL_PROGRAM_BINARY_TYPE_EXECUTABLE};
  const bool known = std::find(kTypes.begin(), kTypes.end(), static_cast<int>(artifact.type)) != kTypes.end();
  if (!body.ok() || !body.at_end() || !known || !reply) return invalid("the program binary is damaged");
  if (!isa || !device_isa.covers(*isa)) return invalid("the program binary is for a newer processor");
  artifact.isa = *isa;
  artifact.reply = std::move(*reply);
  return artifact;
}

}  // namespace lanewise
