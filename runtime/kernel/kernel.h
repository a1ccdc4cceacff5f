// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels: a function of a program with the values of its arguments (API 5.9).
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "runtime/kernel/block_kernels.h"
#include "runtime/kernel/kernel_arguments.h"
#include "runtime/object/object.h"
#include "runtime/program/program.h"
#include "runtime/tier/executable.h"
#include "runtime/tier/launch_class.h"
#include "src/base/result.h"
#include "src/base/sizes.h"

namespace lanewise {

class Kernel final : public Object<_cl_kernel, Tag::kernel> {
 public:
  /// Creates a kernel object for the kernel `name` of every executable of `program`, attached to the program. Errors:
  /// CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME, CL_INVALID_KERNEL_DEFINITION (devices disagree about its
  /// arguments).
  static Result<Ref<Kernel>> create(Program& program, std::string_view name);
  /// Creates an independent kernel with the same argument values. Errors: as for `create`.
  [[nodiscard]] Result<Ref<Kernel>> clone() const;
  /// Creates a copy for the driver's own use. It has this kernel's executable, even if the program has another one now,
  /// and is not attached to the program. May throw std::bad_alloc.
  [[nodiscard]] Ref<Kernel> copy() const;

  /// The description. Until there is code it has bounds in place of what depends on the code (Reply::lacks_code), so
  /// whoever needs that waits before.
  [[nodiscard]] const abi::KernelInfo& info() const { return code_->info(); }
  [[nodiscard]] const ProgramTraits& traits() const { return variants_.front().executable->artifact->traits; }
  [[nodiscard]] Program& program() const { return *program_; }
  [[nodiscard]] Context& context() const { return program_->context(); }

  /// Whether the program has an executable for a device (else CL_INVALID_PROGRAM_EXECUTABLE at enqueue).
  [[nodiscard]] bool runs_on(const Device& device) const { return variant_for(device) != nullptr; }
  /// The code for a device; null: there is none, or not yet.
  [[nodiscard]] lanewise_range_fn* code(const Device& device) const {
    const Variant* variant = variant_for(device);
    return variant == nullptr || code_->run() == nullptr ? nullptr : variant->code->run();
  }
  /// Blocks until there is code for a device that the kernel runs on. Errors: as for KernelCode::wait.
  [[nodiscard]] cl_int wait_for_code(const Device& device) const;
  /// KernelCode::take_fault of the code for a device that the kernel runs on.
  [[nodiscard]] std::string take_code_fault(const Device& device) const;
  /// Ends `event` when there is code for a device that the kernel runs on, or none can be made. False: there is now.
  [[nodiscard]] bool tell_of_code(const Device& device, const Ref<UserEvent>& event) const;
  /// The place of second-tier code for groups of `local` work-items and a class of launches, on a device for which
  /// `code` is not null. The place and its code are valid as long as the kernel.
  [[nodiscard]] Tiers::Place place(const Device& device, const Sizes& local, const LaunchClass& launch_class) const {
    const Variant& variant = *variant_for(device);
    return {variant.executable, variant.index, local, launch_class};
  }
  /// A number that all kernel objects of one function of an executable share, and that no other function ever has.
  [[nodiscard]] std::uint64_t identity(const Device& device) const {
    const Variant* variant = variant_for(device);
    return variant == nullptr ? 0 : variant->executable->tiers->identity_of(variant->index);
  }
  /// The memory of the program's variables on a device; empty: it has none.
  [[nodiscard]] std::span<std::byte> variables(const Device& device) const {
    const Variant* variant = variant_for(device);
    if (variant == nullptr || variant->variables == nullptr) return {};
    return {variant->variables->data(), variant->variables->size()};
  }
  /// The block kernel of this number that this kernel may enqueue on a device; null: there is none.
  [[nodiscard]] Kernel* block(const Device& device, std::uint64_t number) const {
    const Variant* variant = variant_for(device);
    return variant == nullptr || variant->blocks == nullptr ? nullptr : variant->blocks->find(number);
  }
  /// LANEWISE_VERIFY: the code that runs one work-item at a time, alive as long as the kernel.
  struct ScalarForm {
    lanewise_range_fn* code;
    const abi::KernelInfo* info;
  };
  [[nodiscard]] std::optional<ScalarForm> scalar_form(const Device& device) const;

  /// See KernelArguments.
  ArgOutcome set_arg(cl_uint index, std::size_t size, const void* value) { return arguments_.set(index, size, value); }
  ArgOutcome set_pointer_arg(cl_uint index, const void* address) { return arguments_.set_address(index, address); }
  [[nodiscard]] cl_int snapshot(LaunchArgs& out) const { return arguments_.snapshot(out, info().local_bytes); }
  /// Lays out the local memory of a snapshot that was taken before there was code.
  void lay_out_local_memory(LaunchArgs& args) const { arguments_.lay_out_local_memory(args, info().local_bytes); }
  /// LaunchClass::arguments of a snapshot.
  [[nodiscard]] std::uint64_t class_of(const LaunchArgs& args) const {
    return arguments_.have_class() ? class_of_arguments(info(), args.block.data()) : 0;
  }
  [[nodiscard]] std::uint64_t local_bytes() const { return arguments_.local_bytes(info().local_bytes); }
  [[nodiscard]] bool all_args_set() const { return arguments_.complete(); }
  /// CL_KERNEL_WORK_GROUP_SIZE in work-items; below the device's limit if a group would need too much scratch memory.
  [[nodiscard]] std::size_t max_work_group_size(const Device& device) const;

 private:
  friend class BlockKernels;
  /// The kernel on one device.
  struct Variant {
    const Device* device;
    KernelCode* code;  ///< the executable's code
    ExecutablePtr executable;
    std::size_t index;                              ///< index of the kernel in the executable
    VariablesPtr variables;                         ///< null: the program has none
    const BlockKernels* blocks = nullptr;           ///< null: the executable has no blocks
    std::shared_ptr<const BlockKernels> kept = {};  ///< keeps `blocks` alive, except in block kernels
  };

  /// The kernel on a device; null: the program has no executable for the device.
  [[nodiscard]] const Variant* variant_for(const Device& device) const {
    for (const Variant& variant : variants_)
      if (variant.device == &device) [[likely]]
        return &variant;
    return nullptr;
  }

  /// Creates an attached kernel: it takes over the caller's `Program::attach_kernel`.
  Kernel(Program& program, std::vector<Variant> variants);
  ~Kernel() override { detach(); }
  void on_api_released() noexcept override { detach(); }
  void detach() noexcept;
  static Result<Ref<Kernel>> create_attached(Program& program, std::string_view name);

  Ref<Program> program_;
  bool attached_ = true;           ///< true as long as the application holds the kernel
  std::vector<Variant> variants_;  ///< one or more
  KernelCode* code_;               ///< code of the first variant, whose description the others agree with
  KernelArguments arguments_;
};

}  // namespace lanewise
