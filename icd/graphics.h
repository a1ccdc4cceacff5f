// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the functions for objects of OpenGL and EGL have in common.
#pragma once

#include <CL/cl.h>

#include <span>

#include "icd/enqueue.h"
#include "icd/memory_flags.h"
#include "runtime/core/context.h"
#include "runtime/exec/queue.h"
#include "runtime/gl/share_group.h"
#include "runtime/gl/transfer.h"

namespace lanewise {

/// The share group of a context that was made with one of OpenGL. Throws CL_INVALID_CONTEXT.
gl::ShareGroup& share_group(const Context& context);

/// Checks the flags of a new object and gives it the default access. Throws CL_INVALID_VALUE.
/// @param allowed  the flags that the function takes
void check_graphics_flags(cl_mem_flags flags, cl_mem_flags allowed);

/// Makes the memory object of an object that has been found. Throws CL_OUT_OF_RESOURCES.
cl_mem make_graphics_buffer(Context& context, cl_mem_flags flags, gl::Found found);
cl_mem make_graphics_image(Context& context, cl_mem_flags flags, gl::Found found);

/// The memory objects of a command, as given.
struct ObjectList {
  cl_uint count;
  const cl_mem* objects;
};

/// Enqueues an acquire or a release. Throws the errors of clEnqueueAcquireGLObjects and clEnqueueAcquireEGLObjectsKHR.
void enqueue_transfer(cl_command_queue handle, cl_command_type type, ObjectList objects, WaitList waits,
                      cl_event* event);

}  // namespace lanewise
