// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/artifact.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "runtime/program/variables.h"
#include "src/base/fields.h"
#include "src/base/hash.h"
#include "src/file/scarce.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

constexpr std::uint64_t kMagic = 0x31474f5250574c7f;  // "\x7fLWPROG1"

/// The first bytes of a program binary.
struct Head {
  std::uint64_t magic = kMagic;
  Hash128 checksum;  ///< of everything after the head

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.magic, self.checksum.low, self.checksum.high);
  }
};

/// The version of what follows, so that other versions of the driver refuse it.
struct Format {
  std::uint32_t number = 2;
  std::uint32_t kernel_abi = LANEWISE_KERNEL_ABI_VERSION;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.number, self.kernel_abi);
  }
};

struct Body {
  std::uint32_t isa_level = 0;  ///< plain numbers, because unknown ones of a newer driver must be decodable
  std::uint32_t isa_features = 0;
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  ProgramTraits traits;
  std::string options;
  std::span<const std::uint8_t> reply;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.isa_level, self.isa_features, self.type, self.traits.kernel_arg_info, self.traits.uniform_work_groups,
           self.options, self.reply);
  }
};

bool is_plausible(const abi::ArgInfo& arg, std::uint32_t block_bytes) {
  const bool inside = arg.size <= block_bytes && arg.offset <= block_bytes - arg.size;
  const bool aligned = std::has_single_bit(arg.align) && arg.align <= LANEWISE_SCRATCH_ALIGN;
  const bool sized = arg.kind == abi::ArgKind::value || arg.size == sizeof(std::uint64_t);
  return inside && aligned && sized && arg.kind <= abi::ArgKind::queue;
}

/// The places of the blocks in order of their numbers; nothing if those are not 1, 2, 3 and so on.
std::optional<std::vector<std::size_t>> blocks_of(const std::vector<abi::KernelInfo>& kernels) {
  std::vector<std::size_t> blocks;
  const auto is_block = [](const abi::KernelInfo& kernel) { return kernel.block != 0; };
  blocks.resize(static_cast<std::size_t>(std::count_if(kernels.begin(), kernels.end(), is_block)), kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const abi::KernelInfo& kernel = kernels[i];
    if (!is_block(kernel)) continue;
    const bool takes_literal = !kernel.args.empty() && kernel.args.front().kind == abi::ArgKind::global_pointer;
    const auto is_local = [](const abi::ArgInfo& arg) { return arg.kind == abi::ArgKind::local_pointer; };
    if (kernel.block > blocks.size() || blocks[kernel.block - 1] != kernels.size() || !takes_literal ||
        !std::all_of(kernel.args.begin() + 1, kernel.args.end(), is_local))
      return std::nullopt;
    blocks[kernel.block - 1] = i;
  }
  return blocks;
}

/// Whether the runtime may rely on the description: every argument inside the block, no absurd size.
bool is_plausible(const abi::KernelInfo& kernel) {
  const bool sizes =
      kernel.local_bytes <= abi::kLargestKernelMemory && kernel.item_bytes <= abi::kLargestKernelMemory &&
      kernel.group_bytes <= abi::kLargestKernelMemory && kernel.private_bytes <= abi::kLargestKernelMemory;
  const bool variables =
      !kernel.has_variables || (kernel.args_bytes >= sizeof(std::uint64_t) &&
                                kernel.variables_offset <= kernel.args_bytes - sizeof(std::uint64_t));
  return sizes && variables && std::all_of(kernel.args.begin(), kernel.args.end(), [&](const abi::ArgInfo& arg) {
           return is_plausible(arg, kernel.args_bytes);
         });
}

}  // namespace

std::ptrdiff_t Artifact::find(std::string_view kernel) const {
  const auto& kernels = reply.kernels;
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const abi::KernelInfo& k) { return k.name == kernel; });
  return found == kernels.end() ? -1 : found - kernels.begin();
}

