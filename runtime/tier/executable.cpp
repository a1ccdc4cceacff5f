// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tier/executable.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/code/description.h"
#include "src/file/scarce.h"

namespace lanewise {

namespace {

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

}  // namespace

Result<ExecutablePtr> Executable::open(ArtifactPtr artifact, ExecutablePtr scalar) {
  const abi::Reply& reply = artifact->reply;
  if (const auto checked = check_description(reply); !checked) return checked.error();
  Ref<CodeObject> code_object;
  // A program without kernels has no code object.
  if (!reply.kernels.empty() && !reply.lacks_code) {
    auto opened = file::retry_when_scarce([&] { return CodeObject::open(reply.code_object); });
    if (!opened) return opened.error();
    code_object = std::move(opened).value();
  }
  const ProgramIr ir(reply.ir);
  std::vector<std::unique_ptr<KernelCode>> code;
  for (std::size_t i = 0; i < reply.kernels.size(); ++i) {
    const abi::KernelInfo& kernel = reply.kernels[i];
    lanewise_range_fn* const run = code_object ? code_object->symbol(kernel.symbol) : nullptr;
    code.push_back(std::make_unique<KernelCode>(*artifact, i, run, ir));
    if (code_object && run == nullptr)
      return Error{CL_INVALID_BINARY, "the code object has no code for kernel " + kernel.name};
  }
  auto blocks = blocks_of(reply.kernels);
  if (!blocks) return Error{CL_INVALID_BINARY, "the description of the program's blocks is damaged"};
  auto tiers = std::make_unique<Tiers>(code.size());
  return std::make_shared<const Executable>(std::move(artifact), std::move(code_object), std::move(code),
                                            std::move(*blocks), std::move(tiers), ir, std::move(scalar));
}

}  // namespace lanewise
