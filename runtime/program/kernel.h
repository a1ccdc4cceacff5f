// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels: a function of a program, the values of its arguments, and the snapshot that a launch takes (API 5.9).
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "runtime/object/object.h"
#include "runtime/program/artifact.h"
#include "runtime/program/kernel_arguments.h"
#include "runtime/program/program.h"
#include "src/base/result.h"

namespace lanewise {

class Kernel final : public Object<_cl_kernel, Tag::kernel> {
 public:
  /// The kernel `name` of every executable of `program`, attached to it. Errors: CL_INVALID_PROGRAM_EXECUTABLE,
  /// CL_INVALID_KERNEL_NAME, CL_INVALID_KERNEL_DEFINITION (devices disagree about its arguments).
  static Result<Ref<Kernel>> create(Program& program, std::string_view name);
  /// An independent kernel with the same argument values. Errors: as `create`.
  [[nodiscard]] Result<Ref<Kernel>> clone() const;
  /// The same for the driver's own use: of the executable that this kernel is of, whatever the program has now, and not
  /// attached to it. May throw std::bad_alloc.
  [[nodiscard]] Ref<Kernel> copy() const;

  [[nodiscard]] const abi::KernelInfo& info() const { return *info_; }
  [[nodiscard]] const ProgramTraits& traits() const { return variants_.front().artifact->traits; }
  [[nodiscard]] Program& program() const { return *program_; }
  [[nodiscard]] Context& context() const { return program_->context(); }

  /// The code for a device; null if the program has no executable for it (CL_INVALID_PROGRAM_EXECUTABLE at enqueue).
  [[nodiscard]] lanewise_range_fn* code(const Device& device) const {
    for (const auto& variant : variants_)
      if (variant.device == &device) [[likely]]
        return variant.code;
    return nullptr;
  }
  /// Second-tier code for groups of `local`: Tiers::forms_for. Kept mapped as `code(device)` is.
  [[nodiscard]] SpecialForms special_forms(const Device& device, const std::array<std::uint64_t, 3>& local,
                                           std::uint64_t ns, Lanes lanes) const {
    for (const auto& variant : variants_)
      if (variant.device == &device) [[likely]]
        return variant.artifact->tiers->forms_for({variant.artifact, variant.index, local}, ns, lanes);
    return {};
  }
  /// The same for all kernel objects of one function of an executable, and never that of another function.
  [[nodiscard]] std::uint64_t identity(const Device& device) const {
    for (const auto& variant : variants_)
      if (variant.device == &device) [[likely]]
        return variant.artifact->tiers->identity_of(variant.index);
    return 0;
  }
  /// The memory of the program's variables on a device; null if it has none.
  [[nodiscard]] const ProgramVariables* variables(const Device& device) const {
    for (const auto& variant : variants_)
      if (variant.device == &device) [[likely]]
        return variant.variables.get();
    return nullptr;
  }
  /// LANEWISE_VERIFY: the same kernel one work-item at a time, alive as long as the kernel.
  struct ScalarForm {
    lanewise_range_fn* code;
    const abi::KernelInfo* info;
  };
  [[nodiscard]] std::optional<ScalarForm> scalar_form(const Device& device) const;
  /// What keeps `code(device)` mapped; a launch that holds a `Ref<Kernel>` needs nothing more.
  [[nodiscard]] Ref<KernelImage> image(const Device& device) const;

  /// As KernelArguments says.
  ArgOutcome set_arg(cl_uint index, std::size_t size, const void* value) { return arguments_.set(index, size, value); }
  ArgOutcome set_pointer_arg(cl_uint index, const void* address) { return arguments_.set_address(index, address); }
  [[nodiscard]] cl_int snapshot(LaunchArgs& out) const { return arguments_.snapshot(out); }
  [[nodiscard]] Result<LaunchArgs> snapshot() const;
  [[nodiscard]] std::uint64_t local_bytes() const { return arguments_.local_bytes(); }
  [[nodiscard]] bool all_args_set() const { return arguments_.complete(); }
  /// CL_KERNEL_WORK_GROUP_SIZE: work-items; below the device's limit where scratch memory would get out of hand.
  [[nodiscard]] std::size_t max_work_group_size(const Device& device) const;

 private:
  struct Variant {
    const Device* device;
    lanewise_range_fn* code;
    ArtifactPtr artifact;
    std::size_t index;       ///< of the kernel in the artifact
    VariablesPtr variables;  ///< null: the program has none
  };

  /// Born attached: the booking of `Program::attach_kernel` goes over to the kernel.
  Kernel(Program& program, std::vector<Variant> variants, const abi::KernelInfo& info);
  ~Kernel() override { detach(); }
  void on_api_released() noexcept override { detach(); }
  void detach() noexcept;
  static Result<Ref<Kernel>> create_attached(Program& program, std::string_view name);

  Ref<Program> program_;
  bool attached_ = true;           ///< as long as the application holds the kernel
  std::vector<Variant> variants_;  ///< at least one
  const abi::KernelInfo* info_;    ///< of the first variant; the others agree with it
  KernelArguments arguments_;
};

}  // namespace lanewise
