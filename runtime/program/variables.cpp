// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/variables.h"

#include <CL/cl.h>
#include <sys/mman.h>

#include <cstring>
#include <utility>

#include "include/lanewise/variable_kernels.h"
#include "runtime/exec/worker.h"
#include "runtime/printf/sink.h"
#include "runtime/process/fork_guard.h"
#include "runtime/process/stack.h"
#include "runtime/process/thread.h"
#include "runtime/tier/executable.h"

namespace lanewise {

Result<VariablesPtr> ProgramVariables::create(std::shared_ptr<const Executable> executable) {
  const abi::VariableStorage& storage = executable->artifact->reply.variables;
  std::shared_ptr<ProgramVariables> variables(new ProgramVariables);
  // The system allocates pages, filled with zeros, when they are touched first.
  const std::size_t mapped = storage.bytes + storage.align;
  void* mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return Error{CL_OUT_OF_RESOURCES, "no memory for the variables of the program"};
  variables->mapping_ = mapping;
  variables->mapped_ = mapped;
  const auto begin = reinterpret_cast<std::uintptr_t>(mapping);
  variables->data_ = static_cast<std::byte*>(mapping) + ((storage.align - begin % storage.align) % storage.align);
  variables->size_ = storage.bytes;
  variables->executable_ = std::move(executable);
  if (!storage.initial.empty()) std::memcpy(variables->data_, storage.initial.data(), storage.initial.size());
  for (const abi::VariableStorage::Pointer& pointer : storage.pointers) {
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(variables->data_) + pointer.target;
    std::memcpy(variables->data_ + pointer.at, &address, sizeof address);
  }
  return variables;
}

Result<void> ProgramVariables::construct() {
  Objects state = Objects::raw;
  if (objects_.compare_exchange_strong(state, Objects::being_constructed, std::memory_order_acquire)) {
    state = run(kConstructors) ? Objects::constructed : Objects::failed;
    objects_.store(state, std::memory_order_release);
    objects_.notify_all();
  }
  while (state == Objects::being_constructed) {
    objects_.wait(state, std::memory_order_acquire);
    state = objects_.load(std::memory_order_acquire);
  }
  if (state == Objects::failed) return Error{CL_OUT_OF_RESOURCES, "the constructors of variables cannot run"};
  return {};
}

bool ProgramVariables::run(const char* kernel) noexcept {
  constexpr std::size_t kFrame = std::size_t{128} * 1024;  // spilled registers, and calls of functions of the library
  const std::ptrdiff_t index = executable_->artifact->find(kernel);
  if (index < 0) return true;
  const auto which = static_cast<std::size_t>(index);
  const std::size_t needed = executable_->info(which).private_bytes + kFrame;
  if (stack_left() >= needed) return run_here(which);
  bool done = false;
  return run_with_stack(needed, [&] { done = run_here(which); }) && done;
}

bool ProgramVariables::run_here(std::size_t index) noexcept {
  const abi::KernelInfo& info = executable_->info(index);
  Worker& worker = Worker::current();
  if (!info.has_variables || info.variables_offset != 0 ||
      !worker.reserve(info.local_bytes, info.item_bytes, info.group_bytes))
    return false;
  // There is no command at whose end what they print would appear, so it does when they have run.
  PrintSink printed;
  PrintSink* const sink = worker.sink();
  worker.set_sink(&printed);
  const KernelFloatEnvironment environment;
  const lanewise_launch launch{{0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, 1, 0};
  const void* block[] = {data_};
  executable_->code[index]->run()(&launch, block, &worker.abi(), 0, 1);
  worker.set_sink(sink);
  printed.flush();
  return true;
}

ProgramVariables::~ProgramVariables() {
  // In a forked child the memory is a copy, whose objects are the parent's to destroy.
  if (objects_ == Objects::constructed && !in_forked_child()) run(kDestructors);
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

}  // namespace lanewise
