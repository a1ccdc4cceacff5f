// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/event.h"

#include "runtime/process/fork_guard.h"
#include "src/base/happens_before.h"

namespace lanewise {

Result<void> Event::add_callback(cl_int trigger, Callback callback, void* user_data) {
  flush();
  return status_.add_callback(*this, trigger, callback, user_data);
}

cl_int Event::wait() {
  if (!ended()) {
    if (in_forked_child()) return CL_OUT_OF_RESOURCES;
    wait_for_end();
  }
  acquired(&status_);
  return status();
}

}  // namespace lanewise
