// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/artifact.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/code/description.h"
#include "src/base/fields.h"
#include "src/base/hash.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

constexpr std::uint64_t kMagic = 0x31474f5250574c7f;  // "\x7fLWPROG1"

/// The first bytes of a program binary.
struct BinaryHead {
  std::uint64_t magic = kMagic;
  Hash128 checksum;  ///< of everything after the head

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.magic, self.checksum.low, self.checksum.high);
  }
};

/// The version of what follows, so that other versions of the driver refuse it.
struct FormatVersion {
  std::uint32_t number = 2;
  std::uint32_t kernel_abi = LANEWISE_KERNEL_ABI_VERSION;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.number, self.kernel_abi);
  }
};

struct BinaryBody {
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

/// Whether a type is one that binaries have.
bool is_known(cl_program_binary_type type) {
  constexpr std::array kTypes = {CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_PROGRAM_BINARY_TYPE_LIBRARY,
                                 CL_PROGRAM_BINARY_TYPE_EXECUTABLE};
  return std::find(kTypes.begin(), kTypes.end(), static_cast<int>(type)) != kTypes.end();
}

/// Leaves the IR alone, which is the same for all processors.
void drop_code(abi::Reply& reply) {
  reply.code_object.clear();
  reply.kernels.clear();
  reply.variables = {};
  reply.functions.clear();
  reply.lacks_code = false;
}

Error invalid(const char* reason) {
  return {CL_INVALID_BINARY, reason};
}

}  // namespace

std::ptrdiff_t Artifact::find(std::string_view kernel) const {
  const auto& kernels = reply.kernels;
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const abi::KernelInfo& k) { return k.name == kernel; });
  return found == kernels.end() ? -1 : found - kernels.begin();
}

Bytes encode_artifact(const Artifact& artifact) {
  if (!artifact.foreign.empty()) return artifact.foreign;
  const Bytes reply = abi::encode(artifact.reply);
  FieldWriter behind_head;
  behind_head(FormatVersion{}, BinaryBody{.isa_level = artifact.isa.number(),
                                          .isa_features = artifact.isa.features(),
                                          .type = artifact.type,
                                          .traits = artifact.traits,
                                          .options = artifact.options,
                                          .reply = reply});
  FieldWriter head;
  head(BinaryHead{.checksum = hash_bytes(behind_head.bytes())});
  Bytes bytes = head.take();
  bytes.insert(bytes.end(), behind_head.bytes().begin(), behind_head.bytes().end());
  return bytes;
}

Result<Artifact> decode_artifact(std::span<const std::uint8_t> bytes, Isa device_isa) {
  constexpr std::size_t kHeadBytes = sizeof kMagic + sizeof(Hash128);
  BinaryHead head;
  FieldReader head_fields(bytes);
  head_fields(head);
  if (!head_fields.ok() || head.magic != kMagic) return invalid("not a program binary");
  if (hash_bytes(bytes.subspan(kHeadBytes)) != head.checksum) return invalid("the program binary is damaged");

  FieldReader fields(bytes.subspan(kHeadBytes));
  FormatVersion format;
  fields(format);
  if (format.number != FormatVersion().number || format.kernel_abi != FormatVersion().kernel_abi)
    return invalid("the program binary is of another version of the driver");
  BinaryBody body;
  fields(body);
  auto reply = abi::decode<abi::Reply>(body.reply);
  if (!fields.complete() || !is_known(body.type) || !reply || reply->status != CL_SUCCESS || reply->ir.empty())
    return invalid("the program binary is damaged");
  Artifact artifact;
  artifact.type = body.type;
  artifact.traits = body.traits;
  artifact.options = std::move(body.options);
  artifact.isa = device_isa;
  artifact.reply = std::move(*reply);
  artifact.reply.log.clear();
  artifact.reply.dependencies.clear();
  artifact.reply.loops.clear();
  if (artifact.type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
    drop_code(artifact.reply);
    return artifact;
  }
  const auto isa = Isa::from_numbers(body.isa_level, body.isa_features);
  if (!isa || !device_isa.covers(*isa)) {
    drop_code(artifact.reply);
    artifact.foreign.assign(bytes.begin(), bytes.end());
    return artifact;
  }
  artifact.isa = *isa;
  if (const auto checked = check_description(artifact.reply); !checked) return checked.error();
  return artifact;
}

void show_vectors(const std::vector<abi::LoopReport>& loops) {
  if (!log_enabled(Channel::vectorize)) return;
  for (const abi::LoopReport& loop : loops)
    for (const std::string& line : abi::lines(loop)) log_line(Channel::vectorize, "%s", line.c_str());
}

}  // namespace lanewise