Result<ArtifactPtr> open_artifact(Artifact artifact) {
  // A program without kernels has no image.
  if (!artifact.reply.kernels.empty()) {
    auto image = file::retry_when_scarce([&] { return KernelImage::open(artifact.reply.image); });
    if (!image) return image.error();
    artifact.image = std::move(image).value();
  }
  if (!is_plausible(artifact.reply.variables))
    return Error{CL_INVALID_BINARY, "the description of the program's variables is damaged"};
  artifact.code.clear();
  for (const auto& kernel : artifact.reply.kernels) {
    if (!is_plausible(kernel) || (kernel.has_variables && artifact.reply.variables.bytes == 0))
      return Error{CL_INVALID_BINARY, "the description of kernel " + kernel.name + " is damaged"};
    lanewise_range_fn* code = artifact.image->symbol(kernel.symbol);
    if (code == nullptr) return Error{CL_INVALID_BINARY, "the image has no code for kernel " + kernel.name};
    artifact.code.push_back(code);
  }
  auto blocks = blocks_of(artifact.reply.kernels);
  if (!blocks) return Error{CL_INVALID_BINARY, "the description of the program's blocks is damaged"};
  artifact.blocks = std::move(*blocks);
  artifact.tiers = std::make_shared<Tiers>(artifact.code.size());
  return std::make_shared<const Artifact>(std::move(artifact));
}

Bytes encode_artifact(const Artifact& artifact) {
  const Bytes reply = abi::encode(artifact.reply);
  FieldWriter behind_head;
  behind_head(Format{}, Body{.isa_level = artifact.isa.number(),
                             .isa_features = artifact.isa.features(),
                             .type = artifact.type,
                             .traits = artifact.traits,
                             .options = artifact.options,
                             .reply = reply});
  FieldWriter head;
  head(Head{.checksum = hash_bytes(behind_head.bytes())});
  Bytes bytes = head.take();
  bytes.insert(bytes.end(), behind_head.bytes().begin(), behind_head.bytes().end());
  return bytes;
}

Result<Artifact> decode_artifact(std::span<const std::uint8_t> bytes, Isa device_isa) {
  constexpr std::size_t kHeadBytes = sizeof kMagic + sizeof(Hash128);
  const auto invalid = [](const char* reason) { return Error{CL_INVALID_BINARY, reason}; };
  Head head;
  FieldReader head_fields(bytes);
  head_fields(head);
  if (!head_fields.ok() || head.magic != kMagic) return invalid("not a program binary");
  if (hash_bytes(bytes.subspan(kHeadBytes)) != head.checksum) return invalid("the program binary is damaged");

  FieldReader fields(bytes.subspan(kHeadBytes));
  Format format;
  fields(format);
  if (format.number != Format().number || format.kernel_abi != Format().kernel_abi)
    return invalid("the program binary is of another version of the driver");
  Body body;
  fields(body);
  auto reply = abi::decode<abi::Reply>(body.reply);
  constexpr std::array kTypes = {CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_PROGRAM_BINARY_TYPE_LIBRARY,
                                 CL_PROGRAM_BINARY_TYPE_EXECUTABLE};
  const bool known = std::find(kTypes.begin(), kTypes.end(), static_cast<int>(body.type)) != kTypes.end();
  if (!fields.complete() || !known || !reply) return invalid("the program binary is damaged");
  const auto isa = Isa::from_numbers(body.isa_level, body.isa_features);
  if (!isa || !device_isa.covers(*isa)) return invalid("the program binary is for a newer processor");
  Artifact artifact;
  artifact.type = body.type;
  artifact.traits = body.traits;
  artifact.options = std::move(body.options);
  artifact.isa = *isa;
  artifact.reply = std::move(*reply);
  return artifact;
}

void show_vectors(const std::vector<abi::LoopReport>& loops) {
  if (!log_enabled(Channel::vectorize)) return;
  for (const abi::LoopReport& loop : loops)
    for (const std::string& line : abi::lines(loop)) log_line(Channel::vectorize, "%s", line.c_str());
}

}  // namespace lanewise
