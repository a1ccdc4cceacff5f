// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/shared_payload.h"

#include <utility>

#include "runtime/process/fork_guard.h"

namespace lanewise {

Result<std::shared_ptr<SharedPayload>> SharedPayload::joined(SharedState state) {
  std::shared_ptr<SharedPayload> made(new SharedPayload(std::move(state)));
  if (!join_shared(*made)) return Error{CL_OUT_OF_RESOURCES, "no place or thread for a shared semaphore"};
  return made;
}

Result<std::shared_ptr<SharedPayload>> SharedPayload::create() {
  auto state = SharedState::create();
  if (!state.ok()) return state.error();
  return joined(std::move(state).value());
}

Result<std::shared_ptr<SharedPayload>> SharedPayload::import(int handle) {
  auto state = SharedState::open(handle);
  if (!state.ok()) return state.error();
  return joined(std::move(state).value());
}

void SharedPayload::wait_has_come() {
  watch_shared(*this);
}

void SharedPayload::close() noexcept {
  if (in_forked_child()) return;
  state_.say_good_bye();
  leave_shared(*this);
}

}  // namespace lanewise
