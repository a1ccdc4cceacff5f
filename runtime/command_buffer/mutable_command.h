// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Handles to recorded commands (cl_khr_command_buffer_mutable_dispatch), and the parts of a launch that can be
/// updated.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <memory>
#include <optional>
#include <vector>

#include "runtime/kernel/kernel.h"
#include "runtime/launch/ndrange.h"
#include "runtime/object/object.h"

namespace lanewise {

class CommandBuffer;

/// A recorded launch with all updates so far.
struct RecordedLaunch {
  Ref<Kernel> kernel;     ///< the application's kernel
  Ref<Kernel> arguments;  ///< a copy with the argument values of this command; null: they cannot be updated
  NdRange range;
  cl_mutable_dispatch_fields_khr fields = 0;  ///< parts that may be updated
};

/// The handle of a recorded command, alive as long as its command-buffer.
class MutableCommand final : public Object<_cl_mutable_command_khr, Tag::mutable_command> {
 public:
  MutableCommand(CommandBuffer& buffer, std::size_t index, cl_command_type type, std::vector<cl_properties> properties)
      : buffer_(buffer), index_(index), type_(type), properties_(std::move(properties)) {}

  [[nodiscard]] CommandBuffer& buffer() const { return buffer_; }
  [[nodiscard]] std::size_t index() const { return index_; }  ///< number of the command in the buffer, from 0
  [[nodiscard]] cl_command_type type() const { return type_; }
  /// The properties given at the recording, with the closing 0; empty: none were given.
  [[nodiscard]] const std::vector<cl_properties>& properties() const { return properties_; }

 private:
  CommandBuffer& buffer_;
  std::size_t index_;
  cl_command_type type_;
  std::vector<cl_properties> properties_;
};

}  // namespace lanewise
