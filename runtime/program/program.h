// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs: source, SPIR-V or binaries, with the state of the last compile, link or build for each device (API 5.8).
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

/// How a program was created: it decides which operations are legal.
enum class ProgramOrigin { source, il, binary, link };

/// A consistent copy of the state of a program on one device, for the queries CL_PROGRAM_BUILD_*.
struct BuildState {
  cl_build_status status = CL_BUILD_NONE;
  std::string options;   ///< options of the last operation, as given
  std::string log;       ///< log of the last operation
  ArtifactPtr artifact;  ///< the result, or the binary that the program was created with; null: there is none
  ExecutablePtr executable = nullptr;  ///< the executable of a successful build or link; else null
};

/// A program. Functions that read or change its state are thread-safe.
class Program final : public Object<_cl_program, Tag::program> {
 public:
  /// Creates a program for all devices of the context.
  static Ref<Program> from_source(Context& context, std::string source);
  /// Creates a program for all devices of the context. The module has been checked (il.h).
  static Ref<Program> from_il(Context& context, std::unique_ptr<IlSource> il);
  /// @param binaries  one decoded binary for each device, in the order of `devices`
  static Ref<Program> from_binaries(Context& context, std::vector<Ref<Device>> devices,
                                    std::vector<ArtifactPtr> binaries);
  /// Creates the empty result of clLinkProgram, which a link fills.
  static Ref<Program> for_link(Context& context, std::vector<Ref<Device>> devices);

  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] ProgramOrigin origin() const { return origin_; }
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] IlSource* il() const { return il_.get(); }  ///< null: the program is not from SPIR-V
  [[nodiscard]] std::span<const Ref<Device>> devices() const { return devices_; }
  /// The binary that the program was created with; null: the program has another origin.
  [[nodiscard]] ArtifactPtr loaded(const Device& device) const;

  /// A copy of the device's state. A sub-device for which nothing has been built has its parent's state (API 5.8.9,
  /// CL_PROGRAM_BINARIES).
  [[nodiscard]] BuildState state(const Device& device) const;
  /// The executable to create kernels from; null: there has been no successful build or link.
  [[nodiscard]] ExecutablePtr executable(const Device& device) const;

  /// The memory of the variables of the device's executable; null: it has none. The first kernel creates the memory and
  /// constructs its objects; it stays the same until the program is built again. Errors: CL_OUT_OF_RESOURCES.
  Result<VariablesPtr> variables(const Device& device, const ExecutablePtr& executable);

  /// Begins a compile, link or build for `devices`: their states become CL_BUILD_IN_PROGRESS, without the results of
  /// earlier operations. Errors: CL_INVALID_OPERATION if an operation is in progress or kernels are attached.
  Result<void> begin(std::span<Device* const> devices, const std::string& options);
  /// Ends the operation for one device and publishes its result.
  /// @param artifact    null: the operation failed
  /// @param executable  the artifact's executable, if it has one
  void finish(const Device& device, std::string log, ArtifactPtr artifact, ExecutablePtr executable);

  /// Notes that an operation did not begin because its options are not valid. The log of the devices says why. Devices
  /// for which nothing has been built get the status CL_BUILD_ERROR; earlier results stay, and can be used.
  void refuse(std::span<Device* const> devices, const std::string& options, const std::string& log);

  /// Counts one more kernel that the application holds; while there is one, `begin` fails. Errors:
  /// CL_INVALID_PROGRAM_EXECUTABLE if there is no executable any more to create a kernel from.
  Result<void> attach_kernel();
  void detach_kernel() noexcept;

  /// The callbacks that run when the program is destroyed, after the destructors of its variables (API 5.8.2,
  /// clSetProgramReleaseCallback).
  [[nodiscard]] DestructorCallbacks<cl_program>& release_callbacks() { return release_callbacks_; }

 private:
  struct Slot {
    BuildState state;
    ArtifactPtr loaded;
    /// Variables of the executable, which may be the parent device's; null until they are needed.
    VariablesPtr variables;
  };

  Program(Context& context, ProgramOrigin origin, std::vector<Ref<Device>> devices);
  ~Program() override = default;
  void destroy() noexcept override;
  /// The device's own state, or the nearest ancestor's if there has been no operation for the device.
  [[nodiscard]] const BuildState* effective(const Device& device) const REQUIRES(mutex_);

  /// Whether an operation for `built` replaces the executable that the device uses.
  [[nodiscard]] bool uses_executable_of(const Device& device, std::span<Device* const> built) const REQUIRES(mutex_);

  Ref<Context> context_;
  ProgramOrigin origin_;
  std::vector<Ref<Device>> devices_;
  std::string source_;
  std::unique_ptr<IlSource> il_;
  DestructorCallbacks<cl_program> release_callbacks_;

  mutable Mutex mutex_;                         ///< innermost; never held across a compile or a callback
  std::vector<Slot> slots_ GUARDED_BY(mutex_);  ///< one slot for each device of `devices_`
  cl_uint attached_kernels_ GUARDED_BY(mutex_) = 0;
};

/// Whether the program is associated with the device.
bool has_device(const Program& program, const Device& device);

/// Whether an executable of the program has the kernel, even one that applications do not see. Nothing: there is no
/// executable.
std::optional<bool> has_kernel(const Program& program, const char* name);

/// The kernels of the first device that has an executable, in the order of the program. Nothing: there is no
/// executable.
std::optional<std::vector<std::string>> kernel_names(const Program& program);

}  // namespace lanewise
