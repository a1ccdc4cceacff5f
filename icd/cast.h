// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checked cast from an application's handle to a runtime object.
///
/// A handle is believed only if it is not null, carries the type tag of its class and points to our dispatch table;
/// otherwise the call fails with the error that the specification gives for that type ("... is not a valid ...").
#pragma once

#include "icd/boundary.h"
#include "runtime/core/object.h"

namespace lanewise {

template <Tag>
struct InvalidCode;
template <>
struct InvalidCode<Tag::platform> {
  static constexpr cl_int code = CL_INVALID_PLATFORM;
};
template <>
struct InvalidCode<Tag::device> {
  static constexpr cl_int code = CL_INVALID_DEVICE;
};
template <>
struct InvalidCode<Tag::context> {
  static constexpr cl_int code = CL_INVALID_CONTEXT;
};
template <>
struct InvalidCode<Tag::queue> {
  static constexpr cl_int code = CL_INVALID_COMMAND_QUEUE;
};
template <>
struct InvalidCode<Tag::memory> {
  static constexpr cl_int code = CL_INVALID_MEM_OBJECT;
};
template <>
struct InvalidCode<Tag::sampler> {
  static constexpr cl_int code = CL_INVALID_SAMPLER;
};
template <>
struct InvalidCode<Tag::program> {
  static constexpr cl_int code = CL_INVALID_PROGRAM;
};
template <>
struct InvalidCode<Tag::kernel> {
  static constexpr cl_int code = CL_INVALID_KERNEL;
};
template <>
struct InvalidCode<Tag::event> {
  static constexpr cl_int code = CL_INVALID_EVENT;
};

/// Null if `handle` is not a live object of class T made by this driver.
template <class T>
T* try_as(typename T::handle_type handle) noexcept {
  if (handle == nullptr) return nullptr;
  if (handle->tag != T::tag_value || handle->dispatch != dispatch_table()) return nullptr;
  return static_cast<T*>(handle);
}

/// The object, or the error of its type (`code` where the specification names another one).
template <class T>
T& as(typename T::handle_type handle, cl_int code = InvalidCode<T::tag_value>::code) {
  T* object = try_as<T>(handle);
  require(object != nullptr, code, "not a valid object of its type");
  return *object;
}

}  // namespace lanewise
