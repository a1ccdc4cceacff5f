// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/command.h"

#include "runtime/object/handle_pool.h"

namespace lanewise {

void* Command::operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return HandlePool<Command>::take(size);
}
void Command::operator delete(void* memory) noexcept {
  HandlePool<Command>::give(memory);
}

Command::~Command() {
  delete family_.load(std::memory_order_relaxed);
  owner_.release_internal();
}

Family* Command::make_family() {
  if (Family* there = family()) return there;
  auto* fresh = new (std::nothrow) Family(parent_ == nullptr ? *this : parent_->family()->root);
  if (fresh == nullptr) return nullptr;
  Family* there = nullptr;
  if (family_.compare_exchange_strong(there, fresh, std::memory_order_acq_rel, std::memory_order_acquire)) return fresh;
  delete fresh;  // another thread, which runs other pieces, has been faster
  return there;
}

bool Command::become_child_of(Command& parent) {
  Family* family = parent.make_family();
  if (family == nullptr) return false;
  family->unfinished.fetch_add(1, std::memory_order_relaxed);
  parent_ = &parent;
  return true;
}

bool Command::finish(cl_int status) {
  Family* family = this->family();
  if (family == nullptr) return true;
  cl_int none = CL_COMPLETE;
  if (status < 0) family->outcome.compare_exchange_strong(none, status, std::memory_order_relaxed);
  // Only what runs adds children: where nothing but this is left, nobody can, and no exchange is needed.
  return family->unfinished.load(std::memory_order_acquire) == 1 ||
         family->unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

std::uint64_t Command::run_end() const {
  const Family* family = this->family();
  return family != nullptr && family->run_end != 0 ? family->run_end : times().end;
}

RunTimes Command::run_times() const {
  const EventTimes& known = times();
  if (known.start == 0) return {};
  return {.run = run_end() - known.start, .all = known.end - known.start};
}

}  // namespace lanewise
