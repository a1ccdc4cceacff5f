// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/command.h"

#include "runtime/exec/scheduler.h"
#include "runtime/object/handle_pool.h"

namespace lanewise {

void* Command::operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return HandlePool<Command>::take(size);
}
void Command::operator delete(void* memory) noexcept {
  HandlePool<Command>::give(memory);
}

void Command::start_commands() {
  owner_.flush();
  // The commands that it waits for may belong to other devices.
  if (context().devices().size() == 1) return;
  for (const Ref<Device>& device : context().devices()) Scheduler::of(*device).kick();
}

void Command::wait_for_end() {
  owner_.scheduler().wait(*this);
}

}  // namespace lanewise
