// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The checked cast from an application's handle to a runtime object.
///
/// A handle is accepted only if it is not null, carries the type tag of its class and points to the driver's dispatch
/// table. Otherwise the call fails with the specification's error for that type ("... is not a valid ...").
#pragma once

#include <CL/cl_ext.h>

#include "icd/boundary.h"
#include "runtime/object/object.h"

namespace lanewise {

/// The error "... is not a valid ..." of each type that has one.
template <Tag kTag>
consteval cl_int invalid_code() {
  if (kTag == Tag::platform) return CL_INVALID_PLATFORM;
  if (kTag == Tag::device) return CL_INVALID_DEVICE;
  if (kTag == Tag::context) return CL_INVALID_CONTEXT;
  if (kTag == Tag::queue) return CL_INVALID_COMMAND_QUEUE;
  if (kTag == Tag::device_queue) return CL_INVALID_COMMAND_QUEUE;
  if (kTag == Tag::memory) return CL_INVALID_MEM_OBJECT;
  if (kTag == Tag::sampler) return CL_INVALID_SAMPLER;
  if (kTag == Tag::program) return CL_INVALID_PROGRAM;
  if (kTag == Tag::kernel) return CL_INVALID_KERNEL;
  if (kTag == Tag::event) return CL_INVALID_EVENT;
  if (kTag == Tag::command_buffer) return CL_INVALID_COMMAND_BUFFER_KHR;
  if (kTag == Tag::mutable_command) return CL_INVALID_MUTABLE_COMMAND_KHR;
  if (kTag == Tag::semaphore) return CL_INVALID_SEMAPHORE_KHR;
  throw "no error is specified for this type";  // does not compile
}

/// The object of a handle. Null: `handle` is not a live object of class T made by this driver.
template <class T>
T* try_as(typename T::handle_type handle) noexcept {
  return live_object<T>(handle);
}

/// The object of a handle. Throws the error of its type, or `code` if the specification names another error.
template <class T>
T& as(typename T::handle_type handle, cl_int code = invalid_code<T::tag_value>()) {
  T* object = try_as<T>(handle);
  require(object != nullptr, code, "not a valid object of its type");
  return *object;
}

/// Checks, in calls that create objects or enqueue commands, that the context has not been terminated. Throws
/// CL_CONTEXT_TERMINATED_KHR (cl_khr_terminate_context).
template <class ContextClass>
void require_live(const ContextClass& context) {
  require(!context.terminated(), CL_CONTEXT_TERMINATED_KHR, "the context has been terminated");
}

/// Whether a handle belongs to an object of a parent process. Such an object is none of a forked child, but destructors
/// and garbage collectors still release it there, which succeeds without effect.
template <class T>
bool is_inherited(typename T::handle_type handle) noexcept {
  return handle != nullptr && is_inherited(*handle, T::tag_value);
}

/// clRelease*. Throws if the application holds no reference any more, even if the driver keeps the object alive.
template <class T>
void release(typename T::handle_type handle) {
  if (T* const object = try_as<T>(handle))
    return require(object->release_api(), invalid_code<T::tag_value>(), "released already");
  require(is_inherited<T>(handle), invalid_code<T::tag_value>(), "not a valid object of its type");
}

/// clRetain*.
template <class T>
void retain(typename T::handle_type handle) {
  if (T* const object = try_as<T>(handle)) return object->retain_api();
  require(is_inherited<T>(handle), invalid_code<T::tag_value>(), "not a valid object of its type");
}

/// Checks, in calls that enqueue commands, that an object which is shared with another API is acquired. Throws
/// CL_INVALID_GL_OBJECT, CL_EGL_RESOURCE_NOT_ACQUIRED_KHR.
template <class MemoryClass>
void require_acquired(const MemoryClass& object) {
  const auto* const graphics = object.graphics();
  require(graphics == nullptr || graphics->acquired(), graphics == nullptr ? CL_SUCCESS : graphics->error_of_use(),
          "an object of another API that is not acquired");
}

}  // namespace lanewise
