// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tier/private_copies.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "runtime/exec/scratch_layout.h"
#include "runtime/exec/worker.h"
#include "src/base/rounding.h"

namespace lanewise {

namespace {

using abi::Accumulation;

/// Copies should stay in a core's cache.
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 10;
/// Work-items of a chunk for each element of the copies. Clearing and adding up an element costs some ten nanoseconds,
/// and more if other threads do the same at once; a locked addition costs five to twenty.
constexpr std::uint64_t kWantedItems = 64;
constexpr std::uint64_t kLeastItems = 4;
/// A launch is divided into at least so many chunks for each thread.
constexpr std::uint64_t kChunksPerThread = 2;

template <class T>
T neutral(Accumulation what) {
  using Limits = std::numeric_limits<std::make_signed_t<T>>;
  switch (what) {
    case Accumulation::bit_and:
    case Accumulation::unsigned_min:
      return static_cast<T>(~T{0});
    case Accumulation::signed_min:
      return static_cast<T>(Limits::max());
    case Accumulation::signed_max:
      return static_cast<T>(Limits::min());
    default:
      return 0;
  }
}

/// Relaxed minima and maxima.
/// @tparam Ordered  the type by which values are compared
template <class Ordered, class T>
void take_extreme(std::atomic_ref<T> real, T value, bool largest) {
  T seen = real.load(std::memory_order_relaxed);
  const auto changes = [&] {
    return largest ? static_cast<Ordered>(value) > static_cast<Ordered>(seen)
                   : static_cast<Ordered>(value) < static_cast<Ordered>(seen);
  };
  while (changes() && !real.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

template <class T>
void apply(T& element, T value, Accumulation what) {
  using Signed = std::make_signed_t<T>;
  const std::atomic_ref<T> real(element);
  switch (what) {
    case Accumulation::sum:
      real.fetch_add(value, std::memory_order_relaxed);
      break;
    case Accumulation::bit_and:
      real.fetch_and(value, std::memory_order_relaxed);
      break;
    case Accumulation::bit_or:
      real.fetch_or(value, std::memory_order_relaxed);
      break;
    case Accumulation::bit_xor:
      real.fetch_xor(value, std::memory_order_relaxed);
      break;
    case Accumulation::signed_min:
    case Accumulation::signed_max:
      take_extreme<Signed>(real, value, what == Accumulation::signed_max);
      break;
    default:
      take_extreme<T>(real, value, what == Accumulation::unsigned_max);
      break;
  }
}

template <class T>
void clear(std::byte* copy, std::uint64_t elements, Accumulation what) {
  std::fill_n(reinterpret_cast<T*>(copy), elements, neutral<T>(what));
}

template <class T>
void bring(std::byte* real, const std::byte* copy, std::uint64_t elements, Accumulation what) {
  const T none = neutral<T>(what);
  const T* values = reinterpret_cast<const T*>(copy);
  T* targets = reinterpret_cast<T*>(real);
  for (std::uint64_t i = 0; i < elements; ++i)
    if (values[i] != none) apply(targets[i], values[i], what);
}

/// Whether nobody but kernels with this object as an argument can reach its memory while they run. Memory of the
/// application, shared with other processes, or with a fixed address could be found through any pointer.
bool is_reached_by_arguments_only(const MemObject& object) {
  const MemObject& root = object.root();
  return root.is_own_memory() && root.properties().empty() && is_buffer(root) && is_buffer(object);
}

/// The buffer that an argument points to, if no other argument shares its memory; else null.
const MemObject* sole_buffer(const abi::ArgInfo& argument, const PrivateCopies::Arguments& args) {
  std::byte* address = nullptr;
  std::memcpy(&address, args.block.data() + argument.offset, sizeof address);
  const MemObject* found = nullptr;
  for (std::size_t i = 0; i < args.memory.size(); ++i)
    if (args.memory[i].data() == address) found = &args.memory[i];
  if (address == nullptr || found == nullptr || !is_reached_by_arguments_only(*found)) return nullptr;
  int sharing = 0;
  for (std::size_t i = 0; i < args.memory.size(); ++i) sharing += &args.memory[i].root() == &found->root() ? 1 : 0;
  return sharing == 1 ? found : nullptr;
}

}  // namespace

std::uint64_t PrivateCopies::grain_of(const abi::KernelInfo& info, const Arguments& args, const Size& size) {
  if (size.groups < kLeastItems && size.groups * size.items < kLeastItems) return 0;  // most of the small ones
  std::uint64_t bytes = align_scratch(args.block.size());
  std::uint64_t elements = 0;
  for (const abi::ArgInfo& argument : info.args) {
    if (argument.accumulation == Accumulation::none) continue;
    const MemObject* buffer = sole_buffer(argument, args);
    if (buffer == nullptr || buffer->size() > kMostBytes - std::min(bytes, kMostBytes)) return 0;
    if (reinterpret_cast<std::uintptr_t>(buffer->data()) % argument.accumulated_bytes != 0) return 0;
    bytes = align_scratch(bytes + buffer->size());
    elements += buffer->size() / argument.accumulated_bytes;
  }
  const std::uint64_t wanted = divide_up(kWantedItems * elements, size.items);
  const std::uint64_t most = size.groups / (kChunksPerThread * size.threads);
  const std::uint64_t grain = std::max<std::uint64_t>(std::min(wanted, most), 1);
  return grain > size.groups || grain * size.items < kLeastItems * elements ? 0 : grain;
}

PrivateCopies::PrivateCopies(const abi::KernelInfo& info, const Arguments& args)
    : bytes_(align_scratch(args.block.size())) {
  for (const abi::ArgInfo& argument : info.args) {
    if (argument.accumulation == Accumulation::none) continue;
    const MemObject& buffer = *sole_buffer(argument, args);
    copies_.push_back({.real = buffer.data(),
                       .elements = buffer.size() / argument.accumulated_bytes,
                       .what = argument.accumulation,
                       .element_bytes = argument.accumulated_bytes,
                       .argument_offset = argument.offset,
                       .at = bytes_});
    bytes_ = align_scratch(bytes_ + buffer.size());
  }
}

std::uint64_t PrivateCopies::lie_behind(std::uint64_t bytes) {
  behind_ = align_scratch(bytes);
  return behind_ + bytes_;
}

std::byte* PrivateCopies::memory(Worker& worker) const {
  return reinterpret_cast<std::byte*>(worker.abi().group_scratch) + behind_;
}

const std::byte* PrivateCopies::begin(Worker& worker, std::span<const std::byte> block) const {
  std::byte* const memory = this->memory(worker);
  std::memcpy(memory, block.data(), block.size());
  for (const Copy& copy : copies_) {
    std::byte* const begin = memory + copy.at;
    if (copy.element_bytes == sizeof(std::uint32_t))
      clear<std::uint32_t>(begin, copy.elements, copy.what);
    else
      clear<std::uint64_t>(begin, copy.elements, copy.what);
    std::memcpy(memory + copy.argument_offset, &begin, sizeof begin);
  }
  return memory;
}

void PrivateCopies::end(Worker& worker) const {
  const std::byte* const memory = this->memory(worker);
  for (const Copy& copy : copies_) {
    if (copy.element_bytes == sizeof(std::uint32_t))
      bring<std::uint32_t>(copy.real, memory + copy.at, copy.elements, copy.what);
    else
      bring<std::uint64_t>(copy.real, memory + copy.at, copy.elements, copy.what);
  }
}

}  // namespace lanewise
