// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/bounds.h"

#include <cstring>
#include <limits>

#include "include/lanewise/check_abi.h"
#include "runtime/check/known_memory.h"
#include "src/config/config.h"

namespace lanewise {

namespace {

/// Memory of the application, of which nobody knows where it ends. Small addresses are null pointers with an index.
constexpr std::uint64_t kFirstAddress = 4096;
constexpr std::uint64_t kAllBytes = std::numeric_limits<std::uint64_t>::max() - kFirstAddress;
constexpr lanewise_bounds kAnywhere{kFirstAddress, kAllBytes, kAllBytes};

lanewise_bounds bounds_of(const MemObject& object) {
  const auto begin = reinterpret_cast<std::uintptr_t>(object.data());
  const std::size_t readable = (object.flags() & CL_MEM_WRITE_ONLY) != 0 ? 0 : object.size();
  const std::size_t writable = (object.flags() & CL_MEM_READ_ONLY) != 0 ? 0 : object.size();
  return {begin, readable, writable};
}

lanewise_bounds global_bounds(const Kernel& kernel, const LaunchArgs& args, std::uint64_t address) {
  if (address == 0) return {};
  const auto* begin = reinterpret_cast<const std::byte*>(static_cast<std::uintptr_t>(address));
  if (const MemObject* object = args.memory.find(begin)) return bounds_of(*object);
  const auto allocation = kernel.context().allocations().find(begin);
  if (!allocation) return kAnywhere;
  return {reinterpret_cast<std::uintptr_t>(allocation->begin), allocation->size, allocation->size};
}

/// Of a block's argument. Local arguments follow each other, so one ends where the next begins or with the group's
/// local memory.
std::uint64_t local_end(const abi::KernelInfo& info, const LaunchArgs& args, std::uint64_t begin) {
  std::uint64_t end = args.local_bytes;
  for (const abi::ArgInfo& other : info.args) {
    if (other.kind != abi::ArgKind::local_pointer) continue;
    std::uint64_t place = 0;
    std::memcpy(&place, args.block.data() + other.offset, sizeof place);
    if (place > begin && place < end) end = place;
  }
  return end;
}

const void* pointer_to(const lanewise_bounds& bounds) {
  return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(bounds.begin));
}

/// LANEWISE_CHECK=buffers: memory that nobody has written, this kernel included, may not be read.
void forbid_unwritten(const abi::KernelInfo& info, const LaunchArgs& args, std::vector<lanewise_bounds>& bounds) {
  if ((config().check.kinds & check::buffers) == 0) return;
  if (info.writes_elsewhere) check::note_all_written();
  // Any other object is an image or a pipe, or is accessed by a pointer.
  for (std::size_t i = 0; i < args.memory.size(); ++i)
    if (!is_buffer(args.memory[i])) check::note_written(args.memory[i].data());
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (info.args[i].written) check::note_written(pointer_to(bounds[i]));
  for (lanewise_bounds& of : bounds)
    if (of.begin != 0 && check::is_unwritten(pointer_to(of))) of.readable = 0;
}

}  // namespace

std::vector<lanewise_bounds> bounds_of(const Kernel& kernel, const LaunchArgs& args) {
  const abi::KernelInfo& info = kernel.info();
  std::vector<lanewise_bounds> all(info.args.size());
  std::size_t locals = 0;
  for (std::size_t i = 0; i < info.args.size(); ++i) {
    std::uint64_t word = 0;
    if (info.args[i].size != sizeof word) continue;
    std::memcpy(&word, args.block.data() + info.args[i].offset, sizeof word);
    if (info.args[i].kind == abi::ArgKind::local_pointer) {
      all[i].readable =
          locals < args.local_sizes.size() ? args.local_sizes[locals] : local_end(info, args, word) - word;
      all[i].writable = all[i].readable;
      ++locals;
    }
    if (info.args[i].kind == abi::ArgKind::global_pointer || info.args[i].kind == abi::ArgKind::constant_pointer)
      all[i] = global_bounds(kernel, args, word);
  }
  forbid_unwritten(info, args, all);
  return all;
}

}  // namespace lanewise
