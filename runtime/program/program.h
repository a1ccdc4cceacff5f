// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs: source, SPIR-V or binaries, and for each device the state of the last compile, link or build (API 5.8).
#pragma once

#include <CL/cl.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/code/artifact.h"
#include "runtime/core/context.h"
#include "runtime/object/destructor_callbacks.h"
#include "runtime/object/object.h"
#include "runtime/program/il.h"
#include "runtime/program/variables.h"
#include "runtime/tier/executable.h"
#include "src/base/mutex.h"
#include "src/base/result.h"

namespace lanewise {

/// How a program was created, which decides the operations that are legal for it.
enum class ProgramOrigin { source, il, binary, link };

/// A consistent copy of the state of a program on one device, as CL_PROGRAM_BUILD_* shows it.
struct BuildState {
  cl_build_status status = CL_BUILD_NONE;
  std::string options;   ///< of the last operation, as given
  std::string log;       ///< of the last operation
  ArtifactPtr artifact;  ///< its result, or the binary that the program was created with; null if there is none
  ExecutablePtr executable = nullptr;  ///< of that, after a successful build or link of an executable; else null
};

class Program final : public Object<_cl_program, Tag::program> {
 public:
  /// Associated with all devices of the context.
  static Ref<Program> from_source(Context& context, std::string source);
  /// Associated with all devices of the context. The module has been checked (il.h).
  static Ref<Program> from_il(Context& context, std::unique_ptr<IlSource> il);
  /// @param binaries  one decoded binary per device, in the order of `devices`
  static Ref<Program> from_binaries(Context& context, std::vector<Ref<Device>> devices,
                                    std::vector<ArtifactPtr> binaries);
  /// The empty result of clLinkProgram, to be filled by a link.
  static Ref<Program> for_link(Context& context, std::vector<Ref<Device>> devices);

  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] ProgramOrigin origin() const { return origin_; }
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] IlSource* il() const { return il_.get(); }  ///< null: not from SPIR-V
  [[nodiscard]] std::span<const Ref<Device>> devices() const { return devices_; }
  /// The binary that the program was created with; null for other origins.
  [[nodiscard]] ArtifactPtr loaded(const Device& device) const;

  /// A copy of the device's state. A sub-device for which nothing has been built has the state of its parent (API
  /// 5.8.9, CL_PROGRAM_BINARIES).
  [[nodiscard]] BuildState state(const Device& device) const;
  /// The executable that kernels may be created from; null before a successful build or link.
  [[nodiscard]] ExecutablePtr executable(const Device& device) const;

  /// The memory of the variables of the device's executable: made, and its objects constructed, for the first kernel,
  /// and the same until the program is built again. Null if it has none. Errors: CL_OUT_OF_RESOURCES.
  Result<VariablesPtr> variables(const Device& device, const ExecutablePtr& executable);

  /// Begins a compile, link or build for `devices`: their states become CL_BUILD_IN_PROGRESS, without the results of
  /// earlier operations. Errors: CL_INVALID_OPERATION if one is in progress or kernels are attached.
  Result<void> begin(std::span<Device* const> devices, const std::string& options);
  /// Ends the operation for one device and publishes its result. A null artifact means failure.
  /// @param executable  of the artifact, if it is one
  void finish(const Device& device, std::string log, ArtifactPtr artifact, ExecutablePtr executable);

  /// Notes that an operation did not begin because its options are not valid. The log of the devices says why, and what
  /// has not been built has the status CL_BUILD_ERROR. What has been built stays, and can be used.
  void refuse(std::span<Device* const> devices, const std::string& options, const std::string& log);

  /// Counts the kernels that the application holds; while there is one, `begin` fails. Errors:
  /// CL_INVALID_PROGRAM_EXECUTABLE if there is no executable any more to create a kernel from.
  Result<void> attach_kernel();
  void detach_kernel() noexcept;

  /// Called when the program goes, after the destructors of its variables (API 5.8.2, clSetProgramReleaseCallback).
  [[nodiscard]] DestructorCallbacks<cl_program>& release_callbacks() { return release_callbacks_; }

 private:
  struct Slot {
    BuildState state;
    ArtifactPtr loaded;
    VariablesPtr variables;  ///< of the executable, which may be that of the parent device; null until they are needed
  };

  Program(Context& context, ProgramOrigin origin, std::vector<Ref<Device>> devices);
  ~Program() override = default;
  void destroy() noexcept override;
  /// The device's own state, or the nearest ancestor's if nothing has been done for it.
  [[nodiscard]] const BuildState* effective(const Device& device) const REQUIRES(mutex_);

  /// Whether an operation for `built` replaces the executable that the device uses.
  [[nodiscard]] bool uses_executable_of(const Device& device, std::span<Device* const> built) const REQUIRES(mutex_);

  Ref<Context> context_;
  ProgramOrigin origin_;
  std::vector<Ref<Device>> devices_;
  std::string source_;
  std::unique_ptr<IlSource> il_;
  DestructorCallbacks<cl_program> release_callbacks_;

  mutable Mutex mutex_;                         ///< innermost, never held across a compile or a callback
  std::vector<Slot> slots_ GUARDED_BY(mutex_);  ///< one for each of devices_
  cl_uint attached_kernels_ GUARDED_BY(mutex_) = 0;
};

/// Whether the program is associated with the device.
bool has_device(const Program& program, const Device& device);

/// Whether an executable of the program has the kernel, be it one that applications do not see; nothing: there is none.
std::optional<bool> has_kernel(const Program& program, const char* name);

/// The kernels of the first device that has an executable, in the order of the program; nothing if there is none.
std::optional<std::vector<std::string>> kernel_names(const Program& program);

}  // namespace lanewise
