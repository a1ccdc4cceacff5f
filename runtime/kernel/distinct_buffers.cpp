// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/kernel/distinct_buffers.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/memory/mem_object.h"

namespace lanewise {

namespace {

/// Kernels with more buffers are taken for ones whose buffers overlap.
constexpr std::size_t kMostBuffers = 32;

/// The buffer at an address; null: the address is not that of a buffer whose memory has one address only.
const MemObject* buffer_at(const MemoryRefs& memory, const std::byte* address) {
  const MemObject* object = memory.find(address);
  if (object == nullptr) return nullptr;
  const bool is_applications = (object->flags() & CL_MEM_USE_HOST_PTR) != 0 && !object->uses_svm_pointer();
  return object->is_own_memory() || is_applications ? object : nullptr;
}

}  // namespace

bool has_distinct_buffers(const abi::KernelInfo& info, const LaunchArgs& args) {
  std::array<ByteRange, kMostBuffers> buffers;  // addresses
  std::size_t count = 0;
  for (const abi::ArgInfo& arg : info.args) {
    if (arg.kind != abi::ArgKind::global_pointer && arg.kind != abi::ArgKind::constant_pointer) continue;
    const std::byte* address = nullptr;
    std::memcpy(&address, args.block.data() + arg.offset, sizeof address);
    if (address == nullptr) continue;
    const MemObject* buffer = buffer_at(args.memory, address);
    if (buffer == nullptr || count == kMostBuffers) return false;
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    buffers[count++] = {begin, begin + buffer->size()};
  }
  const auto end = buffers.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(buffers.begin(), end, [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  const auto overlap = [](const ByteRange& a, const ByteRange& b) { return b.begin < a.end; };
  return std::adjacent_find(buffers.begin(), end, overlap) == end;
}

}  // namespace lanewise
