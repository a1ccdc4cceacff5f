// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/variables.h"

#include <CL/cl.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanewise {

Result<VariablesPtr> ProgramVariables::create(const abi::VariableStorage& storage) {
  std::shared_ptr<ProgramVariables> variables(new ProgramVariables);
  // Pages come when they are touched, as zeros.
  const std::size_t mapped = storage.bytes + storage.align;
  void* mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return Error{CL_OUT_OF_RESOURCES, "no memory for the variables of the program"};
  variables->mapping_ = mapping;
  variables->mapped_ = mapped;
  const auto begin = reinterpret_cast<std::uintptr_t>(mapping);
  variables->data_ = static_cast<std::byte*>(mapping) + ((storage.align - begin % storage.align) % storage.align);
  variables->size_ = storage.bytes;
  if (!storage.initial.empty()) std::memcpy(variables->data_, storage.initial.data(), storage.initial.size());
  for (const abi::VariableStorage::Pointer& pointer : storage.pointers) {
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(variables->data_) + pointer.target;
    std::memcpy(variables->data_ + pointer.at, &address, sizeof address);
  }
  return VariablesPtr(std::move(variables));
}

ProgramVariables::~ProgramVariables() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

bool is_plausible(const abi::VariableStorage& storage) {
  constexpr std::uint64_t kMost = 2 * abi::kLargestKernelMemory;  // with what alignment leaves between variables
  if (storage.bytes > kMost || storage.largest > storage.bytes || storage.initial.size() > storage.bytes) return false;
  if (!std::has_single_bit(storage.align) || storage.align > abi::kLargestKernelMemory) return false;
  return std::all_of(storage.pointers.begin(), storage.pointers.end(), [&](const auto& pointer) {
    return storage.bytes >= sizeof(std::uint64_t) && pointer.at <= storage.bytes - sizeof(std::uint64_t);
  });
}

}  // namespace lanewise
