// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The commands that acquire and release objects of OpenGL and EGL.
#pragma once

#include <vector>

#include "runtime/exec/user_event.h"
#include "runtime/exec/work.h"
#include "runtime/memory/mem_object.h"
#include "src/base/result.h"

namespace lanewise::gl {

enum class Direction { acquire, release };

/// A command of the application as two commands, so that no thread of the device waits for the thread of OpenGL. The
/// first starts the transfer. The second waits for `moved` and has the status of the transfer.
struct TransferCommands {
  WorkPtr begin;
  WorkPtr end;
  Ref<UserEvent> moved;
};

/// @param objects  at least one, each with a graphics object
/// Errors: CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES. May throw std::bad_alloc.
[[nodiscard]] Result<TransferCommands> make_transfer(Context& context, Direction direction,
                                                     std::vector<Ref<MemObject>> objects);

/// The object of OpenGL or EGL behind a memory object. Null: there is none.
[[nodiscard]] class SharedObject* shared_object(const MemObject& object);

}  // namespace lanewise::gl
